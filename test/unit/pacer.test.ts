import { Pacer } from '../../nodes/LocalSeo/client/governor/pacer';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const PATIENT = { patienceMs: 300_000 };

let clock: VirtualClock;
let pacer: Pacer;
beforeEach(() => {
	clock = new VirtualClock();
	pacer = new Pacer(clock, seededRandom());
});

/** A request that the service refuses, with a wait. */
async function refuse(retryAfterMs: number) {
	await pacer.acquire(PATIENT);
	pacer.release('refused', clock.now(), retryAfterMs);
}

test('requests start in the order in which they came, retries first', async () => {
	const order: string[] = [];
	for (let slot = 0; slot < 4; slot++) await pacer.acquire(PATIENT);
	const waiting = ['a', 'b'].map(async (name) => {
		await pacer.acquire(PATIENT);
		order.push(name);
	});
	waiting.push(
		(async () => {
			await pacer.acquire({ ...PATIENT, isRetry: true });
			order.push('again');
		})(),
	);
	for (let slot = 0; slot < 4; slot++) pacer.release('unknown', clock.now());
	await Promise.all(waiting);
	expect(order).toEqual(['again', 'a', 'b']);
});

test('a request whose execution is stopped leaves the queue to the others', async () => {
	for (let slot = 0; slot < 4; slot++) await pacer.acquire(PATIENT);
	const stop = new AbortController();
	const stopped = pacer.acquire({ ...PATIENT, signal: stop.signal });
	const other = pacer.acquire(PATIENT);
	stop.abort();
	await expect(stopped).rejects.toThrow();
	pacer.release('accepted', clock.now());
	await expect(other).resolves.toBeUndefined();
});

test('one that is already stopped does not start', async () => {
	await expect(pacer.acquire({ ...PATIENT, signal: AbortSignal.abort() })).rejects.toThrow();
});

test('a wait of a day is capped: a request is sent again within minutes', async () => {
	await refuse(86_400_000);
	expect(pacer.pauseMs).toBeGreaterThan(0);
	expect(pacer.pauseMs).toBeLessThanOrEqual(300_000);
});

test('a wait that is longer than a request may wait is given up at once', async () => {
	await refuse(60_000);
	const given = await pacer.acquire({ patienceMs: 1_000 });
	expect(given?.waitedMs).toBeLessThan(1_000);
});

test('refusals that come together are one: the pause does not grow with their number', async () => {
	const startedAt = clock.now();
	for (let slot = 0; slot < 4; slot++) await pacer.acquire(PATIENT);
	for (let slot = 0; slot < 4; slot++) pacer.release('refused', startedAt);
	expect(pacer.pauseMs).toBeLessThanOrEqual(500);
});

test('an idle pacer says so, and one with requests does not', async () => {
	expect(pacer.isIdle).toBe(true);
	await pacer.acquire(PATIENT);
	expect(pacer.isIdle).toBe(false);
	pacer.release('accepted', clock.now());
	expect(pacer.isIdle).toBe(true);
});
