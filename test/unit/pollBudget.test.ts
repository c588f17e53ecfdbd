import type { IPollFunctions } from 'n8n-workflow';

import { Account, type Connection, send } from '../../nodes/LocalSeo/client';
import { PollBudget } from '../../nodes/LocalSeo/host/pollBudget';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;

let clock: VirtualClock;
let connection: Connection;
beforeEach(() => {
	clock = new VirtualClock();
	connection = {
		account: new Account(clock, seededRandom()),
		transport: async () => ({ status: 200, headers: {}, body: { data: [] } }),
		patienceMs: 0,
	};
});

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);
/** The time of a poll that began now; undefined: n8n does not say how long it may take. */
const begin = (milliseconds?: number) => {
	const getNode = () => ({ name: 'Watch' });
	const context =
		milliseconds === undefined ? { getNode } : { getNode, getPollBudgetMs: () => milliseconds };
	return new PollBudget(context as unknown as IPollFunctions, clock);
};
const request = { method: 'GET', path: '/locations', query: {}, headers: {} } as const;

test('a version of n8n that states no time gives five minutes', () => {
	const budget = begin();
	expect(budget.leftMs).toBe(4.5 * MINUTE);
	pass(3.5 * MINUTE - 1);
	expect(budget.mayBegin).toBe(true);
	pass(1);
	expect(budget.mayBegin).toBe(false);
});

test('a request may wait for as long as the poll, at the time it is sent, and always for a second', () => {
	const within = begin(10 * MINUTE).within(connection);
	expect(within).toMatchObject({ patienceMs: 9 * MINUTE, timeoutMs: 9 * MINUTE });
	pass(8 * MINUTE);
	expect(within).toMatchObject({ patienceMs: MINUTE, timeoutMs: MINUTE });
	pass(5 * MINUTE);
	expect(within).toMatchObject({ patienceMs: 1_000, timeoutMs: 1_000 });
});

describe('a poll ends', () => {
	const never = async () => await new Promise<never>(() => {});

	test('with what it comes to', async () => {
		expect(await clock.run(begin(MINUTE).run(async () => 'done'))).toBe('done');
		await expect(
			clock.run(
				begin(MINUTE).run(async () => {
					throw new Error('no');
				}),
			),
		).rejects.toThrow('no');
	});

	test('within its time, whatever it waits for; its requests are cancelled before', async () => {
		const budget = begin(MINUTE);
		const startedAt = clock.now();
		let cancelledAt = 0;
		const { signal } = budget.within(connection);
		signal!.addEventListener('abort', () => (cancelledAt = clock.now()));
		await expect(clock.run(budget.run(never))).rejects.toThrow('The poll ran out of time');
		expect(cancelledAt - startedAt).toBe(55_000);
		expect(clock.now() - startedAt).toBe(56_000);
		expect(() => budget.throwIfAbandoned()).toThrow('The poll ran out of time');
	});

	test('while its request waits for others of the same key', async () => {
		const budget = begin(MINUTE);
		const { governor } = connection.account;
		const others = { patienceMs: 0 };
		for (let busy = 0; busy < 4; busy++) await governor.acquire(others);
		const read = async () => {
			const list = { ...request, ids: {}, noun: 'location' };
			return await send(budget.within(connection), list);
		};
		await expect(clock.run(budget.run(read))).rejects.toThrow('The poll ran out of time');
	});

	test('and with it what is still under way', async () => {
		const budget = begin(MINUTE);
		await clock.run(budget.run(async () => 'done'));
		expect(budget.within(connection).signal!.aborted).toBe(true);
		expect(() => budget.throwIfAbandoned()).not.toThrow();
	});
});
