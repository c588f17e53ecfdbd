import { byId, incomingRow, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const getAll = (resource: string, more = {}) => ({ resource, operation: 'getAll', ...more });
const locations = () => service.sandbox.account.locations;
const withoutPosts = () =>
	locations().find(({ id }) => service.sandbox.account.postsOf(id).length === 0)!.id;
const withPosts = () =>
	locations().find(({ id }) => service.sandbox.account.postsOf(id).length > 1)!.id;

describe('nothing found', () => {
	test.each([
		['post', 'No content posts were found. Check the location, or create a post for it first.'],
		['keyword', 'No keywords were found. Check the location, or add a keyword to it first.'],
	])('%s: a hint says what to check', async (resource, hint) => {
		const { account } = service.sandbox;
		const { id } = account.addLocation({ name: 'New' });
		const { json, hints } = await run(getAll(resource, { locationId: byId(id) }));
		expect(json).toEqual([]);
		expect(hints).toEqual([hint]);
	});

	test('an account without locations, a keyword without scans', async () => {
		const { account } = service.sandbox;
		const [{ id }] = locations();
		const keyword = account.addKeyword(account.location(id)!, { keyword: 'new' });
		const scans = await run(getAll('rankScan', { keywordId: byId(keyword.id) }));
		expect(scans.hints).toEqual([
			'No rank scans were found. Check the keyword: it may not have been scanned yet.',
		]);
		for (const location of [...locations()]) account.removeLocation(location.id);
		expect((await run(getAll('location'))).hints).toEqual([
			'No locations were found. Check that the API key belongs to the right organization.',
		]);
	});

	test('with query parameters, these may be why', async () => {
		const queryParameters = { parameters: [{ name: 'status', value: 'draft' }] };
		const { hints } = await run(
			getAll('post', { locationId: byId(withoutPosts()), options: { queryParameters } }),
		);
		expect(hints).toEqual([
			'No content posts were found. The query parameters may have filtered them out.',
		]);
	});

	test('with several rows, it says for how many, and for which', async () => {
		const rows = [
			{ id: withoutPosts() },
			{ id: withPosts() },
			{ id: withoutPosts(), row_number: 7 },
		];
		const { hints } = await run(getAll('post', { locationId: byId('={{ $json.id }}') }), { rows });
		expect(hints).toEqual([expect.stringContaining('No content posts were found for items 1, 3.')]);
	});
});

describe('a sheet without a location', () => {
	const posts = () => requests().filter((request) => request.startsWith('POST'));
	const createPost = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: incomingRow,
	};
	const USE = 'Use the column that holds the ID of the location, or pick a location from the list.';

	test.each([
		[
			{ title: 'A', content: 'B' },
			'there is no column "location_id"',
			'There are: title, content. Use the column that holds the ID of the location, or pick a location from the list.',
		],
		[
			{ location_id: '', title: 'A' },
			'the row has nothing in "location_id"',
			'Fill the cell, or remove the row.',
		],
		[
			{ '\ufefflocation_id': 'loc_1', title: 'A' },
			'there is no column "location_id"',
			`The file begins with a byte order mark, which is now part of the heading "location_id". In the step that extracts the rows, add the option 'Exclude Byte Order Mark (BOM)'. ${USE}`,
		],
		[
			{ 'Location ID': 'loc_1', title: 'A' },
			'there is no column "location_id"',
			`There is "Location ID". ${USE}`,
		],
	])('%p: the message says what is missing', async (row, what, description) => {
		const { error } = await run(createPost, { rows: [row] });
		expect(error?.message).toBe(`The location ID is empty: ${what}`);
		expect(error?.description).toBe(`This row was not sent. ${description}`);
		expect(posts()).toEqual([]);
	});

	test('a space at the end of a heading is no byte order mark', async () => {
		const { error } = await run(createPost, { rows: [{ 'location_id ': 'loc_1', title: 'A' }] });
		expect(error?.message).toBe('The location ID is empty: there is no column "location_id"');
		expect(error?.description).not.toContain('byte order mark');
		expect(posts()).toEqual([]);
	});

	test.each([';', '\t', '|'])('a file whose columns %j separates', async (sign) => {
		const [heading, row] = ['title location_id content', 'A loc_1 B'].map((line) =>
			line.replaceAll(' ', sign),
		);
		const { error } = await run(createPost, { rows: [{ [heading]: row }] });
		expect(error?.message).toMatch(
			/shows these columns: title.location_id.content\. Location: there is no column "location_id"\.$/,
		);
		expect(error?.description).toMatch(
			/^Nothing was sent\. If that is a whole row of a file, add the option 'Delimiter' in the step/,
		);
		expect(posts()).toEqual([]);
	});

	test('a file is read without its empty cells: the column is there if another row has it', async () => {
		const [{ id }] = service.sandbox.account.locations;
		const rows = [{ location_id: id, title: 'A', content: 'B' }, { title: 'C' }];
		const { error } = await run(createPost, { rows });
		expect(error?.message).toContain(
			'Item 2: The location ID is empty: the row has nothing in "location_id"',
		);
	});

	test('also where the column is written in brackets', async () => {
		const locationId = byId('={{ $json["Shop ID"] }}');
		const { error } = await run({ ...createPost, locationId }, { rows: [{ title: 'A' }] });
		expect(error?.message).toBe('The location ID is empty: there is no column "Shop ID"');
		expect(error?.description).toContain('There are: title.');
	});
});

describe('a location that is not one', () => {
	const create = { resource: 'post', operation: 'create', fields: incomingRow };
	const row = { id: 'loc_1', title: 'A', content: 'B' };

	test('an expression, and nothing that it could read', async () => {
		const locationId = byId('={{ $json.location_id }}');
		const { error } = await run({ ...create, locationId }, { rows: [{}] });
		expect(error?.message).toMatch(/^No data comes into this step$/);
		expect(error?.description).toMatch(
			/^This row was not sent\. Connect the step that provides the rows, or pick/,
		);
		const empty = await run({ ...create, locationId }, { rows: [{}, {}] });
		expect(empty.error?.message).toContain('there is no column "location_id"');
	});

	test('a name under By ID is not taken for a wrong Base URL', async () => {
		const { error } = await run({ ...create, locationId: byId('Bakery East') }, { rows: [row] });
		expect(error?.description).toContain("This looks like a name: set 'Location' to 'By Name'");
		expect(error?.description).not.toContain('Base URL');
	});
});

test('a list that the limit has cut says how many there are', async () => {
	const { hints, json } = await run(getAll('location', { limit: 50 }));
	expect(json).toHaveLength(50);
	expect(hints).toEqual([
		`50 of ${locations().length} locations. To get all of them, turn on 'Return All'.`,
	]);
	expect((await run(getAll('location', { limit: 64 }))).hints).toEqual([]);
});
