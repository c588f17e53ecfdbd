import { byId } from '../support/fixture';
import { useBackend } from './backend';

// What an expression gives for a switch is on, off, or refused.

const backend = useBackend();
const list = { resource: 'location', operation: 'getAll' };

const fields = { mappingMode: 'defineBelow', value: { name: 'A' } };
const create = { resource: 'location', operation: 'create', ifExists: 'create', fields };

const OFF = [false, 'false', ' FALSE ', '0', 0, 'no', 'off', '={{ "false" }}'];
const ON = [true, 'true', '1', 1, 'Yes', '={{ "true" }}'];

test.each([
	...OFF.map((value) => [value, false] as const),
	...ON.map((value) => [value, true] as const),
])('%j is %p', async (value, isOn) => {
	const service = backend();
	const how = { ...list, returnAll: value, limit: 1, options: { includeInputFields: value } };
	const { json } = await service.run(how, { rows: [{ row_number: 7 }] });
	expect([json.length, 'row_number' in json[0]]).toEqual(isOn ? [2, true] : [1, false]);
	// It has no expressions, but may come from a program.
	if (!String(value).startsWith('=')) {
		const locationId = byId(service.location());
		await service.run({ ...list, resource: 'keyword', locationId, allLocations: value });
		const asked = service.requests.filter((request) => request.endsWith('/keywords'));
		expect(asked).toHaveLength(isOn ? 2 : 1);
	}
	await service.run({ ...create, dryRun: value });
	// Whatever does not say `false` is one.
	const isFalse = String(value).toLowerCase().includes('false');
	expect(service.sent('POST')).toHaveLength(isFalse ? 1 : 0);
});

test.each([
	["'Return All'", { returnAll: 'maybe' }, '"maybe"'],
	["'Accept Incomplete Lists'", { options: { acceptIncomplete: 'maybe' } }, '"maybe"'],
	["'Include Input Fields'", { options: { includeInputFields: { a: 1 } } }, '{"a":1}'],
])('%s takes nothing else, and says so', async (label, more, shown) => {
	const service = backend();
	const { error, json } = await service.run({ ...list, ...more });
	expect([json, error?.message]).toEqual([[], `${label} must be true or false`]);
	expect(service.sent('POST')).toEqual([]);
	expect(error?.description).toContain(`The current value is ${shown}`);
});

test.each(['={{ $json.gone }}', '', 'maybe'])('Dry Run is on with %j', async (dryRun) => {
	const service = backend();
	const { json } = await service.run({ ...create, dryRun });
	expect([json, service.sent('POST')]).toMatchObject([[{ action: 'create' }], []]);
});

test('Dry Run may be told row by row: of a run with both, some rows are sent', async () => {
	const service = backend();
	const rows = [{ name: 'A' }, { name: 'B', check: true }, { name: 'A', check: true }];
	const own = {
		dryRun: '={{ $json.check ?? false }}',
		fields: { ...fields, value: { name: '={{ $json.name }}' } },
	};
	const { json, hints } = await service.run({ ...create, ...own, ifExists: 'skip' }, { rows });
	expect(json).toMatchObject([{ outcome: 'created' }, { action: 'create' }, { action: 'create' }]);
	expect(service.sent('POST')).toEqual([{ name: 'A' }]);
	expect(hints).toEqual(['1 created, 2 would be created.']);
});
