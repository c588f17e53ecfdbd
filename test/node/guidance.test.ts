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
	const createPost = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: incomingRow,
	};

	test.each([
		[
			{ title: 'A', content: 'B' },
			"There is no column \"location_id\". There are: title, content. Use the column that holds the ID of the location, or set 'Location' to 'By Name'. If all rows are for one location, pick it from the list.",
		],
		[
			{ location_id: '', title: 'A' },
			'The column "location_id" of this row is empty. Pick a location from the list, or check the expression for its ID.',
		],
		...[
			[';', 'semicolons'],
			['\t', 'tabs'],
			['|', 'vertical bars'],
		].map(([sign, separator]): [object, string] => [
			{ [['title', 'location_id', 'content'].join(sign)]: ['A', 'loc_1', 'B'].join(sign) },
			`The columns of the file are separated by ${separator}. In the step that extracts the rows, add the option Delimiter and enter that character.`,
		]),
		...[
			['\ufefflocation_id', '"location_id", with an invisible character before or after its name.'],
			['location_id ', '"location_id", with an invisible character before or after its name.'],
			['Location ID', '"Location ID".'],
		].map(([heading, there]): [object, string] => [
			{ [heading]: 'loc_1', title: 'A' },
			`There is no column "location_id". There is ${there} Drag that column into the field, or correct its heading in the file.`,
		]),
	])('%p: the message says what is missing', async (row, description) => {
		const { error } = await run(createPost, { rows: [row] });
		expect(error?.message).toBe('The location ID is empty');
		expect(error?.description).toBe(description);
		expect(service.requests()).toEqual([]);
	});

	test('a file is read without its empty cells: the column is there if another row has it', async () => {
		const [{ id }] = service.sandbox.account.locations;
		const rows = [{ location_id: id, title: 'A', content: 'B' }, { title: 'C' }];
		const { error } = await run(createPost, { rows });
		expect(error?.description).toContain('The column "location_id" of this row is empty.');
	});

	test('also where the column is written in brackets', async () => {
		const locationId = byId('={{ $json["Shop ID"] }}');
		const { error } = await run({ ...createPost, locationId }, { rows: [{ title: 'A' }] });
		expect(error?.description).toContain('There is no column "Shop ID". There are: title.');
	});
});

describe('simplify', () => {
	const simplify = { options: { simplify: true } };
	/** More fields than a location is known to have. */
	const widen = (location: object) =>
		Object.assign(location, {
			photos: [{ url: 'https://example.com/a.jpg' }],
			hours: { monday: '8-18' },
			phone: '030 1234',
			website: 'https://example.com',
		});

	test.each([
		['run by the node itself', false],
		["run by n8n's routing", true],
	])('keeps the ten most useful fields, %s', async (_, isRoutedByHost) => {
		locations().forEach(widen);
		const { json } = await run(getAll('location', simplify), { isRoutedByHost });
		expect(json.length).toBeGreaterThan(10);
		for (const record of json) {
			expect(Object.keys(record).sort()).toEqual(
				[
					'id',
					'name',
					'address',
					'city',
					'country',
					'status',
					'rank_score',
					'keywords_count',
					'last_scan_at',
					'created_at',
				].sort(),
			);
		}
	});

	test('records of ten fields or fewer stay as they are', async () => {
		const parameters = getAll('post', { locationId: byId(withPosts()) });
		const { json } = await run(parameters);
		expect((await run({ ...parameters, ...simplify })).json).toEqual(json);
	});
});

describe('a location that is not one', () => {
	const create = { resource: 'post', operation: 'create', fields: incomingRow };
	const row = { name: 'Bakery East', id: 'loc_1', title: 'A', content: 'B' };

	test('two columns that were dropped on the field', async () => {
		const locationId = byId('={{ $json.name }} {{ $json.id }}');
		const { error } = await run({ ...create, locationId }, { rows: [row] });
		expect(error?.message).toBe("Two columns are in 'Location'");
		expect(error?.description).toBe('Keep only the one with the ID.');
		expect(requests()).toEqual([]);
	});

	test('an expression, and nothing that it could read', async () => {
		const locationId = byId('={{ $json.location_id }}');
		const { error } = await run({ ...create, locationId }, { rows: [{}] });
		expect(error?.message).toMatch(/^(Nothing is connected to|No data comes into) this step$/);
		expect(error?.description).toMatch(/^Connect the step that provides the rows, or pick/);
		const empty = await run({ ...create, locationId }, { rows: [{}, {}] });
		expect(empty.error?.description).toContain('The row is empty. ');
	});

	test('a name under By ID is not taken for a wrong Base URL', async () => {
		const { error } = await run({ ...create, locationId: byId(row.name) }, { rows: [row] });
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
