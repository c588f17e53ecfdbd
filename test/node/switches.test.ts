import { byId, useSandbox } from '../support/fixture';

/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock = Date.now() - 3_600_000;
const service = useSandbox({ locations: 3, now: () => new Date((clock += 60_000)) });
const list = { resource: 'location', operation: 'getAll' };
const keywords = () => ({
	resource: 'keyword',
	operation: 'getAll',
	locationId: byId(service.sandbox.account.locations[0].id),
});

/** What expressions make of a switch. */
const OFF = [
	false,
	'false',
	' FALSE ',
	'0',
	0,
	'no',
	'off',
	'',
	'={{ "false" }}',
	'={{ $json.gone }}',
];
const ON = [true, 'true', '1', 1, 'Yes', '={{ "true" }}'];

describe.each([
	['off', OFF],
	['on', ON],
])('what an expression gives for %s', (state, values) => {
	const isOn = state === 'on';

	test('Return All', async () => {
		for (const returnAll of values) {
			const { json, error } = await service.run({ ...list, returnAll, limit: 2 });
			expect([returnAll, error, json.length]).toEqual([returnAll, undefined, isOn ? 3 : 2]);
		}
	});

	test('Include Input Fields', async () => {
		const rows = [{ row_number: 7 }];
		for (const includeInputFields of values) {
			const { json } = await service.run({ ...list, options: { includeInputFields } }, { rows });
			expect([includeInputFields, 'row_number' in json[0]]).toEqual([includeInputFields, isOn]);
		}
	});

	test('All Locations, which has no expressions but may come from a program', async () => {
		for (const allLocations of values.filter((value) => !String(value).startsWith('='))) {
			const { error } = await service.run({ ...keywords(), allLocations });
			const asked = service.requests().filter((request) => request.endsWith('/keywords')).length;
			expect([allLocations, error, asked]).toEqual([allLocations, undefined, isOn ? 3 : 1]);
			service.sandbox.requests.length = 0;
		}
	});

	test('Dry Run, where all but a clear no sends nothing', async () => {
		const create = { resource: 'location', operation: 'create', ifExists: 'create' };
		const fields = { mappingMode: 'defineBelow', value: { name: 'A' } };
		const clear = values.filter((value) => !['', '={{ $json.gone }}'].includes(value as string));
		for (const dryRun of clear) {
			const { json } = await service.run({ ...create, fields, dryRun });
			expect([dryRun, json[0].action, json[0].outcome]).toEqual(
				isOn ? [dryRun, 'create', undefined] : [dryRun, undefined, 'created'],
			);
		}
	});
});

test.each([
	["'Return All'", { ...list, returnAll: 'maybe' }],
	["'Accept Incomplete Lists'", { ...list, options: { acceptIncomplete: 'maybe' } }],
	["'Include Input Fields'", { ...list, options: { includeInputFields: { a: 1 } } }],
])('%s takes nothing else, and says so', async (label, parameters) => {
	const { error, json } = await service.run(parameters as never);
	expect(json).toEqual([]);
	expect(error?.message).toBe(`${label} must be true or false`);
	expect(error?.description).toMatch(/The current value is ("maybe"|\{"a":1\})/);
});
