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
