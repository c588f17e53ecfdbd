import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, byName, columns, incomingRow, useSandbox } from '../support/fixture';

const service = useSandbox({ locations: 40 });
const { requests } = service;
const locations = () => service.sandbox.account.locations;
const lists = () => requests().filter((request) => /^GET \/locations(\?|$)/.test(request));
/** As many requests as the list of locations has pages. */
const PAGES = Math.ceil(40 / 15);

/** Three shops, two of which share their name. */
const shops = () => {
	const [east, salem, cafe] = locations();
	Object.assign(east, { name: 'Bakery East', city: 'Boston', address: '1 Mill Street' });
	Object.assign(salem, { name: 'Bakery East', city: 'Salem', address: '2 Elm Road' });
	Object.assign(cafe, { name: 'Café Müller', city: 'Łódź', address: 'Piotrkowska 3' });
	const { account } = service.sandbox;
	for (const shop of [east, salem, cafe]) {
		account.addPost(shop, { title: 'Before', content: 'So that its fields are known' });
	}
	return { east, salem, cafe };
};

describe.each([
	['run by the node itself', false],
	["run by n8n's routing", true],
])('locations by name, %s', (_, isRoutedByHost) => {
	const run: typeof service.run = async (parameters, more) =>
		await service.run(parameters, { ...more, isRoutedByHost });
	/** The routing hands over each row by itself, so each reads the list. */
	const readingsOf = (rows: number) => (isRoutedByHost ? rows : 1) * PAGES;

	test('insights by name take the name from the list in which it was found', async () => {
		const { east, cafe } = shops();
		const { json } = await run(
			{ resource: 'insight', operation: 'get', locationId: byName('={{ $json.shop }}') },
			{ rows: [{ shop: 'bakery east, boston' }, { shop: 'cafe muller' }] },
		);
		const names = new Set(json.map(({ location_name }) => location_name));
		expect([...names]).toEqual([`${east.name}, Boston`, cafe.name]);
		expect(requests()).toHaveLength(readingsOf(2) + 2);
	});

	const createPosts = {
		resource: 'post',
		operation: 'create',
		locationId: byName('={{ $json.shop }}'),
		fields: incomingRow,
	};
	const row = (shop: unknown, title = 'A', more = {}) => ({ shop, title, content: 'B', ...more });

	test("a sheet's names become posts of their locations", async () => {
		const { east, salem, cafe } = shops();
		const rows = [
			row('CAFE  MULLER', 'One'),
			row('bakery east, boston', 'Two'),
			row('Bakery East,  SALEM', 'Three'),
			row(' Café Müller ', 'Four'),
		];
		const { json, error, items } = await run(createPosts, { rows });
		expect(error).toBeUndefined();
		expect(json.map(({ title, location_id }) => [title, location_id])).toEqual([
			['One', cafe.id],
			['Two', east.id],
			['Three', salem.id],
			['Four', cafe.id],
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((__, item) => ({ item })));
		expect(lists()).toHaveLength(readingsOf(rows.length));
		const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(sent.map(({ body }) => body)).toEqual(
			expect.arrayContaining(rows.map(({ title }) => ({ title, content: 'B' }))),
		);
	});

	test('a name that several have is told apart by nothing but more of it', async () => {
		const { east, salem } = shops();
		const { error } = await run(createPosts, { rows: [row('Bakery East')] });
		expect(error?.message).toBe(
			`2 locations are called "Bakery East": Bakery East, Boston (${east.id}); Bakery East, Salem (${salem.id})`,
		);
		expect(error?.description).toMatch(/^This row was not sent\. Write the city after the name/);
		// With the one page that the fields of other locations are read for.
		expect(lists()).toHaveLength(PAGES + 1);
		expect(requests().every((request) => request.startsWith('GET'))).toBe(true);
	});

	test('a name that none has comes with those that are near, and the other rows are sent', async () => {
		const { east, salem, cafe } = shops();
		const rows = [row('Bakery Est'), row('Café Müller')];
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await run(createPosts, { rows, settings });
		expect(json).toEqual([
			{
				...rows[0],
				error: {
					message: 'Item 1: No location is called "Bakery Est"',
					description: `This row was not sent. Correct it. There is Bakery East, Boston (${east.id}); Bakery East, Salem (${salem.id}).`,
				},
			},
			expect.objectContaining({ location_id: cafe.id }),
		]);
		// The row without a location leads to the fields of others, where it is alone.
		expect(lists().length).toBeLessThanOrEqual(readingsOf(rows.length) + 1);
	});

	test('an account without locations', async () => {
		for (const { id } of [...locations()]) service.sandbox.account.removeLocation(id);
		const { error } = await run(createPosts, { rows: [row('Zzz')] });
		expect(error?.description).toMatch(
			/^This row was not sent\. The account has no locations\. Check that the API key/,
		);
	});

	test('an ID is taken, too: n8n keeps it when the mode is changed', async () => {
		const { cafe } = shops();
		const { json } = await run(createPosts, { rows: [row(cafe.id)] });
		expect(json).toMatchObject([{ outcome: 'created' }]);
		const titles = service.sandbox.account.postsOf(cafe.id).map(({ title }) => title);
		expect(titles).toContain(json[0].title);
	});

	test.each([
		[
			{ shop: '' },
			'The location name is empty: the row has nothing in "shop"',
			'This row was not sent. Fill the cell, or remove the row.',
		],
		[
			{ title: 'A', content: 'B' },
			'The location name is empty: there is no column "shop"',
			'This row was not sent. There are: title, content. Use the column that holds the name of the location, or pick a location from the list.',
		],
	])('%p is reported before anything is sent', async (only, message, description) => {
		const { error } = await run(createPosts, { rows: [only] });
		expect(error).toMatchObject({ message, description });
		expect(requests().every((request) => request.startsWith('GET'))).toBe(true);
	});

	test('the columns that make up the name are not sent, others are', async () => {
		const { east } = shops();
		service.sandbox.account.addPost(east, { title: 'Old', note: 'Salem', country: 'US' });
		const locationId = byName('={{ $json.shop }}, {{ $json.city }}');
		const sheet = row('Bakery East', 'A', { city: 'Boston', note: 'Boston', country: 'US' });
		const { error } = await run({ ...createPosts, locationId }, { rows: [sheet] });
		expect(error).toBeUndefined();
		const { body } = service.sandbox.requests[service.sandbox.requests.length - 1];
		expect(body).toEqual({ title: 'A', content: 'B', note: 'Boston', country: 'US' });
	});

	test.each([
		"={{ $json.shop.replace('Branch ', '') }}",
		'={{ $json.shop.slice(7).toUpperCase() }}',
	])('nor is the column of which %s takes a part', async (expression) => {
		shops();
		const sheet = row('Branch Café Müller', 'A');
		const locationId = byName(expression);
		expect((await run({ ...createPosts, locationId }, { rows: [sheet] })).error).toBeUndefined();
		const { body } = service.sandbox.requests[service.sandbox.requests.length - 1];
		expect(body).toEqual({ title: 'A', content: 'B' });
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
		const { error } = await run({ resource, operation, locationId, ...more }, {});
		expect(error).toBeUndefined();
		const own = requests().filter((request) => !/^GET \/locations(\?|$)/.test(request));
		expect(own.length).toBeGreaterThan(0);
		expect(own.every((request) => request.split(' ')[1].startsWith(`/locations/${cafe.id}`))).toBe(
			true,
		);
		// An update reads one page for the fields.
		expect(lists()).toHaveLength(PAGES + (operation === 'update' ? 1 : 0));
	});

	test('a keyword given by its ID needs no location', async () => {
		const [keyword] = service.sandbox.account.keywordsOf(locations()[0].id);
		const locationId = byName('Nowhere');
		const { error } = await run({
			resource: 'rankScan',
			operation: 'getAll',
			locationId,
			keywordId: byId(keyword.id),
		});
		expect(error).toBeUndefined();
		expect(lists()).toEqual([]);
	});

	test('a message calls the location by its name', async () => {
		const { cafe } = shops();
		service.sandbox.faults.add({ when: { method: 'POST' }, response: { status: 403 } });
		const { error } = await run(createPosts, { rows: [row('cafe muller')] });
		expect(error?.message).toBe(
			`This API key is not allowed to create a content post for location "Café Müller" (${cafe.id})`,
		);
	});

	test('a list that cannot be read stops the rows, and nothing is posted', async () => {
		service.sandbox.faults.add({ response: { status: 403, body: { message: 'No' } } });
		const { error } = await run(createPosts, { rows: [row('A'), row('B')] });
		expect(error?.message).toContain('not allowed to get the locations');
		expect(requests().every((request) => request.startsWith('GET /locations'))).toBe(true);
	});
});

test('a name under By ID is pointed to By Name', async () => {
	const locationId = byId('Bakery East');
	const { error } = await service.run({ resource: 'location', operation: 'get', locationId });
	expect(error?.message).toBe('There is no location with the ID "Bakery East"');
	expect(error?.description).toContain(
		"This looks like a name: set 'Location' to 'By Name', or use the column with the ID.",
	);
});

describe('outside of executions', () => {
	const post = async (shop: string) =>
		await service.run(
			{ resource: 'post', operation: 'getAll', locationId: byName(shop) },
			{ isOutsideOfExecutions: true },
		);

	test('a call, as of an MCP client, finds what was created since the last one', async () => {
		await post(locations()[0].name);
		const { id } = service.sandbox.account.addLocation({ name: 'Brand New' });
		const { error } = await post('Brand New');
		expect(error).toBeUndefined();
		expect(requests()).toContain(`GET /locations/${id}/posts`);
	});
});

describe('in the editor', () => {
	const { searchKeywords } = new LocalSeo().methods.listSearch;
	const editor = (locationId: INodeParameters, resource = 'rankScan', operation = 'getAll') =>
		service.editor({ resource, operation, locationId });

	test('the keywords of a location that is given by name', async () => {
		const { cafe } = shops();
		const { results } = await searchKeywords.call(editor(byName('cafe muller')));
		const [{ keyword, id }] = service.sandbox.account.keywordsOf(cafe.id);
		expect(results[0]).toEqual({ name: keyword, value: id });
		await searchKeywords.call(editor(byName('Cafe Muller')), 'a');
		expect(lists()).toHaveLength(PAGES);
	});

	test('a name that tells nothing is said there', async () => {
		shops();
		await expect(searchKeywords.call(editor(byName('Bakery East')))).rejects.toThrow(
			/^2 locations are called "Bakery East"/,
		);
		await expect(searchKeywords.call(editor(byName('={{ $json.shop }}')))).rejects.toThrow(
			'Pick a location first',
		);
	});
});
