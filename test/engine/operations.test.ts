import { byId, useSandbox } from '../support/fixture';
import { locationWithPosts, operationCases } from '../support/operations';

const service = useSandbox();
const { run, requests } = service;

const account = () => service.sandbox.account;
const location = () => locationWithPosts(service);
const keyword = () => account().keywordsOf(location().id)[0];

test.each(operationCases(service))(
	'$operation sends one request and returns the records',
	async (row) => {
		const [resource, operation] = row.operation;
		const sent = row.sends();
		const given = row.gives();
		const result = await run({ resource, operation, ...row.parameters() });
		expect(result.error).toBeUndefined();
		expect(requests()).toEqual([sent]);
		expect(service.sandbox.requests[0].body).toEqual(row.body);
		expect(result.json).toMatchObject(given);
		expect(result.items.every(({ pairedItem }) => pairedItem)).toBe(true);
	},
);

test('requests ask for JSON and carry the key', async () => {
	await run({ resource: 'location', operation: 'getAll' });
	const [{ headers, scope }] = service.sandbox.requests;
	expect(headers).toMatchObject({ accept: 'application/json' });
	expect(scope).toBe('write');
});

test('query parameters are sent, a repeated name with all its values', async () => {
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
	const filter = { status: 'active', sort: '-rank_score', tag: 'a b,c&d', empty: '', zero: '0' };
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
