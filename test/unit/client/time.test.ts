import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { concurrently, systemClock, withOwnSignal } from '../../../nodes/LocalSeo/client';
import { VirtualClock } from '../../support/virtualClock';

const clock = new VirtualClock();

describe('the clock of the system', () => {
	test('is never early, as a timer of whole milliseconds is by a part of one, and leaves nothing behind', async () => {
		const { signal } = new AbortController();
		for (const milliseconds of [...Array<number>(50).fill(2), 1, 0, -5, 0.3]) {
			const until = systemClock.now() + milliseconds;
			await systemClock.sleep(milliseconds, signal);
			expect(systemClock.now()).toBeGreaterThanOrEqual(until);
		}
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('has who is stopped wake up with the reason, however long; many have a signal each', async () => {
		const stop = new AbortController();
		const reason = new Error('Enough');
		const sleeps = Array.from({ length: 20 }, async () => {
			const { signal } = withOwnSignal({ signal: stop.signal });
			await systemClock.sleep(30 * 24 * 3_600_000, signal);
		});
		expect(await Promise.race([...sleeps, setTimeout(50, 'asleep')])).toBe('asleep');
		expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(11);
		stop.abort(reason);
		const rejected = sleeps.map(() => ({ status: 'rejected', reason }));
		expect(await Promise.allSettled(sleeps)).toEqual(rejected);
		await expect(systemClock.sleep(1, stop.signal)).rejects.toBe(reason);
	});
});

describe('several at a time', () => {
	let begun: number[];
	/** Jobs that take so many milliseconds each; a negative one fails after as many. */
	async function run(times: number[], limit: number) {
		begun = [];
		const jobs = times.map((time, index) => async () => {
			begun.push(index);
			await clock.sleep(Math.abs(time));
			if (time < 0) throw new Error(`Job ${index}`);
			return index;
		});
		const from = clock.now();
		return [await clock.run(concurrently(jobs, limit)), clock.now() - from];
	}

	test('the results come in the order of the jobs, whichever ends first', async () => {
		expect(await run([50, 10, 30, 20, 40], 2)).toEqual([[0, 1, 2, 3, 4], 90]);
		expect(await run([10, 10], 5)).toEqual([[0, 1], 10]);
		expect(await run([], 5)).toEqual([[], 0]);
	});

	test.each([-50, 50])('after a failure no more begin; another one takes %d', async (other) => {
		await expect(run([-20, other, 10, 10], 2)).rejects.toThrow('Job 0');
		await clock.pass(1_000);
		expect(begun).toEqual([0, 1]);
	});
});
