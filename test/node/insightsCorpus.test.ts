import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../support/fixture';
import { faultsOf, type InsightCase, type Verdict, verdictOn } from '../support/insightCase';
import { useBackend } from './backend';

// The forms in which services report by day: read as an analyst would, or asked about, and never wrong.

const FOLDER = join(__dirname, 'insightsCorpus');
const CASES = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as InsightCase,
);
const MISSING = { status: 404, body: { message: 'Not found' } };
const backend = useBackend();

async function outcomeOf({ parameters, responses }: InsightCase, answer?: InsightCase['answer']) {
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

test('insights of 48 services: none wrong, and at least 35 of 100 right without an answer', async () => {
	const verdicts: Record<Verdict, string[]> = { right: [], asked: [], wrong: [] };
	for (const one of CASES) verdicts[verdictOn(one, await outcomeOf(one))].push(one.id);
	expect(verdicts.wrong).toEqual([]);
	expect(verdicts.right.length).toBeGreaterThanOrEqual(0.35 * CASES.length);
});

test.each(CASES.filter(({ answer }) => answer).map((one) => [one.id, one] as const))(
	'%s is right with the answer in the option Days',
	async (_, one) => {
		expect(faultsOf(one, await outcomeOf(one, one.answer))).toEqual([]);
	},
);
