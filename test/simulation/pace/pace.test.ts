import { COUNTS, type Limit } from '../../../dev/sandbox/account';
import { MAX_IN_FLIGHT } from '../../../nodes/LocalSeo/client/pace/gradient';
import { type Abilities, SPREADS, World } from './world';

/** A service that could serve far more than we send. */
const LARGE: Abilities = { workers: 1_000, workMs: 100, spread: 'fixed' };
/** The same, called by a machine that needs some time for each request. */
const FAR: Abilities = { ...LARGE, hostMs: 2 };
const SMALL: Abilities = { workers: 4, workMs: 100 };
const spreads = ['fixed', 'exponential'] as const;

/** The most of the shortest time, the most refused of so many rows, and the most failures. */
interface Most {
	time?: number;
	refused?: number;
	failed?: number;
}
type Case = [name: string, can: Abilities, rows: number, shortest: number, most: Most];

/** Posts so many rows in a new process, which could take so long (s). */
async function takes(can: Abilities, rows: number, shortest: number, most: Most, seed = 1) {
	const world = new World(can, seed);
	const run = await world.run(world.post(world.process(), rows));
	expect(run).toMatchObject({ done: rows, failures: [] });
	expect(run.seconds / shortest).toBeLessThan(most.time ?? Infinity);
	expect(world.refused / rows).toBeLessThan(most.refused ?? Infinity);
	expect(world.failed).toBeLessThanOrEqual(most.failed ?? Infinity);
}

/** The same for responses that take equally long, and for others. */
async function takesAnyway(can: Abilities, rows: number, shortest: number, most: Most) {
	for (const spread of spreads) await takes({ ...can, spread }, rows, shortest, most);
}

/** How long a run takes after something, compared with a new key. */
async function byNew(can: Abilities, rows: number, before: (world: World) => Promise<Governor>) {
	const world = new World(can);
	const governor = await before(world);
	world.can.workMs = can.workMs;
	const { seconds } = await world.run(world.post(governor, rows));
	const fresh = new World(can);
	return seconds / (await fresh.run(fresh.post(fresh.process(), rows))).seconds;
}
type Governor = ReturnType<World['process']>;

const mean = (numbers: number[]) => numbers.reduce((a, b) => a + b) / numbers.length;

describe('how many at once', () => {
	test.each([1, 2, 4, 8, 16, 32, 64])('%d workers are used, not flooded', async (workers) => {
		for (const spread of spreads) {
			const world = new World({ workers, workMs: 200, spread });
			const running = world.post(world.process(), Math.max(300, 40 * workers));
			const [inFlight, done] = [[] as number[], [] as number[]];
			for (let seconds = 0; seconds < 8; seconds++) {
				await world.pass(1_000);
				inFlight.push(world.inFlight);
				done.push(world.done);
			}
			await world.run(running);
			expect((done[7] - done[1]) / 6).toBeGreaterThan(0.85 * workers * 5);
			expect(mean(inFlight)).toBeLessThan(2 * workers + 10);
		}
	});

	test('nor in a long run: the queue of a small service does not become what is usual', async () => {
		const world = new World({ workers: 4, workMs: 200, spread: 'fixed' });
		const running = world.post(world.process(), 3_000);
		await world.pass(130_000);
		expect(world.inFlight).toBeLessThan(20);
		await world.run(running);
	});

	test('a new key reaches 1,000 posts of 100 ms in 3 s', async () => {
		await takesAnyway(LARGE, 1_000, 3, { time: 1 });
	});

	test.each([
		[1, 100],
		[5, 100],
		[100, 1],
		[100, 200],
		[20, 1_000],
	])('a service whose answers take %d ms and then %d ms is used as a new one', async (from, to) => {
		for (const spread of spreads) {
			const before = async (world: World) => {
				const governor = world.process();
				world.can.workMs = from;
				await world.run(world.post(governor, 600));
				return governor;
			};
			expect(await byNew({ ...LARGE, workMs: to, spread }, 600, before)).toBeLessThan(1.3);
		}
	});

	test.each(Object.keys(SPREADS) as Array<keyof typeof SPREADS>)(
		'answers that differ (%s) do not hold it back',
		async (spread) => {
			const world = new World({ ...LARGE, spread });
			const running = world.post(world.process(), 3_000);
			await world.pass(2_000);
			const inFlight: number[] = [];
			for (let looks = 0; looks < 10; looks++) {
				await world.pass(100);
				inFlight.push(world.inFlight);
			}
			await world.run(running);
			expect(mean(inFlight)).toBeGreaterThan(spread === 'fixed' ? 70 : 45);
		},
	);
});

describe('what came before does not hold it back', () => {
	const posted = (rows: number, workMs: number, abreast?: number) => async (world: World) => {
		const governor = world.process();
		world.can.workMs = workMs;
		await world.run(world.post(governor, rows, { abreast }));
		await world.pass(30_000);
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
		for (const spread of spreads) {
			const can = { ...FAR, spread, workMs, workMsOf: { read: 10 } };
			expect(await byNew(can, rows, before)).toBeLessThan(1.3);
		}
	});

	test('posts that follow one another after a list are as many as after none', async () => {
		const world = new World({ ...FAR, workMs: 300, workMsOf: { read: 10 } });
		const governor = await read(40, 1)(world);
		const running = world.post(governor, 1_500);
		await world.pass(2_000);
		// A reading now and then is no sign that posts are slow.
		for (let times = 0; times < 20; times++) {
			await world.run(world.send(governor, 'look', { kind: 'read' }));
			await world.pass(50);
		}
		expect(world.inFlight).toBeGreaterThan(80);
		await world.run(running);
	});
});

describe('a service that is overrun', () => {
	test.each([4, 8, 16])('with a queue of %d is not again', async (queue) => {
		await takesAnyway({ ...SMALL, queue }, 300, 7.5, { time: 1.5, failed: 8 });
	});

	test.each<Case>([
		[
			'a gateway that gives up after a second',
			{ ...SMALL, timeoutMs: 1_000 },
			300,
			1,
			{ failed: 0 },
		],
		// The last row that failed waits until it is looked for.
		['errors by chance', { ...SMALL, workers: 16, failing: 0.02 }, 1_000, 6.25, { time: 2 }],
	])('%s: no reason to send little', async (_, ...given) => await takes(...given));

	test('once it is down, 1,000 rows cost one patience and few requests', async () => {
		const world = new World(LARGE);
		world.state = 'down';
		const run = await world.run(world.post(world.process(), 1_000));
		expect(new Set(run.failures)).toEqual(new Set(['down']));
		expect(run.seconds).toBeLessThan(315);
		expect(world.requests).toBeLessThan(30);
	});

	test('and comes back, the rows go on', async () => {
		const world = new World({ workers: 8, workMs: 50 });
		const running = world.post(world.process(), 2_000);
		void world.clock.sleep(3_000).then(() => (world.state = 'down'));
		void world.clock.sleep(33_000).then(() => (world.state = 'up'));
		const run = await world.run(running);
		expect(run.done).toBe(2_000);
		// It may have been tried just before it came back.
		expect(run.seconds).toBeLessThan(1.3 * 12.5 + 30 + 30);
	});

	test('once the key is refused, nothing is sent with it any more', async () => {
		const world = new World({ workers: 8, workMs: 50 });
		const running = world.post(world.process(), 1_000);
		await world.pass(2_000);
		const { requests, inFlight } = world;
		world.state = 'unauthorized';
		const run = await world.run(running);
		expect(run.done + run.failures.length).toBe(1_000);
		expect(world.requests - requests).toBeLessThanOrEqual(inFlight + 1);
	});
});

describe('a gateway that refuses without a word', () => {
	const most = { time: 1.5, refused: 0.1 };

	test.each<Case>([
		...[1, 30, 100, 300].map(
			(workMs): Case => [
				`nginx limit_req, 20 a second, answers of ${workMs} ms`,
				...([{ ...LARGE, workMs, apartMs: 50 }, 200, 10, most] as const),
			],
		),
		['nginx limit_conn, 4 at once', { ...LARGE, atOnce: 4 }, 200, 5, most],
		['HAProxy maxconn, 4 at once', { ...LARGE, atOnce: 4, queueMs: 500 }, 200, 5, most],
		['one at a time', { ...LARGE, atOnce: 1 }, 100, 10, { time: 1.2 }],
	])('%s', async (_, can, ...given) => {
		await takesAnyway(can, ...given);
		for (const seed of [2, 3]) await takes(can, ...given, seed);
	});
});

describe('a rate limit', () => {
	const limits = COUNTS.map((counts): Limit => ({ most: 20, period: 1_000, counts }));
	/** A service with a limit that is far from its capacity. */
	const limited = (limit?: Limit, more: Partial<Abilities> = {}): Abilities => ({
		...{ workers: 16, workMs: 20, networkMs: 20, limit },
		...more,
	});
	const near: Abilities = { workers: 1_000, workMs: 1, spread: 'fixed', hostMs: 2 };

	test.each(limits)('of 20 a second is found and kept, told or not: $counts', async (limit) => {
		// A second's worth; a bucket fills up while it is measured.
		const refused = limit.counts === 'a bucket' ? 0.07 : 0.05;
		await takes(limited(limit), 400, 20, { time: 1.2, refused });
		const untold = limited(limit, { statesWait: false });
		await takes(untold, 400, 20, { time: 1.3, refused: 0.15 });
		await takes(limited(limit, { jitterMs: 10 }), 400, 20, { time: 1.35 });
	});

	test.each([
		[20, 400, 1.06],
		[10, 300, 1.06],
		[50, 300, 1.2],
	])('of %d a second, for %d rows of a service that is near', async (most, rows, time) => {
		const limit: Limit = { most, period: 1_000, counts: 'periods from a request on' };
		const bound = { time, refused: (8 + most) / rows };
		for (const statesQuota of [true, false]) {
			await takes({ ...near, limit, statesQuota }, rows, rows / most - 1, bound);
		}
	});

	test.each(limits)('that begins right after full speed: $counts', async (limit) => {
		const world = new World(limited());
		const governor = world.process();
		await world.run(world.post(governor, 600));
		world.counter.limit = { ...limit };
		const { seconds } = await world.run(world.post(governor, 400));
		expect(seconds / 20).toBeLessThan(1.3);
		// Those in flight when it begins, and a second's worth.
		expect(world.refused).toBeLessThan(MAX_IN_FLIGHT + 20);
	});

	test('that is lowered is obeyed, and one that is lifted is used', async () => {
		const world = new World(limited(limits[1]));
		const running = world.post(world.process(), 1_500);
		await world.pass(10_000);
		world.counter.limit = { ...limits[1], most: 5 };
		const { refused } = world;
		await world.pass(30_000);
		expect(world.refused - refused).toBeLessThan(30);
		world.counter.limit = undefined;
		const { done } = world;
		await world.pass(30_000);
		// At the old limit it would be 150.
		expect(world.done - done).toBeGreaterThan(600);
		await world.run(running);
	});

	/** Processes that post so many rows together, which could take so long (s). */
	async function shared(can: Abilities, processes: number, rows: number, shortest: number) {
		const world = new World(can);
		const start = async (index: number) => {
			await world.clock.sleep(37 * index);
			return await world.post(world.process(), rows / processes);
		};
		const starts = Array.from({ length: processes }, async (_, index) => await start(index));
		const runs = await world.run(Promise.all(starts));
		const times = runs.map(({ seconds }) => seconds);
		const ends = runs.map(({ startedAt, seconds }) => startedAt / 1_000 + seconds);
		return {
			time: (Math.max(...ends) - runs[0].startedAt / 1_000) / shortest,
			refused: world.refused / rows,
			/** How much longer the slowest took. */
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

	const long = [
		[60, 60_000],
		[100, 10_000],
	].flatMap(([most, period]) => COUNTS.map((counts): Limit => ({ most, period, counts })));
	test.each(long)('of $most in $period ms is used at its beginning: $counts', async (limit) => {
		// What five periods allow takes four.
		const [rows, shortest] = [5 * limit.most, (4 * limit.period) / 1_000];
		await takes(limited(limit), rows, shortest, { time: 1.06, refused: 0.25 });
		const untold = limited(limit, { statesWait: false });
		await takes(untold, rows, shortest, { time: 1.9, refused: 0.5 });
		const { time } = await shared(limited(limit), 4, rows, shortest);
		expect(time).toBeLessThan(1.3);
	});

	test('that responses speak of is used up', async () => {
		const limit: Limit = { most: 300, period: 60_000, counts: 'clock periods' };
		const told = limited(limit, { statesQuota: true });
		await takes(told, 1_500, 240, { time: 1.06, refused: 0.03 });
	});

	test('leaves room for a person', async () => {
		const world = new World(limited({ most: 2, period: 1_000, counts: 'clock periods' }));
		const governor = world.process();
		const rows = world.post(governor, 100);
		for (let times = 0; times < 5; times++) {
			await world.pass(5_000);
			const asked = world.clock.now();
			await world.run(world.send(governor, 'person', { patienceMs: 10_000 }));
			expect(world.clock.now() - asked).toBeLessThan(2_500);
		}
		await world.run(rows);
	});
});
