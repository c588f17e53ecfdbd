import { byId, useSandbox } from '../support/fixture';

// What an expression gives for a switch is on, off, or refused.

/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock = Date.now() - 3_600_000;
const service = useSandbox({ locations: 3, now: () => new Date((clock += 60_000)) });
const list = { resource: 'location', operation: 'getAll' };

const UNCLEAR = ['', '={{ $json.gone }}'];
const OFF = [false, 'false', ' FALSE ', '0', 0, 'no', 'off', '={{ "false" }}', ...UNCLEAR];
const ON = [true, 'true', '1', 1, 'Yes', '={{ "true" }}'];

describe.each([
	...OFF.map((value) => [value, false] as const),
	...ON.map((value) => [value, true] as const),
])('%j', (value, isOn) => {
	test('for Return All and Include Input Fields', async () => {
		const parameters = { ...list, returnAll: value, limit: 2 };
		const options = { includeInputFields: value };
		const { json } = await service.run({ ...parameters, options }, { rows: [{ row_number: 7 }] });
		expect([json.length, 'row_number' in json[0]]).toEqual(isOn ? [3, true] : [2, false]);
	});

	if (!String(value).startsWith('=')) {
		test('for All Locations, which has no expressions but may come from a program', async () => {
			const locationId = byId(service.sandbox.account.locations[0].id);
			await service.run({ ...list, resource: 'keyword', locationId, allLocations: value });
			const asked = service.requests().filter((request) => request.endsWith('/keywords'));
			expect(asked).toHaveLength(isOn ? 3 : 1);
		});
	}

	if (!UNCLEAR.includes(value as string)) {
		test('for Dry Run, where all but a clear no sends nothing', async () => {
			const create = { resource: 'location', operation: 'create', ifExists: 'create' };
			const fields = { mappingMode: 'defineBelow', value: { name: 'A' } };
			const { json } = await service.run({ ...create, fields, dryRun: value });
			expect(json).toMatchObject([isOn ? { action: 'create' } : { outcome: 'created' }]);
		});
	}
});

test.each([
	["'Return All'", { returnAll: 'maybe' }, '"maybe"'],
	["'Accept Incomplete Lists'", { options: { acceptIncomplete: 'maybe' } }, '"maybe"'],
	["'Include Input Fields'", { options: { includeInputFields: { a: 1 } } }, '{"a":1}'],
])('%s takes nothing else, and says so', async (label, more, shown) => {
	const { error, json } = await service.run({ ...list, ...more });
	expect(json).toEqual([]);
	expect(error?.message).toBe(`${label} must be true or false`);
	expect(error?.description).toContain(`The current value is ${shown}`);
});
