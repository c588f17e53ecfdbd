import { DEFAULT_PAGING, type JsonObject, readPage } from '../../nodes/LocalSeo/client';
import { requestPage } from '../../nodes/LocalSeo/client/lists/page';
import { clock, date, page, type Pages, read, refusal } from '../support/pages';

const records = [{ id: 'loc_1' }, { id: 'loc_2' }, { id: 'loc_3' }];

/** One page by its number, as the caller of a page reads it. */
const pageOf = async (pages: Pages, nth?: number, first?: { meta: JsonObject }) =>
	await read(pages, {}, async (...of) => await readPage(...of, nth, first));
/** The same, as a reading of the whole list sees it. */
const seen = async (pages: Pages, number?: number, paging: JsonObject = {}) =>
	await read(pages, paging, async (...of) => await requestPage(...of, number));

describe('what is asked for', () => {
	const queryOf = async (paging: JsonObject, number?: number) => {
		let query: JsonObject = {};
		await seen((_, request) => ((query = request.query), page([])), number, paging);
		return query;
	};

	test('is the first page without a number or a size, unless they are set', async () => {
		expect(await queryOf({})).toStrictEqual({});
		expect(await queryOf({ pageSize: 50 })).toStrictEqual({ per_page: 50 });
	});

	test('is another page by its number, also page 0', async () => {
		expect(await queryOf({}, 2)).toStrictEqual({ page: 2 });
		expect(await queryOf({}, 0)).toStrictEqual({ page: 0 });
	});

	test('keeps what else is in the query', async () => {
		let query: JsonObject = {};
		await read(
			(_, request) => ((query = request.query), page([])),
			{},
			async (connection, request, paging) =>
				await readPage(connection, { ...request, query: { status: 'open' } }, paging, 2),
		);
		expect(query).toEqual({ status: 'open', page: 2 });
	});

	test('has the names that most services use, if no others are set', () => {
		expect(DEFAULT_PAGING).toEqual({ pageParameter: 'page', pageSizeParameter: 'per_page' });
	});
});

describe('a page', () => {
	test('that is there comes with its records, and what the service says of the list', async () => {
		const sentAt = clock.now();
		const { result, asked } = await pageOf(() => page(records, { current_page: 3, total: 33 }), 3);
		expect(result).toEqual({
			number: 3,
			records,
			meta: { currentPage: 3, total: 33 },
			isList: true,
			isOther: false,
			answeredAt: Date.parse(date()),
			sentAt,
		});
		expect(asked).toEqual([3]);
	});

	test('is the first one if no other is asked for, and has no number then', async () => {
		const { result, asked } = await pageOf(() => page(records));
		expect(result).toMatchObject({ records, number: undefined });
		expect(asked).toEqual([undefined]);
		expect((await pageOf(() => page(records), 1)).asked).toEqual([undefined]);
	});

	test('has a number that is one smaller where the first one says that it is page 0', async () => {
		const pages: Pages = (number = 0) => page(records, { current_page: number });
		expect((await pageOf(pages, 3, { meta: { currentPage: 0 } })).asked).toEqual([2]);
		expect((await pageOf(pages, 3, { meta: { currentPage: 1 } })).asked).toEqual([3]);
		expect((await pageOf(pages, 3, { meta: {} })).asked).toEqual([3]);
	});

	test('past the end is empty, if the service says so', async () => {
		for (const past of [page([]), refusal(404), refusal(204)]) {
			expect((await pageOf(() => past, 3)).result).toMatchObject({
				number: 3,
				records: [],
				isList: true,
				isOther: false,
			});
		}
	});

	test('that is refused, or is another one, is an error', async () => {
		const refused = await pageOf(() => refusal(422), 3);
		expect(refused.facts).toMatchObject({ kind: 'rejected', status: 422 });
		const other = await pageOf(() => page(records, { current_page: 2 }), 3);
		expect(other.facts).toMatchObject({ kind: 'wrong-page', pageParameter: 'page' });
	});

	test('is dated by the service, as far as it says when it answered', async () => {
		const undated = { ...page(records), headers: {} };
		expect(await seen(() => undated)).toMatchObject({ result: { answeredAt: undefined } });
		expect(await seen(() => page(records))).toMatchObject({
			result: { answeredAt: Math.floor(clock.now() / 1_000) * 1_000 },
		});
	});
});

describe('the number that a page says of itself', () => {
	const isOther = async (said: number | undefined, asked?: number) => {
		const { result } = await seen(() => page(records, { current_page: said }), asked);
		return (result as { isOther: boolean }).isOther;
	};

	test('may be 0 or 1 on the first page, and no other one', async () => {
		expect(await isOther(undefined)).toBe(false);
		expect(await isOther(0)).toBe(false);
		expect(await isOther(1)).toBe(false);
		expect(await isOther(2)).toBe(true);
	});

	test('is on any other page the one that was asked for', async () => {
		expect(await isOther(undefined, 2)).toBe(false);
		expect(await isOther(2, 2)).toBe(false);
		expect(await isOther(1, 2)).toBe(true);
		expect(await isOther(3, 2)).toBe(true);
		expect(await isOther(0, 1)).toBe(true);
	});
});

describe('what a service says of a list', () => {
	const metaOf = async (data: unknown, meta: JsonObject, number?: number) =>
		((await seen(() => page(data, meta), number)).result as { meta: JsonObject }).meta;

	test('is believed as a total if the page does not hold more', async () => {
		expect(await metaOf(records, { total: 4 })).toMatchObject({ total: 4 });
		expect(await metaOf(records, { total: 3 })).toMatchObject({ total: 3 });
		expect(await metaOf(records, { total: 2 })).not.toHaveProperty('total');
		expect(await metaOf([], { total: 0 })).toMatchObject({ total: 0 });
	});

	test('shows whether there is more than the page that was asked for', async () => {
		expect((await metaOf(records, { last_page: 2 })).hasMore).toBe(true);
		expect((await metaOf(records, { last_page: 2 }, 1)).hasMore).toBe(true);
		expect((await metaOf(records, { last_page: 2 }, 2)).hasMore).toBeUndefined();
	});
});

describe('what comes instead of a list', () => {
	test('is one record, or none, where no page is asked for', async () => {
		const [record] = records;
		expect(await seen(() => page(record))).toMatchObject({
			result: { records: [record], isList: false },
		});
		expect(await seen(() => page(null))).toMatchObject({ result: { records: [], isList: false } });
	});

	test('is nothing where a page is asked for: then it is past the end', async () => {
		expect((await seen(() => page(null), 2)).result).toMatchObject({ records: [] });
	});

	test('is no page if it is one record', async () => {
		const { facts } = await seen(() => page(records[0]), 2);
		expect(facts).toMatchObject({ kind: 'unexpected-response' });
	});

	test.each([400, 404, 410, 416, 422])('is the end of the list if it is a %d', async (status) => {
		expect((await seen(() => refusal(status), 2)).result).toMatchObject({
			number: 2,
			records: [],
			refusal: { facts: { status } },
		});
		expect((await seen(() => refusal(status))).facts).toMatchObject({ kind: 'rejected', status });
	});

	test('is an error if it is any other refusal, or no response', async () => {
		expect((await seen(() => refusal(403), 2)).facts).toMatchObject({ status: 403 });
		const { facts } = await seen(() => {
			throw new Error('No way there');
		}, 2);
		expect(facts?.kind).toBeDefined();
	});
});
