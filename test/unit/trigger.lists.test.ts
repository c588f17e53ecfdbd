import { Account, type Connection, type JsonObject } from '../../nodes/LocalSeo/client';
import {
	newestFirst,
	readFirstPages,
	readLists,
	readLocations,
} from '../../nodes/LocalSeo/trigger/lists';
import { seededRandom, VirtualClock } from '../support/virtualClock';
import { LOCATION, minutesLater, SINCE, timeAt } from '../support/trigger';

let sent: string[];
/** A service that answers each path with its pages, one after the other. */
const serviceWith = (pages: Record<string, JsonObject[][]>): Connection => {
	sent = [];
	return {
		account: new Account(new VirtualClock(), seededRandom()),
		patienceMs: 0,
		transport: async ({ path, query }) => {
			const number = Number(query.page ?? 1);
			sent.push(`${path} ${number}`);
			const all = pages[path] ?? [];
			const body = {
				data: all[number - 1] ?? [],
				meta: { current_page: number, per_page: 15, total: all.flat().length },
			};
			return { status: 200, headers: {}, body };
		},
	};
};
const paging = { pageParameter: 'page', pageSizeParameter: 'per_page' };
const onFailure = () => {};
const until = (minutes: number) => ({
	until: minutesLater(minutes),
	isPlausible: (time: number) => time < minutesLater(1_000),
});
const keyword = { id: 'kw_1', keyword: 'dentist' };
const scanAt = (minutes: number) => ({ id: `scan_${minutes}`, scanned_at: timeAt(minutes) });
const withScans = (...pages: JsonObject[][]) =>
	serviceWith({ '/locations/loc_1/keywords': [[keyword]], '/keywords/kw_1/scans': pages });
const times = (scans: Array<Array<{ at: number }> | undefined>) =>
	scans.map((ofKeyword) => ofKeyword?.map(({ at }) => (at - SINCE) / 60_000));

test('scans that begin with the latest are read no further than to the last one that is known', async () => {
	const connection = withScans([scanAt(9), scanAt(8)], [scanAt(7), scanAt(6)], [scanAt(5)]);
	const lists = await readLists(
		{ connection, paging, onFailure },
		LOCATION,
		['keywords', 'scans'],
		until(7),
	);
	expect(times(lists.scans)).toEqual([[9, 8, 7, 6]]);
	expect(sent.filter((path) => path.includes('scans'))).toHaveLength(2);
});

test('records without an ID are left out: they can not be recognized', async () => {
	const connection = serviceWith({
		'/locations': [[{ name: 'No ID' }, { id: 7 }, LOCATION]],
		'/locations/loc_1/posts': [[{ title: 'No ID' }, { id: 'post_1' }]],
	});
	const reader = { connection, paging, onFailure };
	expect(await readLocations(reader)).toEqual([{ id: 7 }, LOCATION]);
	const { posts } = await readLists(reader, LOCATION, ['posts'], until(0));
	expect(posts).toEqual([{ id: 'post_1' }]);
	expect((await readFirstPages(reader, LOCATION, ['posts'])).posts).toEqual([{ id: 'post_1' }]);
});

test('only the lists that are asked for are read', async () => {
	const connection = withScans([scanAt(9)]);
	const lists = await readLists(
		{ connection, paging, onFailure },
		LOCATION,
		['keywords'],
		until(0),
	);
	expect(lists).toEqual({ location: LOCATION, keywords: [keyword], scans: [], posts: [] });
	expect(sent).toEqual(['/locations/loc_1/keywords 1']);
});

test('a sample of a location without keywords has no scans', async () => {
	const connection = serviceWith({});
	const lists = await readFirstPages({ connection, paging }, LOCATION, ['keywords', 'scans']);
	expect(lists.scans).toEqual([]);
	expect(sent).toEqual(['/locations/loc_1/keywords 1']);
});

test('a sample shows the newest record; one without a date comes last', () => {
	const [undated, older, newer] = [
		{ id: 'a' },
		{ id: 'b', created_at: timeAt(1) },
		{ id: 'c', created_at: timeAt(2) },
	];
	expect(newestFirst([undated, older, newer])).toEqual([newer, older, undated]);
});

test('scans that begin with the oldest are all read, however short a page is', async () => {
	const oldestFirst = [[scanAt(1)], [scanAt(1.5)], [scanAt(9)]];
	const lists = await readLists(
		{ connection: withScans(...oldestFirst), paging, onFailure },
		LOCATION,
		['keywords', 'scans'],
		until(7),
	);
	expect(times(lists.scans)).toEqual([[9, 1.5, 1]]);
});

test('a scan that is dated far ahead does not make a list one that begins with the latest', async () => {
	const pages = [
		[scanAt(9_999), scanAt(1), scanAt(2)],
		[scanAt(8), scanAt(9)],
	];
	const lists = await readLists(
		{ connection: withScans(...pages), paging, onFailure },
		LOCATION,
		['keywords', 'scans'],
		until(7),
	);
	expect(times(lists.scans)).toEqual([[9_999, 9, 8, 2, 1]]);
});

test('a keyword whose scans can not be read does not hold back the others', async () => {
	const connection = withScans([scanAt(9)]);
	const { transport } = connection;
	const keywords = [{ id: '..' }, { id: 'gone' }, keyword];
	connection.transport = async (request, signal) => {
		if (request.path.includes('gone')) return { status: 404, headers: {}, body: {} };
		if (request.path.endsWith('/keywords')) {
			return { status: 200, headers: {}, body: { data: keywords, meta: { total: 3 } } };
		}
		return await transport(request, signal);
	};
	const failed: unknown[] = [];
	const lists = await readLists(
		{ connection, paging, onFailure: ({ kind }) => failed.push(kind) },
		LOCATION,
		['keywords', 'scans'],
		until(7),
	);
	expect(times(lists.scans)).toEqual([undefined, undefined, [9]]);
	expect(failed.sort()).toEqual(['invalid-id', 'rejected']);
});

test('a list of scans that never ends is given up', async () => {
	const connection = withScans();
	const { transport } = connection;
	let count = 0;
	connection.transport = async (request, signal) =>
		request.path.endsWith('/scans')
			? { status: 200, headers: {}, body: { data: [scanAt(++count)] } }
			: await transport(request, signal);
	const failed: unknown[] = [];
	// The latest always comes first, so nothing shows that the list has to be read in another way.
	const lists = await readLists(
		{ connection, paging, onFailure: ({ kind }) => failed.push(kind) },
		LOCATION,
		['keywords', 'scans'],
		{ until: 0, isPlausible: () => false },
	);
	expect(lists.scans).toEqual([undefined]);
	expect(failed).toEqual(['incomplete-list']);
});

describe('how far a list of scans is read', () => {
	/** The scans and the number of requests, at a service with these pages that says this of them. */
	async function read(pages: unknown[][], meta: JsonObject, known = until(0)) {
		const connection = withScans();
		const { transport } = connection;
		let requests = 0;
		connection.transport = async (request, signal) => {
			if (!request.path.endsWith('/scans')) return await transport(request, signal);
			requests++;
			const number = Number(request.query.page ?? 1);
			const body = { data: pages[number - 1] ?? [], meta: { current_page: number, ...meta } };
			return { status: 200, headers: {}, body };
		};
		const reader = { connection, paging, onFailure };
		const { scans } = await readLists(reader, LOCATION, ['keywords', 'scans'], known);
		return { times: times(scans)[0], requests };
	}
	const [nine, eight, seven, six] = [9, 8, 7, 6].map(scanAt);

	test.each<[string, unknown[][], JsonObject, number]>([
		['all are there, and there is room for more', [[nine, eight]], { per_page: 15, total: 2 }, 1],
		['all are there, and nothing is said of the size of a page', [[nine, eight]], { total: 2 }, 1],
		[
			'the total is reached, but the page is full',
			[[nine, eight], [seven]],
			{ per_page: 2, total: 2 },
			2,
		],
		['the total is not reached', [[nine, eight], [seven]], { total: 3 }, 2],
		['a page is short', [[nine], [eight]], { per_page: 2, total: 2 }, 2],
		['nothing is said of a total', [[nine, eight], [seven]], { per_page: 2 }, 3],
		['nothing is said at all', [[nine, eight], [seven]], {}, 3],
	])('%s', async (_, pages, meta, requests) => {
		expect(await read(pages, meta)).toEqual({
			times: [9, 8, 7].slice(0, pages.flat().length),
			requests,
		});
	});

	test('as far as one of the time of the last one that is known', async () => {
		const pages = [[nine], [eight], [seven], [six]];
		const meta = { per_page: 1, total: 4 };
		expect(await read(pages, meta, until(7))).toEqual({ times: [9, 8, 7], requests: 3 });
	});

	test('scans of the same time do not show in which order the list is', async () => {
		const pages = [[nine], [{ ...nine, id: 'twin' }], [eight], [seven]];
		const meta = { per_page: 1, total: 4 };
		expect(await read(pages, meta, until(9))).toEqual({ times: [9, 9, 8], requests: 3 });
	});

	test('what is no record is left out', async () => {
		expect((await read([['text', nine, null]], { total: 3 })).times).toEqual([9]);
		// Also where the list begins with the oldest, and is read as a whole.
		expect((await read([[eight, 'text', nine]], { total: 3 })).times).toEqual([9, 8]);
	});
});
