import { Governor, type Permit, type Urgency } from '../../nodes/LocalSeo/client/governor/governor';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const PATIENT = { kind: 'GET /locations', patienceMs: 300_000 };

let clock: VirtualClock;
let governor: Governor<string>;
beforeEach(() => {
	clock = new VirtualClock();
	governor = new Governor(clock, seededRandom());
});

async function start(options: { urgency?: Urgency; patienceMs?: number } = {}): Promise<Permit> {
	const permit = await governor.acquire({ ...PATIENT, ...options });
	if ('waitedMs' in permit) throw new Error('Given up');
	return permit;
}

/** A request that the service refuses, with a wait. */
async function refuse(retryAfterMs: number) {
	governor.ended(await start(), { kind: 'limited', retryAfterMs });
}

/** As many requests as may start at once at first. */
async function fill(): Promise<Permit[]> {
	return await Promise.all([start(), start(), start(), start()]);
}

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

test('a person does not wait for one of them to end', async () => {
	await fill();
	await expect(start({ urgency: 'person' })).resolves.toMatchObject({ inFlight: 5 });
});

test('a request whose execution is stopped leaves the queue to the others', async () => {
	const [permit] = await fill();
	const stop = new AbortController();
	const stopped = governor.acquire({ ...PATIENT, signal: stop.signal });
	const other = start();
	stop.abort();
	await expect(stopped).rejects.toThrow();
	governor.ended(permit, { kind: 'answered' });
	await expect(other).resolves.toMatchObject({ inFlight: 4 });
});

test('one that is already stopped does not start', async () => {
	const signal = AbortSignal.abort();
	await expect(governor.acquire({ ...PATIENT, signal })).rejects.toThrow();
});

test('a wait of a day is capped: a request is sent again within minutes', async () => {
	await refuse(86_400_000);
	expect(governor.pauseMs).toBeGreaterThan(0);
	expect(governor.pauseMs).toBeLessThanOrEqual(300_000);
});

test('a wait that is longer than a request may wait is given up at once', async () => {
	await refuse(60_000);
	const given = await governor.acquire({ ...PATIENT, patienceMs: 1_000 });
	expect(given).toMatchObject({ waitedMs: 0 });
});

test('refusals that come together are one: the pause does not grow with their number', async () => {
	const permits = await fill();
	for (const permit of permits) governor.ended(permit, { kind: 'limited' });
	expect(governor.pauseMs).toBeLessThanOrEqual(500);
});

test('a kind of request that is never answered does not hold up the others', async () => {
	for (const permit of await fill()) governor.ended(permit, { kind: 'failed', failure: 'gone' });
	const asked = governor.acquire({ ...PATIENT, kind: 'GET /keywords' });
	governor.ended((await clock.run(asked)) as Permit, { kind: 'answered' });
	const others = Array.from({ length: 3 }, () =>
		governor.acquire({ ...PATIENT, kind: 'GET /keywords' }),
	);
	const waiting = governor.acquire({ ...PATIENT, patienceMs: 100 });
	for (const permit of await Promise.all(others)) {
		governor.ended(permit as Permit, { kind: 'answered' });
	}
	await clock.run(clock.sleep(200));
	const tried = (await clock.run(waiting)) as Permit;
	governor.ended(tried, { kind: 'failed', failure: 'still gone' });
	const given = await clock.run(governor.acquire({ ...PATIENT, patienceMs: 100 }));
	expect(given).toMatchObject({ failure: 'still gone' });
});

test('a request that was in flight when the service went down does not end its trial', async () => {
	const permits = [...(await fill()), await start({ urgency: 'person' })];
	const late = permits.pop() as Permit;
	for (const permit of permits) governor.ended(permit, { kind: 'failed', failure: 'gone' });
	let trials = 0;
	const waiting = Array.from({ length: 3 }, async () => {
		const permit = await start();
		trials++;
		return permit;
	});
	await clock.run(clock.sleep(2_000));
	expect(trials).toBe(1);
	governor.ended(late, { kind: 'failed', failure: 'gone' });
	await clock.run(clock.sleep(60_000));
	expect(trials).toBe(1);
	governor.ended(await waiting[0], { kind: 'answered' });
	await clock.run(Promise.all(waiting));
	expect(trials).toBe(3);
});

test('who waits when the key is refused is told so', async () => {
	const [permit] = await fill();
	const waiting = governor.acquire(PATIENT);
	governor.ended(permit, { kind: 'key-refused', failure: 'unknown key' });
	await expect(waiting).resolves.toMatchObject({ failure: 'unknown key' });
});

test('what requests waited for is counted', async () => {
	const [permit] = await fill();
	const waiting = start();
	await clock.run(clock.sleep(700));
	governor.ended(permit, { kind: 'answered' });
	await waiting;
	expect(governor.pace.waitedMs).toEqual({ limit: 0, capacity: 700, down: 0 });
});

test('a clock that is set back an hour makes nobody wait for an hour', async () => {
	for (let sent = 0; sent < 20; sent++) governor.ended(await start(), { kind: 'answered' });
	await refuse(5_000);
	const permit = await clock.run(start());
	clock.moveTo(clock.now() - 3_600_000);
	governor.ended(permit, { kind: 'answered', tookMs: -3_600_000 });
	const asked = clock.now();
	for (let sent = 0; sent < 10; sent++) {
		governor.ended(await clock.run(start()), { kind: 'answered', tookMs: 10 });
	}
	expect(clock.now() - asked).toBeLessThan(10_000);
	expect(governor.pace.atOnce).toBeGreaterThanOrEqual(1);
});

test('an idle governor says so, and one with requests does not', async () => {
	expect(governor.isIdle).toBe(true);
	const permit = await start();
	expect(governor.isIdle).toBe(false);
	governor.ended(permit, { kind: 'answered' });
	expect(governor.isIdle).toBe(true);
});
