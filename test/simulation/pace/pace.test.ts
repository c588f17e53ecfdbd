import type { Governor as GovernorOf } from '../../../nodes/LocalSeo/client/pace/governor';
import { MAX_IN_FLIGHT } from '../../../nodes/LocalSeo/client/pace/gradient';
import { COUNTS, type Limit } from '../../../dev/sandbox/account';
import { type Run, World } from './play';
import { type Abilities, type Gateway, SPREADS, type Spread } from './service';

type Governor = GovernorOf<string>;

const spreads = Object.keys(SPREADS) as Spread[];
/** A service that could serve far more than we send. */
const LARGE: Abilities = { workers: 1_000, workMs: 100, spread: 'fixed' };

/** Expects of so many rows in a new process at most so much of the shortest time (s), and few requests in vain. */
function takes(
	name: string,
	services: Abilities[],
	[rows, seconds]: [number, number],
	most: { time?: number; refused?: number; failed?: number },
	seeds = [1],
) {
	test.each(services)(`${name} (%#)`, async (can) => {
		for (const seed of seeds) {
			const world = new World(can, seed);
			const run = await world.run(world.post(world.process(), rows));
			expect(run).toMatchObject({ done: rows, failures: [] });
			const { refused, failed } = world.service;
			expect(run.seconds / seconds).toBeLessThan(most.time ?? Infinity);
			expect(refused / rows).toBeLessThan(most.refused ?? Infinity);
			expect(failed).toBeLessThanOrEqual(most.failed ?? Infinity);
		}
	});
}

const each = (can: Abilities): Abilities[] =>
	(['fixed', 'exponential'] as const).map((spread) => ({ ...can, spread }));

describe('how many at once', () => {
	test.each([1, 2, 4, 8, 16, 32, 64])(
		'a service of %d workers is used, not flooded',
		async (workers) => {
			for (const spread of ['fixed', 'exponential'] as const) {
				const world = new World({ workers, workMs: 200, spread });
				const governor = world.process();
				const running = world.post(governor, Math.max(600, 40 * workers));
				const inFlight: number[] = [];
				const done: number[] = [];
				for (let seconds = 0; seconds < 8; seconds++) {
					await world.run(world.clock.sleep(1_000));
					inFlight.push(world.service.inFlight);
					done.push(world.service.done);
				}
				await world.run(running);
				expect((done[7] - done[1]) / 6).toBeGreaterThan(0.85 * workers * 5);
				expect(inFlight.reduce((a, b) => a + b) / 8).toBeLessThan(2 * workers + 10);
			}
		},
	);

	test('a small service is not flooded in a long run, either: its queue does not become what is usual', async () => {
		const world = new World({ workers: 4, workMs: 200, spread: 'fixed' });
		const running = world.post(world.process(), 5_000);
		await world.run(world.clock.sleep(200_000));
		expect(world.service.inFlight).toBeLessThan(20);
		await world.run(running);
	});

	takes('a new key reaches 1,000 posts of 100 ms in 3 s', each(LARGE), [1_000, 3], { time: 1 });

	test.each([
		[1, 100],
		[5, 100],
		[100, 1],
		[100, 200],
		[20, 1_000],
	])('a service whose answers take %d ms and then %d ms is used as a new one', async (from, to) => {
		for (const spread of ['fixed', 'exponential'] as const) {
			const world = new World({ ...LARGE, workMs: from, spread });
			const governor = world.process();
			await world.run(world.post(governor, 1_000));
			world.service.can.workMs = to;
			const { seconds } = await world.run(world.post(governor, 1_000));
			const fresh = new World({ ...LARGE, workMs: to, spread });
			const ideal = await fresh.run(fresh.post(fresh.process(), 1_000));
			expect(seconds / ideal.seconds).toBeLessThan(1.3);
		}
	});

	test.each(spreads)('answers that differ (%s) do not hold it back', async (spread) => {
		const world = new World({ ...LARGE, spread });
		const governor = world.process();
		const running = world.post(governor, 3_000);
		await world.run(world.clock.sleep(2_000));
		const inFlight: number[] = [];
		for (let looks = 0; looks < 10; looks++) {
			await world.run(world.clock.sleep(100));
			inFlight.push(world.service.inFlight);
		}
		await world.run(running);
		expect(inFlight.reduce((a, b) => a + b) / 10).toBeGreaterThan(spread === 'fixed' ? 70 : 45);
	});
});

describe('what came before does not hold it back', () => {
	/** A service without a queue of its own, called by a machine that needs some time for each request. */
	const FAR: Abilities = { ...LARGE, hostMs: 2 };

	/** How long a run takes, by what it takes with a new key. */
	async function byNew(can: Abilities, rows: number, before: (world: World) => Promise<Governor>) {
		const world = new World(can);
		const governor = await before(world);
		world.service.can.workMs = can.workMs;
		const { seconds } = await world.run(world.post(governor, rows));
		const fresh = new World(can);
		const ideal = await fresh.run(fresh.post(fresh.process(), rows));
		return seconds / ideal.seconds;
	}

	const posted = (rows: number, workMs: number, abreast?: number) => async (world: World) => {
		const governor = world.process();
		world.service.can.workMs = workMs;
		await world.run(world.post(governor, rows, { abreast }));
		await world.run(world.clock.sleep(30_000));
		return governor;
	};
	const read = (times: number, abreast: number) => async (world: World) => {
		const governor = world.process();
		await world.run(world.post(governor, times, { kind: 'read', abreast }));
		return governor;
	};

	test.each<[string, number, number, (world: World) => Promise<Governor>]>([
		['1,000 posts at once', 1_000, 100, posted(1_000, 0.5)],
		['single posts of 3 ms', 300, 300, posted(200, 3, 1)],
		['single readings of 10 ms', 300, 300, read(40, 1)],
		['a list in 20 pages of 10 ms', 500, 200, read(20, 12)],
		['a list of many pages, side by side', 500, 200, read(600, 64)],
	])('%s', async (_, rows, workMs, before) => {
		for (const spread of ['fixed', 'exponential'] as const) {
			const can = { ...FAR, spread, workMs, workMsOf: { read: 10 } };
			expect(await byNew(can, rows, before)).toBeLessThan(1.3);
		}
	});

	test('posts that follow one another after a list are as many as after none', async () => {
		const world = new World({ ...FAR, workMs: 300, workMsOf: { read: 10 } });
		const governor = await read(40, 1)(world);
		const running = world.post(governor, 2_000);
		await world.run(world.clock.sleep(2_000));
		// A reading now and then is no sign that posts are slow.
		for (let times = 0; times < 20; times++) {
			await world.run(world.send(governor, 'look', { kind: 'read' }));
			await world.run(world.clock.sleep(50));
		}
		expect(world.service.inFlight).toBeGreaterThan(80);
		await world.run(running);
	});
});

describe('a service that is overrun', () => {
	const small: Abilities = { workers: 4, workMs: 100 };
	for (const queue of [4, 8, 16]) {
		const services = each({ ...small, queue });
		takes(`with a queue of ${queue} is not again`, services, [300, 7.5], { time: 1.5, failed: 8 });
	}
	const late = { ...small, timeoutMs: 1_000 };
	takes('for a gateway that gives up after a second is not', [late], [300, 7.5], { failed: 0 });
	// The last row that failed waits until it is looked for.
	const failing = { workers: 16, workMs: 100, failing: 0.02 };
	takes('errors by chance are no reason to send little', [failing], [1_000, 6.25], { time: 2 });

	test('once it is down, 1,000 rows cost one patience and few requests', async () => {
		const world = new World(LARGE);
		world.service.state = 'down';
		const run = await world.run(world.post(world.process(), 1_000));
		expect(new Set(run.failures)).toEqual(new Set(['down']));
		expect(run.seconds).toBeLessThan(315);
		expect(world.service.requests).toBeLessThan(30);
	});

	test('and comes back, the rows go on', async () => {
		const world = new World({ workers: 8, workMs: 50 });
		const running = world.post(world.process(), 2_000);
		void world.clock.sleep(3_000).then(() => (world.service.state = 'down'));
		void world.clock.sleep(33_000).then(() => (world.service.state = 'up'));
		const run = await world.run(running);
		expect(run.done).toBe(2_000);
		// It may have been tried just before it came back.
		expect(run.seconds).toBeLessThan(1.3 * 12.5 + 30 + 30);
	});

	test('once the key is refused, nothing is sent with it any more', async () => {
		const world = new World({ workers: 8, workMs: 50 });
		const running = world.post(world.process(), 1_000);
		await world.run(world.clock.sleep(2_000));
		const { requests, inFlight } = world.service;
		world.service.state = 'unauthorized';
		const run = await world.run(running);
		expect(run.done + run.failures.length).toBe(1_000);
		expect(world.service.requests - requests).toBeLessThanOrEqual(inFlight + 1);
	});
});

describe('a gateway that refuses without a word', () => {
	const most = { time: 1.5, refused: 0.1 };
	const behind = (gateway: Gateway, workMs = 100) => each({ ...LARGE, workMs, gateway });
	for (const workMs of [1, 30, 100, 300]) {
		const services = behind({ kind: 'limit_req', apartMs: 50 }, workMs);
		takes(`nginx limit_req, 20 a second, answers of ${workMs} ms`, services, [200, 10], most);
	}
	takes('nginx, 4 at once', behind({ kind: 'limit_conn', most: 4 }), [200, 5], most, [1, 2, 3]);
	const queued = behind({ kind: 'maxconn', most: 4, queueMs: 500 });
	takes('HAProxy, 4 at once', queued, [200, 5], most, [1, 2, 3]);
	const one: Abilities = { ...LARGE, gateway: { kind: 'limit_conn', most: 1 } };
	takes('one at a time', [one], [100, 10], { time: 1.2 });
});

const limits = COUNTS.map((counts): Limit => ({ most: 20, period: 1_000, counts }));

describe('a rate limit', () => {
	/** A service with a limit that is far from its capacity. */
	const limited = (limit?: Limit, more: Partial<Abilities> = {}): Abilities => ({
		...{ workers: 16, workMs: 20, networkMs: 20, limit },
		...more,
	});

	for (const limit of limits) {
		const name = `of 20 a second, ${limit.counts}`;
		// A second's worth; a bucket fills up while it is measured.
		const refused = limit.counts === 'a bucket' ? 0.07 : 0.05;
		const untold = limited(limit, { statesWait: false });
		takes(`${name}, is found and kept`, [limited(limit)], [400, 20], { time: 1.2, refused });
		takes(`${name}, untold`, [untold], [400, 20], { time: 1.3, refused: 0.15 });
		takes(`${name}, uneven`, [limited(limit, { jitterMs: 10 })], [400, 20], { time: 1.35 });
	}

	for (const [rows, most, time] of [
		[400, 20, 1.06],
		[300, 10, 1.06],
		[300, 50, 1.2],
	]) {
		const near: Abilities = { workers: 1_000, workMs: 1, spread: 'fixed', hostMs: 2 };
		const limit: Limit = { most, period: 1_000, counts: 'periods from a request on' };
		const services = [true, false].map((statesQuota) => ({ ...near, limit, statesQuota }));
		const bound = { time, refused: (8 + most) / rows };
		takes(`of ${most} a second, for ${rows}`, services, [rows, rows / most - 1], bound);
	}

	test.each(limits)('that begins right after full speed: %j', async (limit) => {
		const world = new World(limited());
		const governor = world.process();
		await world.run(world.post(governor, 600));
		world.service.counter.limit = { ...limit };
		const { seconds } = await world.run(world.post(governor, 400));
		expect(seconds / 20).toBeLessThan(1.3);
		// Those in flight when it begins, and a second's worth.
		expect(world.service.refused).toBeLessThan(MAX_IN_FLIGHT + 20);
	});

	test('that is lowered is obeyed, and one that is lifted is used', async () => {
		const world = new World(limited(limits[1]));
		const { clock, service } = world;
		const running = world.post(world.process(), 1_500);
		await world.run(clock.sleep(10_000));
		service.counter.limit = { ...limits[1], most: 5 };
		const { refused } = service;
		await world.run(clock.sleep(30_000));
		expect(service.refused - refused).toBeLessThan(30);
		service.counter.limit = undefined;
		const { done } = service;
		await world.run(clock.sleep(30_000));
		// At the old limit it would be 150.
		expect(service.done - done).toBeGreaterThan(600);
		await world.run(running);
	});

	/** Until the last of several processes has ended, and how much longer the slowest took. */
	async function shared(can: Abilities, processes: number, rows: number, idealSeconds: number) {
		const world = new World(can);
		const runs: Run[] = await world.together(processes, rows / processes);
		const ended = Math.max(...runs.map(({ startedAt, seconds }) => startedAt + 1000 * seconds));
		const times = runs.map(({ seconds }) => seconds);
		return {
			time: (ended - runs[0].startedAt) / 1000 / idealSeconds,
			refused: world.service.refused / rows,
			apart: Math.max(...times) / Math.min(...times),
		};
	}

	test.each([2, 4, 8])('is divided by %d processes', async (processes) => {
		for (const limit of [limits[0], limits[3]]) {
			const { time, refused, apart } = await shared(limited(limit), processes, 1_200, 60);
			expect(time).toBeLessThan(1.5);
			expect(refused).toBeLessThan(0.12);
			expect(apart).toBeLessThan(3.5);
		}
	});

	for (const [most, period] of [
		[60, 60_000],
		[100, 10_000],
	]) {
		for (const counts of COUNTS) {
			const limit = { most, period, counts };
			// What five periods allow takes four.
			const [rows, ideal] = [5 * most, (4 * period) / 1000];
			const name = `of ${most} in ${period} ms, ${counts}, is used at its beginning`;
			const untold = limited(limit, { statesWait: false });
			takes(name, [limited(limit)], [rows, ideal], { time: 1.06, refused: 0.25 });
			takes(`${name}, untold`, [untold], [rows, ideal], { time: 1.9, refused: 0.5 });
			test(`${name}, by four processes`, async () => {
				const { time } = await shared(limited(limit), 4, rows, ideal);
				expect(time).toBeLessThan(1.3);
			});
		}
	}
	const long: Limit = { most: 300, period: 60_000, counts: 'clock periods' };
	const told = limited(long, { statesQuota: true });
	takes('that responses speak of is used up', [told], [1_500, 240], { time: 1.06, refused: 0.03 });

	test('leaves room for a person', async () => {
		const world = new World(limited({ most: 2, period: 1_000, counts: 'clock periods' }));
		const governor = world.process();
		const rows = world.post(governor, 100);
		for (let times = 0; times < 5; times++) {
			await world.run(world.clock.sleep(5_000));
			const asked = world.clock.now();
			await world.run(world.send(governor, 'person', { patienceMs: 10_000 }));
			expect(world.clock.now() - asked).toBeLessThan(2_500);
		}
		await world.run(rows);
	});
});
