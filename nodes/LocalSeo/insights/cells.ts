import { isRecord, type JsonObject, readDates } from '../client';

/** Lists of names in a response, each with what it is called. */
export type Headers = Array<[key: string, names: string[]]>;

const HEADER = /(columns?|cols|headers?|fields|names|dimensions|metrics|keys|schema)$/i;
const TIME = /dat|day|time|period|month|week|tag|jour|d[ií]a|hour/i;
/** Names that say nothing about a value. */
export const ANONYMOUS = /^(value|val|v|y|)$/i;
/** Lists of names that are compared with cells. */
const MOST_HEADERS = 20;

export function isName(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** `{ value: 5 }` as 5. */
export function unboxed(cell: unknown): unknown {
	const [name, ...more] = isRecord(cell) ? Object.keys(cell) : [];
	if (!isRecord(cell) || more.length > 0 || !ANONYMOUS.test(name)) return cell;
	return Object(cell[name]) === cell[name] ? cell : cell[name];
}

/** Looks for lists of names everywhere but in the entries of longer lists. */
export function headersIn(value: unknown, key = '', found: Headers = []): Headers {
	const names = HEADER.test(key) && Array.isArray(value) ? headingsIn(value) : undefined;
	if (names && found.length < MOST_HEADERS) found.push([key, names]);
	if (Array.isArray(value) && value.length === 1) headersIn(value[0], key, found);
	if (!isRecord(value)) return found;
	for (const [name, inner] of Object.entries(value)) headersIn(inner, name, found);
	return found;
}

function headingsIn(list: unknown[]): string[] | undefined {
	const names = list.map((one) =>
		isRecord(one) ? [one.name, one.key, one.label, one.title, one.id].find(isName) : one,
	);
	return names.every(isName) && new Set(names).size === names.length ? names : undefined;
}

/** The names of cells: `metricHeaders` has those of `metricValues`, and a table may have any header. */
export function headingsOf(headers: Headers, key: string, length: number, isTable: boolean) {
	const fitting = headers.filter(([, names]) => names.length === length);
	const isAlike = ([name]: Headers[number]) => name.slice(0, 4) === key.slice(0, 4);
	return (fitting.find(isAlike) ?? (isTable ? fitting[0] : undefined))?.[1];
}

/** Rows of cells as records, with the names of a header: one elsewhere, or their first row. */
export function recordsOf(
	rows: unknown[][],
	key: string,
	headers: Headers,
): JsonObject[] | undefined {
	const [first] = rows;
	if (first.length < 2 || rows.some(({ length }) => length !== first.length)) return undefined;
	const known = headingsOf(headers, key, first.length, true);
	const isKnown = known && (first.length > 2 || known.some((name) => TIME.test(name)));
	const own = isKnown || rows.length < 2 || /\d/.test(first.join()) ? undefined : headingsIn(first);
	const isDated = readDates(
		rows.map(([cell]) => unboxed(cell)),
		{ name: 'x' },
	);
	const pair = isDated ? ['x', 'value'] : ['value', 'x'];
	const places = first.map((_, at) => (first.length > 2 ? `value_${at}` : pair[at]));
	const names = isKnown ? known : (own ?? places);
	return rows
		.slice(own ? 1 : 0)
		.map((row) => Object.fromEntries(names.map((name, at) => [name, unboxed(row[at])])));
}
