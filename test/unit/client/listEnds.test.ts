import {
	DEFAULT_PAGING,
	type HttpResponse,
	readCompleteList,
	readData,
	readList,
} from '../../../nodes/LocalSeo/client';
import { POSTS, serviceOfPosts } from '../../support/creation';

// Where the records of a list end, and what is no list at all.

const list = { ...POSTS, method: 'GET' as const };
const record = (id: number) => ({ id: `post_${id}` });
const recordsTo = (count: number) => Array.from({ length: count }, (_, at) => record(at + 1));

/** A service without `meta`, with these pages from page 1; each further one is empty. */
function serviceWithPages(pages: object[][], pageParameter = 'page') {
	const asked: unknown[] = [];
	const service = serviceOfPosts((response, { query }) => {
		const number = Number(query[pageParameter] ?? 1);
		asked.push(query.page);
		return { ...response, status: 200, body: { data: pages[number - 1] ?? [] } };
	});
	return { ...service, asked };
}

describe('without meta', () => {
	test('a short page in the middle, as of a list that is filtered afterwards, does not end it', async () => {
		const pages = [recordsTo(3), [record(4)], [record(5), record(6), record(7)], [record(8)]];
		const { connection, asked, run } = serviceWithPages(pages);
		const read = await run(readList(connection, list, DEFAULT_PAGING));
		expect(read).toMatchObject({ records: recordsTo(8), isCut: false, endsWithRepeat: false });
		expect(read.incomplete).toBeUndefined();
		expect(asked).toEqual([undefined, 2, 3, 4, 5]);
	});

	test('a page parameter that is ignored ends it with its first page, and with a word', async () => {
		const { connection, asked, run } = serviceWithPages([recordsTo(3)], 'seite');
		const read = await run(readList(connection, list, DEFAULT_PAGING));
		expect(read).toMatchObject({ records: recordsTo(3), endsWithRepeat: true });
		expect(read.incomplete).toBeUndefined();
		expect(asked).toEqual([undefined, 2]);
	});

	test('a page that does not exist ends it without a word', async () => {
		const { connection, run } = serviceOfPosts((response, { query }) =>
			query.page === undefined
				? { ...response, body: { data: recordsTo(3) } }
				: { ...response, status: 404, body: { message: 'Not found' } },
		);
		const read = await run(readList(connection, list, DEFAULT_PAGING));
		expect(read).toMatchObject({ records: recordsTo(3), endsWithRepeat: false });
	});
});

test('with a total, a page parameter that is ignored is an error that names it', async () => {
	const { connection, run } = serviceOfPosts((response) => ({
		...{ ...response, body: { data: recordsTo(3), meta: { total: 7 } } },
	}));
	const read = await run(readList(connection, list, { ...DEFAULT_PAGING, pageParameter: 'seite' }));
	expect(read.records).toEqual(recordsTo(3));
	expect(read.incomplete?.facts).toMatchObject({
		...{ kind: 'incomplete-list', received: 3, total: 7, pageParameter: 'seite' },
	});
});

/** What is no list, and what is said of it. */
const NO_LISTS: Array<[string, unknown, string]> = [
	['no body', '', ''],
	['an empty object', {}, ''],
	['null', null, ''],
	['a notice', { message: 'Scheduled maintenance' }, '{"message":"Scheduled maintenance"}'],
	['a list without data', [{ id: 'post_1' }], '[{"id":"post_1"}]'],
	['a list under another name', { posts: [{ id: 'post_1' }] }, '{"posts":[{"id":"post_1"}]}'],
	['a record in data', { data: { id: 'post_1' } }, '{"data":{"id":"post_1"}}'],
	['a short text', 'OK', 'OK'],
];

describe('200 that breaks the interface is an error with what came, and neither an empty list nor a record', () => {
	const answering = (body: unknown, status = 200) =>
		serviceOfPosts((response): HttpResponse => ({ ...response, status, body }));

	test.each(NO_LISTS)('of a list: %s', async (_, body, came) => {
		const { connection, methods, run } = answering(body);
		await expect(run(readCompleteList(connection, list, DEFAULT_PAGING))).rejects.toMatchObject({
			facts: { kind: 'unexpected-response', expected: 'list', came },
		});
		expect(methods).toEqual(['GET']);
	});

	test.each<[string, unknown]>([
		['no body', ''],
		['an empty object', {}],
		['null', null],
		['a notice', { message: 'Scheduled maintenance' }],
	])('of data of any shape: %s', async (_, body) => {
		const { connection, run } = answering(body);
		const insights = { ...list, path: '/locations/{locationId}/insights', isOfAnyShape: true };
		await expect(run(readData(connection, insights, DEFAULT_PAGING))).rejects.toMatchObject({
			facts: { kind: 'unexpected-response', expected: 'data' },
		});
	});

	test.each<[string, unknown]>([
		['nothing in data', { data: null }],
		['several in data', { data: recordsTo(2) }],
		['a text in data', { data: 'post_1' }],
	])('of a record: %s', async (_, body) => {
		const { connection, run } = answering(body);
		const one = { ...list, path: '/locations/{locationId}' };
		await expect(run(readData(connection, one, DEFAULT_PAGING))).rejects.toMatchObject({
			facts: { kind: 'unexpected-response', expected: 'record' },
		});
	});

	test('a reading that denies its success is refused, with its words', async () => {
		const { connection, methods, run } = answering({
			...{ success: false, data: [], message: 'The export is off' },
		});
		await expect(run(readList(connection, list, DEFAULT_PAGING))).rejects.toMatchObject({
			facts: { kind: 'rejected', status: 200, said: { text: 'The export is off' } },
		});
		expect(methods).toEqual(['GET']);
	});
});

test('null in data is an empty list, unless a total contradicts it', async () => {
	const { connection, run } = serviceOfPosts((response) => ({ ...response, body: { data: null } }));
	await expect(run(readCompleteList(connection, list, DEFAULT_PAGING))).resolves.toEqual([]);
	const other = serviceOfPosts((response) => ({
		...{ ...response, body: { data: null, meta: { total: 2 } } },
	}));
	await expect(
		other.run(readCompleteList(other.connection, list, DEFAULT_PAGING)),
	).rejects.toMatchObject({ facts: { kind: 'incomplete-list', received: 0, total: 2 } });
});
