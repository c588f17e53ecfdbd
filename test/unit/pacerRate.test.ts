import { Pacer } from '../../nodes/LocalSeo/client/governor/pacer';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const random = seededRandom();
let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));

/** Asked at a time for one more request: how long it is until it would take it; 0 takes it. */
type Limit = (now: number) => number;

/** How services count so many requests a second. */
const limits: Record<string, (perSecond: number) => Limit> = {
	'periods that begin with a request': (perSecond) => {
		let end = 0;
		let used = 0;
		return (now) => {
			if (now >= end) [end, used] = [now + 1000, 0];
			return ++used <= perSecond ? 0 : end - now;
		};
	},
	'the seconds of the clock': (perSecond) => {
		let end = 0;
		let used = 0;
		return (now) => {
			if (now >= end) [end, used] = [Math.floor(now / 1000 + 1) * 1000, 0];
			return ++used <= perSecond ? 0 : end - now;
		};
	},
	'the last second': (perSecond) => {
		const taken: number[] = [];
		return (now) => {
			while (taken[0] <= now - 1000) taken.shift();
			if (taken.length < perSecond) taken.push(now);
			else return taken[0] + 1000 - now;
			return 0;
		};
	},
	'a bucket that fills again': (perSecond) => {
		let tokens = perSecond;
		let filledAt = 0;
		return (now) => {
			tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond);
			filledAt = now;
			if (tokens < 1) return ((1 - tokens) / perSecond) * 1000;
			tokens--;
			return 0;
		};
	},
};

interface Service {
	limit: Limit;
	/** Milliseconds from a request to its response. */
	latency: number;
	/** Whether a refusal says how long to wait, in whole seconds. */
	statesWait: boolean;
}

/** Sends requests as the pacer lets them, each until it is taken. */
async function send(pacer: Pacer, count: number, { limit, latency, statesWait }: Service) {
	let refused = 0;
	const request = async () => {
		for (let wait = 1, isRetry = false; wait > 0; isRetry = true) {
			await pacer.acquire({ patienceMs: 300_000, isRetry });
			const startedAt = clock.now();
			await clock.sleep(latency * (0.4 + 0.2 * random()));
			wait = limit(clock.now());
			await clock.sleep(latency / 2);
			const retryAfterMs = statesWait ? Math.max(1, Math.ceil(wait / 1000)) * 1000 : undefined;
			if (wait === 0) pacer.release('accepted', startedAt);
			else pacer.release('refused', startedAt, retryAfterMs);
			if (wait > 0) refused++;
		}
	};
	const startedAt = clock.now();
	await clock.run(Promise.all(Array.from({ length: count }, request)));
	return { refused, seconds: (clock.now() - startedAt) / 1000 };
}

const cases = Object.keys(limits).flatMap((counted) =>
	[2, 20].flatMap((perSecond) =>
		[5, 100].flatMap((latency) =>
			[true, false].map((statesWait) => ({ counted, perSecond, latency, statesWait })),
		),
	),
);

test.each(cases)('a rate is found, used and kept: %j', async (service) => {
	const { counted, perSecond, latency, statesWait } = service;
	const SECONDS = 20;
	for (const phase of [0, 250, 500, 750]) {
		clock.moveTo(Math.ceil(clock.now() / 60_000) * 60_000 + 60_000 + phase);
		const pacer = new Pacer(clock, random);
		const limit = limits[counted](perSecond);
		const first = await send(pacer, perSecond * SECONDS, { limit, latency, statesWait });
		const second = await send(pacer, perSecond * SECONDS, { limit, latency, statesWait });
		// If no wait is stated, it is estimated at first.
		expect(first.seconds / SECONDS).toBeLessThan(statesWait ? 1.2 : 2.2);
		expect(second.seconds / SECONDS).toBeLessThan(statesWait ? 1.2 : 1.6);
		// At first requests become more and more, as long as none is refused.
		expect(first.refused).toBeLessThan(64);
		expect(second.refused).toBeLessThanOrEqual(4);
	}
});
