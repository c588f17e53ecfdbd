import times from 'lodash/times';

import type { JsonObject } from '../../../nodes/LocalSeo/client';
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
} from '../../support/polledTrigger';

// Pure differences: diff.test.ts; how far lists of scans are read: scans.test.ts.

/** The lists whose path ends so are refused. */
const refusing = (end: string, status: number): State => ({
	status: (path) => (path.endsWith(end) ? status : 200),
});

describe('what a poll reads', () => {
	test('the keywords and scans of a location where its fields show that they changed', async () => {
		const trigger = await learned('rankScanCompleted', scanned(scan('a', '20T09:00')));
		const asked = async (state: State = {}) => {
			await reportedAfter(trigger, state);
			return trigger.asked.slice(1);
		};
		expect(await asked()).toEqual([]);
		const lists = ['/locations/loc_1/keywords', '/keywords/kw_1/scans'];
		expect(await asked(scanned(scan('b', '21T09:00')))).toEqual(lists);
		expect(await asked()).toEqual([]);
		const [location] = trigger.locations;
		expect(await asked({ locations: [{ ...location, keywords_count: 2 }] })).toEqual([lists[0]]);
	});

	test('the keywords of a twelfth of the locations besides', async () => {
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

	test('those of each location, though every poll has time for some of them alone', async () => {
		const locations = times(24, (nth) => ({ id: `loc_${nth}` }));
		const keywords = (name: string) =>
			Object.fromEntries(
				locations.map(({ id }) => [
					`/locations/${id}/keywords`,
					ids(`${name} of ${id}`, `another of ${id}`),
				]),
			);
		const lists = keywords('old');
		const trigger = await learned('postAdded keywordRemoved', { locations, lists } as State);
		Object.assign(trigger, { budget: 10_000, latency: () => 1_500, lists: keywords('new') });
		const reported: string[] = [];
		for (let polls = 1; polls <= 24; polls++) reported.push(...(await trigger.reported()));
		expect(new Set(reported).size).toBe(24);
	});

	test('for no longer than n8n allows', async () => {
		const trigger = new Trigger({ events: ['postAdded'] });
		Object.assign(trigger, { budget: 10_000, latency: () => Infinity });
		expect(await outcomeOf(trigger)).toMatch(/took too long to respond/);
		expect(trigger.clock.now() - trigger.polledAt).toBe(9_000);
	});

	test('of a location that is gone, nothing is kept', async () => {
		const trigger = await learned('postAdded', { locations: ids('loc_1', 'loc_2') });
		const bytes = () => JSON.stringify(trigger.stored).length;
		const before = bytes();
		trigger.locations = ids('loc_1');
		await trigger.reported();
		expect(bytes()).toBeLessThan(before - 50);
	});

	test('the other locations, whatever one of them takes', async () => {
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

	test('no more than the others of a location whose lists never come', async () => {
		const locations = ids('loc_silent', 'loc_1', 'loc_2');
		const trigger = await learned('postAdded keywordAdded', { locations });
		trigger.latency = (path) => (path.includes('silent') ? Infinity : 20);
		await reportedAfter(trigger, ...times(24, () => ({})));
		const news = { locations: times(3, (nth) => ({ ...locations[nth], keywords_count: 1 })) };
		const told = await reportedAfter(trigger, { ...news, keywords: ids('kw_1') }, {}, {});
		expect(told.flat()).toEqual(['keywordAdded kw_1']);
	});

	test('as much as the time allows, and the next poll goes on, also within a location', async () => {
		const trigger = new Trigger({ events: ['rankScanCompleted'] });
		const keywords = times(200, (nth) => ({ id: `kw_${nth}` }));
		Object.assign(trigger, scanned(), { keywords, latency: () => 4_000 });
		const scans: string[] = [];
		let polls = 0;
		do {
			expect(await trigger.reported()).toEqual([]);
			expect(trigger.clock.now() - trigger.polledAt).toBeLessThanOrEqual(40_500);
			scans.push(...trigger.asked.filter((path) => path.endsWith('/scans')));
		} while (++polls < 30 && new Set(scans).size < keywords.length);
		expect([polls < 30, polls > 2]).toEqual([true, true]);
		// One that was in flight at the end is read again.
		expect(scans.length).toBeLessThan(200 + 8 * polls);
		expect(trigger.warnings.at(-2)).toMatch(/Out of time: the next poll continues/);
	});
});

describe('what is reported', () => {
	const setTo = (trigger: Trigger, parameters: JsonObject) => {
		Object.assign(trigger.parameters, parameters);
		trigger.activate('update');
	};

	test.each<[string, JsonObject]>([
		['another event', { events: ['postAdded', 'postChanged'] }],
		['other fields', { options: { fieldsToWatch: 'title' } }],
		['another location', { locationIds: ['loc_1'] }],
	])('with other settings, everything is learned again: %s', async (_, parameters) => {
		const trigger = await learned('postAdded', { posts: [{ id: 'p_1', title: 'x' }] });
		setTo(trigger, parameters);
		const posts = ['p_1', 'p_2', 'p_3'].map((id) => ({ id, title: 'x' }));
		const lists = [posts.slice(0, 2), posts].map((some) => ({ posts: some }));
		expect(await reportedAfter(trigger, ...lists)).toEqual([[], ['postAdded p_3']]);
	});

	test('changes of picked locations, and each location that is added', async () => {
		const locations = ids('loc_1', 'loc_2').map((one) => ({ ...one, name: 'x' }));
		const picked = { locationIds: ['loc_1'] };
		const events = 'locationAdded locationChanged postAdded';
		const trigger = await learned(events, { locations }, picked);
		trigger.lists['/locations/loc_2/posts'] = ids('p_2');
		const later = [...locations, { id: 'loc_3' }].map((one) => ({ ...one, name: 'y' }));
		const reported = ['locationAdded loc_3', 'locationChanged loc_1', 'postAdded p_1'];
		expect(await reportedAfter(trigger, { locations: later, posts: ids('p_1') })).toEqual([
			reported,
		]);
	});

	test('the scans of a keyword that was added since its location was read', async () => {
		const trigger = await learned('rankScanCompleted', scanned(scan('a', '20T09:00')));
		const day = 86_400_000;
		const at = (ago: number) => new Date(trigger.clock.now() - ago).toISOString();
		trigger.lists['/keywords/kw_2/scans'] = [
			{ id: 'new', scanned_at: at(0) },
			{ id: 'day', scanned_at: at(0).slice(0, 10) },
			{ id: 'old', scanned_at: at(2 * day) },
		];
		const added = { locations: [{ id: 'loc_1', keywords_count: 2, last_scan_at: at(0) }] };
		const keywords = ids('kw_1', 'kw_2');
		const reported = [['rankScanCompleted day', 'rankScanCompleted new'], []];
		expect(await reportedAfter(trigger, { ...added, keywords }, {})).toEqual(reported);
	});

	test('a keyword that is gone, with its ID, text and location', async () => {
		const trigger = await learned('keywordRemoved', scanned(), {});
		const one = { id: 'kw_2', keyword: 'dentist "near" me' };
		await reportedAfter(trigger, {
			keywords: [...ids('kw_1'), one],
			locations: [{ id: 'loc_1', keywords_count: 2 }],
		});
		trigger.keywords = ids('kw_1');
		trigger.locations = [{ id: 'loc_1', keywords_count: 1 }];
		const [{ record }] = await trigger.items();
		expect(record).toEqual({ ...one, location_id: 'loc_1' });
	});

	test('nothing for a list of another account, or an empty one', async () => {
		const trigger = await learned('locationAdded', { locations: ids('loc_1') });
		const [none, other] = [[], ids('other_1', 'other_2')].map((locations) => ({ locations }));
		expect(await reportedAfter(trigger, none, none, other)).toEqual([[], [], []]);
		expect(trigger.warnings.join()).toMatch(
			/an API key of another account: .* starts from scratch/,
		);
		const both = { locations: ids('other_1', 'other_2', 'loc_1') };
		expect(await reportedAfter(trigger, both)).toEqual([['locationAdded loc_1']]);
	});
});

describe('what is said', () => {
	test.each<[string, JsonObject, RegExp]>([
		['', {}, /No event is selected/],
		['rankScoreRose', { options: { minimumChange: 'much' } }, /'Minimum Change' must be a/],
		[
			'locationChanged',
			{ options: { fieldsToWatch: 'Name' } },
			/None of .* field "Name".*: id, name/,
		],
		['postChanged', { options: { fieldsToWatch: 'Name' } }, /None of .* field "Name".*: id, likes/],
		[
			'locationAdded postChanged',
			{ options: { fieldsToWatch: 'name' } },
			/None of .* field "name"/,
		],
		['postChanged', { options: { fieldsToWatch: 'city' } }, /None of .* field "city".*: id, likes/],
		['rankScanCompleted', { options: { scanTimeField: 'at' } }, /"at".*: id, scanned_at.*'Scan T/],
	])('of settings that match nothing: %s %j', async (events, parameters, words) => {
		for (const mode of ['trigger', 'manual']) {
			const trigger = new Trigger({ events: events.split(' '), ...parameters });
			const posts = [{ id: 'p_1', likes: 1 }];
			Object.assign(trigger, scanned(scan('a', '20T09:00')), { mode, posts });
			expect(await outcomeOf(trigger)).toMatch(words);
		}
	});

	test('of a field to watch that no record has any more, in the log', async () => {
		const options = { fieldsToWatch: 'likes, title' };
		const posts = [{ id: 'p_1', likes: 1 }];
		const trigger = await learned('postChanged', { posts }, { options });
		expect(trigger.warnings).toEqual([]);
		expect(await reportedAfter(trigger, { posts: ids('p_1') })).toEqual([['postChanged p_1']]);
		expect(trigger.warnings).toEqual([
			expect.stringContaining('No record has a field "likes": correct \'Fields to Watch\''),
		]);
	});

	test('of lists that can not be read, in one warning a poll, each poll', async () => {
		const locations = times(9, (nth) => ({ id: `loc_${nth}`, name: 'x' }));
		const trigger = await learned('postAdded', { locations });
		const broken: State = { status: (path) => (/[1-8].posts$/.test(path) ? 403 : 200) };
		expect(await reportedAfter(trigger, broken, {})).toEqual([[], []]);
		const warning = expect.stringMatching(
			/^Local SEO Trigger: 8 lists could not be read: The service rejected the request to get the content posts \(location "loc_1", .*"loc_5" and 3 more\)\.$/,
		);
		expect(trigger.warnings).toEqual([warning, warning]);
		expect(await reportedAfter(trigger, { status: () => 200 }, broken)).toEqual([[], []]);
		expect(trigger.warnings).toHaveLength(3);
		const lacking = await learned('rankScanCompleted', scanned(scan('a', '20T09:00')));
		await reportedAfter(lacking, { ...scanned(scan('b', '21T09:00')), lacking: '/scans' });
		expect(lacking.warnings[0]).toMatch(/1 list .*Incomplete list: the service returned 1 of 2/);
	});

	test('of a sample: what was not found, where it was looked for, and what to check', async () => {
		const trigger = new Trigger({ events: ['postPublished', 'rankScanCompleted'] });
		Object.assign(trigger, scanned(), { posts: ids('p_1'), mode: 'manual' });
		expect(await outcomeOf(trigger)).toMatch(
			/^No record was found for Content Post Published, Rank Scan Completed \| Of the locations to watch, the first 1 .*'Published Status'/,
		);
		trigger.parameters.events = ['postPublished', 'postAdded'];
		const [{ sample }] = await trigger.items();
		expect(sample).toMatch(/\. No record was found for Content Post Published/);
		trigger.parameters.locationIds = ['loc_2'];
		expect(await outcomeOf(trigger)).toMatch(/The account has none of the locations to watch/);
	});

	test.each(['loc_1', 'loc_1 loc_2'])('of picked locations that are gone: %s', async (picked) => {
		const locationIds = picked.split(' ');
		const trigger = await learned('postAdded', { locations: ids(...locationIds) }, { locationIds });
		const gone = { locations: ids('loc_2'), posts: ids('p_1') };
		expect(await reportedAfter(trigger, gone, {})).toEqual([[], []]);
		const warning = expect.stringMatching(
			/No location has the ID "loc_1": correct 'Location Names or IDs'/,
		);
		expect(trigger.warnings).toEqual([warning, warning]);
	});

	test('of picked locations of which none is there, or that are names', async () => {
		const trigger = new Trigger({ events: ['postAdded'], locationIds: ['Marlow'] });
		expect(await outcomeOf(trigger)).toMatch(
			/^No location has the ID "Marlow" .*choose from the list/,
		);
		expect(trigger.stored).toEqual({});
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

	test('one location that is refused for good: the others have their turn', async () => {
		const locations = ids('loc_1', 'loc_2', 'loc_3').map((one) => ({ ...one, keywords_count: 1 }));
		const other = '/locations/loc_2/keywords';
		const trigger = await learned('keywordAdded', { locations, keywords: ids('kw_1') });
		Object.assign(trigger, refusing('/loc_1/keywords', 403));
		trigger.lists[other] = ids('kw_2');
		const outcomes: unknown[] = [];
		for (let polls = 0; polls < 24; polls++) outcomes.push(await outcomeOf(trigger));
		expect(outcomes.filter((one) => String(one) === 'keywordAdded kw_2')).toHaveLength(1);
		expect(outcomes.filter((one) => !Array.isArray(one))).toEqual([]);
		expect(trigger.warnings.length).toBeGreaterThan(12);
	});

	test('activation fails if none of the lists can be read, and says why', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationAdded'] });
		Object.assign(trigger, refusing('/posts', 403));
		expect(await outcomeOf(trigger)).toMatch(/rejected the request to get the content posts/);
		expect(trigger.stored).toEqual({});
	});

	test('records without an ID are left out, and the others are watched', async () => {
		const trigger = await learned('postAdded', { posts: [{ title: 'A' }] });
		const more = { posts: [{ title: 'A' }, { id: 'p_1' }] };
		expect(await reportedAfter(trigger, more)).toEqual([['postAdded p_1']]);
	});
});
