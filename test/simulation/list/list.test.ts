import type { Answer } from '../../../dev/sandbox/account';
import type { JsonObject, ServiceError } from '../../../nodes/LocalSeo/client';
import {
	type List,
	readList,
	readCompleteList,
} from '../../../nodes/LocalSeo/client/list/readList';
import { answer, inTurn, type Pages, read, serviceWith, some } from './service';

const listOf = async (pages: Pages, paging = {}) => {
	const { result, ...others } = await read(readList, pages, paging);
	const list = result as List;
	return { list, facts: list.incomplete?.facts, error: result as ServiceError, ...others };
};

const none = () => ({});
const numbered = (page: number) => ({ current_page: page });
const totalOf = (total: number) => (page: number) => ({ ...numbered(page), per_page: 15, total });

describe('a list is whole', () => {
	test.each<[string, (data: unknown[], page: number) => object]>([
		['current_page', (data, page) => ({ data, meta: { current_page: page } })],
		['page of 3', (data, page) => ({ data, meta: { page, total_pages: 3 } })],
		['page, and more', (data, page) => ({ data, meta: { page, has_next: page < 2 } })],
		['page beside data', (data, page) => ({ data, page, per_page: 20, total: 45 })],
		['last page 2', (data, page) => ({ data, meta: { pageIndex: page, last_page: 2 } })],
		['next', (data, page) => ({ data, links: { next: page < 2 ? `/x?page=${page + 1}` : null } })],
		['next page', (data, page) => ({ data, meta: { next_page: page < 2 ? page + 1 : null } })],
		['Spring', (data, number) => ({ data, number, totalPages: 3, last: number === 2 })],
		[
			'Spring in data',
			(content, number) => ({
				data: { content, number, size: 20, totalElements: 45, totalPages: 3, last: number === 2 },
			}),
		],
		['Spring with links', (data, number) => ({ data, page: { number, size: 20, totalPages: 3 } })],
	])('whose first page is page 0, told by %s', async (_, bodyOf) => {
		for (const pastEnd of [answer('', 404), undefined]) {
			const pages: Pages = (page = 0) =>
				page > 2 && pastEnd
					? pastEnd
					: answer(bodyOf(some(45).slice(20 * page, 20 * page + 20), page));
			const { list, asked } = await listOf(pages);
			expect([list.records, list.incomplete]).toEqual([some(45), undefined]);
			expect(asked).toEqual(['/locations', 'page 1', 'page 2']);
		}
	});

	test('of Django in data', async () => {
		const { list } = await listOf((page = 1) => {
			const results = some(45).slice(20 * page - 20, 20 * page);
			const next = page < 3 ? `https://a.example/x?page=${page + 1}` : null;
			return answer({ data: { count: 45, next, previous: null, results } });
		});
		expect([list.records, list.incomplete]).toEqual([some(45), undefined]);
	});

	test.each<[string, Pages, number, number]>([
		['of one page: one request', serviceWith(some(7)), 7, 1],
		['of one full page: two requests, since some count the page', serviceWith(some(15)), 15, 2],
		['of 30 in pages of 15: two requests', serviceWith(some(30)), 30, 2],
		['of 40: three requests', serviceWith(some(40)), 40, 3],
		['that is empty', serviceWith([]), 0, 1],
		['that counts its pages from 0', serviceWith(some(40), { firstPage: 0 }), 40, 3],
		['without a total, at its short page', serviceWith(some(40), { meta: numbered }), 40, 3],
		['without meta, at its short page', serviceWith(some(40), { meta: none }), 40, 3],
		['without meta, at an empty page', serviceWith(some(30), { meta: none }), 30, 3],
		[
			'without a total, whose pages are smaller than it says',
			serviceWith(some(40), { meta: () => ({ per_page: 1_000 }) }),
			40,
			3,
		],
		...[204, 400, 404, 410, 416, 422].map((status): [string, Pages, number, number] => [
			`without a total, that ends with ${status}`,
			serviceWith(some(30), { meta: none, pastEnd: answer('', status) }),
			30,
			3,
		]),
		[
			'that says as long as there is more, also behind a page that lacks some',
			(number = 1) =>
				answer({ data: some(number === 2 ? 10 : 15, 20 * number), has_more: number < 3 }),
			40,
			3,
		],
		[
			'whose pages lack some that were filtered out',
			(number = 1) =>
				answer({ data: some([15, 10, 10, 5][number - 1], 20 * number), meta: totalOf(40)(number) }),
			40,
			4,
		],
		[
			'that begins again behind its end',
			(number = 1) => answer({ data: number < 3 ? some(15, 20 * number) : some(15, 20) }),
			30,
			3,
		],
		['that ignores the number of the page', () => answer({ data: some(15) }), 15, 2],
		[
			'that ignores it, and says so',
			() => answer({ data: some(15), meta: { current_page: 1 } }),
			15,
			2,
		],
		[
			'that gives a part where it is asked for a page',
			(number) => answer(number ? { data: some(5, 6), next: 3 } : some(15)),
			15,
			2,
		],
	])('%s', async (_, pages, count, requests) => {
		const { list, asked, tookMs } = await listOf(pages);
		expect(list).toMatchObject({ isList: true });
		expect(list.incomplete).toBeUndefined();
		expect(list.records).toHaveLength(count);
		expect(new Set(list.records.map((record) => (record as JsonObject).id)).size).toBe(count);
		expect(asked).toHaveLength(requests);
		expect(tookMs).toBeLessThan(200);
	});

	test.each([{}, { data: {} }, { data: null }, { data: '' }, [], '', null, { meta: { total: 0 } }])(
		'%j is an empty one',
		async (body) => {
			const { list, asked } = await listOf(() => answer(body));
			expect([list.records, list.isList, list.incomplete]).toEqual([[], true, undefined]);
			expect(asked).toHaveLength(1);
		},
	);

	test.each([
		{ data: { id: 'loc_1' } },
		{ id: 'loc_1' },
		{ data: { id: 'loc_1' }, meta: { total: 7 } },
	])('%j is a single record', async (body) => {
		const { list, asked } = await listOf(() => answer(body));
		expect(list).toMatchObject({ records: [{ id: 'loc_1' }], isList: false });
		expect(list.incomplete).toBeUndefined();
		expect(asked).toHaveLength(1);
	});

	test('the first page is asked for without a number, and each with the size that is wanted', async () => {
		const queries: JsonObject[] = [];
		const pages: Pages = (number, { query }) => {
			queries.push(query);
			return serviceWith(some(7), { pageSize: 5 })(number, {} as never);
		};
		await listOf(pages, { pageSize: 5, pageSizeParameter: 'size' });
		expect(queries).toEqual([{ size: 5 }, { size: 5, page: 2 }]);
	});

	test('its pages are requested side by side, a few at first, 64 at most', async () => {
		const { list, most, tookMs } = await listOf(serviceWith(some(1_500)));
		expect(list.records).toEqual(some(1_500));
		expect(most).toBeGreaterThan(4);
		expect(most).toBeLessThanOrEqual(64);
		expect(tookMs).toBeLessThan(100 * 20);
	});

	test('if one page fails, the list fails', async () => {
		const pages: Pages = (number, request) =>
			number === 3 ? answer('', 403) : serviceWith(some(90))(number, request);
		expect((await listOf(pages)).error).toMatchObject({ facts: { status: 403 } });
	});

	test('a page that fails behind the end does not count', async () => {
		const pages: Pages = (number = 1) =>
			number > 2
				? answer('', 403)
				: answer({ data: number === 1 ? some(15) : [], meta: totalOf(99)(number) });
		expect((await listOf(pages)).list.records).toEqual(some(15));
	});
});

describe('a record that comes twice', () => {
	test.each<[string, unknown[], number]>([
		['on a page', [...some(9), ...some(7, 9)], 15],
		['on two pages', [...some(15), { id: 'loc_3' }], 15],
		['on two pages, one behind the other', [...some(15), ...some(5, 15)], 19],
	])('%s counts once; a second reading at once says the same', async (_, records, count) => {
		const { list, asked, tookMs } = await listOf(serviceWith(records));
		expect(list.incomplete).toBeUndefined();
		expect(list.records).toEqual(some(count));
		expect(asked).toHaveLength(4);
		expect(tookMs).toBeLessThan(200);
	});

	test('without an ID is two records; a page of such records that comes again is none', async () => {
		const twice = [{ name: 'a' }, { name: 'a' }];
		expect((await listOf(serviceWith(twice))).list.records).toEqual(twice);
		expect((await listOf(() => answer(twice))).list.records).toEqual(twice);
	});

	test('with other values is a row of a table, where all have the ID of what they are about', async () => {
		const rows = [1, 2, 3].map((clicks) => ({ id: 'loc_1', clicks }));
		expect((await listOf(serviceWith(rows))).list.records).toEqual(rows);
	});
});

describe('a limit', () => {
	// How many records and requests: test/node/ordinary/lists.test.ts, test/node/pages.test.ts.
	test('is served at once by a list that says that there is more', async () => {
		const cursors = () => answer({ data: some(15), next_cursor: 'abc' });
		expect((await listOf(cursors, { limit: 10 })).asked).toHaveLength(1);
		const { list, asked } = await listOf(cursors, { limit: 50 });
		expect([list.records, list.incomplete]).toEqual([some(15), undefined]);
		expect(asked).toHaveLength(2);
	});
});

describe('a mock', () => {
	test('whose pages are made up comes to an end', async () => {
		let count = 0;
		const pages = () =>
			answer({ data: some(5, 10 * ++count), meta: { current_page: 70 + count, total: 9_999_999 } });
		const { facts, asked } = await listOf(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', total: 9_999_999 });
		expect(asked).toHaveLength(9);
	});
});

describe('a list that does not add up', () => {
	const cut = (pastEnd: Answer) => serviceWith(some(30), { meta: totalOf(40), pastEnd });

	test.each<[string, Pages, JsonObject, number]>([
		['whose page is refused', cut(answer('', 422)), { received: 30, total: 40 }, 6],
		['whose page is missing', cut(answer('', 404)), { received: 30, total: 40 }, 6],
		[
			'that ignores the number of the page',
			() => answer({ data: some(15), meta: { total: 40 } }),
			{ received: 15, total: 40, pageParameter: 'page' },
			6,
		],
		[
			'that counts its pages from 0 and does not say so',
			serviceWith(some(40), { firstPage: 0, meta: () => ({ total: 40 }) }),
			{ received: 25, total: 40 },
			6,
		],
		[
			'with cursors',
			() => answer({ data: some(15), next_cursor: 'abc' }),
			{ received: 15, total: undefined },
			4,
		],
		[
			'with cursors, in another order each time',
			(number = 1) => answer({ data: some(15, number * 7), meta: { current_page: 1 }, next: 'x' }),
			{ received: 22, total: undefined },
			4,
		],
		[
			'that says of its last page that there is more',
			serviceWith(some(20), { meta: () => ({ has_more: true }) }),
			{ received: 20, total: undefined },
			6,
		],
		[
			'another one each time',
			inTurn(...[1, 2, 3].map((from) => serviceWith(some(40, from), { meta: totalOf(50) }))),
			{ received: 40, total: 50 },
			12,
		],
	])('is incomplete: %s', async (_, pages, facts, requests) => {
		const { list, facts: found, asked } = await listOf(pages);
		expect(found).toMatchObject({ kind: 'incomplete-list', ...facts });
		expect(list.records).toHaveLength(facts.received as number);
		expect(asked).toHaveLength(requests);
	});

	test('is incomplete for who needs all of it', async () => {
		const { result } = await read(readCompleteList, cut(answer('', 422)));
		expect(result).toMatchObject({ kind: 'incomplete-list' });
		expect((await read(readCompleteList, serviceWith(some(40)))).result).toEqual(some(40));
	});

	test.each<[string, Pages, number, number]>([
		['if its total is too high', serviceWith(some(40), { meta: totalOf(50) }), 40, 8],
		[
			'if its total is too low, and it says that there is more',
			serviceWith(some(40), {
				meta: (page) => ({ ...totalOf(20)(page), last_page: 3 }),
			}),
			40,
			6,
		],
		[
			'if its pages speak of different totals',
			serviceWith(some(40), { meta: (page) => totalOf(39 + page)(page) }),
			40,
			8,
		],
	])('is settled by two equal readings, %s', async (_, pages, count, requests) => {
		const { list, asked, tookMs } = await listOf(pages);
		expect([list.records, list.incomplete]).toEqual([some(count), undefined]);
		expect(asked).toHaveLength(requests);
		expect(tookMs).toBeGreaterThan(1_100);
	});

	test('is read again, and then it does', async () => {
		const moved: Pages = (number, request) =>
			number === 2
				? answer({ data: some(15, 15), meta: totalOf(40)(2) })
				: serviceWith(some(40))(number, request);
		const { list, asked } = await listOf(inTurn(moved, serviceWith(some(40))));
		expect([list.records, list.incomplete]).toEqual([some(40), undefined]);
		expect(asked).toHaveLength(6);
	});

	test('because others add to it is settled by one more reading', async () => {
		const growing = (count: number): Pages => {
			const meta = (page: number) => totalOf(count + page - 1)(page);
			return (number = 1, request) =>
				serviceWith([...some(number - 1, 900), ...some(count)], { meta })(number, request);
		};
		const { list, asked } = await listOf(inTurn(growing(40), growing(41), growing(42)));
		expect([list.records.slice(-41), list.incomplete]).toEqual([some(41), undefined]);
		expect(asked).toHaveLength(6);
	});

	test('is no reason for a thousand requests, however large the total', async () => {
		const { list, asked } = await listOf(serviceWith(some(40), { meta: totalOf(1e9) }));
		expect(list.records).toEqual(some(40));
		expect(asked.length).toBeLessThan(30);
	});

	test('and never ends is left after 10,000 pages', async () => {
		const pages: Pages = (number = 1) => answer({ data: some(1, number), has_more: true });
		const { facts } = await listOf(pages);
		expect(facts).toMatchObject({ received: 10_000 });
	});
});

describe('a list that is not found', () => {
	const path = '/locations/{locationId}/posts';
	const of = (location: ReturnType<typeof answer>) =>
		listOf((_, request) => (request.path.endsWith('posts') ? answer('', 404) : location), { path });

	test('is empty where its location exists', async () => {
		const { list, asked } = await of(answer({ data: { id: 'loc_1' } }));
		expect([list.records, list.isList, list.incomplete]).toEqual([[], true, undefined]);
		expect(asked).toEqual(['/locations/loc_1/posts', '/locations/loc_1']);
	});

	test.each([404, 403])('is not found where the location answers %i', async (status) => {
		const { error } = await of(answer('', status));
		expect(error).toMatchObject({ kind: 'rejected', facts: { status: 404, request: { path } } });
	});

	test.each(['/locations', '/locations/{locationId}', '/keywords/{locationId}/scans'])(
		'of %s is not found',
		async (other) => {
			const { error, asked } = await listOf(() => answer('', 404), { path: other });
			expect(error).toMatchObject({ facts: { status: 404 } });
			expect(asked).toHaveLength(1);
		},
	);
});

test.each([
	['rejected', answer({ success: false, message: 'Not today' })],
	['unexpected-response', answer('<html>')],
	['unexpected-response', answer('ok')],
	['unexpected-response', answer(7)],
])('what can not be a list is %s', async (kind, response) => {
	expect((await listOf(() => response)).error).toMatchObject({ kind });
});
