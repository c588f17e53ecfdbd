import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const account = () => service.sandbox.account;
/** The first location that has posts. */
const location = () => account().locations.find(({ id }) => account().postsOf(id).length > 0)!;
const keyword = () => account().keywordsOf(location().id)[0];

interface Case {
	operation: [resource: string, operation: string];
	parameters: () => INodeParameters;
	sends: () => string;
	body?: object;
	gives: () => object;
}

const cases: Case[] = [
	{
		operation: ['location', 'getAll'],
		parameters: () => ({ limit: 3 }),
		sends: () => 'GET /locations',
		gives: () => account().locations.slice(0, 3),
	},
	{
		operation: ['location', 'get'],
		parameters: () => ({ locationId: byId(location().id) }),
		sends: () => `GET /locations/${location().id}`,
		gives: () => [location()],
	},
	{
		operation: ['location', 'create'],
		parameters: () => ({ fields: columns({ name: 'Kiosk', city: 'Ulm', country: 'DE' }) }),
		sends: () => 'POST /locations',
		body: { name: 'Kiosk', city: 'Ulm', country: 'DE' },
		gives: () => [{ name: 'Kiosk', city: 'Ulm', country: 'DE', status: 'active' }],
	},
	{
		operation: ['location', 'update'],
		parameters: () => ({ locationId: byId(location().id), fields: columns({ city: 'Ulm' }) }),
		sends: () => `PATCH /locations/${location().id}`,
		body: { city: 'Ulm' },
		gives: () => [{ id: location().id, name: location().name, city: 'Ulm' }],
	},
	{
		operation: ['keyword', 'getAll'],
		parameters: () => ({ locationId: byId(location().id) }),
		sends: () => `GET /locations/${location().id}/keywords`,
		gives: () => account().keywordsOf(location().id),
	},
	{
		operation: ['keyword', 'create'],
		parameters: () => ({
			locationId: byId(location().id),
			fields: columns({ keyword: 'bakery near me' }),
		}),
		sends: () => `POST /locations/${location().id}/keywords`,
		body: { keyword: 'bakery near me' },
		gives: () => [{ keyword: 'bakery near me', location_id: location().id }],
	},
	{
		operation: ['keyword', 'delete'],
		parameters: () => ({ keywordId: byId(keyword().id) }),
		sends: () => `DELETE /keywords/${keyword().id}`,
		gives: () => [{ id: keyword().id, deleted: true }],
	},
	{
		operation: ['rankScan', 'getAll'],
		parameters: () => ({ keywordId: byId(keyword().id), limit: 2 }),
		sends: () => `GET /keywords/${keyword().id}/scans`,
		gives: () => account().scansOf(keyword().id).slice(0, 2),
	},
	{
		operation: ['post', 'getAll'],
		parameters: () => ({ locationId: byId(location().id) }),
		sends: () => `GET /locations/${location().id}/posts`,
		gives: () => account().postsOf(location().id),
	},
	{
		operation: ['post', 'create'],
		parameters: () => ({
			locationId: byId(location().id),
			fields: columns({ title: 'Open on Sunday', content: 'From 8 to 12.' }),
		}),
		sends: () => `POST /locations/${location().id}/posts`,
		body: { title: 'Open on Sunday', content: 'From 8 to 12.' },
		gives: () => [{ title: 'Open on Sunday', location_id: location().id }],
	},
	{
		operation: ['insight', 'get'],
		parameters: () => ({ locationId: byId(location().id) }),
		sends: () => `GET /locations/${location().id}/insights`,
		gives: () => [account().insightOf(location().id)],
	},
];

test.each(cases)('$operation sends one request and gives the records', async (row) => {
	const [resource, operation] = row.operation;
	const sent = row.sends();
	const given = row.gives();
	const result = await run({ resource, operation, ...row.parameters() });
	expect(result.error).toBeUndefined();
	expect(requests()).toEqual([sent]);
	expect(service.sandbox.requests[0].body).toEqual(row.body);
	expect(result.json).toMatchObject(given);
	expect(result.items.every(({ pairedItem }) => pairedItem)).toBe(true);
});

test('requests ask for JSON and carry the key', async () => {
	await run({ resource: 'location', operation: 'getAll' });
	const [{ headers, scope }] = service.sandbox.requests;
	expect(headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' });
	expect(scope).toBe('write');
});

test('query parameters are sent beside the path, a repeated name with all its values', async () => {
	const parameters = [
		{ name: 'status', value: 'active' },
		{ name: 'sort', value: '-rank_score' },
		{ name: 'tag', value: 'a b' },
		{ name: 'tag', value: 'c&d' },
		{ name: 'empty', value: '' },
		{ name: 'zero', value: 0 },
	];
	await run({
		resource: 'location',
		operation: 'getAll',
		limit: 20,
		options: { queryParameters: { parameters } },
	});
	const filter = { status: 'active', sort: '-rank_score', tag: 'a b,c&d', zero: '0' };
	expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
		filter,
		{ ...filter, page: '2' },
	]);
});

test('a deleted keyword is gone', async () => {
	const { id } = keyword();
	await run({ resource: 'keyword', operation: 'delete', keywordId: byId(id) });
	expect(
		account()
			.keywordsOf(location().id)
			.map((one) => one.id),
	).not.toContain(id);
});
