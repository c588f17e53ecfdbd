import { Account, type JsonObject } from '../../nodes/LocalSeo/client';
import type { Doubt } from '../../nodes/LocalSeo/client/writes/listWatch';
import { writeMemoryOf } from '../../nodes/LocalSeo/client/writes/writeMemory';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;
/** How many lists are kept. */
const MOST = 200;

const clock = new VirtualClock();
let memory: ReturnType<typeof writeMemoryOf>;
let account: Account;

beforeEach(() => {
	account = new Account(clock, seededRandom());
	memory = writeMemoryOf(account);
});

const create = (locationId: string, path = '/locations/{locationId}/posts') => ({
	method: 'POST' as const,
	path,
	ids: { locationId },
	query: {},
	body: {},
	noun: 'content post',
});
const watchOf = (index: number) => memory.watchOf(create(`loc_${index}`));
const doubtIn = (locationId: string): Doubt => ({
	sent: {},
	watch: memory.watchOf(create(locationId)),
	firstSentAt: clock.now(),
	resends: 0,
});

test('an account has one memory, and none of another account', () => {
	expect(writeMemoryOf(account)).toBe(memory);
	expect(writeMemoryOf(new Account(clock, seededRandom()))).not.toBe(memory);
});

test('the posts of each location, and its keywords, are a list of their own', () => {
	const posts = memory.watchOf(create('loc_1'));
	const post: JsonObject = { id: '1', title: 'Open on Sunday' };
	posts.claim(post, doubtIn('loc_1'), clock.now(), account);
	expect(memory.watchOf(create('loc_1')).isTaken(post)).toBe(true);
	expect(memory.watchOf(create('loc_2')).isTaken(post)).toBe(false);
	const keywords = memory.watchOf(create('loc_1', '/locations/{locationId}/keywords'));
	expect(keywords.isTaken(post)).toBe(false);
});

describe(`of more than ${MOST} lists`, () => {
	test('the one that was used longest ago is released first', () => {
		const first = Array.from({ length: MOST }, (_, index) => watchOf(index));
		// Used again, it is not the oldest any more, and nothing had to go for it.
		expect(watchOf(0)).toBe(first[0]);
		watchOf(MOST);
		expect(watchOf(0)).toBe(first[0]);
		expect(watchOf(2)).toBe(first[2]);
		expect(watchOf(1)).not.toBe(first[1]);
	});

	test('one with a create in flight stays, since what is known of it decides about a post', () => {
		const doubt = doubtIn('loc_0');
		doubt.watch.begin(doubt);
		const second = watchOf(1);
		for (let index = 2; index <= MOST; index++) watchOf(index);
		expect(watchOf(1)).not.toBe(second);
		expect(watchOf(0)).toBe(doubt.watch);
	});
});

test('a content that is looked for again and again is in doubt for ten minutes, its row for an hour', async () => {
	const doubt = doubtIn('loc_1');
	memory.doubts.set('content', doubt, 8);
	memory.doubtsOfRows.set('row', doubt, 8);
	const knownAfter = async (minutes: number) => {
		await clock.run(clock.sleep(minutes * MINUTE));
		return [memory.doubts.get('content') === doubt, memory.doubtsOfRows.get('row') === doubt];
	};
	expect(await knownAfter(9)).toEqual([true, true]);
	expect(await knownAfter(2)).toEqual([false, true]);
	expect(await knownAfter(59)).toEqual([false, true]);
	expect(await knownAfter(61)).toEqual([false, false]);
});
