import type { IPollFunctions } from 'n8n-workflow';

import {
	Account,
	type Connection,
	DEFAULT_PAGING,
	type JsonObject,
} from '../../nodes/LocalSeo/client';
import { PollBudget } from '../../nodes/LocalSeo/trigger/pollBudget';
import { checkLocations } from '../../nodes/LocalSeo/trigger/check';
import type { LocationMemory } from '../../nodes/LocalSeo/trigger/subject';
import { accountMemory, locationMemory, reported, watching } from '../support/trigger';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const watchingPosts = watching(['postAdded']);
const locations = Array.from({ length: 10 }, (_, index) => ({ id: `loc_${index}` }));

interface Given {
	/** That a service takes for each page of one post. */
	seconds?: number | ((id: string) => number);
	pages?: number;
	/** Of the lists of a location. */
	status?(id: string): number;
	settings?: ReturnType<typeof watching>;
	at?: JsonObject[];
	memory?: Partial<LocationMemory>;
	/** The memory of the second location is not what it should be. */
	isBroken?: boolean;
	polls?: number;
	resumeAt?: string;
}

/** Polls with a minute's time; all locations were listed before, without posts. */
async function poll(given: Given) {
	const { seconds = 1, pages = 1, settings = watchingPosts, at = locations } = given;
	const { status = () => 200, polls = 2, resumeAt } = given;
	const clock = new VirtualClock();
	const sent: string[] = [];
	const lists = new Set<string>();
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 54_000,
		timeoutMs: 54_000,
		transport: async ({ path, query }) => {
			const [, , id, list] = path.split('/');
			const number = Number(query.page ?? 1);
			sent.push(id);
			lists.add(list);
			await clock.sleep(1_000 * (typeof seconds === 'number' ? seconds : seconds(id)));
			const post = { id: number === 1 ? `post at ${id}` : `post ${number} at ${id}` };
			const data = number > pages ? [] : [post];
			const meta = { current_page: number, per_page: pages === 1 ? 15 : 1, total: pages };
			return { status: status(id), headers: {}, body: { data, meta } };
		},
	};
	const context = { getPollBudgetMs: () => 60_000 } as unknown as IPollFunctions;
	const budget = new PollBudget(context, clock);
	const watch = { settings, account: accountMemory({ polls, resumeAt }) };
	const memory = locationMemory({ posts: [], ...given.memory });
	const memories = new Map(at.map(({ id }) => [id as string, memory]));
	if (given.isBroken) memories.set('loc_1', { ...memory, posts: 7 as never });
	const checked = await clock.run(
		checkLocations(
			{ connection, paging: DEFAULT_PAGING, notes: new Set() },
			budget,
			watch,
			memories,
			at,
		),
	);
	return { sent, lists: [...lists].sort(), ...checked };
}

test('locations that a poll has no time for wait for the next one, which begins with them', async () => {
	const first = await poll({ seconds: 22 });
	expect(first.sent).toEqual(locations.slice(0, 8).map(({ id }) => id));
	expect(reported(first.events)).toEqual(first.sent.map((id) => ['postAdded', `post at ${id}`]));
	expect(first.resumeAt).toBe('loc_8');
	// Of what was not listed, nothing is forgotten.
	expect(first.memories.get('loc_9')?.posts).toEqual([]);

	const second = await poll({ resumeAt: first.resumeAt });
	expect(second.sent.slice(0, 3)).toEqual(['loc_8', 'loc_9', 'loc_0']);
	expect(second.sent).toHaveLength(10);
	expect(second.resumeAt).toBeUndefined();
});

test('a location whose lists are cut off by the end of the time is read again by the next poll', async () => {
	const seconds = (id: string) => (id === 'loc_0' ? 10 : 55);
	const { events, memories, resumeAt } = await poll({ seconds, pages: 2 });
	expect(reported(events)).toEqual([
		['postAdded', 'post at loc_0'],
		['postAdded', 'post 2 at loc_0'],
	]);
	// Locations that it had no time for come before those that take too long.
	expect(resumeAt).toBe('loc_5');
	expect(memories.get('loc_1')?.posts).toEqual([]);
});

describe('lists that seem not to have changed', () => {
	const settings = watching(['keywordAdded', 'postAdded']);
	/** What is read by a poll with this number, if everything was last read by that one. */
	async function pollNumber(polls: number, checkedAt: number) {
		const memory = { keywords: [{ id: 'post at loc_0' }], keywordsCount: 1, checkedAt };
		const at = [{ id: 'loc_0', keywords_count: 1 }];
		const { lists, memories } = await poll({ settings, at, memory, polls });
		return { lists, checkedAt: memories.get('loc_0')?.checkedAt };
	}

	test.each([
		[11, 2, false],
		[12, 2, true],
		[13, 11, true],
		[13, 12, false],
		[24, 23, true],
		[24, 24, false],
	])('poll %d, if poll %d was the last to read everything, reads them: %s', async (...given) => {
		const [polls, checkedAt, isFull] = given;
		const expected = isFull
			? { lists: ['keywords', 'posts'], checkedAt: polls }
			: { lists: ['posts'], checkedAt };
		expect(await pollNumber(polls, checkedAt)).toEqual(expected);
	});
});

test.each([401, 403, 404, 422, 501])(
	'a location that can not be read (%d) does not hold back the others',
	async (code) => {
		const status = (id: string) => (id === 'loc_0' ? 200 : code);
		const { events, unread, failure } = await poll({ status });
		expect(reported(events)).toEqual([['postAdded', 'post at loc_0']]);
		expect(unread).toHaveLength(9);
		expect(failure).toBeUndefined();
	},
);

test('nor does one at which this node itself fails', async () => {
	const { events, unread, failure } = await poll({ isBroken: true });
	expect(reported(events)).toHaveLength(9);
	expect(unread.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The location "loc_1" could not be checked: ./),
	]);
	expect(failure).toBeUndefined();
});

test('where the service asks to wait, the next poll continues', async () => {
	const { unread, resumeAt } = await poll({ status: (id) => (id === 'loc_0' ? 200 : 429) });
	expect([unread.length, resumeAt]).toEqual([4, 'loc_5']);
});

test.each([
	['the time is up', { seconds: 61 }, { kind: 'timeout' }],
	['the service says no', { status: () => 403 }, { facts: { status: 403 } }],
])('a poll that could check no location says why: %s', async (_, given, expected) => {
	const { failure, events } = await poll({ ...given, at: [locations[0]] });
	expect(failure).toMatchObject(expected);
	expect(events).toEqual([]);
});
