/** What an analyst would make of a response (`expect` of a case), and whether the node gave it. */

export type Row = Record<string, unknown>;

export interface Expected {
	/** A value that is a list is any of its entries. */
	rows?: Row[];
	raw?: Row[];
	anyOf?: Expected[];
	/** Patterns that hints have to match; null: there is none. */
	hint?: string | string[] | null;
	/** Other names of a column. */
	names?: Record<string, string[]>;
	/** Patterns of columns that may hold numbers beside those of `rows`. */
	may?: string[];
	unrecognized?: boolean;
	error?: string;
}

export interface Result {
	rows: Row[];
	hints: string[];
	error?: { message: string; description?: string | null };
}

export type Verdict = 'right' | 'asked' | 'wrong';

export function verdictOn(expected: Expected, result: Result): Verdict {
	const { error } = result;
	if (error) {
		const isNamed = /'Dates'|'One Row per Location'|Raw|'Query Parameters'/;
		return isNamed.test(`${error.message} ${error.description}`) ? 'asked' : 'wrong';
	}
	return isRight(expected, result) ? 'right' : 'wrong';
}

function isRight(expected: Expected, { rows, hints }: Result): boolean {
	if (expected.anyOf) return expected.anyOf.some((one) => isRight(one, { rows, hints }));
	const { raw, hint, rows: wanted } = expected;
	// A list as JSON is said in a hint, and is no news about days.
	const others = hints.filter((one) => !/^Lists come as JSON/.test(one));
	const isSaid = [hint ?? []].flat().every((one) => new RegExp(one, 'i').test(hints.join(' ')));
	if (!isSaid || (hint === null && others.length > 0)) return false;
	if (raw) return JSON.stringify(raw) === JSON.stringify(rows);
	return wanted !== undefined && areSame(wanted, rows, expected);
}

const FIXED = ['date', 'location_id', 'location_name'];
const plain = (name: string) => name.toLowerCase().replace(/[ ._-]/g, '');
const isNumber = (value: unknown): boolean =>
	typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
const accepts = (wanted: unknown, value: unknown): boolean =>
	[wanted]
		.flat()
		.some((one) => String(one) === String(value) || (one === null && value === undefined));

/**
 * True if each wanted value stands in one cell of its date, and no other cell holds a number. The name of a
 * cell is that of its column, with the texts of its row in front or in its place: `{ metric: 'views', value: 3 }`
 * is the column `views`, `{ device: 'mobile', views: 3 }` the column `mobile_views`.
 */
function areSame(wanted: Row[], rows: Row[], { names = {}, may = [] }: Expected): boolean {
	const open = rows.flatMap((row) =>
		Object.entries(row)
			.filter(([name, value]) => !FIXED.includes(name) && value !== null)
			.map(([name, value]) => ({ row, name, value, isTaken: false })),
	);
	const isFound = wanted.every((want) => {
		const own = open.filter(({ row }) => isSameRow(want, row));
		return Object.entries(want).every(([column, value]) => {
			if (FIXED.includes(column)) return true;
			const called = [column, ...(names[column] ?? [])].map(plain);
			const cells = own.filter((cell) => called.some((name) => isCalled(cell, name)));
			const [cell] = cells.filter((one) => !one.isTaken && accepts(value, one.value));
			if (cell) cell.isTaken = true;
			return cell !== undefined || accepts(value, null) || accepts(value, undefined);
		});
	});
	const left = open.filter(({ isTaken, value }) => !isTaken && isNumber(value));
	const isExtra = ({ name }: { name: string }) =>
		!may.some((pattern) => new RegExp(`^${pattern}$`).test(name));
	const areDays = rows.every((row) => wanted.some((want) => isSameRow(want, row)));
	return isFound && areDays && !left.some(isExtra);
}

function isSameRow(want: Row, row: Row): boolean {
	return FIXED.every((name) => accepts(want[name], row[name]));
}

function isCalled({ row, name }: { row: Row; name: string }, wanted: string): boolean {
	const texts = Object.entries(row).flatMap(([key, value]) =>
		FIXED.includes(key) || typeof value !== 'string' || isNumber(value) ? [] : [value],
	);
	const around = texts.flatMap((text) => [
		text,
		...text.split('.').map((_, at, all) => all.slice(at).join('.')),
	]);
	const own = plain(name);
	const all = [
		own,
		...around.flatMap((text) => [plain(text), plain(text) + own, own + plain(text)]),
	];
	return all.includes(wanted) || own.endsWith(wanted);
}
