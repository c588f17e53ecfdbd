import { COUNTS, type Limit } from '../../../dev/sandbox/account';
import { MAX_IN_FLIGHT } from '../../../nodes/LocalSeo/client/pace/concurrency';
import { type Abilities, type How, SPREADS, World } from './world';

/** A service that could serve far more than we send. */
const LARGE: Abilities = { workers: 1_000, workMs: 100 };
const spreads = ['fixed', 'exponential'] as const;
const limits = COUNTS.map((counts): Limit => ({ most: 20, period: 1_000, counts }));
const longLimits = [60_000, 10_000].flatMap((period) =>
	COUNTS.map((counts): Limit => ({ most: period === 10_000 ? 100 : 60, period, counts })),
);
/** A service with a limit that is far from its capacity. */
const limited = (limit?: Limit, more: Partial<Abilities> = {}): Abilities => ({
	...{ workers: 16, workMs: 20, networkMs: 20, spread: 'exponential', limit },
	...more,
});
const untold = { statesWait: false };
const silently = limits.map((one) => limited(one, untold));
const queues = [4, 8, 16].map((queue) => ({ workers: 4, workMs: 100, queue }));
const apart = [1, 30, 100, 300].map((workMs) => ({ ...LARGE, workMs, apartMs: 50 }));
const silent = { time: 1.4, refused: 0.1 };

/** Rows, the shortest time (s), and the most of that time, of refusals a row, and of failures. */
type Case = [
	name: string,
	services: Abilities[],
	rows: number,
	shortest: number,
	most: { time?: number; refused?: number; failed?: number },
];

const CASES: Case[] = [
	['a new key reaches 1,000 posts of 100 ms in 3 s', [LARGE], 1_000, 3, { time: 1 }],
	['a queue that is full is not flooded again', queues, 300, 7.5, { time: 1.5, failed: 8 }],
	['nginx limit_req, 20 a second', apart, 200, 10, silent],
	['nginx limit_conn, 4 at once', [{ ...LARGE, atOnce: 4 }], 200, 5, silent],
	['one at a time', [{ ...LARGE, atOnce: 1 }], 100, 10, { time: 1.9 }],
	// A second's worth is refused; a bucket fills up while it is measured.
	['20 a second', limits.map((one) => limited(one)), 400, 20, { time: 1.2, refused: 0.07 }],
	['20 a second, untold', silently, 400, 20, { time: 1.3, refused: 0.15 }],
	// The rows of five periods take four.
	...longLimits.flatMap((limit): Case[] => {
		const { most, period, counts } = limit;
		const [rows, shortest] = [5 * most, (4 * period) / 1_000];
		const name = `${most} in ${period} ms, ${counts}, is used at its beginning`;
		const few = { time: 1.9, refused: 0.5 };
		return [
			[name, [limited(limit)], rows, shortest, { time: 1.06, refused: 0.25 }],
			[`${name}, untold`, [limited(limit, untold)], rows, shortest, few],
		];
	}),
];

test.each(CASES)('%s', async (_, services, rows, shortest, most) => {
	for (const can of services) {
		for (const spread of can.spread ? [can.spread] : spreads) {
			const world = new World({ ...can, spread });
			const run = await world.clock.run(world.post(world.process(), rows));
			expect(run).toMatchObject({ done: rows, failures: [] });
			expect(run.seconds / shortest).toBeLessThan(most.time ?? Infinity);
			expect(world.refused / rows).toBeLessThan(most.refused ?? Infinity);
			expect(world.failed).toBeLessThanOrEqual(most.failed ?? Infinity);
		}
	}
});

test.each([1, 2, 4, 8, 16, 32, 64])('%d workers are used, not flooded', async (workers) => {
	for (const spread of spreads) {
		const world = new World({ workers, workMs: 200, spread });
		const running = world.post(world.process(), Math.max(300, 40 * workers));
		const done: number[] = [];
		let inFlight = 0;
		for (let seconds = 0; seconds < 8; seconds++) {
			await world.clock.pass(1_000);
			inFlight += world.inFlight / 8;
			done.push(world.done);
		}
		expect((done[7] - done[1]) / 6).toBeGreaterThan(0.85 * workers * 5);
		// So many are answered in little more than a second.
		expect(inFlight).toBeLessThan(Math.max(30, 6 * workers));
		await world.clock.run(running);
	}
});

test.each(Object.keys(SPREADS) as Array<keyof typeof SPREADS>)(
	'answers that differ (%s) do not hold it back',
	async (spread) => {
		const world = new World({ ...LARGE, spread });
		const run = await world.clock.run(world.post(world.process(), 3_000));
		expect(run.seconds).toBeLessThan(spread === 'fixed' ? 5 : 8);
	},
);

test.each<[string, number, number, How, number]>([
	['1,000 posts of 1 ms', 1_000, 100, {}, 1],
	['1,000 posts of 100 ms', 1_000, 1, {}, 100],
	['single posts of 3 ms', 200, 300, { abreast: 1 }, 3],
	['single readings of 10 ms', 40, 300, { kind: 'read', abreast: 1 }, 10],
	['a list in 20 pages of 10 ms', 20, 200, { kind: 'read', abreast: 12 }, 10],
	['a list of many pages, side by side', 600, 200, { kind: 'read', abreast: 64 }, 10],
])('%s do not hold back what comes then', async (_, earlier, workMs, how, before) => {
	for (const spread of spreads) {
		const can = { ...LARGE, spread, workMs, workMsOf: { read: 10 } };
		const world = new World({ ...can, workMs: before });
		const pace = world.process();
		await world.clock.run(world.post(pace, earlier, how));
		world.can.workMs = workMs;
		const { seconds } = await world.clock.run(world.post(pace, 600));
		const fresh = new World(can);
		const alone = await fresh.clock.run(fresh.post(fresh.process(), 600));
		expect(seconds / alone.seconds).toBeLessThan(1.3);
	}
});

test('a service that gets slower by and by, and not because of our queue, is used as much', async () => {
	for (const spread of spreads) {
		const world = new World({ ...LARGE, spread });
		const pace = world.process();
		for (const workMs of [50, 70, 95, 130, 180]) {
			world.can.workMs = workMs;
			const { seconds } = await world.clock.run(world.post(pace, 3_000));
			expect(seconds).toBeLessThan((1.4 * 3_000 * workMs) / 1_000 / MAX_IN_FLIGHT);
		}
	}
});

test('a quota of a day fails all rows at once, also those that come after the refusal', async () => {
	const day: Limit = { most: 100, period: 86_400_000, counts: 'periods from a request on' };
	const world = new World(limited(day));
	const run = await world.clock.run(world.post(world.process(), 1_000));
	expect([run.done, run.failures.length]).toEqual([100, 900]);
	expect(run.seconds).toBeLessThan(10);
});

test('a service that was down is used again', async () => {
	const world = new World({ workers: 8, workMs: 50 });
	const running = world.post(world.process(), 2_000);
	void world.clock.sleep(3_000).then(() => (world.state = 'down'));
	void world.clock.sleep(33_000).then(() => (world.state = 'up'));
	const run = await world.clock.run(running);
	expect(run.done).toBe(2_000);
	// It may have been tried just before it came back.
	expect(run.seconds).toBeLessThan(1.3 * 12.5 + 30 + 30);
});

test.each(limits)('what was learned at full speed does not hold back: $counts', async (limit) => {
	for (const networkMs of [2, 20, 50]) {
		const world = new World({ ...LARGE, workMs: 5, networkMs, ...untold });
		const pace = world.process();
		await world.clock.run(world.post(pace, 1_000));
		world.counter.limit = limit;
		const run = await world.clock.run(world.post(pace, 400));
		expect(run.seconds / 20).toBeLessThan(1.15);
	}
});

test('a limit that is lowered is obeyed, and one that is lifted is used', async () => {
	const world = new World(limited(limits[1]));
	const running = world.post(world.process(), 1_500);
	await world.clock.pass(10_000);
	world.counter.limit = { ...limits[1], most: 5 };
	const { refused } = world;
	await world.clock.pass(30_000);
	expect(world.refused - refused).toBeLessThan(30);
	world.counter.limit = undefined;
	const { done } = world;
	await world.clock.pass(30_000);
	// At the old limit it would be 150.
	expect(world.done - done).toBeGreaterThan(600);
	await world.clock.run(running);
});

const halves = { time: 1.5, refused: 0.13, apart: 3.5 };
const fours = { time: 1.3, refused: Infinity, apart: Infinity };
test.each([
	...[2, 4, 8].flatMap((processes) => [
		{ processes, limit: limits[0], rows: 1_200, shortest: 60, ...halves },
		{ processes, limit: limits[3], rows: 1_200, shortest: 60, ...halves },
	]),
	...longLimits.map((limit) => {
		return { processes: 4, limit, rows: 5 * limit.most, shortest: limit.period / 250, ...fours };
	}),
])('$limit is divided by $processes processes', async ({ processes, limit, rows, ...most }) => {
	const world = new World(limited(limit));
	const start = async (index: number) => {
		await world.clock.sleep(37 * index);
		return (await world.post(world.process(), rows / processes)).seconds;
	};
	const startedAt = world.clock.now();
	const starts = Array.from({ length: processes }, async (_, index) => await start(index));
	const times = await world.clock.run(Promise.all(starts));
	expect((world.clock.now() - startedAt) / 1_000 / most.shortest).toBeLessThan(most.time);
	expect(world.refused / rows).toBeLessThan(most.refused);
	expect(Math.max(...times) / Math.min(...times)).toBeLessThan(most.apart);
});
