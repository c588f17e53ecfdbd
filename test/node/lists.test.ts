import { byId, useSandbox } from '../support/fixture';

// Lists: as many pages as needed, and a hint where they are empty or cut.

const service = useSandbox();
const { run, requests } = service;
const account = () => service.sandbox.account;
const list = { resource: 'location', operation: 'getAll' };
const getAll = (resource: string, more = {}) => ({ resource, operation: 'getAll', ...more });

test.each([
	[1, 1],
	[15, 1],
	[16, 2],
	[64, 5],
	[1000, 5],
])('a limit of %i takes %i pages of 15, and says what it leaves out', async (limit, pages) => {
	const { json, hints } = await run({ ...list, limit });
	expect(json.map(({ id }) => id)).toEqual(
		account()
			.locations.slice(0, limit)
			.map(({ id }) => id),
	);
	expect(requests()).toHaveLength(pages);
	expect(requests()[0]).toBe('GET /locations');
	const cut = `${limit} of 64 locations. To get all of them, turn on 'Return All'.`;
	expect(hints).toEqual(limit < 64 ? [cut] : []);
});

test.each([0, -1, 2.5, 'many'])(
	'a limit of %p is refused before anything is sent',
	async (limit) => {
		const { error } = await run({ ...list, limit });
		expect(error?.message).toBe("'Limit' must be a whole number of 1 or more");
		expect(requests()).toEqual([]);
	},
);

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

test.each([{ returnAll: true }, { limit: 50 }])(
	'a service ignores the page parameter (%j): the message names the options',
	async (limited) => {
		const data = account().locations.slice(0, 15);
		service.sandbox.faults.add({ transform: () => ({ data, meta: { total: 64 } }) });
		const { error, json } = await run({ ...list, ...limited });
		expect(json).toEqual([]);
		expect(error?.message).toBe('Incomplete list: the service returned 15 of 64 locations');
		expect(error?.description).toMatch(/"page".*Page Parameter/);
	},
);

describe('nothing is found: a hint says what to check', () => {
	test('for a location, or a keyword', async () => {
		const { id } = account().addLocation({ name: 'New' });
		const keyword = account().addKeyword(account().locations[0], { keyword: 'new' });
		for (const [parameters, hint] of [
			[
				getAll('post', { locationId: byId(id) }),
				'No content posts were found. Check the location, or create a post for it first.',
			],
			[
				getAll('keyword', { locationId: byId(id) }),
				'No keywords were found. Check the location, or add a keyword to it first.',
			],
			[
				getAll('rankScan', { keywordId: byId(keyword.id) }),
				'No rank scans were found. Check the keyword: it may not have been scanned yet.',
			],
		] as const) {
			const { json, hints } = await run(parameters);
			expect([json, hints]).toEqual([[], [hint]]);
		}
	});

	test('in an account; n8n stores no resource that is the default', async () => {
		for (const { id } of [...account().locations]) account().removeLocation(id);
		expect((await run({ operation: 'getAll' })).hints).toEqual([
			'No locations were found. Check that the API key belongs to the right organization.',
		]);
	});

	test('for some rows, and with query parameters, which may be why', async () => {
		const { id } = account().addLocation({ name: 'New' });
		const full = account().locations.find((one) => account().postsOf(one.id).length > 0)!;
		const rows = [{ id }, { id: full.id }, { id, row_number: 7 }];
		const posts = getAll('post', { locationId: byId('={{ $json.id }}') });
		expect((await run(posts, { rows })).hints).toEqual([
			expect.stringContaining('No content posts were found for items 1, 3.'),
		]);
		const queryParameters = { parameters: [{ name: 'status', value: 'draft' }] };
		const filtered = await run({ ...posts, options: { queryParameters } }, { rows: [rows[0]] });
		expect(filtered.hints).toEqual([
			'No content posts were found. The query parameters may have filtered them out.',
		]);
	});
});
