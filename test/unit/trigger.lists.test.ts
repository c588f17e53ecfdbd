import { Account, type Connection, type ServiceError } from '../../nodes/LocalSeo/client';
import { readLists, readLocations } from '../../nodes/LocalSeo/trigger/lists';
import type { ListName } from '../../nodes/LocalSeo/trigger/subject';
import { LOCATION, minutesLater, SINCE, timeAt } from '../support/trigger';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const keyword = { id: 'kw_1', keyword: 'dentist' };
const KEYWORDS = '/locations/loc_1/keywords';
const POSTS = '/locations/loc_1/posts';
const SCANS = '/keywords/kw_1/scans';
const scanAt = (minutes: number) => ({ id: `scan_${minutes}`, scanned_at: timeAt(minutes) });
const [nine, eight, seven, six] = [9, 8, 7, 6].map(scanAt);

/** Reads lists of a service that has these pages, and says this of each list. */
async function read(
	pages: Record<string, unknown[][]>,
	lists: ListName[],
	{ until = 0, isSample = false, isMissing = '-' } = {},
) {
	const sent: string[] = [];
	const failed: unknown[] = [];
	const clock = new VirtualClock();
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 0,
		transport: async ({ path, query }) => {
			const number = Number(query.page ?? 1);
			sent.push(`${path} ${number}`);
			const all = pages[path] ?? [];
			const data = all[number - 1] ?? [];
			const total = all.flat().length;
			const body = { data, meta: { current_page: number, total } };
			return { status: path.includes(isMissing) ? 404 : 200, headers: {}, body };
		},
	};
	const paging = { pageParameter: 'page', pageSizeParameter: 'per_page' };
	const reader = { connection, paging, notes: new Set<string>() };
	const check = {
		until: minutesLater(until),
		goingOn: { since: 0, now: 0 },
		onFailure: (error: Error) => failed.push((error as ServiceError).kind),
	};
	const listed = await clock.run(readLists(reader, LOCATION, lists, isSample ? undefined : check));
	const times = listed.scans.map(({ at }) => (at - SINCE) / 60_000);
	const locations = async () => await clock.run(readLocations(reader));
	return { listed, times, sent, failed, locations };
}
const readScans = async (scans: unknown[][], options: Parameters<typeof read>[2] = {}) => {
	const { times, sent } = await read(
		{ [KEYWORDS]: [[keyword]], [SCANS]: scans },
		['keywords', 'scans'],
		options,
	);
	return { times, requests: sent.filter((path) => path.startsWith(SCANS)).length };
};

test('records without an ID are left out: they can not be recognized', async () => {
	const pages = {
		'/locations': [[{ name: 'No ID' }, { id: 7 }, LOCATION]],
		[POSTS]: [[{ title: 'No ID' }, { id: 'post_1' }]],
	};
	for (const isSample of [true, false]) {
		const { listed, locations } = await read(pages, ['posts'], { isSample });
		expect(listed.posts).toEqual([{ id: 'post_1' }]);
		expect(await locations()).toEqual([{ id: 7 }, LOCATION]);
	}
});

test('only the lists that are asked for are read', async () => {
	const { listed, sent } = await read({ [KEYWORDS]: [[keyword]] }, ['keywords']);
	expect(listed).toEqual({
		location: LOCATION,
		keywords: [keyword],
		scans: [],
		isComplete: true,
		isScanning: false,
		posts: [],
	});
	expect(sent).toEqual([`${KEYWORDS} 1`]);
});

test('a sample is the newest record of a first page; one without a date comes last', async () => {
	const [undated, older, newer] = [
		{ id: 'a' },
		{ id: 'kw_2', created_at: timeAt(1) },
		{ id: 'kw_1', created_at: timeAt(2) },
	];
	const pages = { [KEYWORDS]: [[undated, older, newer], [keyword]], [SCANS]: [[nine], [eight]] };
	const { listed, times, sent } = await read(pages, ['keywords', 'scans'], { isSample: true });
	expect(listed.keywords).toEqual([newer, older, undated]);
	expect(times).toEqual([9]);
	const others = ['kw_2', 'a'].map((id) => `/keywords/${id}/scans 1`);
	expect(sent).toEqual([`${KEYWORDS} 1`, `${SCANS} 1`, ...others]);
	expect((await read({}, ['keywords', 'scans'], { isSample: true })).times).toEqual([]);
});

test('a keyword whose scans can not be read does not hold back the others', async () => {
	const keywords = [{ id: '..' }, { id: 'gone' }, keyword];
	const pages = { [KEYWORDS]: [keywords], [SCANS]: [[nine]] };
	const { listed, times, failed } = await read(pages, ['keywords', 'scans'], { isMissing: 'gone' });
	expect([listed.isComplete, times]).toEqual([false, [9]]);
	expect(failed.sort()).toEqual(['invalid-id', 'rejected']);
});

test.each<[string, unknown[][], Parameters<typeof read>[2], { times: number[]; requests: number }]>(
	[
		['one page, if it is all there is', [[nine, eight]], {}, { times: [9, 8], requests: 1 }],
		[
			'one page, if it begins with the latest and goes back to those that are known',
			[
				[nine, eight],
				[seven, six],
			],
			{ until: 8 },
			{ times: [9, 8], requests: 1 },
		],
		[
			'all pages, if they may go on with new ones',
			[
				[nine, eight],
				[seven, six],
			],
			{ until: 7 },
			{ times: [9, 8, 7, 6], requests: 3 },
		],
		[
			'all pages, if it begins with the oldest',
			[[scanAt(1), scanAt(2)], [nine]],
			{ until: 7 },
			{ times: [9, 2, 1], requests: 3 },
		],
		[
			'all pages, if nothing shows its order',
			[[eight, { ...eight, id: 'twin' }], [nine]],
			{ until: 8 },
			{ times: [9, 8, 8], requests: 3 },
		],
		[
			'all pages, if it seems to begin with the latest for a date that is far ahead',
			[
				[scanAt(9_999), scanAt(1), scanAt(2)],
				[eight, nine],
			],
			{ until: 7 },
			{ times: [9_999, 9, 8, 2, 1], requests: 3 },
		],
		['what is no record is left out', [['text', nine, null]], {}, { times: [9], requests: 1 }],
	],
)('of a list of scans: %s', async (_, pages, options, expected) => {
	expect(await readScans(pages, options)).toEqual(expected);
});
