import {
	concurrently,
	type Connection,
	type List,
	MAX_IN_FLIGHT,
	readList,
	ServiceError,
	type ServiceRequest,
} from '../client';
import {
	keptPeriod,
	nameInResponse,
	type Period,
	readTogether,
	TABLES,
	withinPeriod,
} from '../insights';
import type { NamedLocation, Note, TableName } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, shortened } from '../text/words';
import { addressed, directoryOf, readLocationName } from './plan/location';
import type { Row } from './read/row';
import { simplified } from './tell/items';
import { asJson, type Performed } from './tell/results';

/** The records of one location. */
interface OfLocationList {
	location: NamedLocation;
	list: List;
}

/** Records in the form that the parameters ask for, and what is to be said of them. */
type Formed = Pick<Performed, 'records' | 'notes' | 'empty'>;

/** Reads what a row asks for: a list or a record, of one location or of all. */
export async function get(given: Row, connection: Connection): Promise<Performed> {
	// Before anything is read: a form or a period that is none is refused.
	tableOf(given);
	const period = periodOf(given, connection);
	if (given.isOfAll) return await readOfAll(given, connection, period);
	const row = await addressed(given, connection);
	const list = await readWhole(row, connection, row.request);
	const formed = await inForm(row, connection, list, period);
	return { ...formed, outcome: 'done', total: totalOf(row, [list], list.records.length) };
}

async function readWhole(
	{ paging }: Row,
	connection: Connection,
	request: ServiceRequest,
): Promise<List> {
	const list = await readList(connection, request, paging);
	if (list.incomplete) throw list.incomplete;
	return list;
}

/** How many records there are, where a limit has left some of them out; Infinity, where some lists don't say. */
function totalOf({ paging }: Row, lists: List[], shown: number): number | undefined {
	// A service may also count a record twice.
	if (shown !== paging.limit) return undefined;
	const sizes = lists.map(
		({ total, records, received, announcesMore }) =>
			total ?? (received > records.length || announcesMore ? Infinity : received),
	);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	return total > shown ? total : undefined;
}

/** Notes for someone who would take the records for all of them. */
function notesOn({ records, total, ...list }: List, noun: string): Note[] {
	if (list.isFirstPageOnly) {
		return [
			{
				say: () =>
					`The service refused the second page, so these are the ${noun}s of the first. If there are more, set the option 'Page Parameter Name'.`,
			},
		];
	}
	if (!list.isTotalWrong) return [];
	return [
		{
			say: () =>
				`The service states a total of ${total} ${noun}s, but returned the same ${records.length} twice. If some are missing, run this again later.`,
		},
	];
}
const leftOut: Note['say'] = (names, count) =>
	`${count === 1 ? '1 location was' : `${count} locations were`} left out: ${names}.`;
const withoutName: Note['say'] = (names) =>
	`location_name is empty where the name could not be read: ${names}.`;

/** Statuses with which a service says that it has nothing of a location, or does not give it. */
const NOT_OF_THIS_ONE = [400, 403, 404, 410, 422];

/**
 * The records of all locations, as far as the limit goes, each with its location. One that refuses (it
 * is not active, say) does not hold up the others.
 */
async function readOfAll(row: Row, connection: Connection, period?: Period): Promise<Performed> {
	const { request, explain } = row;
	const { locations } = await directoryOf(row, connection);
	const { limit = Infinity } = row.paging;
	const refusals: ServiceError[] = [];
	const notes: Note[] = [];
	let count = 0;
	const jobs = locations.map((location) => async (): Promise<OfLocationList | undefined> => {
		// The readings that were started come first in the order of the locations.
		if (count >= limit) return undefined;
		const own = { ...request, ids: { locationId: location.id } };
		const list = await readWhole(row, connection, own).catch((error: unknown) => {
			if (!isOfThisLocation(error)) throw error;
			refusals.push(error);
			const why = explain(error).message;
			notes.push({ say: leftOut, of: `${shortened(location.name || location.id)} (${why})` });
			return undefined;
		});
		if (!list) return undefined;
		count += list.records.length;
		notes.push(...notesOn(list, request.noun));
		return { location, list };
	});
	const readings = (await concurrently(jobs, MAX_IN_FLIGHT)).filter((one) => one !== undefined);
	if (refusals.length > 0 && readings.length === 0) throw refusals[0];
	const isPartOfAll = readings.length + refusals.length < locations.length;
	const formed = ofLocations(row, period, readings, true);
	const records = formed.records.slice(0, limit);
	const known = totalOf(
		row,
		readings.map(({ list }) => list),
		records.length,
	);
	return {
		...formed,
		records,
		outcome: 'done',
		notes: [...notes, ...formed.notes],
		total: isPartOfAll ? Infinity : known,
	};
}

function isOfThisLocation(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.kind !== 'rejected') return false;
	return NOT_OF_THIS_ONE.includes(error.facts.status ?? 0) && error.facts.isBusy !== true;
}

/** A table is of the location that was requested; its name is read only if the table needs it. */
async function inForm(
	row: Row,
	connection: Connection,
	list: List,
	period?: Period,
): Promise<Formed> {
	const {
		request: {
			ids: { locationId: id },
			noun,
		},
		resource: { tables },
	} = row;
	const isNamed = tables && (tableOf(row) || list.records.length === 0);
	const own = isNamed ? nameInResponse(list.records[0]) : undefined;
	const read = isNamed && own === undefined ? await readLocationName(row, connection, id) : {};
	const name = own ?? read.name ?? null;
	const formed = ofLocations(row, period, [{ location: { id, name }, list }], false);
	const isMissing = read.why !== undefined && formed.records.length > 0;
	const nameless = isMissing ? [{ say: withoutName, of: `${id} (${read.why})` }] : [];
	return { ...formed, notes: [...notesOn(list, noun), ...nameless, ...formed.notes] };
}

/**
 * Records in the form that the parameters Output and Simplify ask for, with the same columns for all
 * locations.
 */
function ofLocations(
	row: Row,
	period: Period | undefined,
	readings: OfLocationList[],
	isOfAll: boolean,
): Formed {
	const { leadingFields, tables } = row.resource;
	const table = tableOf(row);
	const read = readings.map(({ location, list: { records, isList, beside } }) => ({
		...{ location, records },
		insights: { location, data: isList ? records : records[0], beside },
	}));
	const filled = read.filter(({ records }) => records.length > 0);
	const together =
		table &&
		readTogether(
			filled.map(({ insights }) => insights),
			row.zone,
		);
	const formed = read.map(({ location, records, insights }) => {
		const of = { location_id: location.id, location_name: location.name };
		const named = isOfAll ? records.map((one) => ({ ...of, ...asJson(one) })) : records;
		const none = { rows: [], notes: [] };
		const made =
			table &&
			(records.length > 0 ? withinPeriod(table(insights, together), period, row.zone) : none);
		return { location, records: made?.rows ?? named, says: made?.notes ?? [] };
	});
	const empty = formed.filter(({ records, says }) => records.length + says.length === 0);
	const leading = [...(isOfAll ? ['location_id', 'location_name'] : []), ...(leadingFields ?? [])];
	const records = formed.flatMap((one) => one.records);
	return {
		records: row.isSimplified ? simplified(records, leading) : records,
		notes: formed.flatMap(({ location, says }) =>
			says.map((say) => ({ say, of: labelOfLocation(location) })),
		),
		...(tables && { empty: empty.map(({ location }) => labelOfLocation(location)) }),
	};
}

/** The days that the option Period keeps of daily rows. */
function periodOf({ output, period, zone }: Row, { account }: Connection): Period | undefined {
	const now = account.clock.now() + (account.serviceClockOffset ?? 0);
	return output === 'rows' ? keptPeriod(period, zone, now) : undefined;
}

/**
 * The table that the parameter Output asks for; undefined for the records as they are.
 *
 * @throws InputError for what is no output
 */
function tableOf({ resource: { tables }, output }: Row) {
	if (!tables || output === 'raw') return undefined;
	if (tables.includes(output as TableName)) return TABLES[output as TableName];
	throw new InputError(
		`There is no output ${asValue(output)}`,
		`Choose one of the list under 'Output', where an expression has no effect: ${tables.join(', ')} or raw.`,
	);
}

const labelOfLocation = ({ id, name }: NamedLocation) => name || id;
