import { useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const list = { resource: 'location', operation: 'getAll' };
const idsOf = (records: unknown[]) => records.map((record) => (record as { id: string }).id);
const allIds = () => idsOf(service.sandbox.account.locations);

test.each([
	[1, 1],
	[15, 1],
	[16, 2],
	[1000, 5],
])('a limit of %i takes as many pages of 15 as it needs, and no more: %i', async (limit, pages) => {
	const { json, error } = await run({ ...list, limit });
	expect(error).toBeUndefined();
	expect(idsOf(json)).toEqual(allIds().slice(0, limit));
	expect(requests()).toHaveLength(pages);
	expect(requests()[0]).toBe('GET /locations');
});

test('size and names of the pages can be set', async () => {
	const { baseUrl, keys } = service.sandbox;
	const own = { baseUrl, apiKey: keys.read, hasOwnPaging: true, pageSize: 50 };
	const { json } = await run({ ...list, returnAll: true }, { credential: own });
	expect(json).toHaveLength(64);
	const credential = { ...own, pageParameter: 'p', pageSizeParameter: 'size' };
	await run({ ...list, limit: 20 }, { credential });
	expect(requests()).toEqual(
		['per_page=50', 'per_page=50&page=2', 'size=50', 'size=50&p=2'].map(
			(query) => `GET /locations?${query}`,
		),
	);
});

test('a service ignores the page parameter: the message names the options', async () => {
	const data = service.sandbox.account.locations.slice(0, 15);
	service.sandbox.faults.add({ transform: () => ({ data, meta: { total: 64 } }) });
	for (const limited of [{ returnAll: true }, { limit: 50 }]) {
		const { error, json } = await run({ ...list, ...limited });
		expect(json).toEqual([]);
		expect(error?.message).toBe('Incomplete list: the service returned 15 of 64 locations');
		expect(error?.description).toMatch(/"page".*Page Parameter/);
	}
	expect(requests()).toHaveLength(5 + 4);
});

test.each([0, -1, 2.5, 'many'])(
	'a limit of %p is refused before anything is sent',
	async (limit) => {
		const { error } = await run({ ...list, limit });
		expect(error?.message).toBe("'Limit' must be a whole number of 1 or more");
		expect(requests()).toEqual([]);
	},
);
