import { isRecord, type JsonObject } from '../../client';

/** A name and its value; the entries of a record. */
export type Field = [name: string, value: unknown];

/** What every shape of insights is read as: days, each with the values that belong to it. */
export interface Days {
	days: Array<{ date: string; fields: Field[] }>;
	/** Entries without a date among others that have one: a total at the end, say. */
	undated?: unknown[];
	/** What is no part of the shape: a currency, the unit of a metric. */
	around?: Field[];
}

type Point = [date: string, value: unknown];

const DATE = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}|$)/;
/** Digits with what separates them, a sign, a currency or a percent sign around them: `1,234.5 %`. */
const NUMERIC = /^[^\p{L}\d]*\d[\d.,'\s]*([^\p{L}\d.,'\s][^\p{L}\d]*)?$/u;
const DATE_KEYS = ['date', 'day'];
const NAME_KEYS = ['metric', 'name', 'label', 'key'];
const VALUE_KEYS = ['value', 'y'];
const HEADER_KEY = /^(columns?|headers?|column_?headers|fields)$/i;
const ROWS_KEY = /^(rows|data|values)$/i;
/** Objects that only hold the metrics, so that their name says nothing about one. */
const HOLDER_KEY = /^(metrics|series|data|values)$/i;

/**
 * The days that a value holds, in one of the shapes that databases, charts and tables use; undefined if
 * it has none of them. Nothing of it is dropped.
 */
export function daysIn(value: unknown): Days | undefined {
	if (Array.isArray(value)) return readPairs(value) ?? readSeries(value) ?? readRecords(value);
	if (!isRecord(value)) return undefined;
	return readByDate(value) ?? readTable(value) ?? readChart(value);
}

/** `[['2026-01-01', 120], …]`; the value is called `value`. */
function readPairs(list: unknown[]): Days | undefined {
	const points = pointsIn(list);
	return points && { days: points.map(([date, value]) => ({ date, fields: [['value', value]] })) };
}

/** `[{ date: '2026-01-01', views: 120 }, …]`, most of them with a date. */
export function readRecords(list: unknown[]): Days | undefined {
	const dateKey = list.every(isRecord) ? dateKeyOf(list) : undefined;
	if (dateKey === undefined) return undefined;
	const found = { days: [] as Days['days'], undated: [] as unknown[] };
	for (const entry of list as JsonObject[]) {
		const date = entry[dateKey];
		if (isDate(date)) found.days.push({ date, fields: without(entry, dateKey) });
		else found.undated.push(entry);
	}
	return found;
}

/** The key under which most entries have a date: one that is called so, or has days, or else times. */
function dateKeyOf(entries: JsonObject[]): string | undefined {
	const keys = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
	const isDay = (value: unknown) => isDate(value) && value.length <= 10;
	const inMost = (test: (value: unknown) => boolean) => (key: string) =>
		2 * entries.filter((entry) => test(entry[key])).length > entries.length;
	return DATE_KEYS.find(inMost(isDate)) ?? keys.find(inMost(isDay)) ?? keys.find(inMost(isDate));
}

/** `{ '2026-01-01': 120, '2026-01-02': { views: 95 }, … }`, most of its keys dates. */
function readByDate(record: JsonObject): Days | undefined {
	const around = Object.entries(record).filter(([key]) => !isDate(key));
	const dated = Object.entries(record).filter(([key]) => isDate(key));
	if (dated.length <= around.length) return undefined;
	const fieldsOf = (entry: unknown): Field[] =>
		isRecord(entry) ? Object.entries(entry) : [['value', entry]];
	return { days: dated.map(([date, entry]) => ({ date, fields: fieldsOf(entry) })), around };
}

/**
 * `[{ name: 'views', data }, …]`, where `data` are pairs, points `{ date, value }` or `{ x, y }`, an
 * object keyed by dates or, with dates beside it, the values.
 */
export function readSeries(list: unknown[], dates?: string[]): Days | undefined {
	const series = list.flatMap((entry) => (isRecord(entry) && oneSeries(entry, dates)) || []);
	const isWhole = series.length > 0 && series.length === list.length;
	if (!isWhole || !areUnique(series.map(({ name }) => name))) return undefined;
	const byDate = new Map<string, Field[]>();
	for (const { name, points } of series) {
		for (const [date, value] of points) {
			const fields = byDate.get(date) ?? [];
			fields.push([name, value]);
			byDate.set(date, fields);
		}
	}
	return {
		days: [...byDate].map(([date, fields]) => ({ date, fields })),
		// A total, a unit or a color is of its metric, not of a day.
		around: series.map(({ name, rest }) => [name, Object.fromEntries(rest)]),
	};
}

function oneSeries(entry: JsonObject, dates?: string[]) {
	const nameKey = NAME_KEYS.find((key) => isName(entry[key]));
	if (nameKey === undefined) return undefined;
	const name = entry[nameKey] as string;
	for (const [key, value] of Object.entries(entry)) {
		const points = pointsOf(value, name, dates);
		if (points && areUnique(points.map(([date]) => date))) {
			return { name, points, rest: without(entry, nameKey, key) };
		}
	}
	return undefined;
}

function pointsOf(data: unknown, name: string, dates?: string[]): Point[] | undefined {
	if (isRecord(data)) return pointsIn(Object.entries(data));
	if (!Array.isArray(data)) return undefined;
	if (dates && isPlain(data, dates.length)) return dates.map((date, at) => [date, data[at]]);
	return pointsIn(data.map((point) => (isRecord(point) ? pointOf(point, name) : point)));
}

/** A point with more than a date and a value may be a breakdown: that is no series. */
function pointOf(point: JsonObject, name: string): unknown {
	const entries = Object.entries(point);
	const value = entries.find(([key]) => key === name || VALUE_KEYS.includes(key));
	const date = entries.find((entry) => entry !== value && isDate(entry[1]));
	return entries.length === 2 && value && date ? [date[1], value[1]] : undefined;
}

/** Two dates are no point, but a period. */
function pointsIn(list: unknown[]): Point[] | undefined {
	const isPoint = (pair: unknown): pair is Point =>
		Array.isArray(pair) && isPlain(pair, 2) && isDate(pair[0]) && !isDate(pair[1]);
	return list.length > 0 && list.every(isPoint) ? list : undefined;
}

/** `{ columns, rows: [['2026-01-01', 120], …] }`, with columns `'views'` or `{ name: 'views' }`. */
function readTable(record: JsonObject): Days | undefined {
	const listAt = (pattern: RegExp) =>
		Object.keys(record).find((key) => pattern.test(key) && Array.isArray(record[key]));
	const [headerKey, rowsKey] = [listAt(HEADER_KEY), listAt(ROWS_KEY)];
	if (headerKey === undefined || rowsKey === undefined) return undefined;
	const header = record[headerKey] as unknown[];
	const rows = record[rowsKey] as unknown[];
	const names = header.map((column) =>
		isRecord(column) ? NAME_KEYS.map((key) => column[key]).find(isName) : column,
	);
	const isRow = (row: unknown): row is unknown[] =>
		Array.isArray(row) && row.length === names.length;
	if (!names.every(isName) || !areUnique(names) || !rows.every(isRow)) return undefined;
	const found = readRecords(
		rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
	);
	return found && { ...found, around: without(record, headerKey, rowsKey) };
}

/**
 * Dates with lists about them: `{ labels, datasets: [{ label, data: [120, …] }] }`, as in Chart.js,
 * `{ categories, series }`, as in ApexCharts, or arrays side by side: `{ dates, views: [120, …] }`, also
 * `{ dates, metrics: { views } }`.
 */
function readChart(record: JsonObject): Days | undefined {
	const areDates = (value: unknown): value is string[] =>
		Array.isArray(value) && value.length > 0 && value.every(isDate) && areUnique(value);
	const [axis, dates] = Object.entries(record).find(([, value]) => areDates(value)) ?? [];
	if (axis === undefined || !areDates(dates)) return undefined;
	for (const [key, list] of Object.entries(record)) {
		const found = Array.isArray(list) ? readSeries(list, dates) : undefined;
		if (!found) continue;
		const ofMetrics: Field = [key, Object.fromEntries(found.around ?? [])];
		return { ...found, around: [...without(record, axis, key), ofMetrics] };
	}
	const fields = without(record, axis).flatMap(([key, value]): Field[] =>
		isRecord(value) && HOLDER_KEY.test(key) ? Object.entries(value) : [[key, value]],
	);
	const isColumn = ([, value]: Field) => Array.isArray(value) && isPlain(value, dates.length);
	const columns = fields.filter(isColumn);
	// Dates beside words may be anything: holidays and tags, say.
	if (!columns.some(([, values]) => (values as unknown[]).some(isNumeric))) return undefined;
	const found = readSeries(
		columns.map(([name, data]) => ({ name, data })),
		dates,
	);
	return found && { ...found, around: fields.filter((field) => !isColumn(field)) };
}

export function isDate(value: unknown): value is string {
	return typeof value === 'string' && DATE.test(value);
}

/** A number, or a text that a sheet takes for one. */
export function isNumeric(value: unknown): boolean {
	if (typeof value === 'number') return true;
	if (typeof value !== 'string' || value.trim() === '') return false;
	return NUMERIC.test(value) || !Number.isNaN(Number(value));
}

function isName(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function without(record: JsonObject, ...keys: string[]): Field[] {
	return Object.entries(record).filter(([key]) => !keys.includes(key));
}

/** Whether it is a list of so many plain values. */
function isPlain(list: unknown[], length: number): boolean {
	return list.length === length && list.every((value) => Object(value) !== value);
}

function areUnique(texts: string[]): boolean {
	return new Set(texts).size === texts.length;
}
