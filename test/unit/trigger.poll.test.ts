import type { JsonObject } from '../../nodes/LocalSeo/client';
import { failure } from '../support/hostFeatures';
import { HOUR, MINUTE, Trigger } from '../support/polledTrigger';

const renamed = [{ id: 'loc_1', name: 'Henley' }];

test('the options decide what is reported', async () => {
	const events = ['rankScoreChanged', 'locationChanged'];
	const scores = async (options: JsonObject) => {
		const trigger = new Trigger({ events, options });
		trigger.locations = [{ id: 'loc_1', rank_score: 50, city: 'Marlow', name: 'a' }];
		await trigger.poll();
		trigger.locations = [{ id: 'loc_1', rank_score: 53, city: 'Henley', name: 'b' }];
		return await trigger.reported();
	};
	const both = ['rankScoreChanged loc_1', 'locationChanged loc_1'].sort();
	expect((await scores({ direction: 'up', minimumChange: 3 })).sort()).toEqual(both);
	expect(await scores({ direction: 'down' })).toEqual(['locationChanged loc_1']);
	expect(await scores({ minimumChange: 4 })).toEqual(['locationChanged loc_1']);
	expect(await scores({ fieldsToWatch: 'address' })).toEqual(['rankScoreChanged loc_1']);
});

describe('a field that a record has for the first time', () => {
	const three = () => ['loc_1', 'loc_2', 'loc_3'].map((id): JsonObject => ({ id, name: id }));
	const scanned = { last_scan_at: '2026-01-01T10:00:00Z' };

	test.each([[], ['loc_1']])(
		'is a change where other locations do not get it, %j',
		async (...locationIds) => {
			const trigger = new Trigger({ events: ['locationChanged'], locationIds });
			trigger.locations = three();
			await trigger.poll();
			trigger.locations = three().map((one, nth) => (nth === 0 ? { ...one, ...scanned } : one));
			expect(await trigger.reported()).toEqual(['locationChanged loc_1']);
			trigger.locations = three().map((one) => ({ ...one, ...scanned, since_today: 1 }));
			const all =
				locationIds.length === 0 ? ['locationChanged loc_2', 'locationChanged loc_3'] : [];
			expect(await trigger.reported()).toEqual(all);
		},
	);

	test('is a publication where there is only one post', async () => {
		const trigger = new Trigger({ events: ['postPublished'] });
		const post = { id: 'post_1', status: 'ok' };
		trigger.lists['/locations/loc_1/posts'] = [post];
		await trigger.poll();
		const published_at = new Date(trigger.clock.now()).toISOString();
		trigger.lists['/locations/loc_1/posts'] = [{ ...post, published_at }];
		expect(await trigger.reported()).toEqual(['postPublished post_1']);
	});
});

test('what can not be read is logged with its location', async () => {
	const trigger = new Trigger({ events: ['postAdded'] });
	trigger.locations = ['loc_1', 'loc_2'].map((id) => ({ id, name: id }));
	await trigger.poll();
	const data = [{ id: 'post_1' }, { id: 'post_2' }];
	const part = { data, meta: { current_page: 1, per_page: 2, total: 5 } };
	trigger.bodies['/locations/loc_2/posts'] = part;
	await trigger.poll();
	expect(trigger.warnings).toContainEqual(
		expect.stringMatching(/Incomplete list: .* \(location "loc_2"\)$/),
	);
});

describe('another account', () => {
	const changesWith = async (after: JsonObject[], locationIds: string[] = []) => {
		const trigger = new Trigger({ events: ['locationAdded', 'locationChanged'], locationIds });
		await trigger.poll();
		trigger.locations = after;
		return await trigger.reported();
	};

	test('is one of which no location is known: it begins anew', async () => {
		expect(await changesWith([{ id: 'loc_7' }, { id: 'loc_8' }])).toEqual([]);
	});

	test('is none that still has one of them', async () => {
		const after = [{ id: 'loc_7', created_at: '2026-01-01T00:01:30Z' }, ...renamed];
		expect((await changesWith(after)).sort()).toEqual([
			'locationAdded loc_7',
			'locationChanged loc_1',
		]);
	});
});

describe('lists that can not be read', () => {
	const posts = {
		'/locations/loc_1/posts': [{ id: 'post_1', created_at: '2026-01-01T00:02:30Z' }],
	};
	const withPosts = () => new Trigger({ events: ['postAdded', 'locationChanged'] });
	const withoutPosts = (status: number) => (path: string) =>
		path.endsWith('posts') ? status : 200;

	test('fail the poll if nothing else was found, and nothing is forgotten', async () => {
		const trigger = withPosts();
		await trigger.poll();
		trigger.status = withoutPosts(403);
		trigger.lists = posts;
		await expect(trigger.poll()).rejects.toMatchObject({ httpCode: '403' });
		trigger.status = () => 200;
		expect(await trigger.reported()).toEqual(['postAdded post_1']);
	});

	test('do not hold back what was found; the log has them', async () => {
		const trigger = withPosts();
		await trigger.poll();
		trigger.status = withoutPosts(403);
		trigger.locations = renamed;
		expect(await trigger.reported()).toEqual(['locationChanged loc_1']);
		expect(trigger.warnings).toEqual([expect.stringMatching(/^Local SEO Trigger: ./)]);
	});

	test('fail the first poll, which then is first again', async () => {
		const trigger = withPosts();
		trigger.status = withoutPosts(403);
		await expect(trigger.poll()).rejects.toMatchObject({ httpCode: '403' });
		expect(trigger.stored).toEqual({});
		trigger.status = () => 200;
		trigger.lists = posts;
		expect(await trigger.reported()).toEqual([]);
	});
});

test('a rate limit that does not end in time is reported as such, with the wait', async () => {
	const trigger = new Trigger();
	await trigger.poll();
	trigger.budget = MINUTE;
	trigger.status = () => 429;
	trigger.headers = { 'retry-after': '100' };
	await expect(trigger.poll()).rejects.toMatchObject({
		httpCode: '429',
		...failure({ cause: 'rate-limited', retryAfterMs: expect.any(Number) }),
		description: expect.not.stringMatching(/option/i),
	});
	// A request that would have to wait for it fails the same way, without being sent.
	await expect(trigger.clock.run(trigger.pollNow())).rejects.toMatchObject({
		description: expect.stringMatching(/had no effect\. Run it again later\.$/),
	});
});

test('no response in time: the message names no option, since the trigger has none', async () => {
	const trigger = new Trigger();
	trigger.latency = HOUR;
	await expect(trigger.poll()).rejects.toMatchObject({
		message: 'The service did not respond in time',
		description: expect.not.stringMatching(/option/i),
	});
});

describe('a word in the log', () => {
	const POSTS = '/locations/loc_1/posts';
	const line = (text: string) => expect.stringContaining(`Local SEO Trigger: ${text}`);

	test('where a service without a total gives the same page for every page', async () => {
		const trigger = new Trigger({ events: ['postAdded'] });
		trigger.bodies = { [POSTS]: { data: [{ id: 'post_1' }] } };
		for (let polls = 0; polls < 3; polls++) await trigger.poll();
		expect(trigger.warnings).toEqual([line('The service returned a page of content posts again')]);
	});

	test('where Only Position Changes has no positions to compare', async () => {
		const options = { onlyPositionChanges: true };
		const trigger = new Trigger({ events: ['rankScanCompleted'], options });
		trigger.locations = [{ id: 'loc_1', last_scan_at: '2026-01-01T00:00:30Z' }];
		trigger.lists = {
			'/locations/loc_1/keywords': [{ id: 'kw_1' }],
			'/keywords/kw_1/scans': [{ id: 'scan_1', date: '2026-01-01' }],
		};
		await trigger.poll();
		trigger.locations = [{ id: 'loc_1', last_scan_at: '2026-01-01T00:01:30Z' }];
		await trigger.poll();
		expect(trigger.warnings).toEqual([line('Rank scans without a position are all reported')]);
	});

	test('where posts say nothing of their publication', async () => {
		const trigger = new Trigger({ events: ['postPublished'] });
		trigger.lists = { [POSTS]: [{ id: 'post_1', title: 'A' }] };
		await trigger.poll();
		await trigger.poll();
		expect(trigger.warnings).toEqual([
			line("Content posts have neither 'status' nor 'published_at'"),
		]);
	});

	test('where another account begins', async () => {
		const trigger = new Trigger({ events: ['locationAdded'] });
		await trigger.poll();
		trigger.locations = [{ id: 'loc_8' }];
		expect(await trigger.reported()).toEqual([]);
		expect(trigger.warnings).toEqual([line('None of the locations that were known is listed')]);
	});

	test('where more can not be read than the log names', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationAdded'] });
		trigger.locations = Array.from({ length: 8 }, (_, nth) => ({ id: `loc_${nth}` }));
		await trigger.poll();
		trigger.status = (path) => (path.endsWith('posts') ? 403 : 200);
		trigger.locations.push({ id: 'new' });
		await trigger.reported();
		expect(trigger.warnings).toHaveLength(6);
		expect(trigger.warnings.at(-1)).toEqual(line('4 more locations or keywords could not be read'));
	});

	test('where a poll did not come to all locations', async () => {
		const trigger = new Trigger({ events: ['postAdded'] });
		trigger.locations = Array.from({ length: 20 }, (_, nth) => ({ id: `loc_${nth}` }));
		trigger.latency = 15_000;
		trigger.budget = 60_000;
		for (let polls = 0; polls < 3; polls++) {
			await trigger.poll();
			trigger.budget = 100_000;
		}
		expect(trigger.warnings).toEqual([line('A poll did not come to all locations')]);
	});
});

test('what is left out is a line in the log, once', async () => {
	const trigger = new Trigger({
		events: ['postAdded', 'keywordAdded', 'rankScanCompleted', 'rankScoreRose'],
	});
	trigger.locations = [{ id: 'loc_1', rank_score: 'good' }, { name: 'No ID' }];
	trigger.lists = {
		'/locations/loc_1/posts': [{ title: 'A' }],
		'/locations/loc_1/keywords': [{ keyword: 'A' }, { id: 'kw_1' }],
		'/keywords/kw_1/scans': [{ position: 1 }],
	};
	for (let polls = 0; polls < 14; polls++) await trigger.poll();
	expect(trigger.warnings.sort()).toEqual(
		[
			'Content posts without an ID are left out',
			'Keywords without an ID are left out',
			'Locations without an ID are left out',
			'Rank scans without a date are left out',
			'Rank scores that are not numbers are left out',
		].map((what) => expect.stringContaining(`Local SEO Trigger: ${what}`)),
	);
});
