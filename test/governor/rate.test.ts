import { COUNTS, type Limit, QUOTAS, type QuotaName } from '../worlds/limits';
import { type Run, World } from './play';

const PER_SECOND = 20;
const limits = COUNTS.map((counts): Limit => ({ most: PER_SECOND, period: 1_000, counts }));

/** A service with a limit that is far from its capacity. */
function limited(
	limit: Limit | undefined,
	networkMs = 2,
	statesWait = true,
	quota?: QuotaName,
	jitterMs?: number,
) {
	const can = { workers: 16, workMs: 20, spread: 'exponential' as const, networkMs, jitterMs };
	return new World({ ...can, limit: limit && { ...limit }, statesWait, quota });
}

/** From the first start to the last end, times the ideal. */
function timeOf(runs: Run[], rows: number): number {
	const ended = Math.max(...runs.map(({ endedAt }) => endedAt));
	return (ended - runs[0].startedAt) / 1000 / (rows / PER_SECOND);
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

test.each(limits)('a limit is kept where requests arrive unevenly: %j', async (limit) => {
	const world = limited(limit, 20, true, undefined, 10);
	const run = await world.run(world.post(world.process(), 400));
	const { time, refused } = costOf(world, run, 400);
	expect(run.done).toBe(400);
	expect(time).toBeLessThan(1.35);
	expect(refused).toBeLessThan(0.04);
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
	// Slow requests may be accepted in two periods of the clock before the first is refused.
	const isSpread = limit.counts === 'clock periods' && networkMs === 100;
	expect(time).toBeLessThan(isSpread ? 1.25 : 1.1);
	expect(refused).toBeLessThan(isSpread ? 0.12 : 0.1);
});

/** What five periods allow takes four, since each can be used at its beginning. */
async function fivePeriods(limit: Limit, can: { statesWait: boolean; processes: number }) {
	const world = limited(limit, 20, can.statesWait);
	const rows = 5 * limit.most;
	const runs = await world.together(can.processes, rows / can.processes);
	expect(runs.map(({ done }) => done)).toEqual(runs.map(() => rows / can.processes));
	const ended = Math.max(...runs.map(({ endedAt }) => endedAt));
	return {
		time: (ended - runs[0].startedAt) / (4 * limit.period),
		refused: world.service.limited / rows,
	};
}

const longLimits = COUNTS.flatMap((counts): Limit[] => [
	{ most: 60, period: 60_000, counts },
	{ most: 300, period: 60_000, counts },
	{ most: 100, period: 10_000, counts },
]);

test.each(longLimits)('a limit of a longer period: %j', async (limit) => {
	const isBucket = limit.counts === 'a bucket';
	const alone = await fivePeriods(limit, { statesWait: true, processes: 1 });
	expect(alone.time).toBeLessThan(1.06);
	// The first time, all that are in flight are refused. A bucket says to wait for one request only.
	expect(alone.refused).toBeLessThan(isBucket ? 0.25 : 0.08);
	const four = await fivePeriods(limit, { statesWait: true, processes: 4 });
	expect(four.time).toBeLessThan(1.1);
	expect(four.refused).toBeLessThan(isBucket ? 1.6 : 0.25);
	const untold = await fivePeriods(limit, { statesWait: false, processes: 1 });
	expect(untold.time).toBeLessThan(1.8);
	expect(untold.refused).toBeLessThan(0.5);
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
		const runs = await world.together(processes, rows);
		const times = runs.map((run) => run.seconds);
		expect(runs.map(({ done }) => done)).toEqual(runs.map(() => rows));
		expect(timeOf(runs, 800)).toBeLessThan(1.5);
		expect(Math.max(...times) / Math.min(...times)).toBeLessThan(processes === 4 ? 2 : 2.5);
		expect(world.service.limited / 800).toBeLessThan(processes === 4 ? 0.08 : 0.15);
	}
});

test.each([
	[2, 1.22, 0.015],
	[4, 1.25, 0.035],
	[8, 1.25, 0.08],
])('%d processes see in the responses what others use', async (processes, most, refused) => {
	for (const quota of ['right', 'right, as a draft'] as const) {
		for (const limit of limits) {
			const world = limited(limit, 20, true, quota);
			const runs = await world.together(processes, 2_400 / processes);
			const times = runs.map((run) => run.seconds);
			expect(timeOf(runs, 2_400)).toBeLessThan(most);
			expect(world.service.limited / 2_400).toBeLessThan(refused);
			expect(Math.max(...times) / Math.min(...times)).toBeLessThan(2);
		}
	}
});

test('who is alone need not try whether there is more', async () => {
	// Of the last period, nothing is ever left, which says nothing; a bucket forgives a trial.
	for (const limit of limits.slice(0, 2)) {
		const world = limited(limit, 20, true, 'right');
		const run = await world.run(world.post(world.process(), 2_400));
		const { time, refused } = costOf(world, run, 2_400);
		expect(time).toBeLessThan(1.05);
		expect(refused).toBeLessThan(0.003);
	}
});

test('what a process leaves is taken up where the responses say it', async () => {
	for (const limit of limits) {
		const world = limited(limit, 20, true, 'right');
		const stop = new AbortController();
		const { signal } = stop;
		const ends = [signal, signal, undefined, undefined].map((each) =>
			world.post(world.process(), 800, { signal: each }).catch(() => {}),
		);
		await world.run(world.clock.sleep(30_000));
		stop.abort();
		await world.run(world.clock.sleep(3_000));
		const before = world.service.posts.length;
		await world.run(world.clock.sleep(5_000));
		expect((world.service.posts.length - before) / 5).toBeGreaterThan(0.75 * PER_SECOND);
		await world.run(Promise.all(ends));
	}
});

test.each(Object.keys(QUOTAS) as QuotaName[])('a quota that is said %s', async (quota) => {
	for (const limit of limits) {
		const world = limited(limit, 20, true, quota);
		const run = await world.run(world.post(world.process(), 1_200));
		const { time, refused } = costOf(world, run, 1_200);
		expect(run.done).toBe(1_200);
		// One by chance agrees with refusals now and then.
		expect(time).toBeLessThan(quota === 'by chance' ? 1.7 : 1.15);
		expect(refused).toBeLessThan(0.03);
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
