import type { INodeParameters } from 'n8n-workflow';

import { byId, byName, columns, incomingRow, useSandbox } from '../support/fixture';

// Which location a row is for: by ID, by name, or said to be missing before anything is sent.

const service = useSandbox({ locations: 40 });
const { requests } = service;
const account = () => service.sandbox.account;
const lists = () => requests().filter((request) => /^GET \/locations(\?|$)/.test(request));
const writes = () => service.sandbox.requests.filter(({ method }) => method !== 'GET');
/** As many requests as the list of locations has pages. */
const PAGES = Math.ceil(40 / 15);
const get = (locationId: INodeParameters | string) => ({
	resource: 'location',
	operation: 'get',
	locationId,
});
const createPosts = (locationId: INodeParameters) => ({
	...{ resource: 'post', operation: 'create', locationId, fields: incomingRow },
});
const settings = { onError: 'continueRegularOutput' as const };

describe('by ID', () => {
	const { run } = service;

	test.each([undefined, null, '', ' ', '.', '..'])('%p is refused', async (id) => {
		const { error } = await run(get(byId(id)));
		expect(error?.message).toMatch(/No location is chosen|is not a valid location ID/);
		expect(error?.description).toMatch(/Pick (one|a location) from the list/);
		expect(requests()).toEqual([]);
	});

	// More of them: unit/client/request.
	test.each(['../../admin', 'loc_1?status=active#top', 'loc_1\nHost: example.com'])(
		'%p stays in its place in the path',
		async (id) => {
			const { error } = await run(get(byId(id)));
			expect(error?.message).toBe(`There is no location with the ID "${id.replace('\n', ' ')}"`);
			expect(requests()).toEqual([`GET /locations/${encodeURIComponent(id)}`]);
		},
	);

	test.each<[string, INodeParameters | string, (id: string) => unknown]>([
		['spaces around it are ignored', byId('={{ $json.place }}'), (id) => ` ${id}\n`],
		['it may come as a list of one', byId('={{ $json.place }}'), (id) => [id]],
		// n8n stores no mode that is the default.
		['an expression alone is one', '={{ $json.place }}', (id) => id],
	])('%s', async (_, locationId, given) => {
		const [{ id }] = account().locations;
		const { json } = await run(get(locationId), { rows: [{ place: given(id) }] });
		expect(json).toMatchObject([{ id }]);
	});

	test('a name is pointed to By Name, and not taken for a wrong Base URL', async () => {
		const { error } = await run(get(byId('Bakery East')));
		expect(error?.message).toBe('There is no location with the ID "Bakery East"');
		expect(error?.description).toContain(
			"This looks like a name: set 'Location' to 'By Name', or use the column with the ID.",
		);
		expect(error?.description).not.toContain('Base URL');
	});
});

describe('a location that the sheet does not name', () => {
	const { run } = service;
	const create = createPosts(byId('={{ $json.location_id }}'));
	const USE = 'Use the column that holds the ID of the location, or pick a location from the list.';

	test.each([
		[
			{ title: 'A', content: 'B' },
			'there is no column "location_id"',
			`There are: title, content. ${USE}`,
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
			{ 'location_id ': 'loc_1', title: 'A' },
			'there is no column "location_id"',
			`There is "location_id ", with white space around its name. ${USE}`,
		],
		[
			{ 'Location ID': 'loc_1', title: 'A' },
			'there is no column "location_id"',
			`There is "Location ID". ${USE}`,
		],
	])('%p: the message says what is missing', async (row, what, description) => {
		const { error } = await run(create, { rows: [row] });
		expect(error?.message).toBe(`The location ID is empty: ${what}`);
		expect(error?.description).toBe(`This row was not sent. ${description}`);
		expect(writes()).toEqual([]);
	});

	test.each([';', '\t', '|'])('a file whose columns %j separates', async (sign) => {
		const row = { [['title', 'location_id', 'content'].join(sign)]: ['A', 'B', 'C'].join(sign) };
		const { error } = await run(create, { rows: [row] });
		expect(error?.message).toMatch(
			/shows these columns: title.location_id.content\. Location: there is no column "location_id"\.$/,
		);
		expect(error?.description).toMatch(
			/^Nothing was sent\. If that is a whole row of a file, add the option 'Delimiter' in the step/,
		);
		expect(writes()).toEqual([]);
	});

	test('nothing comes into the step', async () => {
		const { error } = await run(create, { rows: [{}] });
		expect(error?.message).toBe('No data comes into this step');
		expect(error?.description).toMatch(
			/^This row was not sent\. Connect the step that provides the rows, or pick/,
		);
	});
});

/** Three shops, two of which share their name. */
const shops = () => {
	const [east, salem, cafe] = account().locations;
	Object.assign(east, { name: 'Bakery East', city: 'Boston', address: '1 Mill Street' });
	Object.assign(salem, { name: 'Bakery East', city: 'Salem', address: '2 Elm Road' });
	Object.assign(cafe, { name: 'Café Müller', city: 'Łódź', address: 'Piotrkowska 3' });
	const text = { title: 'Before', content: 'So that its fields are known' };
	for (const shop of [east, salem, cafe]) account().addPost(shop, text);
	return { east, salem, cafe };
};

describe.each([false, true])('by name (as a tool: %p)', (isRoutedByHost) => {
	const run: typeof service.run = async (parameters, more) =>
		await service.run(parameters, { ...more, isRoutedByHost });
	/** The routing hands over each row by itself, so each reads the list. */
	const readingsOf = (rows: number) => (isRoutedByHost ? rows : 1) * PAGES;
	const create = createPosts(byName('={{ $json.shop }}'));
	const row = (shop: unknown, title = 'A', more = {}) => ({ shop, title, content: 'B', ...more });

	test("a sheet's names become posts of their locations; case, accents and white space fold", async () => {
		const { east, salem, cafe } = shops();
		const names = ['CAFE  MULLER', 'bakery east, boston', 'Bakery East,  SALEM', ' Café Müller '];
		// n8n keeps an ID when the mode is changed.
		const rows = [...names, cafe.id].map((name, index) => row(name, `Post ${index}`));
		const { json, error, items } = await run(create, { rows });
		expect(error).toBeUndefined();
		const ids = [cafe, east, salem, cafe, cafe].map(({ id }) => id);
		expect(json.map(({ location_id }) => location_id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(lists()).toHaveLength(readingsOf(rows.length));
	});

	test('several or none of that name: the row is refused, and the others are sent', async () => {
		const { east, salem, cafe } = shops();
		const rows = [row('Bakery Est'), row('Bakery East'), row(''), row('Café Müller')];
		const { json } = await run(create, { rows, settings });
		const near = `Bakery East, Boston (${east.id}); Bakery East, Salem (${salem.id})`;
		expect(json).toMatchObject([
			{
				error: {
					message: 'Item 1: No location is called "Bakery Est"',
					description: `This row was not sent. Correct it. There is ${near}.`,
				},
			},
			{
				error: {
					message: `Item 2: 2 locations are called "Bakery East": ${near}`,
					description: expect.stringMatching(/^This row was not sent. Write the city after/),
				},
			},
			{
				error: {
					message: 'Item 3: The location name is empty: the row has nothing in "shop"',
					description: 'This row was not sent. Fill the cell, or remove the row.',
				},
			},
			{ location_id: cafe.id },
		]);
		expect(writes()).toHaveLength(1);
	});

	test.each([
		["={{ $json.shop.replace('Branch ', '') }}", {}],
		['={{ $json.shop.slice(7) }}, {{ $json.town }}', { town: 'Łódź' }],
	])('the columns that %s reads are not sent, others are', async (expression, more) => {
		account().addPost(shops().cafe, { title: 'Old', note: 'Salem' });
		const parameters = createPosts(byName(expression));
		const rows = [row('Branch Café Müller', 'A', { ...more, note: 'Boston' })];
		expect((await run(parameters, { rows })).error).toBeUndefined();
		expect(writes().map(({ body }) => body)).toEqual([
			{ title: 'A', content: 'B', note: 'Boston' },
		]);
	});

	test.each([
		['location', 'get', {}],
		['location', 'update', { fields: columns({ city: 'Lodz' }) }],
		['keyword', 'getAll', {}],
		['keyword', 'create', { fields: columns({ keyword: 'bread' }) }],
		['post', 'getAll', { limit: 1 }],
		['insight', 'get', {}],
	])('%s %s asks for the location by its ID', async (resource, operation, more) => {
		const { cafe } = shops();
		const locationId = byName('cafe muller');
		const { error, json } = await run({ resource, operation, locationId, ...more }, {});
		expect(error).toBeUndefined();
		if (resource === 'insight') expect(json[0].location_name).toBe(cafe.name);
		const own = requests().filter((request) => !lists().includes(request));
		expect(own.length).toBeGreaterThan(0);
		expect(own.every((request) => request.includes(` /locations/${cafe.id}`))).toBe(true);
		// An update reads one page for the fields.
		expect(lists()).toHaveLength(PAGES + (operation === 'update' ? 1 : 0));
	});

	test('a keyword given by its ID needs no location', async () => {
		const [{ id }] = account().keywordsOf(account().locations[0].id);
		const scans = { resource: 'rankScan', operation: 'getAll', keywordId: byId(id) };
		const { error } = await run({ ...scans, locationId: byName('Nowhere') });
		expect(error).toBeUndefined();
		expect(lists()).toEqual([]);
	});
});

test('a call outside of executions, as of an MCP client, finds what was created since the last one', async () => {
	const posts = async (shop: string) =>
		await service.run(
			{ resource: 'post', operation: 'getAll', locationId: byName(shop) },
			{ isOutsideOfExecutions: true },
		);
	await posts(account().locations[0].name);
	const { id } = account().addLocation({ name: 'Brand New' });
	expect((await posts('Brand New')).error).toBeUndefined();
	expect(requests()).toContain(`GET /locations/${id}/posts`);
});
