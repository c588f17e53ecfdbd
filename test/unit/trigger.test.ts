import type { JsonObject } from '../../nodes/LocalSeo/client';
import { MINUTE, outcomeOf, Trigger } from '../support/polledTrigger';

type State = Partial<
	Pick<Trigger, 'locations' | 'posts' | 'keywords' | 'scans' | 'status' | 'lacking' | 'pageSize'>
>;

/** A trigger whose first poll has learned what is there. */
async function learned(events: string, state: State = {}, parameters: JsonObject = {}) {
	const trigger = new Trigger({ events: events.split(' '), ...parameters });
	Object.assign(trigger, state);
	expect(await trigger.reported()).toEqual([]);
	return trigger;
}

/** What each of some polls reports, after its change. */
async function reportedAfter(trigger: Trigger, ...changes: Array<State | undefined>) {
	const reported: string[][] = [];
	for (const change of changes) {
		Object.assign(trigger, change);
		reported.push(await trigger.reported());
	}
	return reported;
}

const ids = (...all: string[]) => all.map((id) => ({ id }));
const times = (count: number, make: (nth: number) => JsonObject) =>
	Array.from({ length: count }, (_, nth) => make(nth));

/** A location with one keyword, which has these scans. */
const scanned = (...scans: JsonObject[]): State => ({
	locations: [
		{ id: 'loc_1', name: 'Marlow', keywords_count: 1, last_scan_at: scans[0]?.scanned_at },
	],
	keywords: [{ id: 'kw_1', keyword: 'dentist' }],
	scans,
});
const scan = (id: string, at: string, more: JsonObject = {}) => ({
	...{ id, scanned_at: `2025-11-${at}:00Z`, position: 3 },
	...more,
});
/** The lists whose path ends so are refused. */
const refusing = (end: string, status: number): State => ({
	status: (path) => (path.endsWith(end) ? status : 200),
});
const ANSWERING: State = { status: () => 200 };

test.each([
	['of the same device', undefined, ['d2 after d1: ', 'm2 after m1: ']],
	['of all', '', ['d2 after m1: device', 'm2 after d2: device']],
	['with the same values', 'device, engine', ['d2 after d1: ', 'm2 after m1: ']],
])('a scan is compared with the last earlier one %s', async (_, compareScansBy, told) => {
	const [mobile, desktop] = [{ device: 'mobile' }, { device: 'desktop' }];
	const old = [scan('m1', '20T09:05', mobile), scan('d1', '20T09:00', desktop)];
	const fresh = [scan('m2', '21T09:05', mobile), scan('d2', '21T09:00', desktop)];
	const options = compareScansBy === undefined ? {} : { compareScansBy };
	const trigger = await learned('rankScanCompleted', scanned(...old), { options });
	Object.assign(trigger, scanned(...fresh, ...old));
	const items = (await trigger.items()) as Array<Record<string, JsonObject>>;
	expect(
		items.map(({ record, before, changed }) => `${record.id} after ${before.id}: ${changed}`),
	).toEqual(told);
});

describe('what a poll costs', () => {
	test('a list that is refused is named once and waits for its turn; other lists go on', async () => {
		const trigger = await learned('postAdded keywordAdded', { posts: ids('p_1') });
		Object.assign(trigger, refusing('/posts', 403));
		await trigger.poll();
		const locations = [{ id: 'loc_1', keywords_count: 2 }];
		const more = { locations, posts: ids('p_1', 'p_2'), keywords: ids('kw_2') };
		expect(await reportedAfter(trigger, more)).toEqual([['keywordAdded kw_2']]);
		expect(trigger.asked).not.toContain('/locations/loc_1/posts');
		expect(trigger.warnings).toHaveLength(1);
		const later = await reportedAfter(trigger, ANSWERING, ...Array<undefined>(10).fill(undefined));
		expect(later.flat()).toEqual(['postAdded p_2']);
	});

	test('locations that are picked are read one by one', async () => {
		const named = (name: string) => times(500, (nth) => ({ id: `loc_${nth}`, name }));
		const locationIds = ['loc_7', 'loc_9'];
		const trigger = await learned('locationChanged', { locations: named('A') }, { locationIds });
		const changed = ['locationChanged loc_7', 'locationChanged loc_9'];
		expect(await reportedAfter(trigger, { locations: named('B') })).toEqual([changed]);
		expect(trigger.asked).toEqual(['/locations/loc_7', '/locations/loc_9']);
	});

	test('each poll reads a twelfth of the locations whole', async () => {
		const locations = times(120, (nth) => ({ id: `loc_${nth}` }));
		const trigger = await learned('keywordAdded', { locations });
		for (let round = 1; round <= 2; round++) {
			const read: string[] = [];
			for (let polls = 1; polls <= 12; polls++) {
				await trigger.poll();
				const [, ...lists] = trigger.asked;
				expect(lists).toHaveLength(10);
				read.push(...lists);
			}
			expect(new Set(read).size).toBe(120);
		}
	});

	test('one that runs out of time goes on where it stopped, also within a location', async () => {
		const trigger = new Trigger({ events: ['rankScanCompleted'] });
		const keywords = times(200, (nth) => ({ id: `kw_${nth}` }));
		Object.assign(trigger, scanned(), { keywords, latency: 4_000 });
		const asked = new Set<string>();
		let polls = 0;
		do {
			expect(await trigger.reported()).toEqual([]);
			for (const path of trigger.asked) asked.add(path);
		} while (++polls < 30 && asked.size < keywords.length + 2);
		expect([asked.size, polls < 30, polls > 2]).toEqual([keywords.length + 2, true, true]);
	});
});

describe('with other settings, what is new learns, the rest keeps what it knows', () => {
	const setTo = (trigger: Trigger, parameters: JsonObject) => {
		Object.assign(trigger.parameters, parameters);
		trigger.activate('update');
	};

	test.each<[string, JsonObject, fieldsToWatch: string, changed: string[][]]>([
		['in another order', { b: 2 }, 'b,a', [['b']]],
		['with one more and one less', { a: 2, b: 2, c: 2 }, 'c, a', [['a']]],
	])('fields %s', async (_, change, fieldsToWatch, changed) => {
		const locations = [{ id: 'loc_1', a: 1, b: 1, c: 1 }];
		const options = { fieldsToWatch: 'a, b' };
		const trigger = await learned('locationChanged', { locations }, { options });
		Object.assign(trigger.locations[0], change);
		setTo(trigger, { options: { fieldsToWatch } });
		expect((await trigger.items()).map((item) => item.changed)).toEqual(changed);
		Object.assign(trigger.locations[0], { a: 3 });
		expect((await trigger.items()).map((item) => item.changed)).toEqual([['a']]);
	});

	test.each(['postAdded', 'postAdded locationAdded'])('other locations: %s', async (events) => {
		const locations = ids('loc_1', 'loc_2');
		const trigger = await learned(events, { locations }, { locationIds: ['loc_1'] });
		trigger.lists['/locations/loc_2/posts'] = ids('q_1');
		setTo(trigger, { locationIds: ['loc_2', 'loc_1'] });
		expect(await reportedAfter(trigger, { posts: ids('p_1') })).toEqual([['postAdded p_1']]);
		trigger.lists['/locations/loc_2/posts'] = ids('q_1', 'q_2');
		expect(await trigger.reported()).toEqual(['postAdded q_2']);
		setTo(trigger, { locationIds: ['loc_2'] });
		expect(await reportedAfter(trigger, { posts: ids('p_1', 'p_2') })).toEqual([[]]);
		setTo(trigger, { locationIds: ['loc_2', 'loc_1'] });
		const later = [{}, { posts: ids('p_1', 'p_2', 'p_3') }];
		expect(await reportedAfter(trigger, ...later)).toEqual([[], ['postAdded p_3']]);
	});

	test('another field with the time of scans', async () => {
		const done = (id: string, day: string) =>
			scan(id, `${day}T09:00`, { completed_at: `2025-11-${day}T09:05:00Z` });
		const [old, fresh] = [done('a', '20'), done('b', '21')];
		const trigger = await learned('rankScanCompleted', scanned(old));
		setTo(trigger, { options: { scanTimeField: 'completed_at' } });
		const reported = [[], ['rankScanCompleted b']];
		expect(await reportedAfter(trigger, {}, scanned(fresh, old))).toEqual(reported);
	});
});

describe('what happens to a record', () => {
	const NONE = undefined;
	test.each([
		['rankScoreChanged', [50, 48, 46, 46, 52], [NONE, -4, NONE, 6]],
		['rankScoreDropped', [50, 80, 77, 76, 90, 86], [NONE, -3, NONE, NONE, -4]],
		['rankScoreRose', [50, 20, 23, 24, 10, 70.5], [NONE, 3, NONE, NONE, 60.5]],
		['rankScoreChanged', [50, null, 'n/a', undefined, 55], [NONE, NONE, NONE, 5]],
	])('%s: small steps add up since the last reported score', async (event, scores, changes) => {
		const [locations, ...later] = scores.map((rank_score) => [{ id: 'loc_1', rank_score }]);
		const trigger = await learned(event, { locations }, { options: { minimumChange: 3 } });
		const said: unknown[] = [];
		for (const list of later) {
			trigger.locations = list;
			said.push((await trigger.items()).map(({ change }) => change)[0]);
		}
		expect(said).toEqual(changes);
	});

	test.each([
		['published', {}],
		['live', { publishedStatus: 'live' }],
	])('a post is published when its status becomes %s, with %j', async (status, options) => {
		const fresh = ids('p_1', 'p_2', 'p_3').map((post) => ({ ...post, status }));
		const posts = [{ id: 'p_1', status: 'scheduled' }, fresh[1]];
		const trigger = await learned('postAdded postPublished', { posts }, { options });
		const reported = ['postPublished p_1', 'postAdded p_3', 'postPublished p_3'];
		expect(await reportedAfter(trigger, { posts: fresh })).toEqual([reported]);
	});

	test('what one list lacks is still there; what two lack is gone, and new if it returns', async () => {
		const trigger = await learned('postAdded', { posts: ids('p_1', 'p_2') });
		const [one, two] = [{ posts: ids('p_1') }, { posts: ids('p_1', 'p_2') }];
		const reported = [[], [], [], [], ['postAdded p_2']];
		expect(await reportedAfter(trigger, one, two, one, one, two)).toEqual(reported);
	});

	test('a field that no record had before is learned; the others count as changed', async () => {
		const titled = { title: 'A' };
		const posts = [
			{ id: 'p_1', ...titled },
			{ id: 'p_2', ...titled, image: 'x' },
		];
		const trigger = await learned('postChanged', { posts });
		const changedAfter = async (...posts: JsonObject[]) => {
			trigger.posts = posts;
			return (await trigger.items()).map(({ changed }) => changed);
		};
		const first = { id: 'p_1', ...titled, image: 'y', views: 1, created_at: 'now' };
		const second = { id: 'p_2', ...titled, image: null, views: 1 };
		expect(await changedAfter(first, second)).toEqual([['image'], ['image']]);
		expect(await changedAfter({ ...first, views: 2 }, second)).toEqual([['views']]);
	});

	test('a scan without a time is not over, nor is one in the future', async () => {
		const old = scan('a', '20T09:00');
		const running = { id: 'b', scanned_at: null, position: null };
		const ahead = { id: 'c', scanned_at: '2099-01-01T00:00:00Z', position: 1 };
		// Others of the same second come later in the list.
		const [over, same] = [scan('b', '21T09:00'), scan('d', '21T09:00')];
		const trigger = await learned('rankScanCompleted', scanned(old));
		const lists = [
			[running, ahead, old],
			[over, ahead, old],
			[ahead, same, over, old],
		];
		const changes = lists.map((scans, poll) => ({
			...scanned(...scans),
			locations: [{ id: 'loc_1', keywords_count: 1, last_scan_at: `changed ${poll}` }],
		}));
		const reported = [[], ['rankScanCompleted b'], ['rankScanCompleted d']];
		expect(await reportedAfter(trigger, ...changes)).toEqual(reported);
	});

	test('a scan of the same second as the newest one is found on the next page', async () => {
		const [old, fresh] = [scan('a', '20T09:00'), scan('c', '21T09:00')];
		const trigger = await learned('rankScanCompleted', scanned(old));
		const pages = { ...scanned(fresh, old, { ...old, id: undefined }), pageSize: 2 };
		const both = ['rankScanCompleted undefined', 'rankScanCompleted c'];
		expect(await reportedAfter(trigger, pages)).toEqual([both]);
	});

	test('a list of another account, or an empty one, is no news', async () => {
		const trigger = await learned('locationAdded', { locations: ids('loc_1') });
		const [none, other] = [[], ids('other_1', 'other_2')].map((locations) => ({ locations }));
		expect(await reportedAfter(trigger, none, other)).toEqual([[], []]);
		expect(trigger.warnings.join()).toMatch(/as with another account: .* starts from scratch/);
		const both = { locations: ids('other_1', 'other_2', 'loc_1') };
		expect(await reportedAfter(trigger, both)).toEqual([['locationAdded loc_1']]);
	});
});

describe('what is said', () => {
	test.each<[string, JsonObject, RegExp]>([
		['', {}, /No event is selected/],
		['postGone', {}, /There is no event "postGone"/],
		['rankScoreRose', { options: { minimumChange: 'much' } }, /'Minimum Change' must be a/],
		['postAdded', { locationIds: ['Marlow'] }, /No location has the ID "Marlow".*There is Marlow/],
		['postAdded locationAdded', { locationIds: ['Marlow'] }, /ID "Marlow".*There is Marlow/],
		['postAdded', { locationIds: ['..', 'York'] }, /No locations have the IDs "\.\.", "York"/],
		['locationChanged', { options: { fieldsToWatch: 'Name' } }, /no field "Name".*have: id, name/],
		['rankScanCompleted', { options: { scanTimeField: 'at' } }, /"at".*: id, scanned_at.*'Scan T/],
	])('of settings that match nothing: %s %j', async (events, parameters, words) => {
		for (const mode of ['trigger', 'manual']) {
			const trigger = new Trigger({ events: events.split(' '), ...parameters });
			Object.assign(trigger, scanned(scan('a', '20T09:00')), { mode });
			expect(await outcomeOf(trigger)).toMatch(words);
		}
	});

	test.each(['trigger', 'manual'])('of picked locations that are all refused: %s', async (mode) => {
		const trigger = new Trigger({ events: ['postAdded'], locationIds: ['loc_1'] });
		Object.assign(trigger, refusing('/loc_1', 403), { mode });
		expect(await outcomeOf(trigger)).toMatch(/not allowed to get location "loc_1"/);
	});

	test('of lists that are incomplete, or refused at many locations, in a few lines', async () => {
		const scans = await learned('rankScanCompleted', scanned(scan('a', '20T09:00')));
		const locations = times(9, (nth) => ({ id: `loc_${nth}` }));
		const posts = await learned('postAdded', { locations });
		for (const [trigger, lacking] of [
			[scans, '/scans'],
			[posts, '/posts'],
		] as const) {
			Object.assign(trigger, { lacking, ...(trigger === scans && scanned(scan('b', '21T09:00'))) });
			expect(await trigger.reported()).toEqual([]);
			expect(trigger.warnings[0]).toMatch(/Incomplete list: the service returned \d of \d/);
		}
		expect(posts.warnings).toHaveLength(6);
		expect(posts.warnings[5]).toMatch(/4 more locations or keywords could not be read/);
	});

	test('of a sample: what was not found, where it was looked for, and what to check', async () => {
		const trigger = new Trigger({ events: ['postPublished', 'rankScanCompleted'] });
		Object.assign(trigger, scanned(), { posts: ids('p_1'), mode: 'manual' });
		expect(await outcomeOf(trigger)).toMatch(
			/^No content posts or rank scans were found \| Looked at loc_1\. Check that 'Published Status'/,
		);
		trigger.parameters.events = ['postPublished', 'postAdded'];
		const [{ sample }] = await trigger.items();
		expect(sample).toMatch(/\. No record was found for Content Post Published/);
	});

	test('of posts without a status: they are never seen as published', async () => {
		const { warnings } = await learned('postPublished', { posts: ids('p_1') });
		expect(warnings).toEqual([expect.stringMatching(/posts have no 'status'/)]);
	});

	test('a picked location that is gone later silences nothing', async () => {
		const locationIds = ['loc_1', 'loc_2'];
		const trigger = await learned('postAdded', { locations: ids(...locationIds) }, { locationIds });
		const gone = { locations: ids('loc_1'), posts: ids('p_1') };
		expect(await reportedAfter(trigger, gone, {})).toEqual([['postAdded p_1'], []]);
		expect(trigger.warnings).toEqual([expect.stringMatching(/loc_2/)]);
	});

	test('a service that refuses everything fails the poll, and nothing is lost', async () => {
		const trigger = await learned('postAdded');
		trigger.posts = ids('p_1');
		for (const refused of ['', '/posts']) {
			Object.assign(trigger, refusing(refused, 429));
			const startedAt = trigger.clock.now();
			expect(await outcomeOf(trigger)).toMatch(/Rate limit reached/);
			expect(trigger.clock.now() - startedAt).toBeLessThan(2 * MINUTE);
		}
		expect(await reportedAfter(trigger, ANSWERING)).toEqual([['postAdded p_1']]);
	});

	test('activation fails if none of the lists can be read, and says why', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationAdded'] });
		Object.assign(trigger, refusing('/posts', 403));
		expect(await outcomeOf(trigger)).toMatch(/not allowed to get the content posts/);
		expect(trigger.stored).toEqual({});
	});

	test('records without an ID are named once, and the others are watched', async () => {
		const trigger = await learned('postAdded', { posts: [{ title: 'A' }] });
		const more = { posts: [{ title: 'A' }, { id: 'p_1' }] };
		expect(await reportedAfter(trigger, more)).toEqual([['postAdded p_1']]);
		expect(trigger.warnings).toEqual([expect.stringContaining('posts without an ID are left out')]);
	});
});
