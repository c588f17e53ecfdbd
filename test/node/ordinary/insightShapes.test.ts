import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../../support/fixture';
import { useBackend } from './backend';
import { faultsOf, type InsightCase } from './insightCase';

// The forms in which services report by day, and the rows that should come of each.

const FOLDER = join(__dirname, 'insights');
const CASES = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as InsightCase,
);

const MISSING = { status: 404, body: { message: 'Not found' } };
const backend = useBackend();

test.each(CASES.map((one) => [one.id, one] as const))('%s', async (_, one) => {
	const { output, allLocations = false } = one.parameters;
	const { responses } = one;
	const { json, hints, error } = await backend({
		instead: ({ path, query: { page = '1' } }) =>
			(page !== '1' && responses[`${path}?page=${String(page)}`]) || responses[path] || MISSING,
	}).run({
		...{ resource: 'insight', operation: 'get', output, options: { maxWait: 5 } },
		...(allLocations ? { allLocations } : { locationId: byId('loc_1') }),
	});
	expect(faultsOf(one, { json, hints, error })).toEqual([]);
});
