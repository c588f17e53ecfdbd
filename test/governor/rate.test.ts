import { COUNTS, type Limit } from '../worlds/limits';
import { type Run, World } from './play';

const PER_SECOND = 20;
const limits = COUNTS.map((counts): Limit => ({ most: PER_SECOND, period: 1_000, counts }));

/** A service with a limit that is far from its capacity. */
function limited(limit: Limit | undefined, networkMs = 2, statesWait = true, seed = 1): World {
	const can = { workers: 16, workMs: 20, spread: 'exponential' as const, networkMs };
	return new World({ ...can, limit: limit && { ...limit }, statesWait }, seed);
}

/** Times the ideal, and refusals by row, of so many rows at the limit. */
function costOf({ service }: World, { seconds }: Run, rows: number, before = 0) {
	return {
		time: seconds / (rows / PER_SECOND),
		refused: (service.limited - before) / rows,
	};
}

const cases = limits.flatMap((limit) => [2, 100].map((networkMs) => ({ limit, networkMs })));

test.each(cases)('a limit is found, used and kept: %j', async ({ limit, networkMs }) => {
	const world = limited(limit, networkMs);
	const run = await world.run(world.post(world.process(), 400));
	const { time, refused } = costOf(world, run, 400);
	expect(run.done).toBe(400);
	expect(time).toBeLessThan(1.06);
	expect(refused).toBeLessThan(0.06);
});

test.each(cases)('the same without a told wait, by trying: %j', async ({ limit, networkMs }) => {
	const world = limited(limit, networkMs, false);
	const run = await world.run(world.post(world.process(), 400));
	const { time, refused } = costOf(world, run, 400);
	expect(run.done).toBe(400);
	expect(time).toBeLessThan(1.4);
	expect(refused).toBeLessThan(0.09);
});

test.each(cases)('a limit that begins right after full speed: %j', async ({ limit, networkMs }) => {
	const world = limited(undefined, networkMs);
	const account = world.process();
	await world.run(world.post(account, 600));
	world.service.counter.limit = { ...limit };
	const run = await world.run(world.post(account, 400));
	const { time, refused } = costOf(world, run, 400);
	expect(time).toBeLessThan(1.25);
	expect(refused).toBeLessThan(0.12);
});

test.each([1, 4, 15])('after %d idle minutes it is as at first', async (minutes) => {
	const world = limited(limits[1]);
	const account = world.process();
	await world.run(world.post(account, 200));
	await world.run(world.clock.sleep(minutes * 60_000));
	const before = world.service.limited;
	const run = await world.run(world.post(account, 400));
	const { time, refused } = costOf(world, run, 400, before);
	expect(time).toBeLessThan(1.06);
	expect(refused).toBeLessThan(0.06);
});

test.each([4, 8])('%d processes share a limit', async (processes) => {
	const rows = 800 / processes;
	for (const limit of limits) {
		const world = limited(limit, 20);
		const start = async (index: number) => {
			await world.clock.sleep(37 * index);
			return await world.post(world.process(), rows);
		};
		const runs = await world.run(
			Promise.all(Array.from({ length: processes }, (_, i) => start(i))),
		);
		const ends = runs.map(({ endedAt }) => endedAt);
		const seconds = (Math.max(...ends) - runs[0].startedAt) / 1000;
		const times = runs.map((run) => run.seconds);
		expect(runs.map(({ done }) => done)).toEqual(runs.map(() => rows));
		expect(seconds / (800 / PER_SECOND)).toBeLessThan(1.5);
		expect(Math.max(...times) / Math.min(...times)).toBeLessThan(processes === 4 ? 2 : 2.5);
		expect(world.service.limited / 800).toBeLessThan(processes === 4 ? 0.08 : 0.15);
	}
});

test('a limit that is lowered is obeyed, and one that is lifted is used', async () => {
	const world = limited(limits[1]);
	const { clock, service } = world;
	const running = world.post(world.process(), 1_500);
	await world.run(clock.sleep(10_000));
	service.counter.limit = { ...limits[1], most: 5 };
	let before = service.limited;
	await world.run(clock.sleep(30_000));
	expect(service.limited - before).toBeLessThan(6);
	service.counter.limit = undefined;
	before = service.posts.length;
	await world.run(clock.sleep(15_000));
	// All that is left; at the old limit it would be seventy-five.
	expect(service.posts.length - before).toBeGreaterThan(1_000);
	await world.run(running);
});
