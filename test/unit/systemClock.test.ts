import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { systemClock } from '../../nodes/LocalSeo/client';

const WEEKS = 30 * 24 * 3_600_000;

test('it is the time of the system', () => {
	const before = Date.now();
	const now = systemClock.now();
	expect(now).toBeGreaterThanOrEqual(before);
	// It has fractions of a millisecond, which the other has not.
	expect(now).toBeLessThan(Date.now() + 1);
});

test.each([1, 0, -5, 0.3])('%d milliseconds end', async (milliseconds) => {
	await expect(systemClock.sleep(milliseconds)).resolves.toBeUndefined();
});

test('longer than a timer can be set is not at once', async () => {
	const stop = new AbortController();
	const sleep = systemClock.sleep(WEEKS, stop.signal).catch(() => 'stopped');
	expect(await Promise.race([sleep, setTimeout(50, 'asleep')])).toBe('asleep');
	stop.abort();
	expect(await sleep).toBe('stopped');
});

test('who is stopped wakes up with the reason, and leaves nothing at the signal', async () => {
	const stop = new AbortController();
	const reason = new Error('Enough');
	const sleeps = Array.from({ length: 20 }, async () => {
		await systemClock.sleep(WEEKS, stop.signal);
	});
	expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(11);
	stop.abort(reason);
	expect(await Promise.allSettled(sleeps)).toEqual(
		sleeps.map(() => ({ status: 'rejected', reason })),
	);
	await expect(systemClock.sleep(1, stop.signal)).rejects.toBe(reason);
});

test('a signal that never aborts does not keep anyone awake', async () => {
	const { signal } = new AbortController();
	await systemClock.sleep(1, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
