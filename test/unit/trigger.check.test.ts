import type { IPollFunctions } from 'n8n-workflow';

import { Account, type Connection, type JsonObject } from '../../nodes/LocalSeo/client';
import { PollBudget } from '../../nodes/LocalSeo/host/pollBudget';
import { checkLocations } from '../../nodes/LocalSeo/trigger/check';
import { learn, type State } from '../../nodes/LocalSeo/trigger/remembered';
import { accountMemory, reported, watching } from '../support/trigger';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const watchingPosts = watching(['postAdded']);
const locations = Array.from({ length: 10 }, (_, index) => ({ id: `loc_${index}` }));

/** Polls with a minute's time, at a service that takes so many seconds for each page of one post. */
async function poll(
	state: State,
	seconds: number | ((id: string) => number),
	{ pages = 1, settings = watchingPosts, at = locations as JsonObject[] } = {},
) {
	const clock = new VirtualClock();
	const sent: string[] = [];
	const lists = new Set<string>();
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 60_000,
		transport: async ({ path, query }) => {
			const id = path.split('/')[2];
			const number = Number(query.page ?? 1);
			sent.push(id);
			lists.add(path.split('/')[3]);
			await clock.sleep(1_000 * (typeof seconds === 'number' ? seconds : seconds(id)));
			const post = { id: number === 1 ? `post at ${id}` : `post ${number} at ${id}` };
			const data = number > pages ? [] : [post];
			const meta = { current_page: number, per_page: pages === 1 ? 15 : 1, total: pages };
			return { status: 200, headers: {}, body: { data, meta } };
		},
	};
	const context = { getPollBudgetMs: () => 60_000 } as unknown as IPollFunctions;
	const budget = new PollBudget(context, clock);
	const options = { connection, budget, settings, onFailure: () => {} };
	const checked = await clock.run(checkLocations(options, state, at as typeof locations));
	return { sent, lists: [...lists], ...checked };
}

/** Every location has been listed once, without posts. */
function known(): State {
	const account = accountMemory();
	const memories = locations.map((location) => {
		const memory = { ...learn(location, account, watchingPosts), posts: new Map() };
		return [location.id, memory] as const;
	});
	return { account, locations: new Map(memories) };
}

test('locations that a poll has no time for wait for the next one, which begins with them', async () => {
	const first = await poll(known(), 22);
	expect(first.sent).toEqual(locations.slice(0, 8).map(({ id }) => id));
	expect(reported(first.events)).toEqual(first.sent.map((id) => ['postAdded', `post at ${id}`]));
	expect(first.remembered.account.resumeAt).toBe('loc_8');
	// Of what was not listed, nothing is forgotten.
	expect(first.remembered.locations.get('loc_9')?.posts).toEqual(new Map());

	const second = await poll(first.remembered, 1);
	expect(second.sent.slice(0, 2)).toEqual(['loc_8', 'loc_9']);
	expect(reported(second.events)).toEqual([
		['postAdded', 'post at loc_8'],
		['postAdded', 'post at loc_9'],
	]);
	expect(second.remembered.account.resumeAt).toBeUndefined();
});

test('a poll with time for all locations leaves none for the next', async () => {
	const { sent, remembered } = await poll(known(), 1);
	expect(sent).toHaveLength(10);
	expect(remembered.account.resumeAt).toBeUndefined();
});

test('a location whose lists are cut off by the end of the time is read again by the next poll', async () => {
	const { events, remembered } = await poll(known(), (id) => (id === 'loc_0' ? 10 : 55), {
		pages: 2,
	});
	expect(reported(events)).toEqual([
		['postAdded', 'post at loc_0'],
		['postAdded', 'post 2 at loc_0'],
	]);
	// Locations that it had no time for come before those that take too long.
	expect(remembered.account.resumeAt).toBe('loc_5');
	expect(remembered.locations.get('loc_1')?.posts).toEqual(new Map());
});

describe('lists that seem not to have changed', () => {
	const settings = watching(['keywordAdded', 'postAdded']);
	const location = { id: 'loc_0', keywords_count: 1 };
	/** What is read by a poll with this number, if everything was last read by that one. */
	async function pollNumber(polls: number, checkedAt: number, events = settings) {
		const account = accountMemory({ polls });
		const keywords = new Map([['post at loc_0', '']]);
		const memory = { ...learn(location, account, events), keywords, posts: new Map(), checkedAt };
		const state = { account, locations: new Map([['loc_0', memory]]) };
		const { lists, remembered } = await poll(state, 1, { settings: events, at: [location] });
		return { lists: lists.sort(), checkedAt: remembered.locations.get('loc_0')?.checkedAt };
	}

	test.each([
		[11, 2],
		[13, 12],
		[23, 12],
		[24, 24],
	])('are left alone by poll %d if poll %d has read them', async (polls, checkedAt) => {
		expect(await pollNumber(polls, checkedAt)).toEqual({ lists: ['posts'], checkedAt });
	});

	test.each([
		[12, 2],
		[13, 11],
		[24, 23],
		[25, 13],
	])('are read by poll %d if poll %d was the last to do so', async (polls, checkedAt) => {
		const everything = { lists: ['keywords', 'posts'], checkedAt: polls };
		expect(await pollNumber(polls, checkedAt)).toEqual(everything);
	});

	test('are the only ones that were not read if no others are watched', async () => {
		const posts = watching(['postAdded']);
		expect(await pollNumber(7, 2, posts)).toEqual({ lists: ['posts'], checkedAt: 7 });
		const keywords = watching(['keywordAdded']);
		expect(await pollNumber(7, 2, keywords)).toEqual({ lists: [], checkedAt: 2 });
	});
});

test('a poll that could check no location says why', async () => {
	const { failure, events } = await poll(known(), 61, { at: [locations[0]] });
	expect(failure).toMatchObject({ kind: 'timeout' });
	expect(events).toEqual([]);
	expect((await poll(known(), 1)).failure).toBeUndefined();
});
