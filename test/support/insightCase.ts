import { isDeepStrictEqual } from 'node:util';

/** A cell as it is expected: a list holds the ways to read it. */
type Expected = Record<string, unknown>;
type Row = Record<string, unknown>;

/** What a case expects of the node; `hint: null` is none, and absent, it is any. */
export interface Expectation {
	rows?: Expected[];
	columnsFirst?: string[];
	/** Other names that a metric may have. */
	names?: Record<string, string[]>;
	/** Patterns of columns that may hold numbers and JSON beside the metrics. */
	may?: string[];
	/** Days that may have a row without values. */
	optionalDates?: string[];
	unrecognized?: boolean;
	count?: number;
	raw?: unknown[];
	error?: string;
	hint?: string | string[] | null;
	anyOf?: Expectation[];
}

/** A response with insights in one of the forms that services use, and what should come of it. */
export interface InsightCase {
	id: string;
	responses: Record<string, { status: number; body?: unknown }>;
	parameters: { output: string; allLocations?: boolean };
	expect: Expectation;
	/** What a user of this service writes into the option Days. */
	answer?: { list?: string; date?: string; format?: string };
}

interface Outcome {
	json: Row[];
	hints: string[];
	error?: { message: string };
}

export type Verdict = 'right' | 'asked' | 'wrong';

/**
 * Right is what a case expects. Asked: nothing comes out, with an error, or one row without a date that
 * has all values, and a hint that names the option Days. All else is wrong.
 */
export function verdictOn(one: InsightCase, outcome: Outcome): Verdict {
	if (faultsOf(one, outcome).length === 0) return 'right';
	const { json, hints, error } = outcome;
	if (error) return json.length === 0 ? 'asked' : 'wrong';
	const isHinted = hints.some((hint) => /^No dates were recognized .*'Days'/.test(hint));
	const lost = faultsOfUnrecognized({}, json, dataIn(one));
	return isHinted && lost.length === 0 ? 'asked' : 'wrong';
}

const dataIn = ({ responses }: InsightCase) =>
	Object.entries(responses)
		.filter(([path]) => path.endsWith('/insights'))
		.map(([, { body }]) => body);

/** Why an outcome is not what a case expects; empty where it is. */
export function faultsOf(one: InsightCase, outcome: Outcome): string[] {
	const { anyOf, ...own } = one.expect;
	const data = dataIn(one);
	if (!anyOf) return faults(own, outcome, data);
	const each = anyOf.map((one) => faults({ ...own, ...one }, outcome, data));
	return each.some((found) => found.length === 0) ? [] : each.flat();
}

function faults(expected: Expectation, { json, hints, error }: Outcome, data: unknown[]): string[] {
	if (expected.error !== undefined) {
		return new RegExp(expected.error, 'i').test(error?.message ?? '') ? [] : ['no such error'];
	}
	if (error) return [`error: ${error.message}`];
	return [
		...(expected.rows ? faultsOfRows(expected, expected.rows, json) : []),
		...(expected.unrecognized ? faultsOfUnrecognized(expected, json, data) : []),
		...(expected.raw && !containsAll(json, expected.raw) ? ['the items are not as they came'] : []),
		...faultsOfHints(expected.hint, hints),
	];
}

function faultsOfHints(expected: Expectation['hint'], hints: string[]): string[] {
	if (expected === undefined) return [];
	// A list within a day is kept, and said: which columns those are, the case says in `may`.
	if (expected === null) {
		return hints.filter((hint) => !/ as JSON: /.test(hint)).map((hint) => `hint: ${hint}`);
	}
	return [expected]
		.flat()
		.filter((pattern) => !hints.some((hint) => new RegExp(pattern, 'i').test(hint)))
		.map((pattern) => `no hint like ${pattern} in ${JSON.stringify(hints)}`);
}

/** Items that have all that is expected, and may have more. */
function containsAll(items: Row[], raw: unknown[]): boolean {
	return (
		items.length === raw.length &&
		items.every((item, at) =>
			Object.entries(raw[at] as Row).every(([key, value]) => isDeepStrictEqual(item[key], value)),
		)
	);
}

function faultsOfUnrecognized({ count = 1 }: Expectation, json: Row[], data: unknown[]): string[] {
	const cells = json.flatMap((row) => Object.values(row)).map(textOf);
	const lost = data
		.flatMap(scalarsIn)
		.filter((value) => !cells.some((cell) => cell.includes(value)));
	return [
		...(json.length === count ? [] : [`${json.length} rows`]),
		...json.filter(({ date }) => date !== null && date !== undefined).map(() => 'a date'),
		...lost.map((value) => `${value} is lost`),
	];
}

const textOf = (cell: unknown) => (typeof cell === 'string' ? cell : JSON.stringify(cell ?? null));

function scalarsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return value === null ? [] : [String(value)];
	const data = Array.isArray(value) || !('data' in value) ? value : value.data;
	return Object.values(data as object).flatMap(scalarsIn);
}

function faultsOfRows(expected: Expectation, rows: Expected[], json: Row[]): string[] {
	const { columnsFirst = [], optionalDates = [] } = expected;
	const found = json.filter((row) => !optionalDates.includes(String(row.date)));
	const odd = json.flatMap((row) => {
		const first = Object.keys(row).slice(0, columnsFirst.length);
		return isDeepStrictEqual(first, columnsFirst) ? [] : [`begins with ${first.join()}`];
	});
	const readings = Math.max(...rows.map(({ date }) => (Array.isArray(date) ? date.length : 1)));
	const tried = Array.from({ length: readings }, (_, reading) =>
		faultsOfReading(expected, rows, found, reading),
	);
	const best = tried.find((one) => one.length === 0) ?? tried[0];
	return [...odd, ...best];
}

/** @param reading which of the ways to read dates, the same in all rows */
function faultsOfReading(
	expected: Expectation,
	rows: Expected[],
	json: Row[],
	reading: number,
): string[] {
	const columnOf = columnsFor(expected, rows, json);
	const left = [...json];
	const missing = rows.flatMap((row) => {
		const at = left.findIndex((one) =>
			Object.entries(row).every(([name, value]) => {
				const wanted: unknown = name === 'date' && Array.isArray(value) ? value[reading] : value;
				return isCell(name, one[columnOf(name)], wanted);
			}),
		);
		if (at < 0) return [`no row like ${JSON.stringify(row)}`];
		left.splice(at, 1);
		return [];
	});
	const known = new Set(rows.flatMap((row) => Object.keys(row)).map(columnOf));
	const may = (expected.may ?? []).map((pattern) => new RegExp(`^(?:${pattern})$`, 'i'));
	const odd = json.flatMap((row) =>
		Object.entries(row)
			.filter(([name, cell]) => !known.has(name) && isOdd(cell, may, name))
			.map(([name, cell]) => `${name}: ${JSON.stringify(cell)}`),
	);
	return [...missing, ...left.map((row) => `one more: ${JSON.stringify(row)}`), ...odd];
}

/** What else stands in a row must not be counted by a sum, or be a list in disguise. */
function isOdd(cell: unknown, may: RegExp[], name: string): boolean {
	if (cell === null || typeof cell === 'boolean') return false;
	if (typeof cell === 'object') return true;
	if (may.some((pattern) => pattern.test(name))) return false;
	return typeof cell !== 'string' || isNumber(cell) || /^\s*[[{]/.test(cell);
}

/** The column in which a metric is: the same one in all rows. */
function columnsFor({ names = {} }: Expectation, rows: Expected[], json: Row[]) {
	const columns = [...new Set(json.flatMap((row) => Object.keys(row)))];
	const plain = (name: string) => name.toLowerCase().replace(/[ .]/g, '');
	const leading = ['date', 'location_id', 'location_name'];
	const chosen = new Map(leading.map((name) => [name, name]));
	for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
		if (chosen.has(name)) continue;
		const called = [name, ...(names[name] ?? [])].map(plain);
		const free = columns.filter((column) => ![...chosen.values()].includes(column));
		const column =
			free.find((one) => called.includes(plain(one))) ??
			free.find((one) => called.some((own) => plain(one).endsWith(`_${own}`)));
		chosen.set(name, column ?? `no column for ${name}`);
	}
	return (name: string) => chosen.get(name) ?? name;
}

function isCell(name: string, cell: unknown, wanted: unknown): boolean {
	if (Array.isArray(wanted)) return wanted.some((one) => isCell(name, cell, one));
	if (wanted === null) return cell === null || cell === undefined;
	if (cell === wanted) return true;
	if (name === 'date') return isSameTime(cell, wanted);
	const isDigits = typeof wanted === 'string' && isNumber(wanted);
	return isDigits && typeof cell === 'number' && cell === Number(wanted);
}

const isNumber = (text: string) => text.trim() !== '' && !Number.isNaN(Number(text));

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.0+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Times with or without seconds and zone. */
function isSameTime(cell: unknown, wanted: unknown): boolean {
	const [a, b] = [cell, wanted].map((text) => TIME.exec(String(text)));
	if (!a || !b) return false;
	if (a[4] && b[4]) return Date.parse(String(cell)) === Date.parse(String(wanted));
	return a[1] === b[1] && a[2] === b[2] && (a[3] ?? '00') === (b[3] ?? '00');
}
