import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { byId, byName, useSandbox } from '../support/fixture';

const { listSearch, resourceMapping } = new LocalSeo().methods;
const { searchLocations, searchKeywords } = listSearch;
const { getLocations } = new LocalSeoTrigger().methods.loadOptions;
const service = useSandbox();
const { account, requests } = service;
/** As many requests as the list of locations has pages. */
const PAGES = Math.ceil(64 / 15);
const answer = (data: unknown[]) =>
	service.sandbox.faults.add({ response: { status: 200, body: { data } } });
const removeLocations = () => {
	for (const { id } of [...account().locations]) account().removeLocation(id);
};

describe('locations to pick from', () => {
	const search = async (filter?: string, token?: string) =>
		await searchLocations.call(service.editor({ resource: 'location' }), filter, token);
	const shown = async () => (await search()).results.map(({ name, value }) => [name, value]);

	test('have name, city, country and address, and their ID where that is all the same', async () => {
		const [first, second, third, fourth] = account().locations;
		Object.assign(second, { ...first, id: second.id });
		Object.assign(third, { ...first, id: third.id, address: 'Elsewhere 1' });
		const { results } = await search();
		const label = `${first.name}, ${first.city}, ${first.country} · ${first.address}`;
		expect(results.slice(0, 4).map(({ name, value }) => [name, value])).toEqual([
			[`${label} (${first.id})`, first.id],
			[`${label} (${second.id})`, second.id],
			[expect.stringMatching(/· Elsewhere 1$/), third.id],
			[expect.stringContaining(`${fourth.name}, ${fourth.city}`), fourth.id],
		]);
		expect((await search(second.id)).results).toEqual([results[1]]);
	});

	test('come as one scrolls, and are read once, also by searches that overlap', async () => {
		const { locations } = account();
		for (let count = 0; count < 60; count++) account().addLocation({ name: `Shop ${count}` });
		await Promise.all([search('b'), search('be'), search('ber')]);
		const ids: unknown[] = [];
		let token: unknown;
		do {
			const page = await search(undefined, token as string);
			expect(page.results.length).toBeLessThanOrEqual(100);
			ids.push(...page.results.map(({ value }) => value));
			token = page.paginationToken;
		} while (token !== undefined);
		expect(ids).toEqual(locations.map(({ id }) => id));
		expect(requests()).toHaveLength(Math.ceil(locations.length / 15));
	});

	test('are searched on all pages by every word, whatever its case and accents', async () => {
		const shop = account().locations[50];
		shop.name = 'Café Müller';
		const { results } = await search('muller CAFE');
		expect(results.map(({ value }) => value)).toEqual([shop.id]);
		expect((await search(`  ${shop.id} `)).results).toHaveLength(1);
		expect((await search('no such place')).results).toEqual([]);
	});

	test('are not shown to whom the credential is no longer open', async () => {
		await search('b');
		const context = service.editor({ resource: 'location' });
		context.getCredentials = async () => await Promise.reject(new Error('No access to it'));
		await expect(searchLocations.call(context, 'b')).rejects.toThrow('No access to it');
	});

	test('are none that n8n would run as an expression, and none without an ID of its own', async () => {
		answer([
			{ id: '={{ $json.secret }}', name: 'Evil' },
			{ id: 'loc_1', name: '={{ $json.secret }}' },
			{ id: 'loc_2', name: '\u200e =1+1' },
			{ id: 'loc_3', name: '' },
			{ name: 'No ID' },
			// 12345678901234567890 in the response: JavaScript has rounded it.
			{ id: 1.2345678901234567e19, name: 'Rounded' },
		]);
		expect(await shown()).toEqual([
			['＝{{ $json.secret }}', 'loc_1'],
			['＝1+1', 'loc_2'],
			['loc_3', 'loc_3'],
		]);
	});
});

describe('keywords to pick from', () => {
	const search = async (locationId?: INodeParameters, filter?: string) =>
		await searchKeywords.call(service.editor({ resource: 'rankScan', locationId }), filter);

	test('are those of the location, by its ID or name', async () => {
		const [, shop] = account().locations;
		shop.name = 'Café Müller';
		const keywords = account().keywordsOf(shop.id);
		for (const location of [byId(shop.id), byName('cafe muller')]) {
			const { results } = await search(location);
			expect(results).toEqual(keywords.map(({ keyword, id }) => ({ name: keyword, value: id })));
		}
		await search(byName('Cafe Muller'), 'a');
		expect(requests()).toHaveLength(1 + PAGES);
	});

	test.each([byId(''), byId('={{ $json.location_id }}'), byName('={{ $json.shop }}'), undefined])(
		'need a location: %j',
		async (locationId) => {
			await expect(search(locationId)).rejects.toThrow('Pick a location first, or enter the keyw');
			expect(requests()).toEqual([]);
		},
	);
});

test('the trigger offers the locations of every page, in the order of their names', async () => {
	const { locations } = account();
	const fields = { name: 'Äpfel & Co', city: 'York', country: 'GB', status: 'paused' };
	Object.assign(locations[17], fields);
	const options = await getLocations.call(service.editor({}));
	expect(options.map(({ value }) => value).sort()).toEqual(locations.map(({ id }) => id).sort());
	const name = `Äpfel & Co, York, GB · ${locations[17].address} (paused)`;
	expect(options[0]).toMatchObject({ name, value: locations[17].id });
});

describe('columns to map', () => {
	const PLAIN = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };
	const ASSUMED = {
		title: ['Title (assumed)', 'string'],
		content: ['Content (assumed)', 'string'],
		publish_at: ['Publish At (assumed)', 'dateTime'],
	};
	/** The mapper as a node has it that was filled by hand. */
	const filled = (value: IDataObject, schema: Array<Partial<ResourceMapperField>>) =>
		({
			fields: {
				...{ mappingMode: 'defineBelow', value },
				schema: schema.map((column) => ({ ...PLAIN, displayName: column.id, ...column })),
			},
		}) as unknown as INodeParameters;
	const editor = (
		resource: string,
		locationId = byId(''),
		more: INodeParameters = {},
		key?: { baseUrl: string; apiKey: string },
	) => service.editor({ resource, operation: 'create', locationId, ...more }, key);
	const fieldsOf = async (context: ReturnType<typeof editor>) =>
		(await resourceMapping.getFields.call(context)).fields;
	const columnsOf = async (context: ReturnType<typeof editor>) =>
		Object.fromEntries(
			(await fieldsOf(context)).map(({ id, displayName, type }) => [id, [displayName, type]]),
		);
	const withPosts = () =>
		account().locations.find(({ id }) => account().postsOf(id).length > 1)!.id;

	test("are the fields of the account's records, with their types", async () => {
		const id = withPosts();
		const [first, second] = account().postsOf(id);
		const texts = { photoUrl: 'https://a.example', day: '2026-12-31' };
		Object.assign(first, { price: 9.5, labels: ['a'], ...texts, mixed: 1, no: null });
		Object.assign(second, { mixed: 'one' });
		expect(await columnsOf(editor('post', byId(id)))).toEqual({
			title: ['Title', 'string'],
			content: ['Content', 'string'],
			type: ['Type', 'string'],
			image_url: ['Image URL', expect.anything()],
			publish_at: ['Publish At', 'dateTime'],
			price: ['Price', 'number'],
			day: ['Day', 'dateTime'],
			labels: ['Labels', 'array'],
			photoUrl: ['Photo URL', 'string'],
			// Its values differ in type, or there are none.
			mixed: ['Mixed', undefined],
			no: ['No', undefined],
		});
	});

	test('are none that the service sets, nor one that n8n would run; true or false is added by hand', async () => {
		const odd = { verified: true, '={{ $json.secret }}': 'a', ' =1': 'b' };
		for (const one of account().locations) Object.assign(one, odd);
		const fields = await fieldsOf(editor('location'));
		const usual = ['name', 'address', 'city', 'country'];
		expect(fields.map(({ id }) => id)).toEqual([...usual, 'verified', ' =1']);
		expect(fields.filter(({ displayName }) => displayName.startsWith('='))).toEqual([]);
		// n8n fills in false for each such column that is shown.
		expect(fields.filter((one) => one.removed).map(({ id }) => id)).toEqual(['verified']);
	});

	test('without records are the known ones, and assumed ones that are labeled so', async () => {
		removeLocations();
		expect(await columnsOf(editor('location'))).toEqual({
			name: ['Name', 'string'],
			address: ['Address', 'string'],
			city: ['City', 'string'],
			country: ['Country', 'string'],
		});
		const { id } = account().addLocation({ name: 'New' });
		expect(await columnsOf(editor('post', byId(id)))).toEqual(ASSUMED);
		const keyword = ['Keyword (assumed)', 'string'];
		expect(await columnsOf(editor('keyword', byId(id)))).toEqual({ keyword });
	});

	test.each([
		['each row names its own location', '={{ $json.location_id }}'],
		['the location does not exist', 'loc_nowhere'],
		['it has no records', 'new'],
	])("are those of some of the account's locations if %s", async (_, value) => {
		const { id } = account().addLocation({ name: 'New' });
		const columns = await columnsOf(editor('post', byId(value === 'new' ? id : value)));
		expect(Object.keys(columns)).toEqual(expect.arrayContaining(['title', 'content', 'type']));
		expect(requests().length).toBeLessThanOrEqual(1 + 2 + 2 * 5);
	});

	test('are asked for after a credential, which a new node gets later than n8n asks for them', async () => {
		const mapping = filled({ title: 'Hi' }, [{ id: 'title', type: 'string' }]);
		const offered = async (resource: string, more: INodeParameters = {}) => {
			const context = editor(resource, byId(''), more);
			const node = { ...context.getNode(), credentials: undefined };
			context.getNode = () => node;
			context.getCredentials = async () => await Promise.reject(new Error('None'));
			return await resourceMapping.getFields.call(context);
		};
		const notice = expect.stringContaining('click Retry once a credential is chosen');
		expect(await offered('post')).toEqual({ fields: [], emptyFieldsNotice: notice });
		expect((await offered('post', mapping)).fields).toHaveLength(1);
		expect((await offered('location')).fields).toHaveLength(4);
	});

	test.each<[string, () => { baseUrl: string; apiKey: string }]>([
		['its key is refused', () => ({ baseUrl: service.sandbox.baseUrl, apiKey: 'sk_mistyped' })],
		['the service is down', () => ({ baseUrl: 'http://127.0.0.1:9', apiKey: 'sk_any' })],
	])('because %s, are those that the node has, or the assumed ones', async (_, credential) => {
		const mapping = filled({ image_url: '={{ $json.picture }}' }, [
			{ id: 'title', type: 'string', removed: true },
			{ id: 'image_url', type: 'string' },
		]);
		const offered = async (more: INodeParameters = {}) => {
			return await fieldsOf(editor('post', byId(''), more, credential()));
		};
		const names = Object.values(ASSUMED).map(([displayName]) => displayName);
		expect((await offered()).map(({ displayName }) => displayName)).toEqual(names);
		const { schema } = mapping.fields as unknown as { schema: ResourceMapperField[] };
		expect(await offered(mapping)).toEqual(schema);
	});

	test('stay as the user has filled them, with their type, also where no record shows one', async () => {
		const coupon = { id: 'coupon', displayName: 'Coupon', type: 'string' as const };
		const options = [{ name: 'Old', value: 'old' }];
		const mapping = filled({ coupon: 'TEN', type: 'Neu!', publish_at: 'soon', status: 'old' }, [
			coupon,
			...['teaser', 'type', 'publish_at'].map((id) => ({ id, type: 'string' as const })),
			{ id: 'status', type: 'options', options },
		]);
		const fields = await fieldsOf(editor('post', byId(withPosts()), mapping));
		expect(fields).toContainEqual({ ...PLAIN, ...coupon });
		expect(fields.map(({ id }) => id)).not.toContain('teaser');
		const types = Object.fromEntries(fields.map(({ id, type }) => [id, type]));
		expect(types).toMatchObject({ type: 'string', publish_at: 'string', status: 'options' });
		expect(fields.find(({ id }) => id === 'status')).toMatchObject({ options });
	});
});
