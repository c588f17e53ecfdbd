import { useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const of = (resource: string, operation: string, more = {}) => ({
	resource,
	operation,
	allLocations: true,
	...more,
});
const locations = () => service.sandbox.account.locations;

test('the insights of all locations come out of one item, as daily rows with ID and name', async () => {
	const { json } = await run(of('insight', 'get', { output: 'rows' }));
	const { insightOf } = service.sandbox.account;
	expect(
		json.map(({ location_id, location_name, date }) => [location_id, location_name, date]),
	).toEqual(
		locations().flatMap(({ id, name }) =>
			insightOf.call(service.sandbox.account, id).days.map(({ date }) => [id, name, date]),
		),
	);
	// The list of locations has four pages.
	expect(requests().filter((one) => !one.endsWith('/insights'))).toHaveLength(5);
});

test.each([
	['summary', { location_id: expect.any(String), location_name: expect.any(String) }],
	['raw', { location_id: expect.any(String), location_name: expect.any(String) }],
])('the same as %s: one item per location', async (output, item) => {
	const { json } = await run(of('insight', 'get', { output }));
	expect(json).toHaveLength(locations().length);
	for (const one of json) expect(one).toMatchObject(item);
});

test.each(['keyword', 'post'])('%ss of all locations, each with its location', async (resource) => {
	const { account } = service.sandbox;
	const { json } = await run(of(resource, 'getAll', { returnAll: true }));
	expect(json.map(({ id, location_name }) => [id, location_name])).toEqual(
		locations().flatMap(({ id, name }) => {
			const records = resource === 'keyword' ? account.keywordsOf(id) : account.postsOf(id);
			return records.map((record) => [record.id, name]);
		}),
	);
});

test('a limit holds for all of them together, in the order of the locations', async () => {
	const all = await run(of('keyword', 'getAll', { returnAll: true }));
	const { json } = await run(of('keyword', 'getAll', { returnAll: false, limit: 7 }));
	expect(json).toEqual(all.json.slice(0, 7));
});

test('a location that is refused is left out, with a hint; the others come', async () => {
	const [{ id, name }] = locations();
	service.sandbox.faults.add({
		when: { path: `/locations/${id}/insights` },
		response: { status: 403 },
	});
	const { json, hints, error } = await run(of('insight', 'get', { output: 'summary' }));
	expect(error).toBeUndefined();
	expect(json).toHaveLength(locations().length - 1);
	expect(hints).toContainEqual(
		`1 location was left out: ${name} (This API key is not allowed to get the insights of location "${id}").`,
	);
});

test('where all are refused, or one fails otherwise, nothing is left out in silence', async () => {
	const when = { path: '/locations/*/insights' };
	service.sandbox.faults.add({ when, response: { status: 403 } });
	const refused = await run(of('insight', 'get', { output: 'rows' }));
	expect(refused.error?.message).toContain('This API key is not allowed to get the insights');
	service.sandbox.faults.clear();
	service.sandbox.faults.add({ when, response: { status: 501 } });
	const failed = await run(of('insight', 'get', { output: 'rows' }));
	expect(failed.error?.message).toContain('The service was unable to get the insights');
});

test('an operation of one location is not of all, whatever the panel has kept', async () => {
	const { error } = await run(
		of('keyword', 'create', { fields: { mappingMode: 'autoMapInputData', value: null } }),
		{
			rows: [{ keyword: 'x' }],
		},
	);
	expect(error?.message).toBe('No location is chosen');
	expect(requests()).toEqual([]);
});
