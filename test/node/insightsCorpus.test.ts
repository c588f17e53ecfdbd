import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../support/fixture';
import { type Expected, type Verdict, verdictOn } from '../support/insightsJudge';
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
