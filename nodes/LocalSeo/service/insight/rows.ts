import type { JsonObject } from '../../client';
import { InputError } from '../../host/errors';
import type { NamedLocation, Note, OfLocation, TableRows } from '../resource';
import { inSnakeCase } from '../sendableFields';
import { isNumeric, lastOf, nameOf, ONLY, type Point, SERIES, undated } from './entries';
import { isName } from './headers';
import { pointsIn } from './points';

const JSON_TEXT = /^\s*[[{]/;
/** Cells of one location. */
const MAX_CELLS = 500_000;
/** Names of what only holds the values that count. */
const HOLDER =
	/(^|[_\s])(data|datasets?|series|values?|points?|rows?|items|list|results?|entries|records|elements|days|daily|dates|buckets?|intervals?|history|timeline|stats|statistics|metrics?|measurements|insights?|reports?|counts?|charts?|attributes|response)$/i;
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const MISSING = /^(|-|–|—|n\/?a|null)$/i;
const IDENTIFIER = /(^|_)(id|code|zip|postal|phone|number)$/;

const noDates: Note['say'] = (names) =>
	`No dates were recognized in these insights, so each location is one row: ${names}.`;
const severalRows: Note['say'] = (names) =>
	`Some dates have several rows, told apart by other columns: ${names}.`;

const hasDate = ({ date }: Point) => date !== undefined;

/** A value and the column that it belongs in. */
type Cell = [column: string, value: unknown];

/**
 * Daily Rows: one row per date, whatever the shape of the response (the interface shows none). Each
 * row begins with `date`, `location_id` and `location_name`. Together with `summaryRows`, nothing of a
 * response is lost:
 *
 * - **Several lists of days** share one row per date; what stands around a list is in front of its
 *   columns as far as it tells lists apart. A date that comes several times has columns for each of a
 *   few names, or else a row for each entry.
 * - **Text and true or false around the lists** describe each row (a currency, a period). All else, and
 *   entries without a date, is left to `summaryRows`: a sum over the rows would count it several times.
 *   So are months or events beside a list of days.
 * - **No dates:** one row with all values; none, where they are all zero or a list of days is empty.
 * - **Numbers as text** are numbers, where all texts of their column are.
 *
 * @throws InputError for more cells than a workflow can hold
 */
export function dailyRows(insights: OfLocation[]): TableRows {
	const all = insights.map((one) => ({ ...one, points: dailyIn(one) }));
	const cellOf = cellsOf(all.flatMap(({ points }) => points.filter(hasDate)));
	const notes: Note[] = [];
	const empty: NamedLocation[] = [];
	const rows = all.flatMap(({ location, points }) => {
		const of = location.name || location.id;
		const days = points.filter(hasDate);
		const around = points.filter((point) => !hasDate(point));
		if (days.some(({ entry }) => entry !== undefined)) notes.push({ say: severalRows, of });
		if (days.length > 0) return rowsOf(location, days, around, cellOf);
		if (isNothing(around)) empty.push(location);
		else notes.push({ say: noDates, of });
		return isNothing(around) ? [] : [rowOf(location, null, around.map(asItIs))];
	});
	return { rows, notes, empty };
}

/**
 * One Row per Location: what has no date, totals above all. Each row begins with `location_id` and
 * `location_name`.
 */
export function summaryRows(insights: OfLocation[]): TableRows {
	const rows = insights.map((one) => {
		const around = dailyIn(one).filter((point) => !hasDate(point));
		return rowOf(one.location, undefined, around.map(asItIs));
	});
	return { rows, notes: [], empty: [] };
}

/** The location's name, where the response has it. */
export function nameInResponse([record]: unknown[]): string | undefined {
	const { location_name: name, location } = Object(record) as JsonObject;
	return [name, Object(location).name].find(isName);
}

/** Beside lists of days, others are values like any other. */
function dailyIn({ records, beside }: OfLocation): Point[] {
	const own = pointsIn(records, beside);
	const isOwn = own.some(hasDate) || !beside;
	const whole = isOwn ? own : pointsIn({ ...beside, data: records }, undefined);
	const points = whole.some(hasDate) ? whole : own;
	const isDaily = ({ unit, isOfEvents }: NonNullable<Point['list']>) =>
		unit === 'day' && !isOfEvents;
	return points.some(({ list }) => list && isDaily(list)) ? undated(points, isDaily) : points;
}

function isNothing(around: Point[]): boolean {
	const isList = ({ value }: Point) => Array.isArray(value) && value.length > 0;
	const isZero = ({ value }: Point) => !isNumeric(value) || Number(value) === 0;
	const isHollow = ({ path, value }: Point) =>
		Array.isArray(value) && HOLDER.test(inSnakeCase(path));
	return !around.some(isList) && (around.every(isZero) || around.some(isHollow));
}

function rowsOf(
	location: NamedLocation,
	days: Point[],
	around: Point[],
	cellOf: (point: Point) => Cell,
): JsonObject[] {
	const cells = new Map<string, Cell[]>();
	for (const point of days) {
		const key = `${point.date}\n${point.entry ?? ''}`;
		if (!cells.get(key)?.push(cellOf(point))) cells.set(key, [cellOf(point)]);
	}
	const isOfEach = ({ path, value }: Point) =>
		!path.includes(SERIES) &&
		(typeof value === 'boolean' || (isName(value) && !JSON_TEXT.test(value) && !isNumeric(value)));
	const repeated = around.filter(isOfEach).map(asItIs);
	const count = days.length + cells.size * repeated.length;
	if (count > MAX_CELLS) {
		throw new InputError(
			`The insights of ${location.name || location.id} have too many values for daily rows: ${count}`,
			"Ask for a shorter period under 'Query Parameters', or set 'Output' to 'Raw'.",
		);
	}
	return [...cells].map(([key, own]) => rowOf(location, key.split('\n')[0], [...own, ...repeated]));
}

/** With `insight_` in front of names that are taken. */
function rowOf(
	{ id, name }: NamedLocation,
	date: string | null | undefined,
	cells: Cell[],
): JsonObject {
	const row = new Map<string, unknown>(date === undefined ? [] : [['date', date]]);
	row.set('location_id', id).set('location_name', name);
	const leading = new Map(row);
	const taken = new Map<string, number>();
	for (const [column, value] of cells) {
		if (leading.has(column) && leading.get(column) === value) continue;
		if (Array.isArray(value) && value.length === 0) continue;
		let free = column;
		while (row.has(free)) {
			const count = (taken.get(column) ?? 0) + 1;
			taken.set(column, count);
			free = `insight_${column}${count > 1 ? `_${count}` : ''}`;
		}
		row.set(free, Object(value) === value ? JSON.stringify(value) : value);
	}
	return Object.fromEntries(row);
}

const asItIs = ({ path, value }: Point): Cell => [nameOf(path) || 'insights', value];

/**
 * The columns of all values with a date, of all locations: with what stands around a list as far as it
 * tells lists apart, and with all of it where two lists would have a column of one name.
 */
function cellsOf(points: Point[]): (point: Point) => Cell {
	const around = new Map<string, string[]>();
	for (const { path } of points) {
		const isTelling = (name: string) => name !== '' && !HOLDER.test(inSnakeCase(name));
		if (!around.has(path)) around.set(path, path.split('\n').filter(isTelling));
	}
	const lists = new Map(
		[...around].map(([path, names]) => [path, names.filter((name) => !name.startsWith(ONLY))]),
	);
	const all = [...lists.values()];
	const isOne = new Set(all.map((names) => names.join('\n'))).size < 2;
	const isCommon = (at: number) =>
		all.every((names) => at < names.length - (isOne ? 0 : 1) && names[at] === all[0][at]);
	let common = 0;
	while (all.length > 0 && isCommon(common)) common++;
	const short = ({ path, column = '' }: Point) =>
		nameOf([...lists.get(path)!.slice(common), column].join('\n')) ||
		(around.get(path)!.at(-1) ?? lastOf(path)).replace(/^[\0\u0001]/, '') ||
		'value';
	const owners = new Map<string, string>();
	const shared = new Set<string>();
	for (const point of points) {
		const name = short(point);
		if ((owners.get(name) ?? point.path) !== point.path) shared.add(name);
		owners.set(name, point.path);
	}
	const columnOf = (point: Point) => {
		const name = short(point);
		return (shared.has(name) && nameOf(`${point.path}\n${point.column ?? ''}`)) || name;
	};
	const isNumber = new Map<string, boolean>();
	for (const point of points) {
		const { value } = point;
		if (typeof value !== 'string' || MISSING.test(value)) continue;
		const name = columnOf(point);
		const isOwn = NUMBER.test(value) && !IDENTIFIER.test(inSnakeCase(name));
		isNumber.set(name, isOwn && isNumber.get(name) !== false);
	}
	return (point) => {
		const [name, { value }] = [columnOf(point), point];
		if (typeof value !== 'string' || !isNumber.get(name)) return [name, value];
		return [name, MISSING.test(value) ? null : Number(value)];
	};
}
