import { isNumeric, isRecord, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import type { NamedLocation, Note } from '../resources';
import { inSnakeCase } from '../text/words';
import { isName } from './cells';
import { lastOf, MAX_NAME } from './columns';
import { hasDate, type Point, pointsIn, type ReadingContext, SERIES, withMetrics } from './points';

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

/** The values of a location: those with a date that counts, and all others. */
interface Values {
	dated: Point[];
	around: Point[];
}

/** The values of all locations of a run, and the columns that they share. */
export interface Together {
	values: Map<OfLocation, Values>;
	/** The names of the columns, by the places of their values. */
	columns: Map<string, string>;
}

/** Turns what was read of a location into rows; `together` with other ones, or alone. */
export type Table = (insights: OfLocation, together?: Together) => TableRows;

/** Columns and the values in them. */
type Cells = Array<[name: string, value: unknown]>;

const LEADING = /^(date|location_id|location_name)$/;
/** In a table of totals, their name says nothing: `views` is enough. */
const TOTALS = /^(\n*data\n)?\n*totals?\n(?=[^\n])/i;
/** Lists whose entries may be metrics, and not keywords or the like. */
const OF_METRICS =
	/^(|data|metrics|stats|statistics|values|totals?|summary|overview|kpis?|insights?)$/i;
const METRICS = /^(\n*data\n)?\n*(totals?|metrics)\n(?=[^\n])/i;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Cells of one location. */
const MAX_CELLS = 500_000;
/** Names of what only holds the values that count. */
const HOLDER =
	/(^|_|\s|time|point|data)(data|datasets?|series|values?|points?|rows?|items|list|results?|entries|records|elements|groups|days?|daily|dates|granularity|buckets?|intervals?|history|timeline|stats?|statistics|metrics?|measurements|aggregations|insights?|reports?|counts?|charts?|attributes|response|body)$/i;

const noDates: Note['say'] = (names) =>
	`No dates were recognized in these insights, so each location is one row: ${names}.`;
const onlyDays: Note['say'] = (names) =>
	`The service returned only days and no totals for ${names}. To get the days, set 'Output' to 'Daily Rows'.`;
const severalRows: Note['say'] = (names) =>
	`Some dates have several rows, told apart by other columns: ${names}.`;

/**
 * Reads the insights of all locations of a run, which have the same columns.
 *
 * @param ownZone the workflow's time zone
 */
export function readTogether(all: OfLocation[], ownZone?: string): Together {
	const reading: ReadingContext = { ownZone, splits: new Map() };
	const readAll = () => new Map(all.map((one) => [one, valuesOf(one, reading)]));
	const first = readAll();
	// A list that was split only later is split everywhere.
	const values = reading.splits.size > 0 ? readAll() : first;
	return { values, columns: columnsOf([...values.values()]) };
}

/**
 * Daily Rows: a row for each date, whatever the shape of the response. Text and true or false without a
 * date describe each row (a currency, a period). All else is left to `summaryRows`, since a sum over the
 * rows would count it several times: totals, and months or events beside days. Without any dates, all
 * values are one row, if there are any but zeros.
 *
 * @throws InputError for more cells than a workflow can hold
 */
export function dailyRows(insights: OfLocation, together = readTogether([insights])): TableRows {
	const { dated, around } = together.values.get(insights)!;
	const days = new Map<string, Cells>();
	for (const point of dated) {
		const { value, date, entry } = point;
		const day = entry === undefined ? date! : `${date}\n${entry}`;
		if (!days.has(day)) days.set(day, []);
		const column = together.columns.get(placeOf(point));
		if (column !== undefined) days.get(day)!.push([column, value]);
	}
	if (days.size === 0 && isNothing(around)) return { rows: [], notes: [] };
	if (days.size === 0) {
		const cells = cellsOf(around.flatMap(metricsOf));
		return { rows: [rowOf(insights, cells, null)], notes: [noDates] };
	}
	const repeated = apartFrom(together.columns.values(), cellsOf(around.filter(isOfEachDay)));
	const count = dated.length + days.size * repeated.length;
	if (count > MAX_CELLS) {
		throw new InputError(
			`The insights have too many values for daily rows: ${count}`,
			"Ask for a shorter period under 'Query Parameters', or set 'Output' to 'Raw'.",
		);
	}
	const rows = inOrder([...days]).map(([day, cells]) => {
		return rowOf(insights, [...cells, ...repeated], day.split('\n')[0]);
	});
	return { rows, notes: dated.some(({ entry }) => entry !== undefined) ? [severalRows] : [] };
}

/** One Row per Location: all that has no date, totals above all. */
export function summaryRows(insights: OfLocation, together = readTogether([insights])): TableRows {
	const { dated, around } = together.values.get(insights)!;
	const points = around.flatMap((point) =>
		metricsOf(point).map((one) => ({ one, less: one === point ? TOTALS : METRICS })),
	);
	const taken = new Set(cellsOf(points.map(({ one }) => one)).map(([name]) => name));
	const cells = points.map(({ one: point, less }): [string, unknown] => {
		const [[full]] = cellsOf([point]);
		const [[short]] = cellsOf([{ ...point, path: point.path.replace(less, '') }]);
		// A value of that name beside the totals keeps it.
		const isFree = !taken.has(short) && !LEADING.test(short);
		taken.add(isFree ? short : full);
		return [isFree ? short : full, point.value];
	});
	const isWithoutTotals = dated.length > 0 && around.every(({ value }) => isNoTotal(value));
	// A record with a date is one of today's totals; a list may have more days tomorrow.
	const { data } = insights;
	const hasLists = Object.values(Object(data) as JsonObject).some(Array.isArray);
	if (isWithoutTotals && isDayAlone(data) && !hasLists) return dailyRows(insights, together);
	return { rows: [rowOf(insights, cells)], notes: isWithoutTotals ? [onlyDays] : [] };
}

function metricsOf(point: Point): Point[] {
	return OF_METRICS.test(lastOf(point.path)) ? withMetrics(point) : [point];
}

/** Texts, and what is empty. */
function isNoTotal(value: unknown): boolean {
	const isEmpty = value === undefined || value === null || value === '';
	return isEmpty || isText(value) || (Array.isArray(value) && value.length === 0);
}

/** Days in the order of their dates, unless they have one already, be it the latest first. */
function inOrder(days: Array<[day: string, Cells]>): typeof days {
	const dates = days.map(([day]) => day.split('\n')[0]);
	const isRising = dates.every((date, at) => at === 0 || date >= dates[at - 1]);
	const isFalling = dates.every((date, at) => at === 0 || date <= dates[at - 1]);
	if (isRising || isFalling || !dates.every((date) => DAY.test(date))) return days;
	const timeOf = (at: number) => Date.parse(dates[at]);
	const order = [...dates.keys()].sort((one, other) => timeOf(one) - timeOf(other));
	return order.map((at) => days[at]);
}

/** The location's name, where the response has it. */
export function nameInResponse(data: unknown): string | undefined {
	const { location_name: name, location } = Object(data) as JsonObject;
	return [name, Object(location).name].find(isName);
}

/** Beside lists of days, others are values like any other. */
function valuesOf({ data, beside }: OfLocation, reading: ReadingContext): Values {
	// A day alone, or lists of which one is called `data`.
	const others = [isDayAlone(data) ? [data] : [], { ...beside, data }];
	const own = pointsIn(data, reading, beside);
	const read = own.some(hasDate) ? [own] : others.map((one) => pointsIn(one, reading));
	const points = read.find((all) => all.some(hasDate)) ?? own;
	const best = ['day', 'time', 'period', 'event'].find((unit) =>
		points.some((point) => point.unit === unit),
	);
	const isOther = ({ unit }: Point) => unit !== best;
	const all = [...new Set(points.map((one) => (isOther(one) ? (one.list ?? one) : one)))];
	return { dated: all.filter(hasDate), around: all.filter((one) => !hasDate(one)) };
}

const isDayAlone = (data: unknown) => isRecord(data) && data.date !== undefined;

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
	return (isText(value) || typeof value === 'boolean') && !path.includes(SERIES);
}

function isText(value: unknown): boolean {
	return isName(value) && !isNumeric(value) && !/^\s*[[{]/.test(value);
}

/** Two values for one column: the second one is called `insight_…`. */
function rowOf({ location }: OfLocation, cells: Cells, date?: string | null): JsonObject {
	const row = new Map<string, unknown>(date === undefined ? [] : [['date', date]]);
	row.set('location_id', location.id).set('location_name', location.name);
	const taken = new Map<string, number>();
	for (const [column, value] of cells) {
		const isThere = value === undefined || (LEADING.test(column) && row.get(column) === value);
		if (isThere || (Array.isArray(value) && value.length === 0)) continue;
		row.set(freeName(column, row, taken), Object(value) === value ? JSON.stringify(value) : value);
	}
	return Object.fromEntries(row);
}

/** A name that is taken becomes `insight_…`. */
function freeName(
	name: string,
	taken: { has(name: string): boolean },
	counts: Map<string, number>,
) {
	let free = name;
	for (let count = counts.get(name) ?? 1; taken.has(free); counts.set(name, ++count)) {
		free = `insight_${name}${count > 1 ? `_${count}` : ''}`;
	}
	return free;
}

/** Cells under names that no column has, also on days without a value in that. */
function apartFrom(columns: Iterable<string>, cells: Cells): Cells {
	const taken = new Set(columns);
	const counts = new Map<string, number>();
	return cells.map(([name, value]) => {
		const free = LEADING.test(name) ? name : freeName(name, taken, counts);
		taken.add(free);
		return [free, value];
	});
}

function cellsOf(points: Point[]): Cells {
	return points.map(({ path, value }) => [nameOf(path.split('\n')) || 'insights', value]);
}

/** Where the values of a column stand; a list may have a value beside one that is called like it. */
const placeOf = ({ path, isNamed }: Point) => (isNamed ? path : `${path}\n`);

/** The names around a value that its column leaves out, from the shortest column to the longest. */
const LEFT_OUT: Array<(name: string) => boolean> = [
	(name) => HOLDER.test(inSnakeCase(name)),
	// `data` and `daily_stats`, but not `mobile_data`.
	(name) => isOnlyHolder(inSnakeCase(name)),
	() => false,
];

function isOnlyHolder(name: string): boolean {
	const at = name.search(HOLDER);
	return at === 0 || (at > 0 && isOnlyHolder(name.slice(0, at)));
}

/**
 * The name of each column, the same in all rows: as short as it may be without another place having it.
 * Lists that only such names tell apart (`views_per_day`, `calls_per_day`) begin with these, also where
 * one of them is empty.
 */
function columnsOf(all: Values[]): Map<string, string> {
	const places = new Map<string, Point>();
	const lists = new Set<string>();
	for (const { dated, around } of all) {
		// A day without values has no column.
		for (const point of dated.filter(({ value }) => value !== undefined)) {
			places.set(placeOf(point), point);
			lists.add(listOf(point));
		}
		const isEmpty = ({ value }: Point) => Array.isArray(value) && value.length === 0;
		for (const { path } of around.filter(isEmpty)) lists.add(path);
	}
	const alike = groupedBy(lists, beginningOf);
	const columns = new Map<string, string>();
	for (const [place, point] of places) {
		const isAlone = alike.get(beginningOf(listOf(point)))!.length === 1;
		columns.set(place, columnOf(point, LEFT_OUT[isAlone ? 0 : 1]));
	}
	for (const isLeftOut of LEFT_OUT.slice(1)) {
		const sharing = groupedBy(columns.keys(), (place) => columns.get(place)!);
		for (const shared of [...sharing.values()].filter(({ length }) => length > 1)) {
			for (const place of shared) columns.set(place, columnOf(places.get(place)!, isLeftOut));
		}
	}
	const apart = apartFrom(
		[],
		[...columns].map(([place, name]) => [name, place]),
	);
	return new Map(apart.map(([name, place]) => [place as string, name]));
}

/** The list of a value; where it is one of several series, the value itself. */
function listOf({ path, list }: Point): string {
	return list && `${path}\n`.startsWith(`${list.path}\n`) ? list.path : path;
}

/** The beginning of the names of a list's columns. */
const beginningOf = (list: string) => nameOf(tellingIn(list.split('\n'), LEFT_OUT[0]));

/** The names that say something, and a value's own, whatever it is. */
function tellingIn(
	names: string[],
	isLeftOut: (name: string) => boolean,
	own = names.length,
): string[] {
	return names.filter((name, at) => at === own || (name !== names[at + 1] && !isLeftOut(name)));
}

function columnOf({ path, isNamed }: Point, isLeftOut: (name: string) => boolean): string {
	const names = path.split('\n');
	const own = names.length - (isNamed ? 1 : 0);
	return nameOf(tellingIn(names, isLeftOut, own)) || nameOf(names.slice(-1)) || 'value';
}

function groupedBy(values: Iterable<string>, keyOf: (value: string) => string) {
	const groups = new Map<string, string[]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key) ?? [];
		groups.set(key, group);
		group.push(value);
	}
	return groups;
}

function nameOf(names: string[]): string {
	const known = names.map((name) => name.replace(SERIES, '')).filter(Boolean);
	return known.join('_').slice(-MAX_NAME);
}
