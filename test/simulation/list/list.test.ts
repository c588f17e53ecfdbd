import type { JsonObject, ServiceError } from '../../../nodes/LocalSeo/client';
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
const overlapping = pagesOf([some(15), some(1, 15)], totalOf(16));
const filtered = pagesOf([some(15), [], some(15, 16), some(10, 31)], totalOf(40));
const uneven = pagesOf([some(15), some(10, 16), some(15, 26)]);
const closed = serviceWith(some(40), { pastEnd: { status: 404 } }, none);
const empty = { data: null, meta: { total: 0 } };

test.each<[string, Pages, number, number]>([
	['of one page: one request', serviceWith(some(7)), 7, 1],
	['of one full page: one request', serviceWith(some(15)), 15, 1],
	['of 30 in pages of 15: two requests', serviceWith(some(30)), 30, 2],
	['of 40: three requests', serviceWith(some(40)), 40, 3],
	['that is empty', serviceWith([]), 0, 1],
	['that is null', () => answer(empty), 0, 1],
	['whose numbers are texts', serviceWith(some(40), {}, totalOf('40')), 40, 3],
	['that counts from 0, and says so', serviceWith(some(40), { firstPage: 0 }), 40, 3],
	['without a total, at its empty page', serviceWith(some(40), {}, numbered), 40, 4],
	['without meta, at its missing page', closed, 40, 4],
	['without meta, with a short page in the middle', uneven, 40, 4],
	['whose pages are smaller than it says', serviceWith(some(40), {}, largePages), 40, 3],
	['whose pages lack some that were filtered out, one of them all', filtered, 40, 4],
	['whose total grows', pagesOf([some(15), some(15, 16), some(1, 31)], growing), 31, 3],
])('a list is complete %s', async (_, pages, count, requests) => {
	const { list, asked, tookMs } = await listOf(pages);
	expect([list.incomplete, list.endsWithRepeat]).toEqual([undefined, false]);
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

test.each<[string, Pages, boolean, number | undefined, number]>([
	['of a longer list', serviceWith(some(90)), true, 90, 2],
	['of a list that is as long', serviceWith(some(20)), false, 20, 2],
	['of a list without an end', endless, true, undefined, 20],
])('a limit of 20 is served by as many pages as it needs, %s', async (_, pages, ...expected) => {
	const { list, asked } = await listOf(pages, { limit: 20 });
	expect(list.records).toEqual(some(20));
	expect([list.isCut, list.total, asked.length]).toEqual(expected);
});

test.each<[string, Pages, number]>([
	['for every page', () => answer({ data: some(15) }), 15],
	['behind its end', (number = 1) => answer({ data: some(15, number > 1 ? 16 : 1) }), 30],
	['without IDs', () => answer({ data: [{ name: 'a' }, { name: 'a' }] }), 2],
])(
	'a list without a total ends where a page comes again, which is said: %s',
	async (_, pages, count) => {
		const { list } = await listOf(pages);
		expect([list.records.length, list.incomplete, list.endsWithRepeat]).toEqual([
			count,
			undefined,
			true,
		]);
	},
);

describe('a list is incomplete', () => {
	const another = [1, 2, 3].map((from) => serviceWith(some(40, from), {}, totalOf(50)));

	test.each<[string, Pages, [received: number, total?: number], number]>([
		['whose 15th comes again in place of the 16th', overlapping, [15, 16], 6],
		['without IDs, the same', pagesOf([nameless(1), nameless(15)], totalOf(30)), [29, 30], 6],
		['without a total, whose pages overlap', pagesOf([some(15), some(15, 15)]), [29], 9],
		['with fewer records than its total', serviceWith(some(30), {}, totalOf(40)), [30, 40], 9],
		['with more of them', serviceWith(some(15), {}, totalOf(13)), [15, 13], 3],
		['that is null, with a total', () => answer({ data: null, meta: { total: 5 } }), [0, 5], 3],
		['another one each time', inTurn(...another), [40, 50], 12],
	])('%s, at three readings', async (_, pages, [received, total], requests) => {
		const { list, facts, asked } = await listOf(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received, total });
		expect(list.records).toHaveLength(received);
		expect(asked).toHaveLength(requests);
		expect((await read(readCompleteList, pages)).result).toMatchObject({ kind: 'incomplete-list' });
	});

	test('and is read again a second later: then it is whole', async () => {
		const { list, tookMs } = await listOf(inTurn(overlapping, serviceWith(some(16))));
		expect([list.records, list.incomplete]).toEqual([some(16), undefined]);
		expect(tookMs).toBeGreaterThan(1_000);
	});

	test('that never ends is left after 10,000 pages', async () => {
		const { facts, asked } = await listOf(endless);
		expect(facts).toMatchObject({ received: 10_000, pages: 10_000 });
		expect(asked).toHaveLength(10_000);
	});

	test('however large its total: that is no reason for a thousand requests', async () => {
		const { facts, asked } = await listOf(serviceWith(some(40), {}, totalOf(1e9)));
		expect(facts).toMatchObject({ received: 40, total: 1e9 });
		expect(asked.length).toBeLessThan(1_000);
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
		if (isShown && !list.incomplete && !list.endsWithRepeat)
			expect(list.records).toEqual(expect.arrayContaining([...always]));
		if (changes.length === 0) expect(list.incomplete).toBeUndefined();
	});
	await fc.assert(holds, { numRuns: 500 });
});

test.each([
	{ success: false, data: [] },
	{ ok: false, data: some(2) },
	{ errors: ['x'], data: [] },
])('a success that reports a failure is refused, with its words: %j', async (body) => {
	const { error } = await listOf(() => answer({ ...body, message: 'Not today' }));
	expect(error.facts).toMatchObject({ kind: 'rejected', said: { text: 'Not today' } });
});
