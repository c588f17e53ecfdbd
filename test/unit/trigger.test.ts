import times from 'lodash/times';

import type { JsonObject } from '../../nodes/LocalSeo/client';
import {
	ids,
	learned,
	MINUTE,
	outcomeOf,
	reportedAfter,
	scan,
	scanned,
	type State,
	Trigger,
} from '../support/polledTrigger';

/** The lists whose path ends so are refused. */
const refusing = (end: string, status: number): State => ({
	status: (path) => (path.endsWith(end) ? status : 200),
});

describe('what a poll costs', () => {
	test('keywords that can not be read when it is the turn of their location are read by the next poll', async () => {
		const trigger = await learned('keywordAdded', scanned(scan('a', '20T09:00')));
		Object.assign(trigger, refusing('/keywords', 500));
		do expect(await trigger.reported()).toEqual([]);
		while (trigger.asked.length === 1);
		const added = { status: () => 200, keywords: ids('kw_1', 'kw_2') };
		expect(await reportedAfter(trigger, added)).toEqual([['keywordAdded kw_2']]);
	});

	test('a scan that goes on is looked for by its keyword alone, until it is the turn', async () => {
		const [old, running] = [scan('a', '20T09:00'), { id: 'b', scanned_at: null }];
		const trigger = await learned('rankScanCompleted', scanned(old));
		trigger.lists['/keywords/kw_2/scans'] = [scan('z', '20T09:00')];
		const begun = (last_scan_at: string) => ({
			...{ scans: [running, old], keywords: ids('kw_1', 'kw_2') },
			locations: [{ id: 'loc_1', keywords_count: 1, last_scan_at }],
		});
		const askedNext = async () => {
			expect(await trigger.reported()).toEqual([]);
			return trigger.asked.slice(1);
		};
		const own = ['/locations/loc_1/keywords', '/keywords/kw_1/scans'];
		await reportedAfter(trigger, begun('today'));
		for (let polls = 3; polls <= 12; polls++) expect(await askedNext()).toEqual(own);
		expect(await askedNext()).toEqual([...own, '/keywords/kw_2/scans']);
		expect(await askedNext()).toEqual([]);
		await reportedAfter(trigger, begun('now'));
		// What the location shows is the same from now on.
		const over = { scans: [scan('b', '20T09:01'), old] };
		expect(await reportedAfter(trigger, over)).toEqual([['rankScanCompleted b']]);
		expect(await askedNext()).toEqual([]);
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
		Object.assign(trigger, scanned(), { keywords, latency: () => 4_000 });
		const scans: string[] = [];
		let polls = 0;
		do {
			expect(await trigger.reported()).toEqual([]);
			scans.push(...trigger.asked.filter((path) => path.endsWith('/scans')));
		} while (++polls < 30 && new Set(scans).size < keywords.length);
		expect([polls < 30, polls > 2]).toEqual([true, true]);
		// None is read again before all were read.
		expect(new Set(scans).size).toBe(scans.length);
		expect([await trigger.reported(), trigger.asked]).toEqual([[], ['/locations']]);
	});

	test('one that runs out of time goes on with the other locations, whatever one of them takes', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'rankScanCompleted'] });
		const keywords = times(400, (nth) => ({ id: `kw_${nth}` }));
		const locations = times(60, (nth) => ({ id: `loc_${nth + 1}` }));
		Object.assign(trigger, { locations, keywords, latency: () => 4_000 });
		const read = new Set<string>();
		for (let polls = 1; polls <= 6; polls++) {
			await trigger.poll();
			for (const path of trigger.asked) if (path.endsWith('/posts')) read.add(path);
		}
		expect(read.size).toBe(60);
	});

	test('a location whose lists never come does not hold back the others', async () => {
		const locations = ids('loc_silent', 'loc_1', 'loc_2');
		const trigger = await learned('postAdded keywordAdded', { locations });
		trigger.latency = (path) => (path.includes('silent') ? Infinity : 20);
		await reportedAfter(trigger, ...times(24, () => ({})));
		const news = { locations: times(3, (nth) => ({ ...locations[nth], keywords_count: 1 })) };
		const told = await reportedAfter(trigger, { ...news, keywords: ids('kw_1') }, {}, {});
		expect(told.flat()).toEqual(['keywordAdded kw_1']);
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

	test('another status that means published', async () => {
		const posts = ['published', 'live', 'draft'].map((status, nth) => ({ id: `p_${nth}`, status }));
		const trigger = await learned('postPublished', { posts });
		setTo(trigger, { options: { publishedStatus: 'live' } });
		const later = { posts: posts.with(2, { id: 'p_2', status: 'live' }) };
		expect(await reportedAfter(trigger, {}, later)).toEqual([[], ['postPublished p_2']]);
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
	test('a score that can not be read is no change, and the last one is still known', async () => {
		const scores = [50, null, 'n/a', undefined, 55];
		const [state, ...later] = scores.map((rank_score) => ({
			locations: [{ id: 'loc_1', rank_score }],
		}));
		const trigger = await learned('rankScoreChanged', state);
		const reported = [[], [], [], ['rankScoreChanged loc_1']];
		expect(await reportedAfter(trigger, ...later)).toEqual(reported);
	});

	test('a field that the posts of another location have is learned all the same', async () => {
		const trigger = await learned('postChanged', {
			locations: ids('loc_1', 'loc_2'),
			posts: ids('p_1'),
		});
		const other = '/locations/loc_2/posts';
		trigger.lists[other] = [{ id: 'q_1', image: 'x' }];
		expect(await reportedAfter(trigger, {}, {})).toEqual([[], []]);
		const added = { posts: [{ id: 'p_1', image: 'x' }] };
		expect(await reportedAfter(trigger, added)).toEqual([[]]);
		const changed = { posts: [{ id: 'p_1', image: 'y' }] };
		expect(await reportedAfter(trigger, changed)).toEqual([['postChanged p_1']]);
	});

	test('all fields count, however many, and whatever objects inherit under their names', async () => {
		const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'f_59'];
		const many = times(60, (nth) => ({ name: `f_${nth}` })).map(({ name }) => `,"${name}":1`);
		const record = (id: string, more = '') =>
			JSON.parse(`{"id":"${id}"${many.join('')}${more}}`) as JsonObject;
		const withOdd = (odd: string) => ({
			locations: [record('loc_1', odd), record('loc_2')],
			posts: [record('p_1', odd), record('p_2')],
		});
		const odd = names.map((name) => `,"${name}":"x"`).join('');
		const trigger = await learned('locationChanged postChanged', withOdd(''));
		const both = ['locationChanged loc_1', 'postChanged p_1'];
		// The last one was there before.
		expect(await reportedAfter(trigger, withOdd(odd))).toEqual([both]);
		for (const name of names) {
			Object.assign(trigger, withOdd(odd.replace(`"${name}":"x"`, `"${name}":"y"`)));
			const items = await trigger.items();
			expect(items.map(({ changed }) => changed)).toEqual([expect.arrayContaining([name]), []]);
		}
		expect(await reportedAfter(trigger, {}, withOdd(''))).toEqual([[], both]);
	});

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
		expect(await outcomeOf(trigger)).toMatch(/rejected the request to get location "loc_1"/);
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

	test.each(['postAdded', 'postAdded locationAdded'])(
		'a picked location that is gone later silences nothing: %s',
		async (events) => {
			const locationIds = ['loc_1', 'loc_2'];
			const trigger = await learned(events, { locations: ids(...locationIds) }, { locationIds });
			const gone = { locations: ids('loc_1'), posts: ids('p_1') };
			expect(await reportedAfter(trigger, gone, {}, {})).toEqual([['postAdded p_1'], [], []]);
			expect(trigger.warnings).toEqual([expect.stringMatching(/loc_2/)]);
			// Nobody reads what is said when n8n starts, but on activation somebody does.
			trigger.stored.state = undefined;
			trigger.restart('init');
			expect(await trigger.reported()).toEqual([]);
			trigger.parameters.events = ['postAdded', 'postChanged'];
			trigger.activate('update');
			expect(await outcomeOf(trigger)).toMatch(/No location has the ID "loc_2"/);
		},
	);

	test('nor does one that is the only one', async () => {
		const locationIds = ['loc_1'];
		const trigger = await learned('postAdded', {}, { locationIds });
		expect(await reportedAfter(trigger, { locations: [] }, {})).toEqual([[], []]);
		expect(trigger.warnings).toEqual([expect.stringMatching(/loc_1/)]);
	});

	const scored = (rank_score: string) => ({
		locations: [{ id: 'loc_1', rank_score }, { id: 'loc_2' }],
	});
	test.each<[string, State, RegExp[]]>([
		['postPublished', { posts: ids('p_1') }, [/posts have no 'status'/]],
		['rankScoreDropped', {}, [/No location has a 'rank_score'/]],
		['rankScoreDropped', scored('good'), [/Some rank scores are not numbers/]],
		['rankScoreDropped', scored('7'), []],
	])('of values without which an event can not happen: %s, %j', async (event, state, words) => {
		const { warnings } = await learned(event, state);
		expect(warnings).toEqual(words.map((one) => expect.stringMatching(one)));
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
		expect(await reportedAfter(trigger, { status: () => 200 })).toEqual([['postAdded p_1']]);
	});

	test('activation fails if none of the lists can be read, and says why', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationAdded'] });
		Object.assign(trigger, refusing('/posts', 403));
		expect(await outcomeOf(trigger)).toMatch(/rejected the request to get the content posts/);
		expect(trigger.stored).toEqual({});
	});

	test('records without an ID are named once, and the others are watched', async () => {
		const trigger = await learned('postAdded', { posts: [{ title: 'A' }] });
		const more = { posts: [{ title: 'A' }, { id: 'p_1' }] };
		expect(await reportedAfter(trigger, more)).toEqual([['postAdded p_1']]);
		expect(trigger.warnings).toEqual([expect.stringContaining('posts without an ID are left out')]);
	});
});

describe('what a list looks like says nothing about what happened', () => {
	test('members in another order are no change', async () => {
		const record = { id: 'loc_1', hours: { mon: '9-5', tue: ['10-6', { late: true, day: 2 }] } };
		const { mon, tue } = record.hours;
		const trigger = await learned('locationChanged', { locations: [record] });
		const reordered = { hours: { tue, mon }, id: 'loc_1' };
		expect(await reportedAfter(trigger, { locations: [reordered] })).toEqual([[]]);
	});

	test.each([
		['unchanged', 'x', []],
		['changed', 'z', ['postChanged p_1']],
	])(
		'a post that was missing when a new field came is told as it comes back: %s',
		async (_, title, told) => {
			const [one, two] = ['p_1', 'p_2'].map((id) => ({ id, title: 'x' }));
			const trigger = await learned('postChanged', { posts: [one, two] });
			const rated = { ...two, likes: 0 };
			const lists = [[rated], [{ ...one, title }, rated], [{ ...one, title: 'y' }, rated]];
			expect(await reportedAfter(trigger, ...lists.map((posts) => ({ posts })))).toEqual([
				[],
				told,
				['postChanged p_1'],
			]);
		},
	);

	test('all scans of the newest second are known, however many', async () => {
		const grid = (count: number) =>
			Array.from({ length: count }, (_, at) => scan(`s${at}`, '21T09:00'));
		const old = scan('a', '20T09:00');
		const trigger = await learned('rankScanCompleted', scanned(old));
		const shown = [40, 49, 49].map((count, at) => ({
			...scanned(...grid(count), old),
			locations: [{ id: 'loc_1', keywords_count: 1, last_scan_at: `list ${at}` }],
		}));
		const reported = await reportedAfter(trigger, ...shown);
		expect(reported.map((all) => all.length)).toEqual([40, 9, 0]);
	});

	test('a keyword that is added before any scans could be read only learns', async () => {
		const shown = { keywords_count: 1, last_scan_at: 'today' };
		const locations = ids('loc_1', 'loc_2').map((one) => ({ ...one, ...shown }));
		const trigger = new Trigger({ events: ['rankScanCompleted'] });
		trigger.lists['/locations/loc_2/keywords'] = ids('kw_2');
		trigger.lists['/keywords/kw_2/scans'] = [scan('b', '20T09:00')];
		Object.assign(trigger, { locations, keywords: ids('kw_1'), ...refusing('/kw_1/scans', 403) });
		trigger.lists['/keywords/kw_3/scans'] = [scan('a', '20T09:00')];
		const added = { status: () => 200, keywords: ids('kw_1', 'kw_3') };
		const scannedLater = { locations: locations.map((one) => ({ ...one, last_scan_at: 'now' })) };
		expect(await reportedAfter(trigger, {}, added, scannedLater)).toEqual([[], [], []]);
	});

	test('a field in Compare Scans By that no scan has is named in the log', async () => {
		const options = { compareScansBy: 'devcie' };
		const trigger = await learned('rankScanCompleted', scanned(scan('a', '20T09:00')), { options });
		await reportedAfter(trigger, scanned(scan('b', '21T09:00'), scan('a', '20T09:00')));
		expect(trigger.warnings.join()).toContain('Scans have no field "devcie"');
	});
});
