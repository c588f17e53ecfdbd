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
	const { json } = await run({ ...list, returnAll: true, options: { pageSize: 50 } });
	expect(json).toHaveLength(64);
	const options = { pageSize: 50, pageParameter: 'p', pageSizeParameter: 'size' };
	await run({ ...list, limit: 20, options });
	expect(requests()).toEqual(
		['per_page=50', 'per_page=50&page=2', 'size=50', 'size=50&p=2'].map(
			(query) => `GET /locations?${query}`,
		),
	);
});

test.each([
	['and says so', { current_page: 1, per_page: 15, total: 64 }],
	['and does not say so', { total: 64 }],
])('a service ignores the page parameter %s: the message names the options', async (_, meta) => {
	const data = service.sandbox.account.locations.slice(0, 15);
	service.sandbox.faults.add({ transform: () => ({ data, meta }) });
	const { error, json } = await run({ ...list, returnAll: true });
	expect(json).toEqual([]);
	expect(error?.message).toBe('Incomplete list: the service returned 15 of 64 locations');
	expect(error?.description).toMatch(/"page".*Page Parameter/);
	const { json: some } = await run({ ...list, limit: 50 });
	expect(idsOf(some)).toEqual(allIds().slice(0, 15));
});

test.each([0, -1, 2.5, 'many'])(
	'a limit of %p is refused before anything is sent',
	async (limit) => {
		const { error } = await run({ ...list, limit });
		expect(error?.message).toBe("'Limit' must be a whole number of 1 or more");
		expect(requests()).toEqual([]);
	},
);

test('a total that two equal readings overrule is named beside what there is', async () => {
	const data = service.sandbox.account.locations.slice(0, 15);
	service.sandbox.faults.add({
		transform: ({ meta }, { query }) => ({
			data: query.page ? [] : data,
			meta: { ...meta, total: 45 },
		}),
	});
	const { json, error, hints } = await run({ ...list, returnAll: true });
	expect([idsOf(json), error]).toEqual([allIds().slice(0, 15), undefined]);
	expect(hints).toEqual([
		'The service states a total of 45 locations, but returned the same 15 twice. If some are missing, run this again later.',
	]);
});

test('a total without data is an incomplete list', async () => {
	service.sandbox.faults.add({ transform: () => ({ meta: { total: 60 } }) });
	const { json, error } = await run({ ...list, returnAll: true });
	expect([json, error?.message]).toEqual([
		[],
		'Incomplete list: the service returned 0 of 60 locations',
	]);
});
