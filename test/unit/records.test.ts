import {
	createdAt,
	createdAtByClock,
	deniesSuccess,
	idOf,
	isEnvelope,
	isIdentified,
	isTooDeep,
	readMeta,
	recordsIn,
} from '../../nodes/LocalSeo/client/exchange/records';

const response = (body: unknown) => ({ status: 200, headers: {}, body });

test.each<[string, unknown, unknown[]]>([
	['a list under data', { data: [{ id: 1 }, { id: 2 }] }, [{ id: 1 }, { id: 2 }]],
	['one record under data', { data: { id: 1 } }, [{ id: 1 }]],
	['a bare record', { id: 1 }, [{ id: 1 }]],
	['a bare list', [{ id: 1 }], [{ id: 1 }]],
	['a list with entries that are no records', { data: [{ id: 1 }, 7, null, ['x']] }, [{ id: 1 }]],
	[
		'a list with numbers for keys',
		{ data: { 3: { id: 1 }, 7: { id: 2 } } },
		[{ id: 1 }, { id: 2 }],
	],
	['nothing under data', { data: null }, []],
	['an empty body', '', []],
])('the records of %s', (_, body, records) => {
	expect(recordsIn(response(body))).toEqual(records);
});

test('an object with data is an envelope, whatever data is', () => {
	expect(isEnvelope({ data: undefined })).toBe(true);
	expect([{}, [], 'data', null].map(isEnvelope)).toEqual([false, false, false, false]);
});

test.each<[unknown, unknown, unknown]>([
	[{ current_page: 2, total: 40 }, 2, 40],
	[{ current_page: '2', total: '40' }, 2, 40],
	[{ current_page: ' ', total: 4.5 }, undefined, undefined],
	[{ current_page: null, total: -1 }, undefined, undefined],
	[{ total: 'many' }, undefined, undefined],
	[{ current_page: 0, total: 0 }, 0, 0],
	[7, undefined, undefined],
])('meta %j is page %p of %p records', (meta, currentPage, total) => {
	expect(readMeta({ data: [], meta }, 1)).toEqual({ currentPage, total });
});

test.each([
	...['last_page', 'total_pages', 'page_count', 'pages'].map((name) => [name, 2, 1] as const),
	...['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage', 'more'].map(
		(name) => [name, true, false] as const,
	),
	...['next', 'next_page', 'next_page_url', 'next_cursor', 'nextCursor', 'next_page_token'].map(
		(name) => [name, '2', ''] as const,
	),
	...['nextPageToken', 'nextLink', '@odata.nextLink'].map((name) => [name, '2', ''] as const),
])('%s says whether there is more', (name, more, over) => {
	expect(readMeta({ data: [], meta: { current_page: 1, [name]: more } }, 1).hasMore).toBe(true);
	expect(readMeta({ data: [], meta: { current_page: 1, [name]: over } }, 1).hasMore).toBe(false);
});

test.each(['links', 'pagination', 'paging'])('%s says it as well, wherever it stands', (place) => {
	expect(readMeta({ data: [], [place]: { next: '2' } }, 1).hasMore).toBe(true);
	expect(readMeta({ data: [], meta: { [place]: { next: '2' } } }, 1).hasMore).toBe(true);
});

test('a body that is no object has no meta', () => {
	expect(readMeta([{ meta: { total: 40 } }], 1)).toEqual({});
});

test('an ID is text or a number; a record with another one can not be found again', () => {
	expect([{ id: 'a' }, { id: 0 }].map(idOf)).toEqual(['a', '0']);
	const others = [{}, { id: '' }, { id: null }, { id: { key: 1 } }, 'a', null];
	expect(others.map(idOf)).toEqual(others.map(() => undefined));
	expect(others.some(isIdentified)).toBe(false);
	expect([{ id: 'a' }, { id: 0 }].every(isIdentified)).toBe(true);
});

test('a record has a date of creation, which counts for a clock only with its time zone', () => {
	const created_at = '2026-11-21T12:00:00';
	const time = Date.UTC(2026, 10, 21, 12);
	expect([createdAt({ created_at }), createdAtByClock({ created_at })]).toEqual([time, undefined]);
	expect(createdAtByClock({ created_at: `${created_at}Z` })).toBe(time);
	for (const other of [{}, 7, null, created_at]) {
		expect([createdAt(other), createdAtByClock(other)]).toEqual([undefined, undefined]);
	}
});

test.each([
	['the last page by its number', { last_page: 3, current_page: 3 }, 3, false],
	['the last page by its number, where pages may count from 0', { last_page: 3 }, 3, undefined],
	['a page before the last', { last_page: 3 }, 2, true],
	['has_more', { has_more: true }, 1, true],
	['a next page that is none', { next: null }, 1, false],
	['a next page as a link object', { next: { href: '/x?page=2' } }, 1, true],
	['the last page, and the page where it is', { last_page: 3, current_page: 2 }, 1, true],
	['a last page before the page where it is', { last_page: 3, current_page: 4 }, 1, false],
	['has_more as text', { has_more: 'true' }, 1, true],
	['no more', { has_more: false }, 1, false],
	['no more, as text', { has_more: 'false' }, 1, false],
	['a next page without a link', { next: {} }, 1, false],
	['a next page as text', { next: '/x?page=2' }, 1, true],
	['a next page as an empty text', { next: '' }, 1, false],
	['a next page by its number', { next: 2 }, 1, true],
	['a next page that is true', { next: true }, 1, false],
	['signs of both', { has_more: false, last_page: 2 }, 1, true],
	['nothing', { next: undefined, has_more: 0 }, 1, undefined],
])('%s says whether there is more', (_, meta, page, hasMore) => {
	expect(readMeta({ data: [], meta }, page).hasMore).toBe(hasMore);
});

test('a number that has lost its last digits is no ID', () => {
	expect(idOf({ id: 2 ** 53 + 2 })).toBeUndefined();
});

describe('a body denies success', () => {
	test.each([
		{ success: false },
		{ ok: false },
		{ id: 'loc_1', success: false },
		{ error: 'No' },
		{ errors: ['No'] },
		{ errors: { title: 'too long' } },
		{ error: { code: 7 } },
		{ status: 'error' },
		{ status: 'Failed' },
		{ data: { status: 'fail' } },
		{ data: { data: { ok: false } } },
	])('with %j', (body) => expect(deniesSuccess(body)).toBe(true));

	test.each([
		{},
		{ success: true, ok: true },
		{ success: 0, ok: null },
		{ error: null, errors: [] },
		{ error: '', errors: {} },
		{ error: { code: 0, message: '' } },
		{ status: 'active' },
		{ status: 'no error' },
		{ status: ['error'] },
		{ id: 'post_1', status: 'failed', error: 'No' },
		{ data: { id: 'post_1', status: 'failed' } },
		{ data: [{ success: false }] },
		'error',
		null,
	])('not with %j', (body) => expect(deniesSuccess(body)).toBe(false));
});

test('a value is too deep from 202 levels on, however wide it is', () => {
	const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
		let value: unknown = 7;
		for (let level = 0; level < levels; level++) value = wrap(value);
		return value;
	};
	for (const wrap of [(a: unknown) => [a], (a: unknown) => ({ a, b: null, c: 'text' })]) {
		expect(isTooDeep(nested(201, wrap))).toBe(false);
		expect(isTooDeep(nested(202, wrap))).toBe(true);
	}
	expect([7, null, 'text', undefined].some(isTooDeep)).toBe(false);
	expect(isTooDeep(Array.from({ length: 5_000 }, () => [[]]))).toBe(false);
});
