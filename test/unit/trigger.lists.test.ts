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
const keyword = { id: 'kw_1', keyword: 'dentist' };
const scanAt = (minutes: number) => ({ id: `scan_${minutes}`, scanned_at: timeAt(minutes) });
const withScans = (...pages: JsonObject[][]) =>
	serviceWith({ '/locations/loc_1/keywords': [[keyword]], '/keywords/kw_1/scans': pages });
const times = (scans: Array<Array<{ at: number }>>) =>
	scans.map((ofKeyword) => ofKeyword.map(({ at }) => (at - SINCE) / 60_000));

test('scans that begin with the latest are read no further than to the last one that is known', async () => {
	const connection = withScans([scanAt(9), scanAt(8)], [scanAt(7), scanAt(6)], [scanAt(5)]);
	const lists = await readLists(
		{ connection, paging },
		LOCATION,
		['keywords', 'scans'],
		minutesLater(7),
	);
	expect(times(lists.scans)).toEqual([[9, 8, 7, 6]]);
	expect(sent.filter((path) => path.includes('scans'))).toHaveLength(2);
});

test('records without an ID are left out: they can not be recognized', async () => {
	const connection = serviceWith({
		'/locations': [[{ name: 'No ID' }, { id: 7 }, LOCATION]],
		'/locations/loc_1/posts': [[{ title: 'No ID' }, { id: 'post_1' }]],
	});
	const reader = { connection, paging };
	expect(await readLocations(reader)).toEqual([{ id: 7 }, LOCATION]);
	const { posts } = await readLists(reader, LOCATION, ['posts'], 0);
	expect(posts).toEqual([{ id: 'post_1' }]);
	expect((await readFirstPages(reader, LOCATION, ['posts'])).posts).toEqual([{ id: 'post_1' }]);
});

test('only the lists that are asked for are read', async () => {
	const connection = withScans([scanAt(9)]);
	const lists = await readLists({ connection, paging }, LOCATION, ['keywords'], 0);
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
