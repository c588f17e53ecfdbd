import { readDates } from '../client';
import { inSnakeCase } from '../text/words';
import { ANONYMOUS, type Headers, isName, headingsOf, unboxed } from './cells';

/** A value, and where it stands. */
export interface Value {
	/** The names around it from the outside, each after a line break. */
	path: string;
	value: unknown;
}

/** Values of a list's entries, and the places of these: an entry may lack one. */
export interface Column {
	at: number[];
	values: unknown[];
}

/** The columns that a list's entries make, by their path. */
export type Columns = Map<string, Column>;

/** Columns with a value for each entry, which may be undefined. */
export type FullColumns = Map<string, unknown[]>;

export const MAX_NAME = 200;
const LABEL = /(^|[_\n])(metric|name|label|title|key|target)_*$/;

const KIND = /(^|\n)(metric_)?type$/;

/** Whether a column has the names of metrics. */
export const isLabel = (path: string) => LABEL.test(inSnakeCase(path));
/** Whether it may have: `type` is also much else, so nothing but a value without a name may stand beside it. */
export const isKind = (path: string) => KIND.test(inSnakeCase(path));
export const lastOf = (path: string) => path.slice(path.lastIndexOf('\n') + 1);

/** A path within a list, below a name. */
export function below(path: string, list: string, name: string): string {
	return `${list}\n${name}${path.slice(list.length)}`;
}

/** The path of a member; one that is just called "value" has none of its own. */
export function into(path: string, name: string): string {
	return ANONYMOUS.test(name) ? path : `${path}\n${name.slice(0, MAX_NAME)}`;
}

/**
 * The values of entries as columns. Lists in them are taken apart if they have one value, or names for
 * their places.
 */
export function columnsIn(entries: Value[][], headers: Headers): Columns {
	const columns: Columns = new Map();
	for (const [at, points] of entries.entries()) {
		const counts = new Map<string, number>();
		for (const { path, value } of new Set(points)) {
			const count = (counts.get(path) ?? 0) + 1;
			counts.set(path, count);
			const name = count === 1 ? path : `${path}\n${count}`;
			const column = columns.get(name) ?? { at: [], values: [] };
			columns.set(name, column);
			column.at.push(at);
			column.values.push(value);
		}
	}
	for (const [path, { at, values }] of [...columns]) {
		const names = placesIn(values, lastOf(path), headers);
		if (names) columns.delete(path);
		for (const [place, name] of names?.entries() ?? []) {
			const own = into(path, name);
			const cells = (values as unknown[][]).map((list) => unboxed(list[place]));
			columns.set(columns.has(own) ? `${own}\n${place}` : own, { at, values: cells });
		}
	}
	return columns;
}

function placesIn(lists: unknown[], key: string, headers: Headers): string[] | undefined {
	const [first] = lists;
	if (!Array.isArray(first) || first.length === 0) return undefined;
	const isPlain = (cell: unknown) => Object(unboxed(cell)) !== unboxed(cell);
	const isLike = (list: unknown) =>
		Array.isArray(list) && list.length === first.length && list.every(isPlain);
	if (!lists.every(isLike)) return undefined;
	const cells = (lists as unknown[][]).map(([cell]) => cell);
	const isBoxed = cells.every((cell) => unboxed(cell) !== cell);
	const names = headingsOf(headers, key, first.length, isBoxed);
	if (names || first.length === 1) return names ?? [''];
	return readDates(cells, { name: 'date' }) && first.map((_, at) => String(at + 1));
}

/** The columns of which most entries have a value. */
export function commonIn(columns: Columns, length: number): FullColumns {
	const common: FullColumns = new Map();
	for (const [path, { at, values }] of columns) {
		if (2 * values.length <= length) continue;
		const all = new Array<unknown>(length).fill(undefined);
		for (const [nth, place] of at.entries()) all[place] = values[nth];
		common.set(path, all);
	}
	return common;
}

/**
 * Texts that tell the entries of each group apart: those of one column, else of several.
 *
 * @param only the columns to take, and no others
 */
export function labelsOf(common: FullColumns, groups: unknown[], only?: string[]) {
	const isText = (value: unknown) => isName(value) && Number.isNaN(Number(value));
	const texts = [...common].filter(([, values]) => values.every(isText));
	const varying = texts.filter(([, values]) => new Set(values).size > 1);
	const named = texts.filter(([path]) => isLabel(path));
	const chosen = texts.filter(([path]) => only?.includes(path));
	const any = only ? [] : [...[...named, ...texts].map((one) => [one]), varying];
	const choices = (only?.length === chosen.length ? [chosen] : any).map((columns) => ({
		labels: groups.map((_, at) => columns.map(([, values]) => values[at]).join('_')),
		paths: columns.map(([path]) => path),
	}));
	return choices.find(
		({ labels }) =>
			new Set(labels.map((label, at) => `${groups[at]}\n${label}`)).size === groups.length,
	);
}
