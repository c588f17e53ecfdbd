import type { HttpRequest, HttpResponse, JsonObject } from '../../nodes/LocalSeo/client';
import { readOnce, readOrPeek } from '../../nodes/LocalSeo/client/lists/readRecords';
import { clock, date, page, type Pages, read, refusal } from '../support/pages';

const recordOf = (id: number) => ({ id: `loc_${id}` });
const many = (count: number) => Array.from({ length: count }, (_, index) => recordOf(index));

/** A service with so many records, which says of its pages what a test wants it to. */
const service =
	(
		count: number,
		size: number,
		meta: (number: number) => JsonObject,
		{ from = 1, past = page([]) as HttpResponse, others = {} as JsonObject } = {},
	): Pages =>
	(number = from) => {
		const start = (number - from) * size;
		if (start >= count && number > from) return { ...past, headers: { date: date() } };
		return page(many(count).slice(start, start + size), meta(number), others);
	};

/** The pages of these records. */
const listed =
	(records: unknown[], size: number, meta: (number: number) => JsonObject): Pages =>
	(number = 1) =>
		page(records.slice(size * (number - 1), size * number), meta(number));

/** A list that is another one each time it is read; the last one stays. */
const inTurn = (...readings: Pages[]): Pages => {
	let count = 0;
	return (number, request) => {
		if (number === undefined) count++;
		return readings[Math.min(count, readings.length) - 1](number, request);
	};
};
const readingsIn = (asked: Array<number | undefined>) =>
	asked.filter((number) => number === undefined).length;

const all = (count: number, size: number) => (number: number) => ({
	current_page: number,
	per_page: size,
	total: count,
});

describe('a list', () => {
	test.each<[string, Pages, number, number]>([
		['that says everything', service(40, 15, all(40, 15)), 40, 3],
		['whose last page is full', service(30, 15, all(30, 15)), 30, 3],
		['of one page', service(7, 15, all(7, 15)), 7, 1],
		['that is empty', service(0, 15, all(0, 15)), 0, 1],
		['that says no total', service(40, 15, (number) => ({ current_page: number })), 40, 5],
		['that says nothing', service(40, 15, () => ({})), 40, 6],
		['that counts from 0', service(40, 15, all(40, 15), { from: 0 }), 40, 3],
		[
			'that counts from 0 and does not say so',
			service(40, 15, () => ({ total: 40 }), { from: 0 }),
			40,
			5,
		],
		[
			'that ends with a 404',
			service(40, 15, (number) => ({ current_page: number }), { past: refusal(404) }),
			40,
			4,
		],
		[
			'that ends with a 400',
			service(40, 15, (number) => ({ current_page: number }), { past: refusal(400) }),
			40,
			4,
		],
		[
			'that ends with no content',
			service(40, 15, (number) => ({ current_page: number }), { past: refusal(204) }),
			40,
			5,
		],
		[
			'whose total is that of each page',
			service(40, 15, (number) => ({ current_page: number, total: number < 3 ? 15 : 10 })),
			40,
			5,
		],
		[
			'whose total is too small',
			service(40, 15, (number) => ({ current_page: number, total: 20 })),
			40,
			8,
		],
		[
			'that says that there is more',
			service(40, 15, (number) => ({ has_more: number < 3 })),
			40,
			4,
		],
	])('%s is read whole', async (_, pages, count, most) => {
		const { result, asked } = await read(pages);
		expect(result).toEqual(many(count));
		expect(asked.length).toBeLessThanOrEqual(most);
		expect(asked[0]).toBeUndefined();
	});

	/** A list from whose pages some records were filtered out, so that they differ in size. */
	const filtered =
		(sizes: number[], meta: (number: number) => JsonObject): Pages =>
		(number = 1) => {
			const start = sizes.slice(0, number - 1).reduce((sum, size) => sum + size, 0);
			return page(many(start + (sizes[number - 1] ?? 0)).slice(start), meta(number));
		};
	const more = (number: number) => ({ current_page: number, has_more: number < 4 });

	test.each<[string, Pages, number, number]>([
		['if no total is said', filtered([15, 10, 15], (number) => ({ current_page: number })), 40, 4],
		['up to the total', filtered([15, 10, 10, 5], all(40, 15)), 40, 4],
		['if the total is too low, and twice then', filtered([15, 10, 12, 3], all(20, 15)), 40, 10],
		[
			'as long as there is said to be more, and twice if the total is too low',
			filtered([15, 10, 12, 3], (number) => ({ ...all(25, 15)(number), ...more(number) })),
			40,
			8,
		],
		['also where the first one is empty', filtered([0, 5], all(5, 15)), 5, 2],
		[
			'also where the first one is empty, and none is numbered',
			filtered([0, 5], () => ({ total: 5, per_page: 15 })),
			5,
			2,
		],
		['also where the second one is empty', filtered([15, 0, 10], more), 25, 4],
		[
			'also where two in the middle are empty',
			filtered([15, 0, 0, 15, 15], () => ({ total: 45, per_page: 15 })),
			45,
			7,
		],
	])('whose pages are not all full is read whole %s', async (_, pages, count, most) => {
		const { result, asked } = await read(pages);
		expect(result).toEqual(many(count));
		expect(asked.length).toBeLessThanOrEqual(most);
	});

	test('goes on behind a page that shows the records of the one before, and says that it is another', async () => {
		const rows = [many(2), many(2), many(4).slice(2)];
		const pages: Pages = (number = 1) => page(rows[number - 1] ?? [], all(4, 2)(number));
		const { result } = await read(pages, {}, readOnce);
		expect(result).toMatchObject({ records: many(4) });
	});

	test('is read as far as the limit asks for', async () => {
		const pages = service(1_000, 10, all(1_000, 10));
		for (const [limit, most] of [
			[1, 1],
			[10, 1],
			[11, 2],
			[35, 4],
		]) {
			const { result, asked } = await read(pages, { limit });
			expect(result).toEqual(many(limit));
			expect(asked.length).toBe(most);
		}
	});

	test('is asked for with the names and the size that are set', async () => {
		const queries: JsonObject[] = [];
		const pages: Pages = (_, { query }) => {
			queries.push(query);
			const number = Number(query.p ?? 1);
			return page(many(4).slice(2 * number - 2, 2 * number), all(4, 2)(number));
		};
		const paging = { pageParameter: 'p', pageSizeParameter: 'size', pageSize: 2 };
		expect((await read(pages, paging)).result).toEqual(many(4));
		expect(queries.slice(0, 2)).toEqual([{ size: 2 }, { size: 2, p: 2 }]);
	});

	test('that is long is read many pages at a time', async () => {
		const from = clock.now();
		const { result, asked } = await read(service(3_000, 15, all(3_000, 15)));
		expect(result).toEqual(many(3_000));
		expect(asked.length).toBeLessThanOrEqual(201);
		// 200 pages one after the other would take 4 s.
		expect(clock.now() - from).toBeLessThan(1_000);
	});

	test('that is long is read a few pages at first, and never more than 64 at a time', async () => {
		const answeredAt = new Map<number, number>();
		const from = clock.now();
		const pages = service(9_000, 15, all(9_000, 15));
		await read((number, request) => {
			const now = clock.now() - from;
			answeredAt.set(now, (answeredAt.get(now) ?? 0) + 1);
			return pages(number, request);
		});
		const counts = [...answeredAt.values()];
		expect(counts.slice(0, 2)).toEqual([1, 2]);
		expect(Math.max(...counts)).toBe(64);
	});

	test('and fails on a later page is an error, and not short', async () => {
		const failing =
			(status: number): Pages =>
			(number, request) =>
				number === 4 ? refusal(status) : service(900, 15, all(900, 15))(number, request);
		const { facts, asked } = await read(failing(403));
		expect(facts).toMatchObject({ kind: 'rejected', status: 403 });
		expect(asked.length).toBeLessThan(12);
		expect(new Set(asked).size).toBe(asked.length);
	});

	test('and fails on several pages at once is the error of the first one', async () => {
		const pages: Pages = (number = 1, request) =>
			number > 3 ? refusal(400 + number) : service(900, 15, all(900, 15))(number, request);
		const { facts } = await read(pages);
		expect(facts).toMatchObject({ kind: 'rejected', status: 405 });
	});

	test('of one record, or of none, comes as it is', async () => {
		expect((await read(() => page(recordOf(1)))).result).toEqual([recordOf(1)]);
		expect((await read(() => page(null))).result).toEqual([]);
		expect((await read(() => refusal(204))).result).toEqual([]);
	});

	test('of which enough has come is not asked for more, also where there is more', async () => {
		const more = (number: number) => ({ has_more: number < 3 });
		for (const limit of [15, 7]) {
			const { result, asked } = await read(service(40, 15, more), { limit });
			expect(result).toEqual(many(limit));
			expect(asked).toEqual([undefined]);
		}
		const two = await read(service(40, 15, more), { limit: 30 });
		expect(two.result).toEqual(many(30));
		expect(two.asked).toEqual([undefined, 2]);
	});

	test('is not asked for its second page again where it can not have been left out', async () => {
		for (const meta of [{ total: 0 }, {}]) {
			const none = await read(service(0, 15, () => meta));
			expect(none.asked).toEqual([undefined]);
		}
		const one = await read(service(7, 15, () => ({ has_more: false })));
		expect(one.asked).toEqual([undefined]);
		const unnumbered = await read(() => page(many(7)));
		expect(unnumbered.asked).toEqual([undefined, 2]);
	});

	test('keeps records without an ID, also equal ones', async () => {
		const pages: Pages = () => page([{ name: 'a' }, { name: 'a' }], { total: 2, per_page: 15 });
		expect((await read(pages)).result).toEqual([{ name: 'a' }, { name: 'a' }]);
	});
});

describe('a list that can not be seen to its end', () => {
	/** Pages from the third one on, of four, are another response. */
	const capped =
		(response: () => HttpResponse, meta: (number: number) => JsonObject = all(60, 15)): Pages =>
		(number = 1) =>
			number > 2 ? response() : page(many(60).slice(15 * number - 15, 15 * number), meta(number));
	const refused = (status: number) => () => refusal(status);

	test.each<[string, Pages]>([
		['refused with 400', capped(refused(400))],
		['refused with 404', capped(refused(404))],
		['refused with 422', capped(refused(422))],
		['the last one again', capped(() => page(many(60).slice(15, 30), all(60, 15)(2)))],
		[
			'refused, although there is said to be more',
			capped(refused(422), (number) => ({ current_page: number, has_more: true })),
		],
		[
			'refused before the last one',
			capped(refused(404), (number) => ({ current_page: number, last_page: 4 })),
		],
		[
			'refused, and their size is not stated',
			capped(refused(404), (number) => ({ current_page: number, total: 60 })),
		],
	])('is incomplete, and not short: its pages are %s', async (_, pages) => {
		const { facts } = await read(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 30 });
		expect((await read(pages, { limit: 30 })).result).toEqual(many(30));
	});

	test.each([
		['all', [12, 12], 60],
		['all, and no more than full pages would hold', [12, 12], 30],
		['the last one', [15, 12], 60],
	])(
		'is incomplete too where its pages before one that is refused lack records: %s',
		async (_, sizes, total) => {
			const lacking: Pages = (number = 1) =>
				number > 2
					? refusal(422)
					: page(many(15 * number).slice(-sizes[number - 1]), all(total, 15)(number));
			const received = sizes[0] + sizes[1];
			expect((await read(lacking)).facts).toMatchObject({ kind: 'incomplete-list', received });
		},
	);

	test.each<[string, Pages, number]>([
		['counts what it does not show', capped(refused(404), all(31, 20)), 30],
		['is far too large', capped(() => page([], all(1e9, 15)(3)), all(1e9, 15)), 30],
		['counts more than a last page with room shows', capped(refused(404), all(60, 16)), 30],
		[
			'counts what a last page with room does not show, before one that is refused',
			(number = 1) =>
				number > 2
					? refusal(422)
					: page(many(16 * number).slice(number === 1 ? -16 : -14), all(32, 16)(number)),
			30,
		],
		[
			'shows nothing on a page between others',
			(number = 1) => page(number === 2 ? [] : many(15 * number).slice(-15), all(45, 15)(number)),
			30,
		],
	])('is whole if the total only %s', async (_, pages, count) => {
		const whole: Pages = (number = 1, request) =>
			number > 3 ? refusal(404) : pages(number, request);
		expect((await read(whole)).result).toHaveLength(count);
	});

	test('nor is one record of which there is more', async () => {
		const { facts } = await read(() => page({ days: [1, 2] }, { has_more: true }));
		expect(facts).toMatchObject({ kind: 'incomplete-list' });
	});
});

describe('a list in another form', () => {
	const numbered = (records: object[], from = 0) =>
		Object.fromEntries(records.map((record, index) => [String(from + index), record]));

	test('is one as well if its records have numbers for keys', async () => {
		const pages: Pages = (number = 1) => {
			const start = 15 * number - 15;
			return page(numbered(many(40).slice(start, start + 15), start), all(40, 15)(number));
		};
		expect((await read(pages)).result).toEqual(many(40));
	});

	test('is one record if what it has by number has no ID', async () => {
		const byYear = { '2025': { views: 1 }, '2026': { views: 2 } };
		expect((await read(() => page(byYear))).result).toEqual([byYear]);
		expect((await read(() => page({}))).result).toEqual([{}]);
	});

	test('has no further page that is a record', async () => {
		const pages: Pages = (number) =>
			number ? page({ id: 'loc_1', name: 'Other' }) : page(many(15), all(40, 15)(1));
		expect((await read(pages)).facts).toMatchObject({ kind: 'unexpected-response' });
	});

	test('may give all its rows one ID, that of what they are about', async () => {
		const rows = Array.from({ length: 40 }, (_, day) => ({ id: 'loc_1', day }));
		const pages: Pages = (number = 1) =>
			page(rows.slice(15 * number - 15, 15 * number), all(40, 15)(number));
		expect((await read(pages)).result).toEqual(rows);
	});
});

describe('what is no list', () => {
	test.each([
		['without data', { records: [] }],
		['as text', '<h1>Welcome</h1>'],
		['that says that it failed', { success: false, data: [] }],
	])('a response %s is reported', async (_, body) => {
		const { facts } = await read(() => ({ status: 200, headers: {}, body }));
		expect(facts?.kind).toBe('unexpected-response');
	});

	test.each([400, 403, 404, 410, 416, 422])(
		'a refusal of the first page is one: %d',
		async (status) => {
			expect((await read(() => refusal(status))).facts).toMatchObject({ kind: 'rejected', status });
		},
	);

	test.each([403, 405, 409])(
		'a refusal of a later page that does not say that it is over: %d',
		async (status) => {
			const past = refusal(status);
			const meta = (number: number) => ({ current_page: number });
			expect((await read(service(20, 10, meta, { past }))).facts).toMatchObject({ status });
		},
	);
});

describe('a service that does not know the parameter of the page', () => {
	const first = many(15);

	test('and says which page it returns is reported', async () => {
		const { facts } = await read(() => page(first, { current_page: 1, per_page: 15, total: 40 }));
		expect(facts).toMatchObject({ kind: 'wrong-page', pageParameter: 'page' });
	});

	test.each<[string, JsonObject]>([
		['a total', { total: 40 }],
		['a full page', { per_page: 15 }],
		['a sign of more', { has_more: true }],
	])('is reported if it gives the first page again and there is %s', async (_, meta) => {
		expect((await read(() => page(first, meta))).facts?.kind).toBe('wrong-page');
	});

	test.each<[string, JsonObject]>([
		['the total', { total: 15 }],
		['a page with room for more', { per_page: 20 }],
		['a sign that this is all', { has_more: false }],
		['nothing', {}],
	])('is believed that this is all if %s says so', async (_, meta) => {
		expect((await read(() => page(first, meta))).result).toEqual(first);
	});

	test('and refuses it with a 400 although there is more is reported', async () => {
		const pages: Pages = (number) =>
			number === undefined ? page(first, { total: 40 }) : refusal(400);
		expect((await read(pages)).facts).toMatchObject({ kind: 'rejected', status: 400 });
		const whole: Pages = (number) =>
			number === undefined ? page(first, { total: 15 }) : refusal(400);
		expect((await read(whole)).result).toEqual(first);
	});

	test('and does not find it has a list that is incomplete, if its only page is full', async () => {
		const missing =
			(meta: JsonObject): Pages =>
			(number) =>
				number === undefined ? page(first, meta) : refusal(404);
		const { facts } = await read(missing({ total: 40, per_page: 15 }));
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 15, total: 40 });
		// It may have room for more, or may not.
		expect((await read(missing({ total: 40 }))).result).toEqual(first);
	});

	test('and refuses it is reported if nothing says whether this is all', async () => {
		const refused =
			(meta: JsonObject): Pages =>
			(number) =>
				number === undefined ? page(first, meta) : refusal(422);
		expect((await read(refused({}))).facts).toMatchObject({ kind: 'rejected', status: 422 });
		expect((await read(refused({ per_page: 15 }))).facts).toMatchObject({ status: 422 });
		expect((await read(refused({ per_page: 16 }))).result).toEqual(first);
	});

	test('and refuses it has its second page as number 1 if it counts from 0', async () => {
		const counted =
			(last: JsonObject): Pages =>
			(number = 0) =>
				number > 1
					? refusal(422)
					: page(
							many(28)
								.slice(15 * number)
								.slice(0, 15),
							number ? last : { total: 28 },
						);
		for (const last of [{ total: 28 }, { total: 28, has_more: false }]) {
			const { result, asked } = await read(counted(last));
			expect(result).toEqual(many(28));
			expect(asked.slice(0, 3)).toEqual([undefined, 2, 1]);
		}
	});

	test('and says that its first page is page 1, whatever was asked for, is reported', async () => {
		expect((await read(() => page(first, { current_page: 1 }))).facts?.kind).toBe('wrong-page');
	});

	test('is asked for two more pages at most, whatever its total', async () => {
		for (const meta of [{ total: 1e6 }, { total: 1e6, current_page: 1 }]) {
			const { asked } = await read(() => page(first, meta));
			expect(asked).toEqual([undefined, 2, 3]);
		}
	});

	test('and says so only of the pages that were asked for is believed that this is all', async () => {
		const pages: Pages = (number) => page(first, number === undefined ? {} : { current_page: 1 });
		expect((await read(pages)).result).toEqual(first);
	});

	test('and another page than the first is reported', async () => {
		const pages: Pages = (number) => page(first, { current_page: number === undefined ? 2 : 1 });
		expect((await read(pages)).facts?.kind).toBe('wrong-page');
	});
});

describe('past the end of a list, a service', () => {
	const numbered = (number: number) => ({ current_page: number });

	test('may show the last page again, and say which one it is', async () => {
		const pages: Pages = (number = 1, request) =>
			service(40, 15, numbered)(Math.min(number, 3), request);
		const { result, asked } = await read(pages);
		expect(result).toEqual(many(40));
		expect(asked).toEqual([undefined, 2, 3, 4]);
	});

	test('may show the last page again, and not say so', async () => {
		const pages: Pages = (number = 1, request) =>
			service(40, 15, () => ({}))(Math.min(number, 3), request);
		expect((await read(pages)).result).toEqual(many(40));
	});

	test.each<[string, JsonObject]>([
		['and says nothing of it', {}],
		['and says how many are on a page', { per_page: 15 }],
	])('may begin again with the first page %s', async (_, meta) => {
		const pages: Pages = (number = 1, request) =>
			service(45, 15, () => meta)(number > 3 ? 1 : number, request);
		expect((await read(pages)).result).toEqual(many(45));
	});

	test('may begin again, also where it counts from 0 and does not say so', async () => {
		const pages: Pages = (number = 0, request) =>
			service(40, 15, () => ({}), { from: 0 })(number % 3, request);
		expect((await read(pages)).result).toEqual(many(40));
	});

	test('may not show another page than the last or the first, and say so', async () => {
		const pages: Pages = (number = 1, request) =>
			service(40, 15, numbered)(number > 3 ? 2 : number, request);
		expect((await read(pages)).facts).toMatchObject({ kind: 'wrong-page' });
	});

	test('is asked for few pages, however large it says that its list is', async () => {
		const meta = (number: number) => ({ current_page: number, per_page: 15, total: 1e6 });
		const ends = {
			empty: (number: number) => page([], meta(number)),
			refused: () => refusal(404),
			'the last one again': () => page(many(40).slice(30), meta(3)),
			'the last one, and no word of it': () => page(many(40).slice(30)),
		};
		for (const [name, end] of Object.entries(ends)) {
			const pages: Pages = (number = 1, request) =>
				number > 3 ? end(number) : service(40, 15, meta)(number, request);
			const { asked } = await read(pages, {}, readOnce);
			expect({ name, isFew: asked.length < 10 }).toEqual({ name, isFew: true });
		}
	});
});

describe('behind a page that ends the list', () => {
	/** A service with a total of 60, whose pages from the second one on are another response. */
	const ending =
		(end: (number: number) => HttpResponse): Pages =>
		(number = 1) =>
			number > 1 ? end(number) : page(many(15), all(60, 15)(number));

	test('since it is refused, or another one, nothing is asked but what was on its way', async () => {
		expect(
			(
				await read(
					ending(() => refusal(404)),
					{},
					readOnce,
				)
			).asked,
		).toEqual([undefined, 2, 3]);
		const other = await read(ending(() => page(many(30).slice(15), all(60, 15)(7))));
		expect(other.facts).toMatchObject({ kind: 'wrong-page' });
		expect(other.asked).toEqual([undefined, 2, 3]);
	});

	test('no more than three empty ones are looked at', async () => {
		const { asked } = await read(
			ending((number) => page([], all(60, 15)(number))),
			{},
			readOnce,
		);
		expect(asked).toEqual([undefined, 2, 3, 4]);
	});

	test('what was on its way does not count', async () => {
		const pages: Pages = (number = 1) => {
			if (number === 3) return refusal(404);
			const start = number === 4 ? 5 : 15 * number - 15;
			return page(many(30).slice(start, start + 15), { total: 75 });
		};
		const { result, asked } = await read(pages, {}, readOnce);
		expect(asked).toContain(4);
		expect(result).toMatchObject({ records: many(30), isOnce: true, isSteady: true });
	});
});

describe('a list that changes while it is read', () => {
	test('is read again, and settled by a reading that adds up', async () => {
		const { result, asked } = await read(
			inTurn(service(39, 15, all(40, 15)), service(40, 15, all(40, 15))),
		);
		expect(result).toEqual(many(40));
		expect(readingsIn(asked)).toBe(2);
		expect(asked.length).toBeLessThanOrEqual(8);
	});

	test('or is short each time in the same way, is what it is', async () => {
		const { result, asked } = await read(service(38, 15, all(40, 15)));
		expect(result).toEqual(many(38));
		expect(readingsIn(asked)).toBe(2);
	});

	test('and is short in another way each time is given up', async () => {
		const short = [31, 32, 33].map((count) => service(count, 15, all(40, 15)));
		const { facts } = await read(inTurn(...short));
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 33, total: 40, readings: 3 });
	});

	test('is not settled by two short readings of as many records, if they are others', async () => {
		const rows = many(40).map(({ id }) => ({ name: id }));
		for (const records of [many(40), rows]) {
			const [start, end] = [records.slice(0, 38), records.slice(2)];
			const pages = inTurn(...[start, end, start].map((some) => listed(some, 15, all(40, 15))));
			expect((await read(pages)).facts).toMatchObject({ kind: 'incomplete-list', readings: 3 });
		}
	});

	test('is not settled by two short readings of the same records, if their totals differ', async () => {
		const totals = [40, 41, 42].map((total) => service(38, 15, all(total, 15)));
		const { facts } = await read(inTurn(...totals));
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 38, total: 42 });
	});

	test('is not settled by two equal readings that speak of different totals', async () => {
		const pages = service(38, 15, (number) => all(number === 2 ? 41 : 40, 15)(number));
		expect((await read(pages)).facts).toMatchObject({ kind: 'incomplete-list', readings: 3 });
	});

	test('has more than its pages show: that is given up after two readings', async () => {
		const pages: Pages = (number) => page(number === undefined ? many(3) : [], { has_more: true });
		const { facts, asked } = await read(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 3, readings: 2 });
		expect(readingsIn(asked)).toBe(2);
	});

	test('a second later, not at once: what was created just now is older by then', async () => {
		const began: number[] = [];
		const pages: Pages = (number) => {
			if (number === undefined) began.push(clock.now());
			return service(38, 15, all(40, 15))(number, {} as HttpRequest);
		};
		await read(pages);
		expect(began[1] - began[0]).toBeGreaterThan(1_000);
		expect(began[1] - began[0]).toBeLessThan(1_500);
	});
});

describe('an undated list, to whose end others add dated records while it is read,', () => {
	const old = many(3);
	const at = (name: string, ms: number) => ({
		id: name,
		created_at: new Date(clock.now() + ms).toISOString(),
	});
	/** Two pages, of which the second one has a record that the total of the first does not know. */
	const growing = (records: unknown[], total = records.length - 1) =>
		listed(records, 2, (number) => all(total + Math.min(number, 2) - 1, 2)(number));
	const first = growing([...old, { id: 'new' }]);

	test('is settled by a second reading that shows the same, and younger ones after it', async () => {
		const second = [...old, { id: 'new' }, at('newer', 60_000)];
		const { result, asked } = await read(inTurn(first, growing(second)));
		expect(result).toEqual(second);
		expect(readingsIn(asked)).toBe(2);
	});

	const before = -60_000;
	test.each<[string, () => Pages]>([
		[
			'one that was there before is among what has come',
			() => growing([...old, { id: 'new' }, at('hidden', before), at('newer', 60_000)]),
		],
		['one without a date has come', () => growing([...old, { id: 'new' }, { id: 'undated' }])],
		['one has gone', () => growing([...old.slice(1), { id: 'new' }, at('newer', 60_000)])],
		['the order has changed', () => growing([old[1], old[0], old[2], { id: 'new' }])],
		[
			'the total has become smaller meanwhile',
			() =>
				listed([...old, { id: 'new' }, at('newer', 60_000)], 2, (number) =>
					all(5 - number, 2)(number),
				),
		],
		['its pages overlap', () => growing([...old, old[2], { id: 'new' }])],
	])('is read a third time where %s', async (_, second) => {
		const { asked } = await read(inTurn(first, second()));
		expect(readingsIn(asked)).toBe(3);
	});

	test('is read a third time where the service does not say when it answered', async () => {
		const undated: Pages = (...of) => ({ ...first(...of), headers: {} });
		for (const added of [[], [at('newer', 60_000)]]) {
			const { asked } = await read(inTurn(undated, growing([...old, { id: 'new' }, ...added])));
			expect(readingsIn(asked)).toBe(3);
		}
	});
});

describe('a peek at the ends of a list', () => {
	const peek = async (count: number, size: number, from = 1) =>
		await read(service(count, size, all(count, size), { from }), {}, readOrPeek);

	test('of more than four pages shows the first and the last', async () => {
		const { result, asked } = await peek(50, 10);
		const ids = [...many(50).slice(0, 10), ...many(50).slice(40)];
		expect(result).toEqual({ ends: ids, sentAt: expect.any(Number) });
		expect(asked).toEqual([undefined, 5]);
		expect((await peek(50, 10, 0)).asked).toEqual([undefined, 4]);
	});

	test('of four pages reads it', async () => {
		const { result } = await peek(40, 10);
		expect(result).toMatchObject({ records: many(40), isList: true, isComplete: true });
	});

	test('that starts with another page than the first is reported', async () => {
		const pages: Pages = () => page(many(10), { current_page: 2, total: 50 });
		expect((await read(pages, {}, readOrPeek)).facts).toMatchObject({ kind: 'wrong-page' });
	});

	test('whose first page shows nothing, or which says no total, reads it', async () => {
		const hidden: Pages = (number) => page(number === undefined ? [] : many(5), { total: 50 });
		expect((await read(hidden, {}, readOrPeek)).result).toMatchObject({ records: many(5) });
		const { result } = await read(
			service(50, 10, (number) => ({ current_page: number })),
			{},
			readOrPeek,
		);
		expect(result).toMatchObject({ records: many(50), isComplete: true });
	});

	test('is not taken of what is one record', async () => {
		const { result } = await read(() => page(recordOf(1), { total: 50 }), {}, readOrPeek);
		expect(result).toMatchObject({ records: [recordOf(1)], isList: false });
	});

	test('takes pages to be counted from 1, where the service does not say', async () => {
		const { asked } = await read(
			service(50, 10, () => ({ total: 50 })),
			{},
			readOrPeek,
		);
		expect(asked).toEqual([undefined, 5]);
	});
});

describe('what one reading says of itself', () => {
	const readingOf = async (pages: Pages, paging: JsonObject = {}) =>
		(await read(pages, paging, readOnce)).result as Record<string, unknown>;
	const SURE = {
		isComplete: true,
		isCalm: true,
		isBacked: true,
		isSteady: true,
		isOnce: true,
		isNumbered: true,
		isCut: false,
	};
	const numbered = (number: number) => ({ current_page: number });

	test('is nothing sure where its end moves on, and the dates of what was added look old', async () => {
		// Pages of 15, from which four were filtered; the dates are those of another time zone.
		const old = { created_at: new Date(clock.now() - 5 * 3_600_000).toISOString() };
		const listed = (count: number, number: number) =>
			many(count)
				.reverse()
				.slice(11 * (number - 1), 11 * number)
				.map((record) => ({ ...record, ...old }));
		const grown: Pages = (number) => {
			const count = number === undefined ? 22 : 67;
			return page(listed(count, number ?? 1), all(count, 15)(number ?? 1));
		};
		expect(await readingOf(grown)).toMatchObject({ isComplete: false });
	});

	const same =
		(meta: JsonObject): Pages =>
		() =>
			page(many(3), meta);

	test.each<[string, Pages, JsonObject, JsonObject]>([
		['one that says everything', service(40, 15, all(40, 15)), {}, {}],
		['a single record', () => page(recordOf(1)), {}, {}],
		['an empty list', service(0, 15, all(0, 15)), {}, {}],
		['one of which enough has come', service(40, 15, all(90, 15)), { limit: 15 }, {}],
		['one of one page without a total', service(7, 15, numbered), {}, {}],
		['several pages without a total', service(40, 15, numbered), {}, { isBacked: false }],
		[
			'pages of which each says how many it has',
			service(40, 15, (number) => ({ ...numbered(number), total: number < 3 ? 15 : 10 })),
			{},
			{ isBacked: false, isSteady: true },
		],
		[
			'fewer than the total',
			service(38, 15, all(40, 15)),
			{},
			{ isComplete: false, isCalm: false },
		],
		[
			'a total that is another one on a later page',
			service(40, 15, (number) => all(number === 2 ? 41 : 40, 15)(number)),
			{},
			{ isComplete: false, isSteady: false },
		],
		[
			'a total that is smaller on a later page',
			service(40, 15, (number) => all(number === 2 ? 39 : 40, 15)(number)),
			{},
			{ isComplete: false, isCalm: false, isSteady: false },
		],
		[
			'a total that a page without records does not have',
			service(38, 15, all(40, 15), { past: page([], { current_page: 4, total: 0 }) }),
			{},
			{ isComplete: false, isCalm: false, isSteady: true },
		],
		[
			'a total that a page without records has otherwise',
			service(38, 15, all(40, 15), { past: page([], { current_page: 4, total: 39 }) }),
			{},
			{ isComplete: false, isCalm: false, isSteady: false },
		],
		[
			'more than the total',
			service(40, 15, all(20, 15)),
			{},
			{ isComplete: false, isBacked: false },
		],
		[
			'three pages without records at its end',
			(number = 1) => page(number > 1 ? [] : many(3), { has_more: number < 4 }),
			{},
			{},
		],
		[
			'the first page only: the second one is refused',
			(number) => (number === undefined ? page(many(3), { total: 3 }) : refusal(422)),
			{},
			{ isNumbered: false },
		],
		[
			'full pages before one that is refused, without a total',
			(number = 1) =>
				number > 2 ? refusal(422) : service(30, 15, () => ({}))(number, {} as never),
			{},
			{ isNumbered: false, isBacked: false },
		],
		[
			'pages that lack records before one that is refused, without a total',
			(number = 1) =>
				number > 2 ? refusal(422) : page(many(15 * number).slice(-12), { per_page: 15 }),
			{},
			{ isNumbered: false, isBacked: false },
		],
		['the first page again, and no word of it', same({}), {}, { isNumbered: false }],
		[
			'the first page again, which is full',
			same({ total: 3, per_page: 3 }),
			{},
			{ isNumbered: false },
		],
		[
			'the first page again, which is all, although the total is larger',
			same({ has_more: false, total: 4 }),
			{},
			{ isComplete: false, isCalm: false },
		],
		['the first page again, which is all', same({ has_more: false }), {}, {}],
		['the first page again, which has room', same({ per_page: 4 }), {}, {}],
		[
			'one whose second page came last, without a total',
			service(40, 15, () => ({}), { from: 0 }),
			{},
			{ isComplete: false, isBacked: false },
		],
		[
			'one whose second page came last, with a total',
			service(40, 15, () => ({ total: 40 }), { from: 0 }),
			{},
			{},
		],
		[
			'one whose second page came last, with another total than the first',
			(number, request) =>
				service(40, 15, () => ({ total: number === 1 ? 41 : 40 }), { from: 0 })(number, request),
			{},
			{ isComplete: false, isSteady: false },
		],
		[
			'one that was left since nothing new came any more',
			(number = 1) =>
				page([recordOf(number % 4), recordOf((number + 1) % 4)], { current_page: number }),
			{},
			{ isComplete: false, isBacked: false, isSteady: false, isOnce: false },
		],
		[
			'more than its pages have',
			(number) => page(number === undefined ? many(3) : [], { has_more: true }),
			{},
			{ isComplete: false, isCut: true },
		],
	])('%s', async (_, pages, paging, wrong) => {
		const { isComplete, isCalm, isBacked, isSteady, isOnce, isNumbered, isCut } = await readingOf(
			pages,
			paging,
		);
		const said = { isComplete, isCalm, isBacked, isSteady, isOnce, isNumbered, isCut };
		expect(said).toEqual({ ...SURE, ...wrong });
	});

	test('a record that came twice', async () => {
		const pages: Pages = (number = 1) =>
			page([recordOf(number), recordOf(number + 1)].slice(0, 5 - number), all(5, 2)(number));
		expect(await readingOf(pages)).toMatchObject({ isOnce: false, isSteady: false });
	});
});

describe('a reading of dated records, two a page,', () => {
	/** A whole second: the first response says that it is from then. */
	let T: number;
	beforeEach(() => {
		T = Math.ceil(clock.now() / 1_000) * 1_000;
		clock.moveTo(T + 400);
	});
	/** Records by the milliseconds after that second in which they were created; undefined: undated. */
	const madeAt = (times: Array<number | undefined>) =>
		times.map((time, index) => ({
			...recordOf(index),
			...(time !== undefined && { created_at: new Date(T + time).toISOString() }),
		}));
	const readingOf = async (
		times: Array<number | undefined>,
		total: number,
		dated: (response: HttpResponse, number?: number) => HttpResponse = (response) => response,
	) => {
		const pages = listed(madeAt(times), 2, all(total, 2));
		const { result, asked } = await read(
			(number, request) => dated(pages(number, request), number),
			{},
			readOnce,
		);
		return { ...(result as { isComplete: boolean; beganAt?: number }), asked };
	};
	const MINUTE = 60_000;

	test.each<[string, Array<number | undefined>, number]>([
		['what is younger than its start does not count', [-9, -8, -7, MINUTE], 3],
		['nor does what is from the second of its start', [-9, -8, -7, 0], 3],
		['but what is older than a record of the first page does', [-9, 200, 100, 300], 3],
		['but not what is older than a record of another page alone', [-9, 200, 100, 250, 300], 3],
		['and not what is as old', [-9, 200, 100, 200], 3],
		['a record of the first page from after its start shows nothing', [-9, 1_000, -7, 500], 3],
		['the first page counts whole, whatever its dates say', [-9, MINUTE, -7, 2 * MINUTE], 3],
		['without the date of one, a total that stays the same does', [-9, undefined, -7, -6], 4],
		['one page that is the total is all, whatever its dates say', [MINUTE, MINUTE], 2],
	])('has all that was there: %s', async (_, times, total) => {
		expect((await readingOf(times, total)).isComplete).toBe(true);
	});

	test.each<[string, Array<number | undefined>, number]>([
		['one was added, so another one has gone', [-9, -8, MINUTE], 3],
		['more were there than the total says', [-9, -8, -7, -6], 3],
		['the youngest of its first page shows that more were there', [-9, 999, -7, 500], 3],
		['a date is missing, and the total is not what has come', [-9, -8, -7, undefined], 3],
	])('may lack one that was there: %s', async (_, times, total) => {
		expect((await readingOf(times, total)).isComplete).toBe(false);
	});

	test('has begun when the service answered first', async () => {
		expect((await readingOf([-9, -8, -7], 3)).beganAt).toBe(T);
	});

	test('goes by the total alone where the service does not say when it answered', async () => {
		const undated = (response: HttpResponse) => ({ ...response, headers: {} });
		expect((await readingOf([-9, -8, MINUTE], 3, undated)).isComplete).toBe(true);
		expect((await readingOf([-9, -8, -7, MINUTE], 3, undated)).isComplete).toBe(false);
	});

	describe('whose second page comes ten seconds later, and is the last one of the total,', () => {
		/** Whether it looks for a third page. */
		const goesOn = async (
			times: Array<number | undefined>,
			dateOf = (number?: number): number | undefined => (number === undefined ? T : T + 10_000),
		) => {
			const { asked } = await readingOf([-9, -8, ...times], 4, (response, number) => {
				const at = dateOf(number);
				const headers = at === undefined ? {} : { date: new Date(at).toUTCString() };
				return { ...response, headers };
			});
			return asked.includes(3);
		};

		test('ends there if all on that page is younger than it', async () => {
			expect(await goesOn([5_000, 6_000])).toBe(false);
			expect(await goesOn([1_001, 10_999])).toBe(false);
		});

		test('goes on if one on it may not be', async () => {
			for (const other of [-7, 0, 1_000, 11_000, undefined]) {
				expect(await goesOn([5_000, other])).toBe(true);
			}
		});

		test('goes on where no total is said: the oldest ones may come last', async () => {
			const rows = madeAt([8_000, 7_000, 6_000, 5_000, -8, -9]);
			const { result } = await read(
				(number = 1) => ({
					...page(rows.slice(2 * number - 2, 2 * number), { current_page: number }),
					headers: { date: new Date(T + 10_000 * (number - 1)).toUTCString() },
				}),
				{},
				readOnce,
			);
			expect(result).toMatchObject({ records: rows });
		});

		test('goes on if one of the two responses has no date', async () => {
			expect(await goesOn([5_000, 6_000], (number) => (number ? T + 10_000 : undefined))).toBe(
				true,
			);
			expect(await goesOn([5_000, 6_000], (number) => (number ? undefined : T))).toBe(true);
		});
	});
});

test('a list of which a record came twice is changing: fewer than its total have to do', async () => {
	const rows = [recordOf(0), recordOf(1), recordOf(1), recordOf(2), recordOf(3)];
	const { asked } = await read(listed(rows, 2, all(6, 2)), {}, readOnce);
	expect(asked).toEqual([undefined, 2, 3]);
});

describe('a list that does not end', () => {
	test('is left after 10,000 pages, and that is said', async () => {
		const pages: Pages = (number = 1) => page([recordOf(number)], { current_page: number });
		const { result, asked } = await read(pages, {}, readOnce);
		expect(result).toMatchObject({ isComplete: false, isCut: true });
		expect(asked).toHaveLength(10_000);
	});

	test('since it has nothing new any more, is left after three pages of that', async () => {
		const pages: Pages = (number = 1) =>
			page([recordOf(number % 4), recordOf((number + 1) % 4)], { current_page: number });
		const { asked } = await read(pages, {}, readOnce);
		expect(asked).toHaveLength(6);
	});
});
