import { getEventListeners } from 'node:events';

import { Governor } from '../../../nodes/LocalSeo/client/pace/governor';
import type { Permit, Urgency } from '../../../nodes/LocalSeo/client/pace/permit';
import { VirtualClock } from '../../support/virtualClock';
import { seededRandom } from '../../support/random';

const PATIENCE = 300_000;
/** How many requests may start at first. */
const FIRST = 8;

let clock: VirtualClock;
let governor: Governor<string>;
beforeEach(() => {
	clock = new VirtualClock();
	governor = new Governor(clock, seededRandom());
});

interface Options {
	urgency?: Urgency;
	patienceMs?: number;
	signal?: AbortSignal;
}

const acquire = async (options: Options = {}) =>
	await governor.acquire({ kind: 'POST', patienceMs: PATIENCE, ...options });

async function start(options: Options = {}): Promise<Permit> {
	const permit = await acquire(options);
	if ('waitedMs' in permit) throw new Error('Given up');
	return permit;
}

async function refuse(retryAfterMs?: number) {
	governor.ended(await clock.run(start()), { kind: 'limited', retryAfterMs });
}

/** As many requests as may start at once at first. */
async function fill(): Promise<Permit[]> {
	return await Promise.all(Array.from({ length: FIRST }, async () => await start()));
}

/** Requests fail until the service counts as down. */
async function fail() {
	for (const permit of await fill()) governor.ended(permit, { kind: 'failed', failure: 'gone' });
}

/** So many requests, one after the other. */
async function answer(count: number, everyMs = 0) {
	for (let sent = 0; sent < count; sent++) {
		governor.ended(await clock.run(start()), { kind: 'answered', isDone: true });
		await clock.run(clock.sleep(everyMs));
	}
}

describe('who goes first', () => {
	test('requests start by urgency, and each in the order in which they came', async () => {
		const order: string[] = [];
		const permits = await fill();
		const waiting = (['row', 'repeat', 'row', 'look'] as const).map(async (urgency, index) => {
			await start({ urgency });
			order.push(`${urgency} ${index}`);
		});
		for (const permit of permits) governor.ended(permit, { kind: 'cancelled' });
		await Promise.all(waiting);
		expect(order).toEqual(['look 3', 'repeat 1', 'row 0', 'row 2']);
	});

	test('a person does not wait for others to end', async () => {
		await fill();
		await expect(start({ urgency: 'person' })).resolves.toMatchObject({ inFlight: FIRST + 1 });
	});

	test('a person waits for the end of a pause that the service has asked for', async () => {
		await refuse(60_000);
		await clock.run(start({ urgency: 'person' }));
		expect(governor.pauseMs).toBe(0);
	});

	test('a permit says when the service last answered', async () => {
		await answer(1);
		const answered = clock.now();
		await clock.run(clock.sleep(500));
		governor.ended(await start(), { kind: 'failed', failure: 'gone' });
		await clock.run(clock.sleep(500));
		await expect(start()).resolves.toMatchObject({
			stalledSince: answered,
			startedAt: clock.now(),
		});
	});
});

describe('a request that is stopped', () => {
	test('leaves the queue to the others', async () => {
		const [permit] = await fill();
		const stop = new AbortController();
		const stopped = acquire({ signal: stop.signal });
		const other = start();
		stop.abort();
		await expect(stopped).rejects.toThrow();
		governor.ended(permit, { kind: 'answered', isDone: true });
		await expect(other).resolves.toMatchObject({ inFlight: FIRST });
	});

	test('before it began does not start', async () => {
		await expect(acquire({ signal: AbortSignal.abort() })).rejects.toThrow();
		expect(governor.isIdle).toBe(true);
	});

	test('leaves nothing behind, nor does one that has started', async () => {
		const stop = new AbortController();
		const { signal } = stop;
		governor.ended(await start({ signal }), { kind: 'answered', isDone: true });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await refuse(5_000);
		const stopped = acquire({ signal });
		await new Promise(setImmediate);
		stop.abort();
		await expect(stopped).rejects.toThrow();
		// No timer is left, which would keep the process.
		await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is left');
	});
});

describe('a pause', () => {
	test('of a day is capped: a request is sent again within minutes', async () => {
		await refuse(86_400_000);
		expect(governor.pauseMs).toBe(300_000);
	});

	test('that is longer than a request may wait is given up at once', async () => {
		await answer(5);
		await refuse(60_000);
		await expect(acquire({ patienceMs: 1_000 })).resolves.toEqual({ waitedMs: 0 });
		const urgency = 'person';
		await expect(acquire({ patienceMs: 1_000, urgency })).resolves.toEqual({ waitedMs: 0 });
	});

	test('is the longest of those that come together', async () => {
		const [first, second, third] = await fill();
		governor.ended(first, { kind: 'limited', retryAfterMs: 1_000 });
		governor.ended(second, { kind: 'limited', retryAfterMs: 2_000 });
		governor.ended(third, { kind: 'limited', retryAfterMs: 500 });
		expect(governor.pauseMs).toBe(2_000);
	});

	test.each([undefined, 0])('without a stated wait (%p) doubles, up to 45 s', async (wait) => {
		governor = new Governor(clock, () => 1);
		for (const permit of await fill()) {
			governor.ended(permit, { kind: 'limited', retryAfterMs: wait });
		}
		const pauses = [governor.pauseMs];
		for (let refusal = 1; refusal < 11; refusal++) {
			await refuse(wait);
			pauses.push(governor.pauseMs);
		}
		expect(pauses.slice(0, 4)).toEqual([150, 300, 600, 1_200]);
		expect(pauses.slice(-2)).toEqual([45_000, 45_000]);
		await answer(1);
		await refuse(wait);
		expect(governor.pauseMs).toBe(150);
	});

	test('after idle time is short: what was not sent is no evidence of a limit', async () => {
		for (let minutes = 0; minutes < 60; minutes += 5) {
			await answer(2);
			await clock.run(clock.sleep(300_000));
		}
		const startedAt = clock.now();
		for (let refusal = 0; refusal < 3; refusal++) await refuse();
		await clock.run(start());
		expect(clock.now() - startedAt).toBeLessThan(1_500);
	});

	const nothingLeft = {
		kind: 'answered',
		isDone: true,
		quota: { left: 0, forMs: 50_000 },
	} as const;

	test('comes before the refusal where the service says that nothing is left', async () => {
		await refuse(1);
		governor.ended(await clock.run(start()), nothingLeft);
		expect(governor.pauseMs).toBe(50_000);
	});

	test('is not kept where others are accepted although nothing is left: one request tries it', async () => {
		governor.ended(await start(), nothingLeft);
		const trial = await start();
		const waiting = start();
		await clock.run(clock.sleep(10_000));
		governor.ended(trial, nothingLeft);
		governor.ended(await waiting, nothingLeft);
		for (const permit of await fill()) governor.ended(permit, nothingLeft);
		await refuse(1);
		governor.ended(await clock.run(start()), nothingLeft);
		expect(governor.pauseMs).toBe(0);
	});

	test('no more requests are in flight than the service says are left', async () => {
		const [permit, ...others] = await fill();
		for (const other of others) governor.ended(other, { kind: 'cancelled' });
		governor.ended(permit, { kind: 'answered', isDone: true, quota: { left: 2 } });
		const started: Permit[] = [];
		for (let sent = 0; sent < 3; sent++) void start().then((one) => started.push(one));
		await clock.run(clock.sleep(1_000));
		expect(started).toHaveLength(2);
	});
});

describe('a service that is down', () => {
	test('is tried by one request at a time, less and less often', async () => {
		await fail();
		const trials: number[] = [];
		const begun = clock.now();
		for (let trial = 0; trial < 8; trial++) {
			const permit = await clock.run(start());
			const others = start();
			await clock.run(clock.sleep(100));
			trials.push(clock.now() - begun);
			governor.ended(permit, { kind: 'failed', failure: 'gone' });
			governor.ended(await clock.run(others), { kind: 'cancelled' });
		}
		const apart = trials.map((at, index) => at - (trials[index - 1] ?? 0));
		expect(apart[0]).toBeGreaterThanOrEqual(900);
		for (const each of apart.slice(1)) expect(each).toBeLessThanOrEqual(30_100);
		expect(apart[7]).toBeGreaterThan(20_000);
	});

	test('is used again as soon as it answers', async () => {
		await fail();
		await answer(1);
		await expect(Promise.all([start(), start(), start()])).resolves.toHaveLength(3);
	});

	test('is asked at once for a person, and by others who have waited for nothing yet', async () => {
		await fail();
		const permit = await start({ urgency: 'person' });
		expect(permit.startedAt).toBe(clock.now());
		governor.ended(permit, { kind: 'failed', failure: 'gone' });
		await clock.run(clock.sleep(600_000));
		await expect(clock.run(start({ patienceMs: 60_000 }))).resolves.toHaveProperty('startedAt');
	});

	test('for longer than one wants to wait is given up, with how it failed', async () => {
		await fail();
		const waiting = [1, 2, 3].map(async () => await acquire({ patienceMs: 10_000 }));
		const begun = clock.now();
		const tries = async () => {
			for (;;) {
				const permit = await acquire({ patienceMs: 10_000, urgency: 'look' });
				if ('waitedMs' in permit) return;
				governor.ended(permit, { kind: 'failed', failure: 'still gone' });
			}
		};
		await clock.run(tries());
		const waitedMs = clock.now() - begun;
		const given = await clock.run(Promise.all(waiting));
		expect(given).toEqual(waiting.map(() => ({ waitedMs, failure: 'still gone' })));
		expect(waitedMs).toBeLessThan(20_000);
	});

	test('a gateway that refuses does not make it one, nor does an error of its own', async () => {
		for (const permit of await fill()) governor.ended(permit, { kind: 'shed' });
		for (let times = 0; times < 4; times++) {
			governor.ended(await clock.run(start()), { kind: 'broken' });
		}
		const begun = clock.now();
		await clock.run(start());
		expect(clock.now() - begun).toBeLessThan(900);
	});
});

test('one that answers nothing is given up after a minute, by those for whom it is enough', async () => {
	const [permit] = await fill();
	const given: number[] = [];
	const wait = async (patienceMs: number) => {
		const one = await acquire({ patienceMs });
		if ('waitedMs' in one) given.push(patienceMs);
		else governor.ended(one, { kind: 'answered', isDone: true });
	};
	const waiting = [wait(1_000), wait(90_000)];
	await clock.run(clock.sleep(59_000));
	waiting.push(wait(2_000));
	await clock.run(clock.sleep(2_000));
	waiting.push(wait(3_000));
	await clock.run(clock.sleep(5_000));
	expect(given).toEqual([1_000]);
	governor.ended(permit, { kind: 'answered', isDone: true });
	await clock.run(Promise.all(waiting));
	expect(given).toEqual([1_000]);
});

test('all who wait when the key is refused are told so', async () => {
	const [permit] = await fill();
	const waiting = (['row', 'look', 'repeat'] as const).map(
		async (urgency) => await acquire({ urgency }),
	);
	await clock.run(clock.sleep(300));
	governor.ended(permit, { kind: 'key-refused', failure: 'unknown key' });
	const told = await Promise.all(waiting);
	expect(told).toEqual(waiting.map(() => ({ waitedMs: 300, failure: 'unknown key' })));
});

test('a pause is told as the service has stated it, until it accepts again', async () => {
	await refuse(3_600_000);
	// The pause itself is cut short, to ask again.
	expect(governor.pauseMs).toBe(300_000);
	expect(governor.statedPauseMs).toBe(3_600_000);
	governor.ended(await clock.run(start({ patienceMs: Infinity })), {
		kind: 'answered',
		isDone: true,
	});
	expect(governor.statedPauseMs).toBe(0);
	await refuse(1_000);
	expect(governor.statedPauseMs).toBe(1_000);
});
