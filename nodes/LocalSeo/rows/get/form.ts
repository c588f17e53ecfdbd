import { isEmpty, type JsonObject, type List } from '../../client';
import type { Connected } from '../../host/connect';
import {
	keptPeriod,
	labelReading,
	type Period,
	readDays,
	type TableForm,
	TABLES,
	withinPeriod,
} from '../../insights';
import type { NamedLocation, Note, TableName } from '../../resources';
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

/** The form that the parameters ask for: a table, or (if absent) the records as they are. */
export interface Form {
	table?: TableForm;
	period?: Period;
}

/** Records in that form, and what is to be said of them. */
export type Formed = Pick<Performed, 'records' | 'notes' | 'empty'>;

/**
 * The form that the parameters Output, Days and Period ask for.
 *
 * @throws InputError for one that is none
 */
export function formOf(row: Row, { account }: Connected): Form {
	const { days, output, period, resource, zone } = row;
	const { tables } = resource;
	if (!tables || output === 'raw') return {};
	if (!tables.includes(output as TableName)) {
		throw new InputError(
			`There is no output ${asValue(output)}`,
			`Choose one of the list under 'Output', where an expression has no effect: ${tables.join(', ')} or raw.`,
		);
	}
	const table = { rowsOf: TABLES[output as TableName], days: readDays(days) };
	if (output !== 'rows') return { table };
	return { table, period: keptPeriod(period, zone, account.clock.wall()) };
}

/**
 * Turns the data of a location into the form that is asked for.
 *
 * @param isOfAll true if it is one of several, and each record says which
 */
export function inForm(
	{ resource, zone }: Row,
	{ table, period }: Form,
	location: NamedLocation,
	{ records: read, data, beside = {} }: Got,
	isOfAll: boolean,
): Formed {
	const of = labelReading(location);
	const about = { location_id: location.id, location_name: location.name };
	// First in the columns, and never what a record says of itself.
	const named = isOfAll ? read.map((one) => ({ ...about, ...asJson(one), ...about })) : read;
	const asTable = () =>
		withinPeriod(table!.rowsOf({ location, data }, table!.days), period, zone, of);
	const isTable = table !== undefined && read.length > 0;
	const { rows: records, notes } = isTable ? asTable() : { rows: named, notes: [] };
	const empty = records.length + notes.length === 0 ? [of] : [];
	if (!resource.tables) return { records, notes };
	const unread = Object.keys(beside).filter((name) => isUnread(name, beside[name]));
	return {
		records,
		notes: [...notes, ...unread.map((name) => ({ say: besideData, of: name }))],
		empty,
	};
}

/** Paging is for the node; flags and messages of a response are no insights. */
const isUnread = (name: string, value: unknown) =>
	!['meta', 'links'].includes(name) && typeof value === 'object' && !isEmpty(value);

const besideData: Note['say'] = (names) =>
	`What stands beside 'data' in the response is left out: ${names}.`;
