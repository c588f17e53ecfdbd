import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../support/fixture';
import { useBackend } from './backend';

// The forms in which services report by day: read as an analyst would, or asked about, and never wrong.

type Rows = Array<Record<string, unknown>>;

/** A response with insights in one of the forms that services use, and what comes of it. */
interface InsightCase {
	id: string;
	responses: Record<string, { status: number; body?: unknown }>;
	parameters: { output: string; allLocations?: boolean };
	/** Someone has looked at the outcome: it is right, or a question that names the way out. */
	verdict: 'right' | 'asked';
	outcome: { error: string } | { rows: Rows; hints: string[] };
	/** What a user of this service writes into the option Days, and the rows that this gives. */
	answer?: { list?: string; date?: string; series?: string; format?: string };
	answered?: Rows;
}

const FOLDER = join(__dirname, 'insightsCorpus');
const CASES = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as InsightCase,
);
const MISSING = { status: 404, body: { message: 'Not found' } };
const backend = useBackend();

async function resultOf({ parameters, responses }: InsightCase, answer?: InsightCase['answer']) {
	const { output, allLocations = false } = parameters;
	return await backend({
		instead: ({ path, query: { page = '1' } }) =>
			(page !== '1' && responses[`${path}?page=${String(page)}`]) || responses[path] || MISSING,
	}).run({
		...{ resource: 'insight', operation: 'get', output },
		...(allLocations ? { allLocations } : { locationId: byId('loc_1') }),
		options: { maxWait: 5, ...(answer && { days: { read: answer } }) },
	});
}

test('of 100 services, at least 25 are right without an answer', () => {
	const right = CASES.filter(({ verdict }) => verdict === 'right');
	expect(right.length).toBeGreaterThanOrEqual(0.25 * CASES.length);
});

test.each(CASES)('$id is $verdict', async (one) => {
	const { json, hints, error } = await resultOf(one);
	expect(error ? { error: error.message } : { rows: json, hints }).toEqual(one.outcome);
	if (one.answer) expect((await resultOf(one, one.answer)).json).toEqual(one.answered);
});
