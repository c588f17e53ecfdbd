import { readMeta } from '../../../nodes/LocalSeo/client/list/meta';
import { type Reading, readOnce } from '../../../nodes/LocalSeo/client/list/readOnce';
import { answer, type Pages, read, serviceWith, some } from './service';

describe('one reading is', () => {
	test.each<[string, string, Pages]>([
		['complete', 'where the total agrees', serviceWith(some(40))],
		['complete', 'without a total, at a short page', serviceWith(some(40), { meta: () => ({}) })],
		['complete', 'without a total, at an empty page', serviceWith(some(30), { meta: () => ({}) })],
		[
			'complete',
			'without a total, where the page behind it is missing',
			serviceWith(some(30), { meta: () => ({}), pastEnd: answer('', 404) }),
		],
		[
			'ended: unpaged',
			'without a total, where the page behind it is refused',
			serviceWith(some(30), { meta: () => ({}), pastEnd: answer('', 400) }),
		],
		['ended: unpaged', 'where the number of the page is ignored', () => answer({ data: some(15) })],
		['incomplete: repeated', 'where a record came twice', serviceWith([...some(16), ...some(1)])],
		[
			'incomplete: unequal',
			'where the total changed',
			serviceWith(some(40), { meta: (page) => ({ total: page > 1 ? 40 : 39 }) }),
		],
		[
			'incomplete: cut',
			'where the total is more',
			serviceWith(some(40), { meta: () => ({ total: 41 }) }),
		],
	])('%s: %s', async (completeness, _, pages) => {
		const { result, asked } = await read(readOnce, pages);
		const { kind, reason } = (result as Reading).completeness;
		expect(reason ? `${kind}: ${reason}` : kind).toBe(completeness);
		expect(result).toMatchObject({ startedAt: Date.UTC(2026, 0, 1) });
		expect(asked.filter((one) => one === '/locations')).toHaveLength(1);
	});
});

test.each([
	...['last_page', 'total_pages', 'page_count', 'pages'].map(
		(name) => [name, 3, '2'] as [string, unknown, unknown],
	),
	...['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage', 'more'].flatMap(
		(name) => [
			[name, true, false] as [string, unknown, unknown],
			[name, 'true', 'false'] as [string, unknown, unknown],
		],
	),
	...['next', 'next_page', 'next_page_url', 'next_cursor', 'nextCursor', 'next_page_token'].flatMap(
		(name) => [
			[name, '/x', null] as [string, unknown, unknown],
			[name, { href: '/x' }, {}] as [string, unknown, unknown],
		],
	),
	...['nextPageToken', 'nextLink', '@odata.nextLink'].map(
		(name) => [name, 3, ''] as [string, unknown, unknown],
	),
])('%s says with %j that there is more, and with %j that there is not', (name, more, over) => {
	const places = (value: unknown) => [
		{ data: [], meta: { [name]: value } },
		{ data: [], [name]: value },
		...['links', 'pagination', 'paging'].map((place) => ({ [place]: { [name]: value } })),
	];
	for (const body of places(more)) expect(readMeta(body, { number: 2 }).hasMore).toBe(true);
	for (const body of places(over)) expect(readMeta(body, { number: 2 }).hasMore).toBe(false);
});

test('signs of both say that there is more; nothing says nothing', () => {
	expect(readMeta({ meta: { has_more: false, last_page: 2 } }, { number: 1 }).hasMore).toBe(true);
	expect(
		readMeta({ meta: { has_more: 0, next: undefined } }, { number: 1 }).hasMore,
	).toBeUndefined();
	expect(readMeta([{ meta: { total: 40 } }], { number: 1 })).toEqual({});
});
