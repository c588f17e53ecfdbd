import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../support/fixture';
import { useBackend } from './backend';

// The forms in which services report by day: read as an analyst would, or asked about, and never wrong.

/** A response with insights in one of the forms that services use, and what comes of it. */
interface InsightCase {
	id: string;
	responses: Record<string, { status: number; body?: unknown }>;
	parameters: { output: string; allLocations?: boolean };
	expect: Expected;
	/** What a user of this service writes into the option Dates. */
	answer?: { date?: string; format?: string };
}

type Row = Record<string, unknown>;

/** What an analyst would make of a response. */
interface Expected {
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

interface Result {
	rows: Row[];
	hints: string[];
	error?: { message: string; description?: string | null };
}

type Verdict = 'right' | 'asked' | 'wrong';

const FOLDER = join(__dirname, 'insightsCorpus');
const CASES = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as InsightCase,
);
const MISSING = { status: 404, body: { message: 'Not found' } };
const backend = useBackend();

async function verdictOf(
	{ parameters, responses, expect: expected }: InsightCase,
	answer?: InsightCase['answer'],
): Promise<Verdict> {
	const { output, allLocations = false } = parameters;
	const dates = answer && { read: { field: answer.date, format: answer.format } };
	const { json, hints, error } = await backend({
		instead: ({ path, query: { page = '1' } }) =>
			(page !== '1' && responses[`${path}?page=${String(page)}`]) || responses[path] || MISSING,
	}).run({
		...{ resource: 'insight', operation: 'get', output },
		...(allLocations ? { allLocations } : { locationId: byId('loc_1') }),
		options: { maxWait: 5, ...(dates && { dates }) },
	});
	return verdictOn(expected, { rows: json, hints, error });
}

/** Right alone, and asked about, but right with the answer; all others are asked about. */
const RIGHT = `
	ahrefs-history apple-ads-report device-rows gbp-multi-daily matomo-range metrics-as-rows
	mixpanel-segmentation partial-day rails-chartkick raw-as-it-is shops-without-data
	sources-and-metrics totals-summary week-numbers yelp-daily yext-report
`;
const RIGHT_WITH_DATES = `
	cloudflare-groups discourse-periods elasticsearch-buckets facebook-page-insights gsc-by-date
	highcharts-pairs hours linkedin-share-statistics mailgun-days tiktok-report
	umami-pageviews us-dates woocommerce-days
`;
const idsIn = (list: string) => list.trim().split(/\s+/);

test.each(CASES)('$id is read rightly or asked about', async (one) => {
	expect(await verdictOf(one)).toBe(idsIn(RIGHT).includes(one.id) ? 'right' : 'asked');
	const isAnswered = idsIn(RIGHT_WITH_DATES).includes(one.id);
	expect(one.answer !== undefined).toBe(isAnswered);
	if (one.answer) expect(await verdictOf(one, one.answer)).toBe('right');
});

test('of 100 services, at least 25 are right, and 40 with an answer', () => {
	const [right, answered] = [RIGHT, RIGHT_WITH_DATES].map((list) => idsIn(list).length);
	expect(right).toBeGreaterThanOrEqual(0.25 * CASES.length);
	expect(right + answered).toBeGreaterThanOrEqual(0.4 * CASES.length);
});

function verdictOn(expected: Expected, result: Result): Verdict {
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
