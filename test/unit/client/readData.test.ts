import { DEFAULT_PAGING, readData } from '../../../nodes/LocalSeo/client';
import { POSTS, serviceAnswering } from '../../support/accountTransport';

// What need not be a list: a record, or data of any shape. Lists are read in test/simulation/list.

const ONE = { ...POSTS, method: 'GET' as const, path: '/locations/{locationId}' };
const INSIGHTS = { ...ONE, path: '/locations/{locationId}/insights', isOfAnyShape: true };
const answering = (body: unknown) => serviceAnswering(() => ({ body }));
const recordsTo = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `a${at}` }));

test.each([
	[ONE, { data: { id: 'loc_1' } }, { id: 'loc_1' }],
	[ONE, { data: [{ id: 'loc_1' }] }, { id: 'loc_1' }],
	[INSIGHTS, { data: { views: 3 } }, { views: 3 }],
	[INSIGHTS, { data: [{ day: 1 }], meta: { total: 1 } }, [{ day: 1 }]],
	[INSIGHTS, { data: null }, null],
])('%j: %j is read', async (request, body, data) => {
	const { connection, run } = answering(body);
	expect(await run(readData(connection, request, DEFAULT_PAGING))).toMatchObject({ data });
});

test('a full list that says it is all is read to its end, too: its total may count the page', async () => {
	const pages = [recordsTo(3), [{ id: 'b' }], []];
	const { connection, run } = serviceAnswering(({ query }) => {
		const data = pages[Number(query.page ?? 1) - 1];
		const meta = { total: data.length, per_page: 3 };
		return { body: { data, meta } };
	});
	const { list } = await run(readData(connection, INSIGHTS, DEFAULT_PAGING));
	expect(list?.incomplete?.facts).toMatchObject({ received: 4, total: 3 });
	const one = await run(readData(connection, INSIGHTS, { ...DEFAULT_PAGING, pageParameter: '' }));
	expect([one.data, one.list]).toEqual([recordsTo(3), undefined]);
});

test.each([
	...['', {}, null, { message: 'Scheduled maintenance' }].map((body) => [INSIGHTS, body, 'data']),
	...[null, recordsTo(2), 'post_1'].map((data) => [ONE, { data }, 'record']),
] as Array<[typeof ONE, unknown, string]>)(
	'%j: %j breaks the interface',
	async (request, body, expected) => {
		const { connection, requests, run } = answering(body);
		await expect(run(readData(connection, request, DEFAULT_PAGING))).rejects.toMatchObject({
			facts: { kind: 'unexpected-response', expected },
		});
		expect(requests).toHaveLength(1);
	},
);
