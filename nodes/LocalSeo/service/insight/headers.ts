import { isRecord, type JsonObject } from '../../client';

/** Lists of names in a response, by their length, each with what it is called. */
export type Headers = Map<number, Array<[key: string, names: string[]]>>;

const HEADER = /(columns?|cols|headers?|fields|names|dimensions|metrics|keys|schema|labels)$/i;
const NAME_KEYS = ['name', 'key', 'label', 'title', 'id'];
const TIME = /dat|day|time|period|month|week|tag|jour|d[ií]a|hour/i;
/** So many lists of one length are compared, by so many letters of their keys at least. */
const COMPARED = { lists: 20, letters: 3 };

/** Looks for lists of names everywhere but in the entries of longer lists. */
export function headersIn(value: unknown, key = '', found: Headers = new Map()): Headers {
	if (isRecord(value)) {
		for (const [name, inner] of Object.entries(value)) headersIn(inner, name, found);
	} else if (Array.isArray(value)) {
		const known = found.get(value.length) ?? [];
		const names = value.map((one) =>
			isRecord(one) ? NAME_KEYS.map((name) => one[name]).find(isName) : one,
		);
		const isHeader = HEADER.test(key) && known.length < COMPARED.lists && areNames(names);
		if (isHeader) found.set(value.length, [...known, [key, names]]);
		if (value.length === 1) headersIn(value[0], key, found);
	}
	return found;
}

/**
 * The names of cells from the header that is called most alike: `metricHeaders` are those of
 * `metricValues`.
 *
 * @param isTable whether any header is one of theirs
 */
export function namesOf(headers: Headers, key: string, length: number, isTable: boolean) {
	let best: string[] | undefined;
	let most = isTable ? -1 : COMPARED.letters - 1;
	for (const [name, names] of headers.get(length) ?? []) {
		const differing = [...name].findIndex((letter, at) => letter !== key[at]);
		const common = differing < 0 ? name.length : differing;
		if (common > most) [best, most] = [names, common];
	}
	return best;
}

/** Rows of cells as records: with the names of a header elsewhere, or of their first row. */
export function recordsOf(
	rows: unknown[][],
	key: string,
	headers: Headers,
): JsonObject[] | undefined {
	const [{ length }] = rows;
	if (length < 2 || rows.some((row) => row.length !== length)) return undefined;
	const known = namesOf(headers, key, length, true);
	const isFirst = rows.length > 1 && areNames(rows[0]) && !rows[0].some((name) => /\d/.test(name));
	const isFitting = known && (length > 2 || known.some((name) => TIME.test(name)));
	const places = rows[0].map((_, at) => (length === 2 ? ['x', 'value'][at] : `value_${at}`));
	const names = isFitting ? known : isFirst ? (rows[0] as string[]) : places;
	return rows
		.slice(names === rows[0] ? 1 : 0)
		.map((row) => Object.fromEntries(names.map((name, at) => [name, unboxed(row[at])])));
}

/** `{ value: 5 }` as 5. */
export function unboxed(cell: unknown): unknown {
	const [value, ...more] = isRecord(cell) ? Object.values(cell) : [cell];
	return more.length > 0 || Object(value) === value ? cell : value;
}

function areNames(names: unknown[]): names is string[] {
	return names.every(isName) && new Set(names).size === names.length;
}

export function isName(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
