import { getEventListeners } from 'node:events';

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

/** So many requests, one after the other, each of which is answered after a while. */
async function answer(count: number, tookMs?: number, everyMs = 0) {
	for (let sent = 0; sent < count; sent++) {
		const permit = await clock.run(start());
		await clock.run(clock.sleep(tookMs ?? 0));
		governor.ended(permit, { kind: 'answered', tookMs });
		await clock.run(clock.sleep(everyMs));
	}
}

/** When each of so many requests that come at once could start, after now; they are answered at once. */
async function startsOf(count: number): Promise<number[]> {
	const now = clock.now();
	const starts: number[] = [];
	const all = Array.from({ length: count }, async () => {
		const permit = await start();
		starts.push(clock.now() - now);
		governor.ended(permit, { kind: 'answered' });
	});
	await clock.run(Promise.all(all));
	return starts;
}

/** Requests of this kind fail until the service counts as down. */
async function fail(kind = PATIENT.kind) {
	for (let failures = 0; failures < 4; failures++) {
		const permit = (await governor.acquire({ ...PATIENT, kind, urgency: 'person' })) as Permit;
		governor.ended(permit, { kind: 'failed', failure: 'gone' });
	}
}

describe('how many at once', () => {
	/** So many who send one request after the other, each of which takes as long as this. */
	async function keepBusy(
		senders: number,
		requests: number,
		tookMs: number,
		endingOf: (permit: Permit) => Parameters<typeof governor.ended>[1],
	) {
		let left = requests;
		const send = async () => {
			while (left-- > 0) {
				const permit = await start();
				await clock.sleep(tookMs);
				governor.ended(permit, endingOf(permit));
			}
		};
		await clock.run(Promise.all(Array.from({ length: senders }, send)));
	}

	test('grows as long as answers take no longer, and begins anew after an idle time', async () => {
		await keepBusy(50, 400, 100, () => ({ kind: 'answered', tookMs: 100 }));
		expect(governor.pace.atOnce).toBeGreaterThan(16);
		const [permit, ...permits] = await fill();
		expect(permit.inFlight).toBe(1);
		for (const one of [permit, ...permits]) governor.ended(one, { kind: 'cancelled' });
		expect(governor.pace.atOnce).toBe(4);
	});

	test('is not judged by refusals, which take no time', async () => {
		await keepBusy(50, 400, 1, () => ({ kind: 'answered' }));
		expect(governor.pace.atOnce).toBe(4);
	});

	test.each(['broken', 'failed'] as const)('is less where more are %s', async (kind) => {
		await keepBusy(20, 400, 100, ({ inFlight }) =>
			inFlight > 2 ? { kind, failure: 'gone' } : { kind: 'answered', tookMs: 100 },
		);
		expect(governor.pace.atOnce).toBe(2);
	});
});

describe('a rate limit', () => {
	test('of a second is kept by even spaces', async () => {
		await answer(20, undefined, 10);
		await refuse(800);
		const starts = await startsOf(21);
		expect(starts[0]).toBe(800);
		expect(starts[20] - starts[0]).toBeCloseTo(1_025, -1);
		expect(governor.pace.perSecond).toBeCloseTo(20);
		expect(governor.pace.waitedMs.limit).toBeGreaterThan(1_800);
		expect(governor.pace.waitedMs.down).toBe(0);
	});

	test('of a minute is used at its beginning, and then tried by one', async () => {
		await answer(20, undefined, 10);
		await refuse(59_900);
		expect(governor.pace.perSecond).toBeCloseTo(20 / 60);
		const starts = await startsOf(20);
		expect([starts[0], starts[19]]).toEqual([59_900, 59_900]);
		const tried = await start();
		let isStarted = false;
		const waiting = start().then(() => (isStarted = true));
		await clock.run(clock.sleep(100));
		expect(isStarted).toBe(false);
		governor.ended(tried, { kind: 'answered' });
		await clock.run(waiting);
	});

	test('of a minute: an idle time before says nothing of it', async () => {
		await answer(500);
		await clock.run(clock.sleep(3_600_000));
		await answer(20, undefined, 10);
		await refuse(59_900);
		expect(governor.pace.perSecond).toBeCloseTo(20 / 60);
	});

	test('an idle time before says nothing of it', async () => {
		await answer(500, undefined, 1);
		await clock.run(clock.sleep(60_000));
		await answer(10, undefined, 10);
		await refuse(900);
		expect(governor.pace.perSecond).toBeCloseTo(10);
	});

	test('without a wait pauses all for a random time that doubles, up to half a minute', async () => {
		governor = new Governor(clock, () => 1);
		const pauses: number[] = [];
		for (let refusal = 0; refusal < 8; refusal++) {
			governor.ended(await clock.run(start()), { kind: 'limited' });
			pauses.push(governor.pauseMs);
		}
		expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
		await answer(1);
		governor.ended(await clock.run(start()), { kind: 'limited' });
		expect(governor.pauseMs).toBe(500);
	});

	test('the longest of the waits that come together counts', async () => {
		const [first, second, third] = await fill();
		governor.ended(first, { kind: 'limited', retryAfterMs: 1_000 });
		governor.ended(second, { kind: 'limited', retryAfterMs: 2_000 });
		governor.ended(third, { kind: 'limited', retryAfterMs: 500 });
		expect(governor.pauseMs).toBe(2_000);
	});
});

describe('a service that is down', () => {
	test('is tried less and less often, and who waits for it is counted', async () => {
		await fail();
		const since = clock.now();
		governor.ended(await clock.run(start()), { kind: 'failed', failure: 'gone' });
		const first = clock.now() - since;
		governor.ended(await clock.run(start()), { kind: 'failed', failure: 'gone' });
		const second = clock.now() - since - first;
		expect(first).toBeGreaterThanOrEqual(800);
		expect(second).toBeGreaterThan(1_500);
		expect(governor.pace.waitedMs).toEqual({ limit: 0, capacity: 0, down: first + second });
	});

	test('is asked at once for a person', async () => {
		await fail();
		await expect(start({ urgency: 'person' })).resolves.toMatchObject({ startedAt: clock.now() });
	});

	test('for longer than one wants to wait is given up, with how it failed', async () => {
		await fail();
		const waiting = Array.from({ length: 3 }, async () =>
			governor.acquire({ ...PATIENT, patienceMs: 10_000 }),
		);
		const begun = clock.now();
		const trying = (async () => {
			for (;;) {
				const permit = await governor.acquire({ ...PATIENT, patienceMs: 10_000, urgency: 'look' });
				if ('waitedMs' in permit) return permit;
				governor.ended(permit, { kind: 'failed', failure: 'still gone' });
			}
		})();
		await clock.run(trying);
		const given = await clock.run(Promise.all(waiting));
		for (const one of given) {
			expect(one).toMatchObject({ failure: 'still gone' });
			expect((one as { waitedMs: number }).waitedMs).toBe(clock.now() - begun);
		}
		expect(clock.now() - begun).toBeLessThan(20_000);
	});

	test('the time in which nobody asked it does not count', async () => {
		await fail();
		await clock.run(clock.sleep(600_000));
		const permit = await clock.run(governor.acquire({ ...PATIENT, patienceMs: 1_000 }));
		expect(permit).not.toHaveProperty('waitedMs');
	});
});

test('a permit says since when the service has answered nothing', async () => {
	await answer(1);
	const answered = clock.now();
	await clock.run(clock.sleep(500));
	const permit = await start();
	expect(permit.stalledSince).toBe(answered);
	governor.ended(permit, { kind: 'failed', failure: 'gone' });
	const failed = clock.now();
	await clock.run(clock.sleep(500));
	const other = (await governor.acquire({ ...PATIENT, kind: 'GET /keywords' })) as Permit;
	governor.ended(other, { kind: 'answered' });
	await clock.run(clock.sleep(500));
	// Others are answered since, this kind is not.
	expect((await start()).stalledSince).toBe(failed);
});

test('who waits for a service that answers nothing is told after a minute, if that is enough', async () => {
	const [permit] = await fill();
	const given: number[] = [];
	const wait = async (patienceMs: number) => {
		const one = await governor.acquire({ ...PATIENT, patienceMs });
		if ('waitedMs' in one) given.push(patienceMs);
		else governor.ended(one, { kind: 'answered' });
	};
	const waiting = [wait(1_000), wait(90_000)];
	await clock.run(clock.sleep(59_000));
	waiting.push(wait(2_000));
	await clock.run(clock.sleep(1));
	expect(given).toEqual([]);
	await clock.run(clock.sleep(2_000));
	waiting.push(wait(3_000));
	await clock.run(clock.sleep(1));
	expect(given).toEqual([1_000]);
	governor.ended(permit, { kind: 'answered' });
	await clock.run(Promise.all(waiting));
	expect(given).toEqual([1_000]);
});

test('all who wait when the key is refused are told so, also a person', async () => {
	const [permit] = [...(await fill()), await start({ urgency: 'person' })];
	const waiting = (['row', 'row', 'look', 'repeat', 'row'] as const).map(
		async (urgency) => await governor.acquire({ ...PATIENT, urgency }),
	);
	await clock.run(clock.sleep(300));
	governor.ended(permit, { kind: 'key-refused', failure: 'unknown key' });
	const told = await Promise.all(waiting);
	expect(told).toEqual(waiting.map(() => ({ waitedMs: 300, failure: 'unknown key' })));
});

test('a person waits for the end of a pause that the service has asked for', async () => {
	await refuse(60_000);
	const permit = await clock.run(start({ urgency: 'person' }));
	expect(permit.startedAt).toBe(clock.now());
	expect(governor.pauseMs).toBe(0);
	governor.ended(permit, { kind: 'limited', retryAfterMs: 60_000 });
	const given = await governor.acquire({ ...PATIENT, urgency: 'person', patienceMs: 1_000 });
	expect(given).toEqual({ waitedMs: 0, failure: undefined });
});

test('a request that has started, or was stopped, leaves nothing behind', async () => {
	const stop = new AbortController();
	const { signal } = stop;
	governor.ended((await governor.acquire({ ...PATIENT, signal })) as Permit, { kind: 'answered' });
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	await refuse(5_000);
	const stopped = governor.acquire({ ...PATIENT, signal });
	await new Promise(setImmediate);
	stop.abort();
	await expect(stopped).rejects.toThrow();
	// No timer is left, which would keep the process.
	await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is left');
});

test('what several wait for at the same time counts once', async () => {
	const send = async () => governor.ended(await start(), { kind: 'answered' });
	await refuse(1_000);
	const first = send();
	await clock.run(clock.sleep(300));
	await clock.run(Promise.all([first, send()]));
	expect(governor.pace.waitedMs.limit).toBe(1_000);
});

test('of a time in which little was asked for, the last second counts', async () => {
	await answer(100, undefined, 30);
	await refuse(900);
	expect(governor.pace.perSecond).toBeGreaterThan(15);
});

test('a wait that is told is that of a period, a pause of our own is not', async () => {
	await answer(20, undefined, 45);
	await refuse(600);
	expect(governor.pace.perSecond).toBeCloseTo(20);
	governor = new Governor(clock, () => 1);
	await answer(20, undefined, 45);
	governor.ended(await start(), { kind: 'limited' });
	expect(governor.pauseMs).toBe(500);
	expect(governor.pace.perSecond).toBeCloseTo(20 / 1.4);
});

test('refusals that come together count once for the next pause, too', async () => {
	governor = new Governor(clock, () => 1);
	for (const permit of await fill()) governor.ended(permit, { kind: 'limited' });
	expect(governor.pauseMs).toBe(500);
	governor.ended(await clock.run(start()), { kind: 'limited' });
	expect(governor.pauseMs).toBe(1_000);
});

test('a kind that is never answered waits, although others are answered', async () => {
	await fail();
	governor.ended(
		(await governor.acquire({ ...PATIENT, kind: 'GET /keywords', urgency: 'person' })) as Permit,
		{
			kind: 'answered',
		},
	);
	const since = clock.now();
	const other = (await governor.acquire({ ...PATIENT, kind: 'GET /keywords' })) as Permit;
	expect(other.startedAt).toBe(since);
	await clock.run(start());
	expect(clock.now() - since).toBeGreaterThanOrEqual(800);
});

test('who has asked for a service that was down does not wait for those who asked before', async () => {
	await fail();
	await clock.run(clock.sleep(600_000));
	governor.ended(await start(), { kind: 'failed', failure: 'gone' });
	const permit = await clock.run(governor.acquire({ ...PATIENT, patienceMs: 60_000 }));
	expect(permit).toHaveProperty('startedAt');
});

test('a person may try what others have given up', async () => {
	await fail();
	await clock.run(clock.sleep(500));
	const patient = { ...PATIENT, patienceMs: 100 };
	await expect(governor.acquire(patient)).resolves.toMatchObject({ failure: 'gone' });
	await expect(governor.acquire({ ...patient, urgency: 'person' })).resolves.toHaveProperty(
		'startedAt',
	);
});

test('a wait that is too long is given up at once, also after all was well', async () => {
	await answer(5);
	await refuse(60_000);
	const given = await governor.acquire({ ...PATIENT, patienceMs: 1_000 });
	expect(given).toEqual({ waitedMs: 0, failure: undefined });
});
