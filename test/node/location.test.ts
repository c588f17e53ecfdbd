import type { INodeParameters } from 'n8n-workflow';

import { byId, byName, goOn, useSandbox } from '../support/fixture';
import { postSheet } from '../support/sheet';

// Which location a row is for: by ID, by name, or said to be missing before anything is sent.
// How names are compared: unit/directory.

const service = useSandbox({ locations: 40 });
const { account, requests } = service;
const lists = () => requests().filter((request) => /^GET \/locations(\?|$)/.test(request));
const writes = () => service.sandbox.requests.filter(({ method }) => method !== 'GET');
/** As many requests as the list of locations has pages. */
const PAGES = Math.ceil(40 / 15);
const get = (locationId: INodeParameters | string) => ({
	...{ resource: 'location', operation: 'get', locationId },
});
const createPosts = (locationId: INodeParameters) => ({ ...postSheet, locationId });

test.each<[string, INodeParameters | string, (id: string) => unknown]>([
	['spaces around it are ignored', byId('={{ $json.place }}'), (id) => ` ${id}\n`],
	// n8n stores no mode that is the default.
	['an expression alone is one', '={{ $json.place }}', (id) => id],
])('by ID: %s', async (_, locationId, given) => {
	const [{ id }] = account().locations;
	const { json } = await service.run(get(locationId), { rows: [{ place: given(id) }] });
	expect(json).toMatchObject([{ id }]);
});

describe('a location that the sheet does not name', () => {
	const create = createPosts(byId('={{ $json.location_id }}'));

	const separated = (sign: string) => ({ [`title${sign}location_id`]: `A${sign}B` });
	const NO_FIELD = /no field of a content post: title.location_id$/;
	const WHOLE = /If that is a whole row of a file, add the option 'Delimiter'/;
	test.each<[object, RegExp, RegExp]>([
		...[';', '\t', '|'].map((sign): [object, RegExp, RegExp] => [separated(sign), NO_FIELD, WHOLE]),
		[{}, /^The location ID is empty$/, /The row has no columns: connect the step that/],
	])('%j is no row of a sheet', async (row, message, description) => {
		const { error } = await service.run(create, { rows: [row] });
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(writes()).toEqual([]);
	});
});

// As a tool: bothWays.
describe('by name', () => {
	const create = createPosts(byName('={{ $json.shop }}'));
	const row = (shop: unknown, title = 'A') => ({ shop, title, content: `About ${title}` });
	/** Three shops, two of which share their name. */
	const shops = () => {
		const [east, salem, cafe] = account().locations;
		Object.assign(east, { name: 'Bakery East', city: 'Boston', address: '1 Mill Street' });
		Object.assign(salem, { name: 'Bakery East', city: 'Salem', address: '2 Elm Road' });
		Object.assign(cafe, { name: 'Café Müller', city: 'Łódź', address: 'Piotrkowska 3' });
		// So that their fields are known.
		for (const shop of [east, salem, cafe]) account().addPost(shop, { title: 'Old', content: 'B' });
		return { east, salem, cafe };
	};

	test("a sheet's names become posts of their locations, and the list is read once", async () => {
		const { east, salem, cafe } = shops();
		const names = ['CAFE  MULLER', 'bakery east, boston', 'Bakery East,  SALEM', ' Café Müller '];
		// n8n keeps an ID when the mode is changed.
		const rows = [...names, cafe.id].map((name, index) => row(name, `Post ${index}`));
		const { json, items } = await service.run(create, { rows });
		const ids = [cafe, east, salem, cafe, cafe].map(({ id }) => id);
		expect(json.map(({ location_id }) => location_id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(lists()).toHaveLength(PAGES);
	});

	// What is said of names: unit/directory.
	test('several or none of that name: the row is refused, and the others are sent', async () => {
		const { cafe } = shops();
		const rows = ['Bakery Est', 'Bakery East', '', 'Café Müller'].map((shop) => row(shop));
		const { json } = await service.run(create, { rows, ...goOn });
		expect(json).toMatchObject([
			{ error: { message: 'Item 1: No location is called "Bakery Est"' } },
			{
				error: {
					message: expect.stringMatching(/^Item 2: 2 locations are called "Bakery East"/),
					description: expect.stringContaining('Write the city after the name'),
				},
			},
			{ error: { message: 'Item 3: The location name is empty: the row has nothing in "shop"' } },
			{ location_id: cafe.id },
		]);
		expect(writes()).toHaveLength(1);
	});
});

test('a keyword given by its ID needs no location', async () => {
	const [{ id }] = account().keywordsOf(account().locations[0].id);
	const scans = { resource: 'rankScan', operation: 'getAll', keywordId: byId(id) };
	const { error } = await service.run({ ...scans, locationId: byName('Nowhere') });
	expect([error, lists()]).toEqual([undefined, []]);
});

test('a call outside of executions, as of an MCP client, finds what was created since the last one', async () => {
	const posts = (shop: string) => ({
		resource: 'post',
		operation: 'getAll',
		locationId: byName(shop),
	});
	await service.run(posts(account().locations[0].name), { isOutsideOfExecutions: true });
	const { id } = account().addLocation({ name: 'Brand New' });
	const { error } = await service.run(posts('Brand New'), { isOutsideOfExecutions: true });
	expect(error).toBeUndefined();
	expect(requests()).toContain(`GET /locations/${id}/posts`);
});
