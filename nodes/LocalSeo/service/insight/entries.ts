import { type DateContext, type DateUnit, readDates } from '../../client';
import { inSnakeCase } from '../sendableFields';
import { type Headers, isName, namesOf, unboxed } from './headers';

/** A value of a response, and the date that it is about. */
export interface Point {
	/** The names around it from the outside, each after a line break; of one with a date, those of its list. */
	path: string;
	value: unknown;
	date?: string;
	/** Its name in the entry that has the date; empty where a list or a series has one value a date. */
	column?: string;
	/** The list that gives it its date. */
	list?: List;
	/** Which entry of its date it belongs to, where a date has several that nothing tells apart. */
	entry?: number;
}

/** A list with dates, of what is counted or of what happened. */
interface List {
	path: string;
	raw: unknown;
	unit: DateUnit;
	isOfEvents?: boolean;
}

/** The dates of a list's entries, and where they stand. */
interface Dates {
	path: string;
	unit: DateUnit;
	dates: Array<string | undefined>;
	rank: number;
}

/** What most entries have, by the path to it. */
type Columns = Map<string, unknown[]>;

/** In a path, before the name of one of several series, and before that of the only one. */
export const SERIES = '\0';
export const ONLY = '\u0001';

/** So many names beside the date become columns; more are rows of their own. */
const MAX_NAMES = 24;
const DAY_LENGTH = 86_400_000;
export const NAMES = /(^|_|\n)_*(metric|name|label|title|key)_*$/i;
const EXACT = /^\n?(date|day)$/;
const DAY = /(^|_|\n)(date|day)$/;
const START = /(^|_|\n)(start|begin|from|since)/;
const END = /(^|_|\n)(ends?|to|until|till|last|expir\w*|due)(_|$)/;
const EVENT = /(^|_|\n)(creat|updat|modif|publish|post|scan|refresh|generat|sync|seen|review)/;

/** Takes lists apart: those with one value, and those whose places have names elsewhere. */
export function takenApart(entries: Point[][], headers: Headers): Point[][] {
	const lists = new Map<string, unknown[][]>();
	for (const { path, value } of entries.flat()) {
		if (!Array.isArray(value) || value.length === 0) continue;
		if (!lists.get(path)?.push(value)) lists.set(path, [value]);
	}
	const places = new Map<string, string[] | undefined>();
	for (const [path, all] of lists) {
		const [{ length }] = all;
		const isBoxed = all.every(([first]) => unboxed(first) !== first);
		const names = namesOf(headers, lastOf(path), length, isBoxed);
		const isDated =
			length > 1 &&
			readDates(
				all.map(([first]) => first),
				{ name: 'date' },
			);
		const numbered = isDated ? all[0].map((_, at) => String(at + 1)) : undefined;
		const isSame = all.every((list) => list.length === length);
		places.set(path, isSame ? (names ?? (length === 1 ? [''] : numbered)) : undefined);
	}
	return entries.map((points) =>
		points.flatMap((point): Point[] => {
			const names = Array.isArray(point.value) ? places.get(point.path) : undefined;
			if (!names) return [point];
			return (point.value as unknown[]).map((cell, at) => ({
				path: into(point.path, names[at]),
				value: unboxed(cell),
			}));
		}),
	);
}

/** The values that have no date yet, of each path that most entries have. */
export function columnsOf(entries: Point[][]): Columns {
	const counts = new Map<string, number>();
	for (const { path } of entries.flat()) counts.set(path, (counts.get(path) ?? 0) + 1);
	const columns: Columns = new Map();
	for (const [at, points] of entries.entries()) {
		for (const { path, value, date } of points) {
			if (date !== undefined || 2 * counts.get(path)! <= entries.length) continue;
			if (!columns.has(path)) columns.set(path, new Array(entries.length).fill(undefined));
			columns.get(path)![at] ??= value;
		}
	}
	return columns;
}

/** The dates in entries: first those that most likely say which day each entry is about. */
export function datesIn(
	columns: Columns,
	list: string,
	around: Omit<DateContext, 'name'>,
): Dates[] {
	const found = [...columns].flatMap(([path, values]) => {
		const name = inSnakeCase(path.slice(list.length));
		const column = readDates(values, { ...around, name });
		const kind = EXACT.test(name) ? -8 : START.test(name) ? 1 : DAY.test(name) ? 0 : 2;
		const other = (EVENT.test(name) ? 40 : 0) + (END.test(name) ? 20 : 0);
		return column
			? [{ ...column, path, rank: kind + other + (column.unit === 'day' ? 0 : 4) }]
			: [];
	});
	const [best, ...others] = found.sort((one, other) => one.rank - other.rank);
	// From and to of one period are no day.
	const isApart = ({ dates }: Dates) =>
		Math.abs(Date.parse(`${dates[0]}`) - Date.parse(`${best.dates[0]}`)) > DAY_LENGTH;
	const isPeriod = best?.dates.length === 1 && best.rank >= 0 && others.some(isApart);
	return isPeriod ? [] : found;
}

/** Whether each entry is about a day of its own, so that dates within it say nothing. */
export function areSure({ dates, rank }: Dates): boolean {
	return rank < 0 || (dates.length > 1 && rank < 20 && 2 * new Set(dates).size > dates.length);
}

/**
 * The values of entries with their dates. Where a date comes several times, or is that of one metric of
 * several, a few names that tell its entries apart become a part of the path.
 */
export function dated(
	entries: Point[][],
	columns: Columns,
	[best, ...others]: Dates[],
	{ path, raw }: Pick<List, 'path' | 'raw'>,
): Point[] {
	const { dates, unit, rank } = best;
	const list = { path, raw, unit, isOfEvents: rank >= 40 };
	for (const other of [best, ...others]) columns.delete(other.path);
	const known = dates.filter((date) => date !== undefined);
	const isRepeated = new Set(known).size < known.length;
	const isLong = columns.has(path) && [...columns.keys()].some((name) => NAMES.test(name));
	const told = isRepeated || isLong ? labelsOf(columns, dates) : undefined;
	const names = told && new Set(told.labels).size <= MAX_NAMES ? told : undefined;
	const dropped = new Set([best.path, ...(names?.paths ?? [])]);
	return entries.flatMap((points, at) =>
		undated(points)
			.filter((one) => dates[at] === undefined || !dropped.has(one.path))
			.map((one): Point => {
				if (dates[at] === undefined) return within(one, path, SERIES);
				const other = typeof one.value === 'number' && others.find((own) => own.path === one.path);
				return {
					...{ path, list, date: dates[at], value: other ? other.dates[at] : one.value },
					column: nameOf((names ? `\n${names.labels[at]}` : '') + one.path.slice(path.length)),
					entry: isRepeated && !names ? at : undefined,
				};
			}),
	);
}

/** Lists of dates as values like any other; those that are kept stay as they are. */
export function undated(points: Point[], isKept: (list: List) => boolean = () => false): Point[] {
	const seen = new Set<List>();
	return points.flatMap((point): Point[] => {
		const { list } = point;
		if (!list || isKept(list)) return [point];
		const isFirst = !seen.has(list);
		seen.add(list);
		return isFirst ? [{ path: list.path, value: list.raw }] : [];
	});
}

/** Texts that tell the entries of each group apart: those of one column, else of several. */
export function labelsOf(columns: Columns, groups: unknown[]) {
	const isText = (value: unknown) => isName(value) && Number.isNaN(Number(value));
	const order = ([path]: [string, unknown]) => (NAMES.test(inSnakeCase(path)) ? 0 : 1);
	const texts = ([...columns] as Array<[string, string[]]>)
		.filter(([, values]) => values.every(isText))
		.sort((one, other) => order(one) - order(other));
	const isTold = (labels: string[]) =>
		new Set(labels.map((label, at) => JSON.stringify([groups[at], label]))).size === groups.length;
	const [path, single] = texts.find(([, labels]) => isTold(labels)) ?? [];
	if (single) return { labels: single, paths: [path] };
	const varying = texts.filter(([, labels]) => new Set(labels).size > 1).reverse();
	const labels = groups.map((_, at) => varying.map(([, values]) => values[at]).join('_'));
	return isTold(labels) ? { labels, paths: varying.map(([name]) => name) } : undefined;
}

/** A path as the name of a column. */
export function nameOf(path: string): string {
	const names = path.split('\n').filter((name) => !name.startsWith(ONLY));
	return names
		.map((name) => name.replace(SERIES, ''))
		.filter(Boolean)
		.join('_')
		.slice(-MAX_NAME);
}

export function lastOf(path: string): string {
	return path.slice(path.lastIndexOf('\n') + 1);
}

const ANONYMOUS = /^(value|val|v|y|)$/i;
/** Longer names lose their end. */
const MAX_NAME = 200;

export function into(path: string, name: string): string {
	return ANONYMOUS.test(name) ? path : `${path}\n${name.slice(0, MAX_NAME)}`;
}

/** A point below another name. */
export function within(point: Point, path: string, name: string): Point {
	return { ...point, path: `${path}\n${name}${point.path.slice(path.length)}` };
}

/** Digits with what separates them, a sign, a currency or a percent sign around them: `1,234.5 %`. */
const NUMERIC = /^[^\p{L}\d]*\d[\d.,'\s]*([^\p{L}\d.,'\s][^\p{L}\d]*)?$/u;

/** A number, or a text that a sheet takes for one. */
export function isNumeric(value: unknown): boolean {
	if (typeof value !== 'string') return typeof value === 'number';
	return NUMERIC.test(value) || (value.trim() !== '' && !Number.isNaN(Number(value)));
}
