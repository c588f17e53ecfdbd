import type { IPollFunctions } from 'n8n-workflow';

import { Account, type Connection } from '../../nodes/LocalSeo/client';
import { PollBudget } from '../../nodes/LocalSeo/host/pollBudget';
import { checkLocations } from '../../nodes/LocalSeo/trigger/check';
import { learn, type State } from '../../nodes/LocalSeo/trigger/remembered';
import { accountMemory, reported, watching } from '../support/trigger';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const settings = watching(['postAdded']);
const locations = Array.from({ length: 10 }, (_, index) => ({ id: `loc_${index}` }));

/** Polls with a minute's time, at a service that takes so many seconds for each page of one post. */
async function poll(state: State, seconds: number | ((id: string) => number), pages = 1) {
	const clock = new VirtualClock();
	const sent: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 60_000,
		transport: async ({ path, query }) => {
			const id = path.split('/')[2];
			const number = Number(query.page ?? 1);
			sent.push(id);
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
	return { sent, ...(await clock.run(checkLocations(options, state, locations))) };
}

/** Every location has been listed once, without posts. */
function known(): State {
	const account = accountMemory();
	const memories = locations.map((location) => {
		const memory = { ...learn(location, account, settings), posts: new Map() };
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
	const { events, remembered } = await poll(known(), (id) => (id === 'loc_0' ? 10 : 55), 2);
	expect(reported(events)).toEqual([
		['postAdded', 'post at loc_0'],
		['postAdded', 'post 2 at loc_0'],
	]);
	// Locations that it had no time for come before those that take too long.
	expect(remembered.account.resumeAt).toBe('loc_5');
	expect(remembered.locations.get('loc_1')?.posts).toEqual(new Map());
});
