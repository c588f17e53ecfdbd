import type { INodeParameters, ResourceMapperField } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, useSandbox } from '../support/fixture';

const node = new LocalSeo();
const { getFields } = node.methods.resourceMapping;
const service = useSandbox();

const fieldsOf = async (
	resource: string,
	locationId: INodeParameters = byId(''),
	more: INodeParameters = {},
) => {
	const editor = service.editor({ resource, operation: 'create', locationId, ...more });
	return (await getFields.call(editor)).fields;
};
const columns = async (resource: string, locationId?: INodeParameters, more?: INodeParameters) => {
	const fields = await fieldsOf(resource, locationId, more);
	return Object.fromEntries(fields.map(({ id, displayName, type }) => [id, [displayName, type]]));
};
const withPosts = () =>
	service.sandbox.account.locations.find(
		({ id }) => service.sandbox.account.postsOf(id).length > 1,
	)!.id;
const removeLocations = () => {
	const { account } = service.sandbox;
	for (const { id } of [...account.locations]) account.removeLocation(id);
};

/** The mapper as a node has it that was filled by hand. */
const filled = (value: Record<string, string>, schema: Array<Partial<ResourceMapperField>>) =>
	({
		fields: {
			mappingMode: 'defineBelow',
			value,
			schema: schema.map((column) => ({ ...ANY_COLUMN, ...column })),
		},
	}) as unknown as INodeParameters;
const ANY_COLUMN = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };

const ASSUMED = {
	title: ['Title (assumed)', 'string'],
	content: ['Content (assumed)', 'string'],
	publish_at: ['Publish At (assumed)', 'dateTime'],
};

test("columns are the fields of the account's records, with their types", async () => {
	const id = withPosts();
	const [first, second] = service.sandbox.account.postsOf(id);
	Object.assign(first, { mixed: 1, empty: null });
	Object.assign(second, { mixed: 'one' });
	Object.assign(first, {
		price: 9.5,
		pinned: false,
		event_day: '2026-12-31',
		labels: ['a'],
		button: { text: 'Book' },
		photoUrl: 'https://example.com/a.jpg',
	});
	expect(await columns('post', byId(id))).toEqual({
		title: ['Title', 'string'],
		content: ['Content', 'string'],
		type: ['Type', 'string'],
		image_url: ['Image URL', expect.anything()],
		status: ['Status', 'string'],
		publish_at: ['Publish At', 'dateTime'],
		price: ['Price', 'number'],
		pinned: ['Pinned', 'boolean'],
		event_day: ['Event Day', 'dateTime'],
		labels: ['Labels', 'array'],
		button: ['Button', 'object'],
		photoUrl: ['Photo URL', 'string'],
		// Its values differ in type, or there are none.
		mixed: ['Mixed', undefined],
		empty: ['Empty', undefined],
	});
});

test('fields that the service sets are not offered', async () => {
	const offered = Object.keys(await columns('location'));
	expect(offered).toEqual(['name', 'address', 'city', 'country', 'status']);
});

test('without records, known fields are offered, and assumed ones labeled as such', async () => {
	removeLocations();
	expect(await columns('location')).toEqual({
		name: ['Name', 'string'],
		address: ['Address', 'string'],
		city: ['City', 'string'],
		country: ['Country', 'string'],
	});
	const { id } = service.sandbox.account.addLocation({ name: 'New' });
	expect(await columns('post', byId(id))).toEqual(ASSUMED);
	expect(await columns('keyword', byId(id))).toEqual({
		keyword: ['Keyword (assumed)', 'string'],
	});
});

test.each([
	['each row names its own location', '={{ $json.location_id }}'],
	['the location does not exist', 'loc_nowhere'],
	['it has no records', 'new'],
])("if %s, some of the account's locations are read", async (_, value) => {
	const { id } = service.sandbox.account.addLocation({ name: 'New' });
	const fields = await columns('post', byId(value === 'new' ? id : value));
	expect(Object.keys(fields)).toEqual(expect.arrayContaining(['title', 'content', 'type']));
	expect(service.requests().length).toBeLessThanOrEqual(1 + 2 + 2 * 5);
});

describe('while the account can not be asked', () => {
	const unreachable = { baseUrl: 'http://127.0.0.1:9', apiKey: 'sk_any' };
	const offered = async (credential?: { baseUrl: string; apiKey: string }, more = {}) => {
		const parameters = { resource: 'post', operation: 'create', locationId: byId(''), ...more };
		const context = service.editor(parameters, credential);
		if (!credential) {
			context.getCredentials = async () =>
				await Promise.reject(new Error('Node does not have any credentials set'));
		}
		return (await getFields.call(context)).fields;
	};
	const mistyped = () => ({ baseUrl: service.sandbox.baseUrl, apiKey: 'sk_mistyped' });

	test.each([
		['there is no credential yet', () => undefined],
		['its key is refused', mistyped],
		['the service is down', () => unreachable],
	])('because %s, the assumed fields are offered', async (_, credential) => {
		const fields = await offered(credential());
		expect(fields.map(({ displayName }) => displayName)).toEqual(
			Object.values(ASSUMED).map(([displayName]) => displayName),
		);
	});

	test('the columns that the node has stay as they are', async () => {
		const mapping = filled({ image_url: '={{ $json.picture }}' }, [
			{ id: 'title', displayName: 'Title', type: 'string', removed: true },
			{ id: 'image_url', displayName: 'Image URL', type: 'string' },
		]);
		expect(await offered(mistyped(), mapping)).toEqual(
			(mapping.fields as unknown as { schema: ResourceMapperField[] }).schema,
		);
	});
});

describe('what the user has filled in is kept', () => {
	const post = async (mapping: INodeParameters) =>
		await fieldsOf('post', byId(withPosts()), mapping);

	test('a column that records no longer show stays', async () => {
		const own = { id: 'coupon', displayName: 'Coupon', type: 'string' as const };
		const unused = { id: 'teaser', displayName: 'Teaser', type: 'string' as const };
		const fields = await post(filled({ coupon: 'TEN' }, [own, unused]));
		expect(fields).toContainEqual({ ...ANY_COLUMN, ...own });
		expect(fields.map(({ id }) => id)).not.toContain('teaser');
		expect(fields.map(({ id }) => id)).toContain('type');
	});

	test('a filled column keeps its type, and a choice that was made', async () => {
		const options = [{ name: 'Old', value: 'old' }];
		const fields = await post(
			filled({ type: 'Neu!', publish_at: 'soon', status: 'old' }, [
				{ id: 'type', displayName: 'Type', type: 'string' },
				{ id: 'publish_at', displayName: 'Publish At', type: 'string' },
				{ id: 'status', displayName: 'Status', type: 'options', options },
			]),
		);
		const types = Object.fromEntries(fields.map(({ id, type }) => [id, type]));
		expect(types).toMatchObject({ type: 'string', publish_at: 'string', status: 'options' });
		expect(fields.find(({ id }) => id === 'status')).toMatchObject({ options });
	});
});

test('a field that n8n would run as an expression is no column', async () => {
	const id = withPosts();
	for (const post of service.sandbox.account.postsOf(id)) {
		Object.assign(post, { '={{ $json.secret }}': 'a', ' =1': 'b' });
	}
	const fields = await fieldsOf('post', byId(id));
	expect(fields.map((field) => field.id)).toContain(' =1');
	expect(
		fields.flatMap((field) => [field.id, field.displayName]).filter((text) => text.startsWith('=')),
	).toEqual([]);
});

test('true or false is not sent before somebody adds the column', async () => {
	for (const one of service.sandbox.account.locations) Object.assign(one, { verified: true });
	const { id, removed } = (await fieldsOf('location')).find((one) => one.id === 'verified')!;
	// n8n fills in false for each such column that is shown.
	expect([id, removed]).toEqual(['verified', true]);
	expect((await fieldsOf('location')).filter((one) => one.removed)).toHaveLength(1);
});
