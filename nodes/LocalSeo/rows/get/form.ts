import type { JsonObject, List } from '../../client';
import type { Connected } from '../../host/connect';
import { keptPeriod, type Period, readTogether, TABLES, withinPeriod } from '../../insights';
import type { NamedLocation, TableName } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { asJson } from '../item';
import type { Performed } from '../outcome';
import type { Row } from '../read/row';

/** The records of one location, or its data of any shape. */
export interface Got {
	records: unknown[];
	/** Absent for what is no list. */
	list?: List;
	data?: unknown;
	beside?: JsonObject;
}

export interface ReadLocation {
	location: NamedLocation;
	got: Got;
}

/** Records in the form that the parameters ask for, and what is to be said of them. */
export type Formed = Pick<Performed, 'records' | 'notes' | 'empty'>;

/**
 * Records in the form that the parameter Output asks for, with the same columns for all locations.
 */
export function ofLocations(
	row: Row,
	period: Period | undefined,
	readings: ReadLocation[],
	isOfAll: boolean,
): Formed {
	const { tables } = row.resource;
	const table = tableOf(row);
	const own = readings.map(({ location, got: { records, data, beside } }) => ({
		...{ location, records },
		insights: { location, data, beside },
	}));
	const filled = own.filter(({ records }) => records.length > 0);
	const together =
		table &&
		readTogether(
			filled.map(({ insights }) => insights),
			row.zone,
		);
	const formed = own.map(({ location, records, insights }) => {
		const of = { location_id: location.id, location_name: location.name };
		const named = isOfAll ? records.map((one) => ({ ...of, ...asJson(one) })) : records;
		const none = { rows: [], notes: [] };
		const made =
			table &&
			(records.length > 0 ? withinPeriod(table(insights, together), period, row.zone) : none);
		return { location, records: made?.rows ?? named, says: made?.notes ?? [] };
	});
	const empty = formed.filter(({ records, says }) => records.length + says.length === 0);
	return {
		records: formed.flatMap((one) => one.records),
		notes: formed.flatMap(({ location, says }) =>
			says.map((say) => ({ say, of: labelReading(location) })),
		),
		...(tables && { empty: empty.map(({ location }) => labelReading(location)) }),
	};
}

/** The days that the option Period keeps of daily rows. */
export function periodOf(
	{ output, period, zone }: Row,
	{ account }: Connected,
): Period | undefined {
	return output === 'rows' ? keptPeriod(period, zone, account.clock.now()) : undefined;
}

/**
 * The table that the parameter Output asks for; undefined for the records as they are.
 *
 * @throws InputError for what is no output
 */
export function tableOf({ resource: { tables }, output }: Row) {
	if (!tables || output === 'raw') return undefined;
	if (tables.includes(output as TableName)) return TABLES[output as TableName];
	throw new InputError(
		`There is no output ${asValue(output)}`,
		`Choose one of the list under 'Output', where an expression has no effect: ${tables.join(', ')} or raw.`,
	);
}

const labelReading = ({ id, name }: NamedLocation) => name || id;
