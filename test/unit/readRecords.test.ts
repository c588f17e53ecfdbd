import {
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	readPage,
} from '../../nodes/LocalSeo/client';
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

	test('of one record, or of none, comes as it is', async () => {
		expect((await read(() => page(recordOf(1)))).result).toEqual([recordOf(1)]);
		expect((await read(() => page(null))).result).toEqual([]);
		expect((await read(() => refusal(204))).result).toEqual([]);
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
	])('is incomplete, and not short: its pages are %s', async (_, pages) => {
		const { facts } = await read(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 30 });
		expect((await read(pages, { limit: 30 })).result).toEqual(many(30));
	});

	test.each<[string, Pages, number]>([
		['counts what it does not show', capped(refused(404), all(31, 20)), 30],
		['is far too large', capped(() => page([], all(1e9, 15)(3)), all(1e9, 15)), 30],
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

	test('and another page than the first is reported', async () => {
		const pages: Pages = (number) => page(first, { current_page: number === undefined ? 2 : 1 });
		expect((await read(pages)).facts?.kind).toBe('wrong-page');
	});
});

describe('a list that changes while it is read', () => {
	test('is read again, and settled by a reading that adds up', async () => {
		let readings = 0;
		const pages: Pages = (number) => {
			if (number === undefined) readings++;
			return service(readings === 1 ? 39 : 40, 15, all(40, 15))(number, {} as HttpRequest);
		};
		const { result, asked } = await read(pages);
		expect(result).toEqual(many(40));
		expect(readings).toBe(2);
		expect(asked.length).toBeLessThanOrEqual(8);
	});

	test('or is short each time in the same way, is what it is', async () => {
		const { result, asked } = await read(service(38, 15, all(40, 15)));
		expect(result).toEqual(many(38));
		expect(asked.filter((number) => number === undefined)).toHaveLength(2);
	});

	test('and is short in another way each time is given up', async () => {
		let readings = 0;
		const pages: Pages = (number) => {
			if (number === undefined) readings++;
			return service(30 + readings, 15, all(40, 15))(number, {} as HttpRequest);
		};
		const { facts } = await read(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 33, total: 40, readings: 3 });
	});

	test('has more than its pages show: that is given up after two readings', async () => {
		const pages: Pages = (number) => page(number === undefined ? many(3) : [], { has_more: true });
		const { facts, asked } = await read(pages);
		expect(facts).toMatchObject({ kind: 'incomplete-list', received: 3, readings: 2 });
		expect(asked.filter((number) => number === undefined)).toHaveLength(2);
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

describe('a peek at the ends of a list', () => {
	const peek = async (count: number, size: number, from = 1) =>
		await read(service(count, size, all(count, size), { from }), {}, readOrPeek);

	test('of more than four pages shows the first and the last', async () => {
		const { result, asked } = await peek(50, 10);
		const ids = [...many(50).slice(0, 10), ...many(50).slice(40)];
		expect(result).toEqual({ ends: ids });
		expect(asked).toEqual([undefined, 5]);
		expect((await peek(50, 10, 0)).asked).toEqual([undefined, 4]);
	});

	test('of four pages reads it', async () => {
		const { result } = await peek(40, 10);
		expect(result).toMatchObject({ records: many(40), isComplete: true });
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
		['the first page again, and no word of it', same({}), {}, { isNumbered: false }],
		['the first page again, which is all', same({ has_more: false }), {}, {}],
		['the first page again, which has room', same({ per_page: 4 }), {}, {}],
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

describe('a page', () => {
	const pageOf = async (pages: Pages, number: number) =>
		await read(pages, {}, async (...of) => await readPage(...of, number));

	test('that is there comes with its records', async () => {
		const { result, asked } = await pageOf(service(40, 15, all(40, 15)), 3);
		expect(result).toMatchObject({ records: many(40).slice(30), isList: true });
		expect(asked).toEqual([3]);
		expect((await pageOf(service(40, 15, all(40, 15)), 1)).asked).toEqual([undefined]);
	});

	test('past the end is empty, if the service says so', async () => {
		for (const past of [page([]), refusal(404), refusal(204)]) {
			const { result } = await pageOf(
				service(20, 10, () => ({}), { past }),
				3,
			);
			expect(result).toMatchObject({ records: [] });
		}
	});

	test('that is refused, or is another one, is an error', async () => {
		const refused = await pageOf(
			service(20, 10, () => ({}), { past: refusal(422) }),
			3,
		);
		expect(refused.facts).toMatchObject({ kind: 'rejected', status: 422 });
		const other = await pageOf(() => page(many(3), { current_page: 2 }), 3);
		expect(other.facts).toMatchObject({ kind: 'wrong-page' });
	});
});
