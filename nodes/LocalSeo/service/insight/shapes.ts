import { isRecord, type JsonObject } from '../../client';

type Point = [date: string, value: unknown];

/** A metric of its own: its name, its points, and what else it holds. */
interface Series {
	name: string;
	points: Point[];
	rest: JsonObject;
}

/** The dates that lists beside them are about; `others` is the record without them. */
interface Axis {
	key: string;
	dates: string[];
	others: JsonObject;
}

const DATE = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}|$)/;
const NAME_KEYS = ['metric', 'name', 'label', 'key'];
const VALUE_KEYS = ['value', 'y'];
const HEADER_KEY = /^(columns?|headers?|column_?headers|fields)$/i;
const ROWS_KEY = /^(rows|data|values)$/i;
const AXIS_KEY = /^x_?axis$/i;
/** Objects that only hold the metrics, so that their name says nothing about one. */
const HOLDER_KEY = /^(metrics|series|data|values)$/i;

export function isDate(value: unknown): value is string {
	return typeof value === 'string' && DATE.test(value);
}

/**
 * What charts and tables use, as a list of dated records `{ date, views, clicks }`; all else as it is.
 *
 * - **Pairs:** `[[date, 120], …]`; the value is called `value`.
 * - **Series:** `[{ name, data }, …]`, where `data` are pairs, points `{ date, value }` or `{ x, y }`,
 *   or an object keyed by dates.
 * - **An axis with series:** `{ labels, datasets: [{ label, data: [120, …] }] }`, as in Chart.js, or
 *   `{ categories, series }`, also `{ xaxis: { categories }, series }`, as in ApexCharts.
 * - **Arrays side by side:** `{ dates, views: [120, …] }`, also `{ dates, metrics: { views } }`.
 * - **A table:** `{ columns, rows: [[date, 120], …] }`, with columns `'views'` or `{ name: 'views' }`.
 *
 * Nothing is dropped: what is no part of the shape stays beside the list. Where two values would have
 * the same name and date, the shape is another one, and stays.
 */
export function withDays(value: unknown): unknown {
	if (Array.isArray(value)) {
		return pairsOf(value)?.map(([date, inner]) => ({ date, value: inner })) ?? seriesOf(value);
	}
	if (!isRecord(value)) return value;
	const table = tableIn(value);
	if (table) return table;
	const axis = axisIn(value);
	return axis ? (chartOn(axis) ?? sideBySide(axis) ?? value) : value;
}

function seriesOf(list: unknown[], dates?: string[]): unknown {
	const all: Series[] = [];
	for (const entry of list) {
		const series = isRecord(entry) ? oneSeries(entry, dates) : undefined;
		if (!series) return list;
		all.push(series);
	}
	if (!areUnique(['date', 'days', ...all.map(({ name }) => name)])) return list;
	const days = new Map<string, Array<[string, unknown]>>();
	for (const { name, points } of all) {
		for (const [date, value] of points) {
			const day = days.get(date) ?? [['date', date]];
			day.push([name, value]);
			days.set(date, day);
		}
	}
	const records = [...days.values()].map((day) => Object.fromEntries(day));
	const rests = all.filter(({ rest }) => Object.keys(rest).length > 0);
	if (rests.length === 0) return records;
	// A total, a unit or a colour is of its metric, not of a day.
	return { ...Object.fromEntries(rests.map(({ name, rest }) => [name, rest])), days: records };
}

function oneSeries(entry: JsonObject, dates?: string[]): Series | undefined {
	const nameKey = NAME_KEYS.find((key) => isName(entry[key]));
	const name = nameOf(entry);
	if (nameKey === undefined || name === undefined) return undefined;
	for (const [key, value] of Object.entries(entry)) {
		const points = pointsOf(value, name, dates);
		if (points && areUnique(points.map(([date]) => date))) {
			return { name, points, rest: without(entry, [nameKey, key]) };
		}
	}
	return undefined;
}

function pointsOf(data: unknown, name: string, dates?: string[]): Point[] | undefined {
	if (isRecord(data)) return pairsOf(Object.entries(data));
	if (!Array.isArray(data)) return undefined;
	if (dates && isListOf(data, dates.length)) return dates.map((date, at) => [date, data[at]]);
	return pairsOf(data.map((point) => (isRecord(point) ? pairOf(point, name) : point)));
}

/** A point with more than a date and a value may be a breakdown: that is no series. */
function pairOf(point: JsonObject, name: string): unknown {
	const entries = Object.entries(point);
	const value = entries.find(([key]) => key === name || VALUE_KEYS.includes(key));
	const date = entries.find((entry) => entry !== value && isDate(entry[1]));
	return entries.length === 2 && value && date ? [date[1], value[1]] : undefined;
}

/** Two dates are no point, but a period. */
function pairsOf(list: unknown[]): Point[] | undefined {
	const isPair = (pair: unknown): pair is Point =>
		Array.isArray(pair) && isListOf(pair, 2) && isDate(pair[0]) && !isDate(pair[1]);
	return list.length > 0 && list.every(isPair) ? list : undefined;
}

function axisIn(record: JsonObject): Axis | undefined {
	for (const [key, value] of Object.entries(record)) {
		if (Array.isArray(value) && value.length > 0 && value.every(isDate) && areUnique(value)) {
			return { key, dates: value, others: without(record, [key]) };
		}
		const inner = AXIS_KEY.test(key) && isRecord(value) ? axisIn(value) : undefined;
		if (inner) return { ...inner, others: { ...record, [key]: inner.others } };
	}
	return undefined;
}

function chartOn({ dates, others }: Axis): JsonObject | undefined {
	for (const [key, list] of Object.entries(others)) {
		const series = Array.isArray(list) && list.length > 0 ? seriesOf(list, dates) : list;
		if (series !== list) return { ...others, [key]: series };
	}
	return undefined;
}

function sideBySide({ key, dates, others }: Axis): JsonObject | undefined {
	const columns = new Map<string, unknown[]>([['date', dates]]);
	/** What of a record becomes no column. */
	const rest = (record: JsonObject, prefix?: string): JsonObject => {
		const left = Object.entries(record).flatMap(([name, value]) => {
			const column = (prefix ?? '') + name;
			if (Array.isArray(value) && isListOf(value, dates.length) && !columns.has(column)) {
				columns.set(column, value);
				return [];
			}
			if (!isRecord(value) || prefix !== undefined) return [[name, value]];
			const inner = rest(value, HOLDER_KEY.test(name) ? '' : `${name}_`);
			return Object.keys(inner).length > 0 ? [[name, inner]] : [];
		});
		return Object.fromEntries(left) as JsonObject;
	};
	const left = rest(others);
	const names = [...columns.keys()];
	// The key of an axis further inside may be taken here.
	if (Object.hasOwn(left, key)) return undefined;
	// Dates beside words may be anything: holidays and tags, say.
	if (![...columns.values()].some((values) => values.some(isNumber))) return undefined;
	const days = dates.map((_, at) =>
		recordOf(
			names,
			[...columns.values()].map((all) => all[at]),
		),
	);
	return { ...left, [key]: days };
}

function tableIn(record: JsonObject): JsonObject | undefined {
	const entries = Object.entries(record).filter(([, value]) => Array.isArray(value));
	const [headerKey, header] = entries.find(([key]) => HEADER_KEY.test(key)) ?? [];
	const [rowsKey, rows] = entries.find(([key]) => ROWS_KEY.test(key)) ?? [];
	if (headerKey === undefined || rowsKey === undefined) return undefined;
	const columns = header as unknown[];
	const names = columns.map(nameOf).filter((name) => name !== undefined);
	const isRow = (row: unknown): row is unknown[] =>
		Array.isArray(row) && row.length === names.length;
	const lists = (rows as unknown[]).filter(isRow);
	const isWhole =
		names.length === columns.length &&
		!names.some(isDate) &&
		lists.length === (rows as unknown[]).length;
	if (!isWhole || !areUnique(names) || !lists.some((row) => row.some(isDate))) return undefined;
	// Types and units of the columns are kept.
	const hasMore = columns.some((column) => isRecord(column) && Object.keys(column).length > 1);
	const others = hasMore ? record : without(record, [headerKey]);
	return { ...others, [rowsKey]: lists.map((row) => recordOf(names, row)) };
}

/** The name that a text is, or that a record has. */
function nameOf(value: unknown): string | undefined {
	const named = isRecord(value) ? NAME_KEYS.map((key) => value[key]) : [value];
	return named.find(isName);
}

function isName(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function recordOf(names: string[], values: unknown[]): JsonObject {
	return Object.fromEntries(names.map((name, at) => [name, values[at]])) as JsonObject;
}

function without(record: JsonObject, keys: string[]): JsonObject {
	const entries = Object.entries(record).filter(([key]) => !keys.includes(key));
	return Object.fromEntries(entries) as JsonObject;
}

/** Whether it is a list of so many plain values. */
function isListOf(list: unknown[], length: number): boolean {
	const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
	return list.length === length && list.every(isPlain);
}

function isNumber(value: unknown): boolean {
	const isWritten = typeof value === 'string' && value.trim() !== '';
	return typeof value === 'number' || (isWritten && Number.isFinite(Number(value)));
}

function areUnique(texts: string[]): boolean {
	return new Set(texts).size === texts.length;
}
