import { isNumeric, isRecord, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { inSnakeCase, type NamedLocation, type Note } from '../resources';
import { isName } from './cells';
import { MAX_NAME } from './columns';
import { hasDate, type Point, pointsIn, SERIES } from './points';

/** The data that was read of a location. */
export interface OfLocation {
	location: NamedLocation;
	/** A record, or those of a list. */
	data: unknown;
	/** The rest of the response. */
	beside?: JsonObject;
}

/** Rows of a table, none where there is no data, and what is to be said of them. */
export interface TableRows {
	rows: JsonObject[];
	notes: Array<Note['say']>;
}

/** Turns what was read of a location into rows. */
export type Table = (insights: OfLocation) => TableRows;

/** Columns and the values in them. */
type Cells = Array<[name: string, value: unknown]>;

const LEADING = /^(date|location_id|location_name)$/;
/** In a table of totals, their name says nothing: `views` is enough. */
const TOTALS = /^(\n*data\n)?\n*totals?\n(?=[^\n])/i;
/** Cells of one location. */
const MAX_CELLS = 500_000;
/** Names of what only holds the values that count. */
const HOLDER =
	/(^|_|\s|time|point|data)(data|datasets?|series|values?|points?|rows?|items|list|results?|entries|records|elements|groups|days?|daily|dates|granularity|buckets?|intervals?|history|timeline|stats?|statistics|metrics?|measurements|aggregations|insights?|reports?|counts?|charts?|attributes|response|body)$/i;

const noDates: Note['say'] = (names) =>
	`No dates were recognized in these insights, so each location is one row: ${names}.`;
const severalRows: Note['say'] = (names) =>
	`Some dates have several rows, told apart by other columns: ${names}.`;

/**
 * Daily Rows: a row for each date, whatever the shape of the response. Text and true or false without a
 * date describe each row (a currency, a period). All else is left to `summaryRows`, since a sum over the
 * rows would count it several times: totals, and months or events beside days. Without any dates, all
 * values are one row, if there are any but zeros.
 *
 * @throws InputError for more cells than a workflow can hold
 */
export function dailyRows(insights: OfLocation): TableRows {
	const { dated, around } = pointsOf(insights);
	const days = new Map<string, Cells>();
	const names = new Map<string, string>();
	for (const point of dated) {
		const { path, value, date, entry, isNamed } = point;
		const day = entry === undefined ? date! : `${date}\n${entry}`;
		if (!days.has(day)) days.set(day, []);
		const place = isNamed ? path : `${path}\n`;
		if (!names.has(place)) names.set(place, columnOf(point));
		days.get(day)!.push([names.get(place)!, value]);
	}
	if (days.size === 0 && isNothing(around)) return { rows: [], notes: [] };
	if (days.size === 0) return { rows: [rowOf(insights, cellsOf(around), null)], notes: [noDates] };
	const repeated = cellsOf(around.filter(isOfEachDay));
	const count = dated.length + days.size * repeated.length;
	if (count > MAX_CELLS) {
		throw new InputError(
			`The insights have too many values for daily rows: ${count}`,
			"Ask for a shorter period under 'Query Parameters', or set 'Output' to 'Raw'.",
		);
	}
	const rows = [...days].map(([day, cells]) => {
		return rowOf(insights, [...cells, ...repeated], day.split('\n')[0]);
	});
	return { rows, notes: dated.some(({ entry }) => entry !== undefined) ? [severalRows] : [] };
}

/** One Row per Location: all that has no date, totals above all. */
export function summaryRows(insights: OfLocation): TableRows {
	const { around } = pointsOf(insights);
	const taken = new Set(cellsOf(around).map(([name]) => name));
	const cells = around.map((point): [string, unknown] => {
		const [[full]] = cellsOf([point]);
		const [[short]] = cellsOf([{ ...point, path: point.path.replace(TOTALS, '') }]);
		// A value of that name beside the totals keeps it.
		const isFree = !taken.has(short) && !LEADING.test(short);
		taken.add(isFree ? short : full);
		return [isFree ? short : full, point.value];
	});
	return { rows: [rowOf(insights, cells)], notes: [] };
}

/** The location's name, where the response has it. */
export function nameInResponse(data: unknown): string | undefined {
	const { location_name: name, location } = Object(data) as JsonObject;
	return [name, Object(location).name].find(isName);
}

/** Beside lists of days, others are values like any other. */
function pointsOf({ data, beside }: OfLocation) {
	// A day alone, or lists of which one is called `data`.
	const others = [Object(data).date === undefined ? [] : [data], { ...beside, data }];
	const own = pointsIn(data, beside);
	const read = own.some(hasDate) ? [own] : others.map((one) => pointsIn(one));
	const points = read.find((all) => all.some(hasDate)) ?? own;
	const best = ['day', 'time', 'period', 'event'].find((unit) =>
		points.some((point) => point.unit === unit),
	);
	const isOther = ({ unit }: Point) => unit !== best;
	const all = [...new Set(points.map((one) => (isOther(one) ? (one.list ?? one) : one)))];
	return { dated: all.filter(hasDate), around: all.filter((one) => !hasDate(one)) };
}

function isNothing(points: Point[]): boolean {
	const lists = points.filter(({ value }) => Array.isArray(value));
	const isEmptied = lists.some(({ value }) => (value as unknown[]).length === 0);
	// Names of columns beside no rows, and series without values.
	const isOfNone = (one: unknown) =>
		isRecord(one) ? isEmptySeries(one) : isEmptied && isName(one) && !isNumeric(one);
	if (!lists.every(({ value }) => (value as unknown[]).every(isOfNone))) return false;
	const isZero = ({ value }: Point) => !isNumeric(value) || Number(value) === 0;
	return lists.some(({ path }) => HOLDER.test(inSnakeCase(path))) || points.every(isZero);
}

function isEmptySeries(record: JsonObject): boolean {
	const values = Object.values(record).filter((value) => !isName(value) || isNumeric(value));
	const lists = values.filter((value) => Array.isArray(value) && value.length === 0);
	return lists.length > 0 && values.every((one) => one === null || lists.includes(one));
}

/** A value within one of several series is about that series alone. */
function isOfEachDay({ path, value }: Point): boolean {
	const isText = isName(value) && !isNumeric(value) && !/^\s*[[{]/.test(value);
	return (isText || typeof value === 'boolean') && !path.includes(SERIES);
}

/** Two values for one column: the second one is called `insight_…`. */
function rowOf({ location }: OfLocation, cells: Cells, date?: string | null): JsonObject {
	const row = new Map<string, unknown>(date === undefined ? [] : [['date', date]]);
	row.set('location_id', location.id).set('location_name', location.name);
	const taken = new Map<string, number>();
	for (const [column, value] of cells) {
		const isThere = value === undefined || (LEADING.test(column) && row.get(column) === value);
		if (isThere || (Array.isArray(value) && value.length === 0)) continue;
		let free = column;
		for (let count = taken.get(column) ?? 1; row.has(free); taken.set(column, ++count)) {
			free = `insight_${column}${count > 1 ? `_${count}` : ''}`;
		}
		row.set(free, Object(value) === value ? JSON.stringify(value) : value);
	}
	return Object.fromEntries(row);
}

function cellsOf(points: Point[]): Cells {
	return points.map(({ path, value }) => [nameOf(path.split('\n')) || 'insights', value]);
}

/** Columns begin with the names around their list that say something. */
function columnOf({ path, isNamed }: Point): string {
	const names = path.split('\n');
	const last = names.length - (isNamed ? 1 : 0);
	const isTelling = (name: string, at: number) =>
		at === last || (name !== names[at + 1] && !HOLDER.test(inSnakeCase(name)));
	return nameOf(names.filter(isTelling)) || nameOf(names.slice(-1)) || 'value';
}

function nameOf(names: string[]): string {
	const known = names.map((name) => name.replace(SERIES, '')).filter(Boolean);
	return known.join('_').slice(-MAX_NAME);
}
