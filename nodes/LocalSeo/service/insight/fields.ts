import { dateOfParts, isRecord, type JsonObject, readDates } from '../../client';

/** A name and its value; the name is empty where a list or a series is about one value alone. */
export type Field = [name: string, value: unknown];

/** Lists of names, by how many there are and what they are called. */
export type Headers = Map<number, Field[]>;

/** Longer names of columns lose their beginning. */
const MAX_NAME = 200;
const ANONYMOUS = /^(value|val|v|y)$/i;
const PARTS = /^(year|month|day|week|quarter)$/i;
const HEADER = /(columns?|cols|headers?|fields|names|dimensions|metrics|keys|schema|labels)$/i;
const NAME_KEYS = ['name', 'key', 'label', 'title', 'id'];
/** What names a metric. */
export const NAMES = /(^|_)_*(metric|name|label|title|key)_*$/i;
/** Digits with what separates them, a sign, a currency or a percent sign around them. */
const NUMERIC = /^[^\p{L}\d]*\d[\d.,'\s]*([^\p{L}\d.,'\s][^\p{L}\d]*)?$/u;
/** So many lists of names of one length are compared, by so many letters at least. */
const HEADERS = { most: 20, letters: 3 };

export function joined(outer: string, inner: string): string {
	return (outer === '' || inner === '' ? outer + inner : `${outer}_${inner}`).slice(-MAX_NAME);
}

/** The values in a value under `outer_inner`; lists as they are. A year with its month is one date. */
export function fieldsOf(value: unknown, name = '', fields: Field[] = []): Field[] {
	const date = isRecord(value) ? dateOfParts(value) : undefined;
	if (date !== undefined) fields.push([name || 'date', date]);
	if (!isRecord(value)) fields.push([name, value]);
	else {
		for (const [key, inner] of Object.entries(value)) {
			if (date !== undefined && PARTS.test(key)) continue;
			fieldsOf(inner, ANONYMOUS.test(key) ? name : joined(name, key), fields);
		}
	}
	return fields;
}

/** The fields of each entry of a list; a list in them is taken apart where each place has a meaning. */
export function flattened(entries: JsonObject[], headers: Headers): Field[][] {
	const flat = entries.map((entry) => fieldsOf(entry));
	const lists = new Map<string, unknown[][]>();
	for (const [name, value] of flat.flat()) {
		if (!Array.isArray(value) || value.length === 0) continue;
		lists.set(name, lists.get(name) ?? []);
		lists.get(name)!.push(value);
	}
	const places = new Map([...lists].map(([name, all]) => [name, placesIn(name, all, headers)]));
	return flat.map((fields) =>
		fields.flatMap(([name, value]): Field[] => {
			const names = Array.isArray(value) ? places.get(name) : undefined;
			if (!names) return [[name, value]];
			return (value as unknown[]).flatMap((cell, at) => fieldsOf(unboxed(cell), names[at]));
		}),
	);
}

function placesIn(name: string, lists: unknown[][], headers: Headers): string[] | undefined {
	const [{ length }] = lists;
	if (lists.some((list) => list.length !== length)) return undefined;
	const isTable = lists.every(([first]) => unboxed(first) !== first);
	const names = headerOf(headers, name, length, isTable);
	if (names || length === 1) return names ?? [name];
	const firsts = lists.map(([first]) => first);
	return readDates(firsts, { name }) && lists[0].map((_, at) => `${name}_${at + 1}`);
}

/** `{ value: 5 }` as 5. */
export function unboxed(cell: unknown): unknown {
	const [value, ...more] = isRecord(cell) ? Object.values(cell) : [cell];
	return more.length > 0 || Object(value) === value ? cell : value;
}

/** All lists of names in a response, but in the entries of longer lists. */
export function headersIn(value: unknown, key = '', found: Headers = new Map()): Headers {
	if (isRecord(value)) {
		for (const [name, inner] of Object.entries(value)) headersIn(inner, name, found);
	} else if (Array.isArray(value)) {
		const known = found.get(value.length) ?? [];
		const names = value.map((one) =>
			isRecord(one) ? NAME_KEYS.map((name) => one[name]).find(isName) : one,
		);
		const isHeader =
			HEADER.test(key) && names.every(isName) && new Set(names).size === names.length;
		if (isHeader && known.length < HEADERS.most) found.set(value.length, [...known, [key, names]]);
		if (value.length === 1) headersIn(value[0], key, found);
	}
	return found;
}

/** Names of so many cells; `metricHeaders` are those of `metricValues`, and any are those of a table. */
export function headerOf(headers: Headers, key: string, length: number, isTable: boolean) {
	let best: Field | undefined;
	let most = isTable ? -1 : HEADERS.letters - 1;
	for (const header of headers.get(length) ?? []) {
		const differing = [...header[0]].findIndex((letter, at) => letter !== key[at]);
		const common = differing < 0 ? header[0].length : differing;
		if (common > most) [best, most] = [header, common];
	}
	return best?.[1] as string[] | undefined;
}

export function isName(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** A number, or a text that a sheet takes for one: `1,234.5 %`. */
export function isNumeric(value: unknown): boolean {
	if (typeof value !== 'string') return typeof value === 'number';
	return NUMERIC.test(value) || (value.trim() !== '' && !Number.isNaN(Number(value)));
}
