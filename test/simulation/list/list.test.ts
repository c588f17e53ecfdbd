import type { JsonObject, Paging, ServiceError } from '../../../nodes/LocalSeo/client';
import {
	type List,
	readCompleteList,
	readList,
} from '../../../nodes/LocalSeo/client/list/readList';
import { fc } from '../../support/random';
import { answer, inTurn, type Pages, read, serviceWith, some } from './service';

const listOf = async (pages: Pages, paging = {}) => {
	const { result, ...others } = await read(readList, pages, paging);
	const list = result as List;
	return { list, facts: list.incomplete?.facts, error: result as ServiceError, ...others };
};

const none = () => ({});
const numbered = (page: number) => ({ current_page: page });
const totalOf = (total: unknown) => (page: number) => ({ ...numbered(page), per_page: 15, total });
const largePages = (page: number) => ({ ...totalOf(40)(page), per_page: 1_000 });
const growing = (page: number) => totalOf(page < 2 ? 30 : 31)(page);
/** Pages with these records, in their order, and nothing behind them. */
const pagesOf = (pages: unknown[][], meta: (page: number) => JsonObject = none): Pages => {
	return (number = 1) => answer({ data: pages[number - 1] ?? [], meta: meta(number) });
};
const nameless = (from: number) => some(15, from).map(({ id }) => ({ name: id }));
const endless: Pages = (number = 1) => answer({ data: some(1, number) });
/** The total counts the records of the page. */
const counted = totalOf(15);
const overlapping = pagesOf([some(15), some(1, 15)], totalOf(16));
const filtered = pagesOf([some(15), some(5, 16), some(15, 21), some(5, 36)], totalOf(40));
const uneven = pagesOf([some(15), some(10, 16), some(15, 26)]);
const missing = { pastEnd: { status: 404 } };
const clamped = { pastEnd: 'clamped' as const };
const bare = () => ({ total: 15 });
const late = (page: number) => totalOf(page === 1 ? 15 : 16)(page);
const closed = serviceWith(some(40), missing, none);
const empty = { data: null, meta: { total: 0 } };

test.each<[string, Pages, number, number]>([
	['of one page: one request', serviceWith(some(7)), 7, 1],
	['of one full page that says it is all: page 2 is asked for', serviceWith(some(15)), 15, 2],
	['the same, where page 2 is missing', serviceWith(some(15), missing), 15, 2],
	['the same, where page 2 is page 1 again', serviceWith(some(15), clamped), 15, 2],
	[
		'of one page that may be full: only a page size says so',
		serviceWith(some(15), {}, bare),
		15,
		1,
	],
	['of 30 in pages of 15: two requests', serviceWith(some(30)), 30, 2],
	['of 40: three requests', serviceWith(some(40)), 40, 3],
	['that is empty', serviceWith([]), 0, 1],
	['that is null', () => answer(empty), 0, 1],
	['whose numbers are texts', serviceWith(some(40), {}, totalOf('40')), 40, 3],
	['that counts from 0, and says so', serviceWith(some(40), { firstPage: 0 }), 40, 3],
	['without a total, at its empty page', serviceWith(some(40), {}, numbered), 40, 4],
	['without meta, at its missing page', closed, 40, 5],
	['that counts from 0, and says nothing', serviceWith(some(40), { firstPage: 0 }, none), 40, 4],
	['without meta, with a short page in the middle', uneven, 40, 5],
	['whose pages are smaller than it says', serviceWith(some(40), {}, largePages), 40, 3],
	['whose pages lack some that were filtered out', filtered, 40, 4],
	['that grows behind a full page', pagesOf([some(15), some(1, 16)], late), 16, 2],
	['whose total grows', pagesOf([some(15), some(15, 16), some(1, 31)], growing), 31, 3],
])('a list is complete %s', async (_, pages, count, requests) => {
	const { list, asked, tookMs } = await listOf(pages);
	expect(list.incomplete).toBeUndefined();
	expect(list.records).toEqual(some(count));
	expect(asked).toHaveLength(requests);
	expect(tookMs).toBeLessThan(200);
});

test('with a total, its pages are requested side by side', async () => {
	const { list, tookMs } = await listOf(serviceWith(some(600)));
	expect(list.records).toEqual(some(600));
	expect(tookMs).toBeLessThan((40 * 20) / 4);
});

test('if one page fails, the list fails', async () => {
	const pages: Pages = (number, request) =>
		number === 3 ? answer('', 403) : serviceWith(some(90))(number, request);
	expect((await listOf(pages)).error).toMatchObject({ status: 403 });
});

test.each([15, 7])('a limit of %i is served by a full page of 15', async (limit) => {
	const { list, asked } = await listOf(serviceWith(some(15)), { limit });
	expect([list.records, asked.length]).toEqual([some(limit), 1]);
});

test.each<[string, Pages, boolean, number | undefined, number]>([
	['of a longer list', serviceWith(some(90)), true, 90, 2],
	['of a list that is as long', serviceWith(some(20)), false, 20, 2],
	['of a list without an end', endless, true, undefined, 21],
	['of one that counts only its page', serviceWith(some(40), {}, counted), true, 15, 2],
])('a limit of 20 is served by as many pages as it needs, %s', async (_, pages, ...expected) => {
	const { list, asked } = await listOf(pages, { limit: 20 });
	expect(list.records).toEqual(some(20));
	expect([list.isCut, list.total, asked.length]).toEqual(expected);
});

describe('a list is incomplete', () => {
	const another = [1, 2, 3].map((from) => serviceWith(some(40, from), {}, totalOf(50)));
	const of20 = pagesOf([some(15), some(5, 16)], (page) => totalOf(page === 1 ? 15 : 5)(page));
	const sized = pagesOf([some(15), some(5, 16)], () => ({ total: 15 }));
	const ignored = { pageParameter: 'ignored' as const };

	test.each<[string, Pages, [received: number, total?: number], number, Partial<Paging>?]>([
		['whose 15th comes again in place of the 16th', overlapping, [15, 16], 9],
		['without IDs, the same', pagesOf([nameless(1), nameless(15)], totalOf(30)), [29, 30], 9],
		['with fewer records than its total', serviceWith(some(30), {}, totalOf(40)), [30, 40], 9],
		['with more of them', serviceWith(some(15), {}, totalOf(13)), [15, 13], 3],
		['that is null, with a total', () => answer({ data: null, meta: { total: 5 } }), [0, 5], 3],
		['another one each time', inTurn(...another), [40, 50], 12],
		['whose total counts the page, and another one has more', of20, [20, 15], 6],
		['the same, by the page size that was asked for', sized, [20, 15], 9, { pageSize: 15 }],
		['whose empty page comes before its end', pagesOf([some(15), []], totalOf(40)), [15, 40], 9],
		['that gives the same page for every page', () => answer({ data: some(15) }), [15], 3],
		['the same, with a total', serviceWith(some(40), ignored), [15, 40], 3],
		['without IDs, the same page', () => answer({ data: [{ name: 'a' }, { name: 'a' }] }), [1], 3],
		['without a total, whose last page comes again', serviceWith(some(40), clamped, none), [40], 5],
	])(
		'%s: three readings, or one where the same page came again',
		async (_, pages, [received, total], requests, paging = {}) => {
			const { list, facts, asked } = await listOf(pages, paging);
			expect(facts).toMatchObject({ kind: 'incomplete-list', received, total });
			expect(list.records).toHaveLength(received);
			expect(asked).toHaveLength(requests);
			const { result } = await read(readCompleteList, pages, paging);
			expect(result).toMatchObject({ kind: 'incomplete-list' });
		},
	);

	test('and is read again a second later: then it is whole', async () => {
		const { list, tookMs } = await listOf(inTurn(overlapping, serviceWith(some(16))));
		expect([list.records, list.incomplete]).toEqual([some(16), undefined]);
		expect(tookMs).toBeGreaterThan(1_000);
	});

	test('that never ends is left after 10,000 pages', async () => {
		const { facts, asked } = await listOf(endless);
		expect(facts).toMatchObject({ received: 9_999, pages: 10_000 });
		expect(asked).toHaveLength(10_000);
	});

	test.each([150_001, 20_000_000, 1e14])(
		'with a total of %i in pages of 15, which are more than are read: at once',
		async (total) => {
			const { facts, asked } = await listOf(serviceWith(some(40), {}, totalOf(total)));
			expect(facts).toMatchObject({ received: 15, total, pages: 10_000 });
			expect(asked).toHaveLength(1);
			const { list } = await listOf(serviceWith(some(40), {}, totalOf(total)), { limit: 40 });
			expect([list.incomplete, list.records.length]).toEqual([undefined, 40]);
		},
	);

	test('an error that says how many records came, where a later page is refused', async () => {
		const said = { message: 'Only 1,000 records can be read' };
		const pages: Pages = (number = 1, request) =>
			number > 3 ? answer(said, 422) : serviceWith(some(90))(number, request);
		const { error, asked } = await listOf(pages);
		const facts = { kind: 'rejected', status: 422, received: 45, total: 90, pageParameter: 'page' };
		expect(error.facts).toMatchObject({ ...facts, said: { text: said.message } });
		expect(asked).toHaveLength(6);
	});

	test('with the name of the page parameter, where a page came again', async () => {
		for (const pages of [() => answer({ data: some(15) }), serviceWith(some(40), ignored)]) {
			expect((await listOf(pages)).facts).toMatchObject({ pageParameter: 'page' });
		}
	});
});

describe('without a page parameter, one page is all', () => {
	const one = { pageParameter: '' };

	test.each<[string, Pages]>([
		['without meta', () => answer({ data: some(15) })],
		['with a total, full', serviceWith(some(15))],
		['with a total', serviceWith(some(7))],
		['empty', () => answer({ data: null })],
	])('%s: one request', async (_, pages) => {
		const { list, asked } = await listOf(pages, one);
		expect([list.incomplete, asked]).toEqual([undefined, [{}]]);
	});

	test('unless its total says otherwise', async () => {
		const { list, facts, asked } = await listOf(serviceWith(some(40)), one);
		expect(facts).toMatchObject({ received: 15, total: 40, pageParameter: '' });
		expect([list.records, asked]).toEqual([some(15), [{}]]);
	});
});

test('a list that changes while it is read has all that was there all the time, or says it has not', async () => {
	const change = fc.record({
		atPage: fc.integer({ min: 1, max: 12 }),
		isAdded: fc.boolean(),
		place: fc.integer({ min: 0, max: 50 }),
	});
	const world = fc.record({
		count: fc.integer({ min: 0, max: 60 }),
		pageSize: fc.constantFrom(1, 3, 15),
		hasTotal: fc.boolean(),
		changes: fc.array(change, { maxLength: 3 }),
	});
	const holds = fc.asyncProperty(world, async ({ count, pageSize, hasTotal, changes }) => {
		const records = some(count);
		const always = new Set(records);
		let requests = 0;
		const pages: Pages = (number, request) => {
			requests++;
			for (const { isAdded, place } of changes.filter(({ atPage }) => atPage === requests)) {
				const at = place % (records.length + 1);
				if (isAdded) records.splice(at, 0, { id: `new_${requests}_${place}` });
				else for (const gone of records.splice(at, 1)) always.delete(gone);
			}
			return serviceWith(records, { pageSize }, hasTotal ? undefined : numbered)(number, request);
		};
		const { list } = await listOf(pages);
		const ids = list.records.map((one) => (one as JsonObject).id);
		expect(new Set(ids).size).toBe(ids.length);
		// A record that goes lets another one slip away. A total shows that, unless one comes as well.
		const has = (what: boolean) => changes.some(({ isAdded }) => isAdded === what);
		const isShown = !has(false) || (hasTotal && !has(true));
		if (isShown && !list.incomplete)
			expect(list.records).toEqual(expect.arrayContaining([...always]));
		if (changes.length === 0) expect(list.incomplete).toBeUndefined();
	});
	await fc.assert(holds, { numRuns: 500 });
});
