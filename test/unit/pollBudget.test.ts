import type { IPollFunctions } from 'n8n-workflow';

import { Account, type Connection, send } from '../../nodes/LocalSeo/client';
import { PollBudget } from '../../nodes/LocalSeo/trigger/pollBudget';
import { VirtualClock } from '../support/virtualClock';
import { seededRandom } from '../support/random';

const MINUTE = 60_000;

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));

/** The time of a poll that began now; undefined: n8n does not say how long it may take. */
function begin(milliseconds?: number) {
	const stated = milliseconds !== undefined && { getPollBudgetMs: () => milliseconds };
	const context = { getNode: () => ({ name: 'Watch' }), ...stated };
	return new PollBudget(context as unknown as IPollFunctions, clock);
}

test.each([5 * MINUTE, undefined])('a poll takes 45 s at most, if n8n states %p', (stated) => {
	const budget = begin(stated);
	expect(budget.patienceMs).toBe(40_500);
	clock.advance(31_499);
	for (let begun = 0; begun < 20; begun++) expect(budget.begins()).toBe(true);
	clock.advance(1);
	expect(budget.begins()).toBe(false);
	// Every poll makes progress, however long the locations took.
	const late = begin(stated);
	clock.advance(MINUTE);
	const begun = Array.from({ length: 10 }, () => late.begins());
	expect(begun.lastIndexOf(true)).toBe(7);
});

test('a poll ends with what it comes to, and with it what is still under way', async () => {
	const ended = begin(36_000).run(async (signal) => await Promise.resolve({ signal }));
	expect((await clock.run(ended)).signal.aborted).toBe(true);
	const failing = begin(36_000).run(async () => await Promise.reject(new Error('no')));
	await expect(clock.run(failing)).rejects.toThrow('no');
});

test.each([
	['a response', 0],
	['others of the same key', 4],
])('a poll ends within its time while its request waits for %s', async (_, busy) => {
	const budget = begin(36_000);
	const { patienceMs } = budget;
	const account = new Account(clock, seededRandom());
	const transport = async () => await new Promise<never>(() => {});
	const connection: Connection = { account, transport, patienceMs, timeoutMs: patienceMs };
	const since = clock.now();
	const others = { patienceMs: 0, urgency: 'row', kind: 'read', since } as const;
	for (let count = 0; count < busy; count++) await account.pace.acquire(others);
	const list = { method: 'GET', path: '/locations', query: {}, ids: {}, noun: 'location' } as const;
	const read = async (signal: AbortSignal): Promise<never> => {
		const { kind } = await send({ ...connection, signal }, list).catch((error) => error);
		if (kind === 'cancelled') throw new Error(kind);
		return await read(signal);
	};
	await expect(clock.run(budget.run(read))).rejects.toThrow('The poll ran out of time');
	expect(clock.now() - since).toBe(33_400);
});
