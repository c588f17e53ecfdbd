import type { JsonObject, ServiceError } from '../../../nodes/LocalSeo/client';
import {
	type List,
	readCompleteList,
	readList,
} from '../../../nodes/LocalSeo/client/list/readList';
import { answer, inTurn, type Pages, read, serviceWith, some } from './service';

const listOf = async (pages: Pages, paging = {}) => {
	const { result, ...others } = await read(readList, pages, paging);
	const list = result as List;
	return { list, facts: list.incomplete?.facts, error: result as ServiceError, ...others };
};

const none = () => ({});
const numbered = (page: number) => ({ current_page: page });
const totalOf = (total: unknown) => (page: number) => ({ ...numbered(page), per_page: 15, total });
/** Pages with these records, in their order, and nothing behind them. */
const pagesOf = (pages: unknown[][], meta: (page: number) => JsonObject = none): Pages => {
	return (number = 1) => answer({ data: pages[number - 1] ?? [], meta: meta(number) });
};

describe('a list is complete', () => {
	test.each<[string, Pages, number, number]>([
		['of one page: one request', serviceWith(some(7)), 7, 1],
		['of one full page: one request', serviceWith(some(15)), 15, 1],
		['of 30 in pages of 15: two requests', serviceWith(some(30)), 30, 2],
		['of 40: three requests', serviceWith(some(40)), 40, 3],
		['that is empty', serviceWith([]), 0, 1],
		['that is null', () => answer({ data: null, meta: { total: 0 } }), 0, 1],
		[
			'whose numbers are texts',
			serviceWith(some(40), { meta: (page) => totalOf('40')(page) }),
			40,
			3,
		],
		['that counts its pages from 0, and says so', serviceWith(some(40), { firstPage: 0 }), 40, 3],
		['without a total, at its empty page', serviceWith(some(40), { meta: numbered }), 40, 4],
		[
			'without meta, at its missing page',
			serviceWith(some(40), { meta: none, pastEnd: answer('', 404) }),
			40,
			4,
		],
		[
			'without meta, with a short page in the middle',
			pagesOf([some(15), some(10, 16), some(15, 26)]),
			40,
			4,
		],
		[
			'whose pages are smaller than it says',
			serviceWith(some(40), { meta: (page) => ({ ...totalOf(40)(page), per_page: 1_000 }) }),
			40,
			3,
		],
		[
			'whose pages lack some that were filtered out, one of them all',
			pagesOf([some(15), [], some(15, 16), some(10, 31)], totalOf(40)),
			40,
			4,
		],
		[
			'whose total grows on a later page',
			pagesOf([some(15), some(15, 16), some(1, 31)], (page) => totalOf(page < 2 ? 30 : 31)(page)),
			31,
			3,
		],
	])('%s', async (_, pages, count, requests) => {
		const { list, asked, tookMs } = await listOf(pages);
		expect(list.incomplete).toBeUndefined();
		expect(list.endsWithRepeat).toBe(false);
		expect(list.records).toEqual(some(count));
		expect(asked).toHaveLength(requests);
		expect(tookMs).toBeLessThan(200);
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

	test('with a total, its pages are requested side by side', async () => {
		const { list, most, tookMs } = await listOf(serviceWith(some(1_500)));
		expect(list.records).toEqual(some(1_500));
		expect(most).toBeGreaterThan(4);
		expect(tookMs).toBeLessThan(100 * 20);
	});

	test('if one page fails, the list fails', async () => {
		const pages: Pages = (number, request) =>
			number === 3 ? answer('', 403) : serviceWith(some(90))(number, request);
		expect((await listOf(pages)).error).toMatchObject({ status: 403 });
	});

	test('a limit is served by as many pages as it needs', async () => {
		const { list, asked } = await listOf(serviceWith(some(90)), { limit: 20 });
		expect([list.records, list.isCut, list.total, asked.length]).toEqual([some(20), true, 90, 2]);
		const all = await listOf(serviceWith(some(20)), { limit: 20 });
		expect([all.list.isCut, all.asked.length]).toEqual([false, 2]);
		const endless: Pages = (number = 1) => answer({ data: some(1, number) });
		const few = await listOf(endless, { limit: 20 });
		expect([few.list.records.length, few.list.isCut, few.asked.length]).toEqual([20, true, 20]);
	});
});

describe('a list without a total that gives a page again', () => {
	test.each<[string, Pages, number]>([
		['for every page', () => answer({ data: some(15) }), 15],
		['behind its end', (number = 1) => answer({ data: some(15, number > 1 ? 16 : 1) }), 30],
		['without IDs', () => answer({ data: [{ name: 'a' }, { name: 'a' }] }), 2],
	])('%s ends there, and that is said', async (_, pages, count) => {
		const { list } = await listOf(pages);
		expect([list.records.length, list.incomplete, list.endsWithRepeat]).toEqual([
			count,
			undefined,
			true,
		]);
	});
});

describe('a list is incomplete', () => {
	const overlapping = pagesOf([some(15), some(1, 15)], totalOf(16));
	const nameless = (from: number) => some(15, from).map(({ id }) => ({ name: id as string }));

	test.each<[string, Pages, JsonObject, number]>([
		[
			'whose pages overlap: the 15th comes again in place of the 16th',
			overlapping,
			{ received: 15, total: 16 },
			6,
		],
		[
			'without IDs, whose pages overlap',
			pagesOf([nameless(1), nameless(15)], totalOf(30)),
			{ received: 29, total: 30 },
			6,
		],
		[
			'without a total, whose pages overlap',
			pagesOf([some(15), some(15, 15)]),
			{ received: 29, total: undefined },
			9,
		],
		[
			'with fewer records than its total',
			serviceWith(some(30), { meta: totalOf(40) }),
			{ received: 30, total: 40 },
			9,
		],
		[
			'with more records than its total',
			serviceWith(some(15), { meta: totalOf(13) }),
			{ received: 15, total: 13 },
			3,
		],
		[
			'that is null, with a total',
			() => answer({ data: null, meta: { total: 5 } }),
			{ received: 0, total: 5 },
			3,
		],
		[
			'another one each time',
			inTurn(...[1, 2, 3].map((from) => serviceWith(some(40, from), { meta: totalOf(50) }))),
			{ received: 40, total: 50 },
			12,
		],
	])('%s, at three readings', async (_, pages, expected, requests) => {
		const { list, facts, asked } = await listOf(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', ...expected });
		expect(list.records).toHaveLength(expected.received as number);
		expect(asked).toHaveLength(requests);
		expect((await read(readCompleteList, pages)).result).toMatchObject({ kind: 'incomplete-list' });
	});

	test('whose first page comes again in place of the next, which names the page parameter', async () => {
		const { facts, asked } = await listOf(() => answer({ data: some(15), meta: { total: 40 } }));
		expect(facts).toMatchObject({ received: 15, total: 40, pageParameter: 'page' });
		expect(asked).toHaveLength(3);
	});

	test('and is read again a second later: then it is whole', async () => {
		const { list, tookMs } = await listOf(inTurn(overlapping, serviceWith(some(16))));
		expect([list.records, list.incomplete]).toEqual([some(16), undefined]);
		expect(tookMs).toBeGreaterThan(1_000);
	});

	test('that never ends is left after 10,000 pages', async () => {
		const { facts, asked } = await listOf((number = 1) => answer({ data: some(1, number) }));
		expect(facts).toMatchObject({ received: 10_000, pages: 10_000 });
		expect(asked).toHaveLength(10_000);
	});

	test('however large its total: that is no reason for a thousand requests', async () => {
		const { facts, asked } = await listOf(serviceWith(some(40), { meta: totalOf(1e9) }));
		expect(facts).toMatchObject({ received: 40, total: 1e9 });
		expect(asked.length).toBeLessThan(1_000);
	});
});

describe('a list that breaks the interface', () => {
	test.each<[string, unknown, string]>([
		['no body', '', ''],
		['null', null, ''],
		['an empty object', {}, ''],
		['a message', { message: 'Scheduled maintenance' }, '{"message":"Scheduled maintenance"}'],
		['a record', { data: { id: 'loc_1' } }, '{"data":{"id":"loc_1"}}'],
		['a bare list', [{ id: 'loc_1' }], '[{"id":"loc_1"}]'],
		['another envelope', { items: [] }, '{"items":[]}'],
		['a text', 'ok', 'ok'],
	])('%s is an error that says what came', async (_, body, came) => {
		const { error, asked } = await listOf(() => answer(body));
		expect(error.facts).toMatchObject({ kind: 'unexpected-response', expected: 'list', came });
		expect(asked).toHaveLength(1);
	});

	test('a success without data that reports a failure is refused, with its words', async () => {
		const body = { success: false, data: [], message: 'Not today' };
		const { error } = await listOf(() => answer(body));
		expect(error.facts).toMatchObject({ kind: 'rejected', said: { text: 'Not today' } });
	});

	test('a web page is asked for again, and then an error', async () => {
		const { error, asked } = await listOf(() => answer('<html><title>Welcome</title></html>'));
		expect(error.facts).toMatchObject({ kind: 'unexpected-response', came: 'Welcome' });
		expect(asked.length).toBeGreaterThan(2);
	});

	test('errors beside data are those of the records', async () => {
		const { list } = await listOf(() =>
			answer({ data: some(2), errors: ['One was left out'], meta: { total: 2 } }),
		);
		expect(list.records).toEqual(some(2));
	});
});
