import { getEventListeners } from 'node:events';

import {
	type Ending,
	Pace,
	type Permit,
	type Urgency,
} from '../../../nodes/LocalSeo/client/pace/pace';
import { seededRandom } from '../../support/random';
import { VirtualClock } from '../../support/virtualClock';

const PATIENCE = 300_000;
/** How many requests may start at first. */
const FIRST = 8;
const done: Ending<string> = { kind: 'answered' };
const limited = (retryAfterMs?: number): Ending<string> => ({ kind: 'limited', retryAfterMs });
const gone: Ending<string> = { kind: 'failed', failure: 'gone' };

let clock: VirtualClock;
let pace: Pace<string>;
beforeEach(() => {
	clock = new VirtualClock();
	pace = new Pace(clock, seededRandom());
});

interface Options {
	urgency?: Urgency;
	patienceMs?: number;
	signal?: AbortSignal;
}
const acquire = async (options: Options = {}) =>
	await pace.acquire({ kind: 'POST', patienceMs: PATIENCE, ...options });
async function start(options: Options = {}): Promise<Permit> {
	const permit = await acquire(options);
	if ('waitedMs' in permit) throw new Error('Given up');
	return permit;
}
const end = (permits: Permit[], ending: Ending<string>) => {
	for (const permit of permits) pace.ended(permit, ending);
};
/** Requests that end like this, one after the other. */
async function send(...endings: Array<Ending<string>>) {
	for (const ending of endings) end([await clock.run(start())], ending);
}
/** As many requests as may start at once at first. */
const fill = async () =>
	await Promise.all(Array.from({ length: FIRST }, async () => await start()));
/** Requests fail until the service counts as down. */
const fail = async () => end(await fill(), gone);

test('requests start by urgency, and each in the order in which they came', async () => {
	const order: string[] = [];
	const permits = await fill();
	const waiting = (['row', 'repeat', 'row', 'look'] as const).map(async (urgency, index) => {
		await start({ urgency });
		order.push(`${urgency} ${index}`);
	});
	end(permits, { kind: 'cancelled' });
	await Promise.all(waiting);
	expect(order).toEqual(['look 3', 'repeat 1', 'row 0', 'row 2']);
});

test('a person waits for a pause that the service has asked for, and not for others to end', async () => {
	const permits = await fill();
	const person = acquire({ urgency: 'person' });
	await expect(clock.run(person)).resolves.toMatchObject({ inFlight: FIRST + 1 });
	end(permits, limited(60_000));
	await clock.run(start({ urgency: 'person' }));
	expect(pace.pauseMs).toBe(0);
});

test('a request that is stopped leaves the queue to the others, and nothing else behind', async () => {
	const [permit] = await fill();
	const { signal } = new AbortController();
	const stop = new AbortController();
	const stopped = acquire({ signal: stop.signal });
	const other = start({ signal });
	stop.abort();
	await expect(stopped).rejects.toThrow();
	await expect(acquire({ signal: stop.signal })).rejects.toThrow();
	end([permit], done);
	await expect(other).resolves.toMatchObject({ inFlight: FIRST });
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the last one that is stopped leaves no timer, which would keep the process', async () => {
	const stop = new AbortController();
	await send(limited(5_000));
	const stopped = acquire({ signal: stop.signal });
	await new Promise(setImmediate);
	stop.abort();
	await expect(stopped).rejects.toThrow();
	expect(pace.isIdle).toBe(true);
	await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is left');
});

test('a permit says when the service last answered', async () => {
	await send(done);
	const stalledSince = clock.now();
	await clock.pass(500);
	await send(gone);
	await clock.pass(500);
	await expect(start()).resolves.toMatchObject({ stalledSince, startedAt: clock.now() });
});

describe('a pause', () => {
	test('of an hour is told as it is stated until the service accepts again, and tried within minutes', async () => {
		await send(limited(3_600_000));
		const since = clock.now();
		expect(pace.pauseMs).toBe(3_600_000);
		end([await clock.run(start({ patienceMs: Infinity }))], done);
		expect([clock.now() - since, pace.pauseMs]).toEqual([300_000, 0]);
		await send(limited(1_000));
		expect(pace.pauseMs).toBe(1_000);
	});

	test('of which nothing was said is ended by one request, once it was not the first', async () => {
		await send(limited(), limited());
		const trial = await clock.run(start());
		const started = jest.fn();
		const other = start().then(started);
		await clock.pass(10_000);
		expect(started).not.toHaveBeenCalled();
		end([trial], done);
		await clock.run(other);
		expect(started).toHaveBeenCalled();
	});

	test('that is longer than a request may wait is given up at once', async () => {
		await send(done, done, limited(60_000));
		for (const urgency of ['row', 'person'] as const) {
			await expect(acquire({ patienceMs: 1_000, urgency })).resolves.toEqual({ waitedMs: 0 });
		}
	});

	test('is the longest of those that come together', async () => {
		const permits = await fill();
		for (const [index, wait] of [1_000, 2_000, 500].entries()) end([permits[index]], limited(wait));
		expect(pace.pauseMs).toBe(2_000);
	});
});

describe('a service that is down', () => {
	test('is tried anew once the trial has ended, and not with each old request that ends', async () => {
		const permits = await fill();
		end(permits.slice(0, 4), gone);
		const trial = await clock.run(start());
		const starts = jest.fn();
		const others = Array.from({ length: 4 }, async () => starts(await start()));
		for (const permit of permits.slice(4)) {
			await clock.pass(60_000);
			end([permit], gone);
		}
		expect(starts).not.toHaveBeenCalled();
		end([trial], gone);
		await clock.run(Promise.race(others));
		expect(starts).toHaveBeenCalledTimes(1);
	});

	test('does not fail rows at once that have waited for a pause before', async () => {
		await send(done);
		await clock.pass(3_600_000);
		await send(limited(30_000), gone, gone, gone, gone);
		await expect(clock.run(acquire())).resolves.toHaveProperty('startedAt');
	});

	test('is none that refuses, or that has errors of its own', async () => {
		end(await fill(), limited());
		await send(...Array<Ending<string>>(4).fill({ kind: 'cancelled' }));
		const begun = clock.now();
		await clock.run(start());
		expect(clock.now() - begun).toBeLessThan(900);
	});

	test('is tried by one request at a time, less and less often', async () => {
		await fail();
		const waits: number[] = [];
		let since = clock.now();
		for (let trial = 0; trial < 8; trial++) {
			const permit = await clock.run(start());
			const other = start();
			await clock.pass(100);
			waits.push(clock.now() - since);
			since = clock.now();
			end([permit], gone);
			end([await clock.run(other)], { kind: 'cancelled' });
		}
		expect([waits[0] >= 900, waits[7] > 20_000]).toEqual([true, true]);
		expect(Math.max(...waits)).toBeLessThanOrEqual(30_100);
	});

	test('is asked at once for a person, and by others who have waited for nothing yet', async () => {
		await fail();
		const permit = await start({ urgency: 'person' });
		expect(permit.startedAt).toBe(clock.now());
		end([permit], gone);
		await clock.pass(600_000);
		await expect(clock.run(start({ patienceMs: 60_000 }))).resolves.toHaveProperty('startedAt');
	});

	test('is looked at for a lost create, however long it was down', async () => {
		await fail();
		for (let trials = 0; trials < 7; trials++) await send(gone);
		const look = acquire({ urgency: 'look', patienceMs: 60_000 });
		await expect(clock.run(look)).resolves.toHaveProperty('startedAt');
	});
});

test('one that answers nothing is given up after a minute, by those for whom it is enough', async () => {
	const permits = await fill();
	const short = acquire({ patienceMs: 1_000 });
	const long = acquire({ patienceMs: 90_000 });
	await clock.pass(59_000);
	const later = acquire({ patienceMs: 2_000 });
	await clock.pass(7_000);
	await expect(short).resolves.toMatchObject({ waitedMs: 65_000 });
	end(permits.slice(0, 2), done);
	const places = (await Promise.all([long, later])).map((one) => 'inFlight' in one && one.inFlight);
	expect(places).toEqual([FIRST, FIRST]);
});
