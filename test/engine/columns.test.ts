import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, useSandbox } from '../support/fixture';

const { getFields } = new LocalSeo().methods.resourceMapping;
const service = useSandbox();

const columns = async (resource: string, locationId: INodeParameters = byId('')) => {
	const editor = service.editor({ resource, operation: 'create', locationId });
	const { fields } = await getFields.call(editor);
	return Object.fromEntries(fields.map(({ id, displayName, type }) => [id, [displayName, type]]));
};
const withPosts = () =>
	service.sandbox.account.locations.find(
		({ id }) => service.sandbox.account.postsOf(id).length > 1,
	)!.id;

test('columns are the fields of the records of the location, with their types', async () => {
	const id = withPosts();
	Object.assign(service.sandbox.account.postsOf(id)[0], {
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
		price: ['Price', 'number'],
		pinned: ['Pinned', 'boolean'],
		event_day: ['Event Day', 'dateTime'],
		labels: ['Labels', 'array'],
		button: ['Button', 'object'],
		photoUrl: ['Photo URL', 'string'],
	});
});

test('a field whose values differ in type, or that has no values, has no type', async () => {
	const id = withPosts();
	const [first, second] = service.sandbox.account.postsOf(id);
	Object.assign(first, { mixed: 1, empty: null });
	Object.assign(second, { mixed: 'one' });
	const { mixed, empty } = await columns('post', byId(id));
	expect([mixed, empty]).toEqual([
		['Mixed', undefined],
		['Empty', undefined],
	]);
});

test('fields that the service sets are not offered', async () => {
	const offered = Object.keys(await columns('location'));
	expect(offered).toEqual(['name', 'address', 'city', 'country', 'status']);
});

test('the known fields of a location are offered even without records', async () => {
	const { account } = service.sandbox;
	for (const { id } of [...account.locations]) account.removeLocation(id);
	expect(await columns('location')).toEqual({
		name: ['Name', 'string'],
		address: ['Address', 'string'],
		city: ['City', 'string'],
		country: ['Country', 'string'],
	});
});

test('without records, the assumed fields are offered and labeled as such', async () => {
	const { id } = service.sandbox.account.addLocation({ name: 'New' });
	expect(await columns('post', byId(id))).toEqual({
		title: ['Title (assumed)', 'string'],
		content: ['Content (assumed)', 'string'],
	});
	expect(await columns('keyword', byId(id))).toEqual({
		keyword: ['Keyword (assumed)', 'string'],
	});
});

test("if each row names its own location, some of the account's locations are read", async () => {
	const fields = await columns('post', byId('={{ $json.location_id }}'));
	expect(Object.keys(fields)).toEqual(expect.arrayContaining(['title', 'content', 'type']));
	expect(service.requests().length).toBeLessThanOrEqual(2 + 2 * 5);
});

test('the newest records count, even if the list begins with the oldest', async () => {
	const { account } = service.sandbox;
	const location = account.addLocation({ name: 'Newest' });
	for (let index = 0; index < 40; index++) account.addKeyword(location, { keyword: `${index}` });
	for (const [index, keyword] of account.keywordsOf(location.id).entries()) {
		keyword.created_at = new Date(index * 1_000).toISOString();
	}
	Object.assign(account.keywordsOf(location.id)[39], { device: 'mobile' });
	expect(Object.keys(await columns('keyword', byId(location.id)))).toContain('device');
	expect(service.requests()).toHaveLength(2);
});

test('a location that does not exist is named', async () => {
	await expect(columns('post', byId('loc_nowhere'))).rejects.toThrow(
		'There is no location with the ID "loc_nowhere"',
	);
});
