import type { HttpResponse, JsonObject, ServiceError } from '../../../nodes/LocalSeo/client';
import { type List, readList } from '../../../nodes/LocalSeo/client/list/readList';
import { answer, type Pages, read, serviceWith, some } from './service';

// Signs that a list has more than it seems, and forms in which a list may come.

const listOf = async (pages: Pages, paging = {}) => {
	const { result, ...others } = await read(readList, pages, paging);
	const list = result as List;
	return { list, facts: list.incomplete?.facts, error: result as ServiceError, ...others };
};

describe('a total without data', () => {
	test.each([
		{ meta: { total: 60 } },
		{ data: null, meta: { total: 60 } },
		{ data: {}, meta: { total: '60' } },
	])('%j is incomplete, after one request more', async (body) => {
		const { list, facts, asked } = await listOf(() => answer(body));
		expect(list.records).toEqual([]);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 0, total: 60 });
		expect(asked).toHaveLength(2);
	});

	test('on a later page is no end', async () => {
		const pages: Pages = (number, request) =>
			number === 2 ? answer({ meta: { total: 40 } }) : serviceWith(some(40))(number, request);
		const { facts, asked } = await listOf(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 15, total: 40 });
		expect(asked).toHaveLength(6);
	});

	test('behind the end says nothing', async () => {
		const past = answer({ meta: { total: 30 } });
		const { list, asked } = await listOf(
			serviceWith(some(30), { meta: () => ({}), pastEnd: past }),
		);
		expect([list.records.length, list.incomplete, asked.length]).toEqual([30, undefined, 3]);
	});

	test('a total of none is an empty list', async () => {
		const { list, asked } = await listOf(() => answer({ meta: { total: 0 } }));
		expect([list.records, list.incomplete, asked.length]).toEqual([[], undefined, 1]);
	});
});

describe('a first page that is full, and its total is its own length', () => {
	const own = (records: unknown[], size = 15): Pages => {
		const service = serviceWith(records, { pageSize: size });
		return (number, request) => {
			const { data } = service(number, request).body as { data: unknown[] };
			return answer({
				data,
				meta: { current_page: number ?? 1, per_page: size, total: data.length },
			});
		};
	};

	test.each([
		[40, 3],
		[30, 3],
		[16, 2],
	])('of %i, where each page counts itself: all, with %i requests', async (count, requests) => {
		const { list, asked, tookMs } = await listOf(own(some(count)));
		expect([list.records, list.incomplete]).toEqual([some(count), undefined]);
		expect(asked).toHaveLength(requests);
		expect(tookMs).toBeLessThan(200);
	});

	test.each<[string, Pages]>([
		['is all', serviceWith(some(15))],
		['is all, and the next one is missing', serviceWith(some(15), { pastEnd: answer('', 404) })],
		['is all, and the next one is refused', serviceWith(some(15), { pastEnd: answer('', 422) })],
		['is all, whatever page is asked for', () => answer({ data: some(15), meta: { total: 15 } })],
	])('%s: one request more', async (_, pages) => {
		const { list, asked, tookMs } = await listOf(pages);
		expect([list.records, list.incomplete, list.isFirstPageOnly]).toEqual([
			some(15),
			undefined,
			false,
		]);
		expect(asked).toHaveLength(2);
		expect(tookMs).toBeLessThan(100);
	});

	test.each<[string, Pages, object]>([
		['which is not full', serviceWith(some(7)), {}],
		[
			'which is not full, by the size that was asked for',
			serviceWith(some(15), { meta: () => ({ total: 15 }) }),
			{ pageSize: 100 },
		],
		[
			'which says that it is the last',
			() => answer({ data: some(15), meta: { per_page: 15, total: 15, last_page: 1 } }),
			{},
		],
		[
			'which says that there is none behind it',
			() => answer({ data: some(15), meta: { per_page: 15, total: 15 }, links: { next: null } }),
			{},
		],
		['of a limit', serviceWith(some(15)), { limit: 15 }],
	])('%s: no request more', async (_, pages, paging) => {
		expect((await listOf(pages, paging)).asked).toHaveLength(1);
	});

	test('one that someone adds to meanwhile is complete', async () => {
		const pages: Pages = (number, request) =>
			serviceWith(some(number === 2 ? 16 : 15))(number, request);
		const { list, asked } = await listOf(pages);
		expect([list.records, list.incomplete, asked.length]).toEqual([some(16), undefined, 2]);
	});
});

describe('a list as an object with whole numbers as keys', () => {
	const keyed = (records: JsonObject[], from = 0) =>
		Object.fromEntries(records.map((record, at) => [from + at, record]));

	test('is a list, also on the pages behind the first', async () => {
		const { meta: said } = {
			meta: (page: number) => ({ current_page: page, per_page: 15, total: 40 }),
		};
		const pages: Pages = (number = 1) => {
			const from = 15 * (number - 1);
			return answer({ data: keyed(some(40).slice(from, from + 15), from), meta: said(number) });
		};
		const { list, asked } = await listOf(pages);
		expect(list).toMatchObject({ records: some(40), isList: true });
		expect([list.incomplete, asked.length]).toEqual([undefined, 3]);
	});

	test.each<[string, unknown, number]>([
		['of one', { data: { 15: { id: 'a' } } }, 1],
		['without an envelope', { 0: { id: 'a' }, 2: { _id: 'b' } }, 2],
	])('%s', async (_, body, count) => {
		const { list } = await listOf(() => answer(body));
		expect([list.records.length, list.isList]).toEqual([count, true]);
	});

	test.each([
		{ data: { 2025: { views: 1 }, 2026: { views: 2 } } },
		{ data: { 1: { id: 'a' }, total: { id: 'b' } } },
		{ data: { '-1': { id: 'a' } } },
		{ data: { 1: 'a' } },
	])('%j is a record', async (body) => {
		const { list } = await listOf(() => answer(body));
		expect(list).toMatchObject({ records: [body.data], isList: false });
	});
});

describe('a total that two equal readings overrule', () => {
	const meta = (total: number) => (page: number) => ({ current_page: page, per_page: 15, total });

	test.each([45, 20])('%i of 40 is said', async (total) => {
		const pages = serviceWith(some(40), {
			meta: (page) => ({ ...meta(total)(page), has_more: page < 3 }),
		});
		const { list } = await listOf(pages);
		expect(list).toMatchObject({ records: some(40), total, isTotalWrong: true });
		expect(list.incomplete).toBeUndefined();
	});

	test.each<[string, Pages]>([
		['that is right', serviceWith(some(40))],
		['that counts a record twice, as the list does', serviceWith([...some(20), ...some(3)])],
		['there is none', serviceWith(some(40), { meta: () => ({}) })],
	])('%s: nothing is said', async (_, pages) => {
		expect((await listOf(pages)).list.isTotalWrong).toBe(false);
	});
});

test('a list that never ends is read once', async () => {
	const pages: Pages = (number = 1) => answer({ data: some(1, number) });
	const { facts, asked, list } = await listOf(pages);
	expect(facts).toMatchObject({ kind: 'incomplete-list', received: 10_000, pages: 10_000 });
	expect([asked.length, list.records.length]).toEqual([10_000, 10_000]);
});

test('a list that never ends is enough for who wants some', async () => {
	const pages: Pages = (number = 1) => answer({ data: some(1, number) });
	const { list, asked } = await listOf(pages, { limit: 20 });
	expect([list.records.length, list.incomplete, asked.length]).toEqual([20, undefined, 20]);
});

const page = (response: HttpResponse) => async () => (await listOf(() => response)).error;

test('a reading of a list denies itself only where it has no data', async () => {
	const denied = await page(answer({ data: [], errors: ['Not today'] }))();
	expect(denied).toMatchObject({ kind: 'rejected' });
	const { list } = await listOf(() => answer({ data: some(2), errors: ['One was left out'] }));
	expect(list.records).toEqual(some(2));
});
