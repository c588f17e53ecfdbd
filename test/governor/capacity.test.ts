import { World } from './play';
import { type Spread, SPREADS } from './service';

const WORKERS = [1, 2, 4, 8, 16, 32, 64];
const spreads = Object.keys(SPREADS) as Spread[];
const cases = spreads.flatMap((spread) => WORKERS.map((workers) => ({ spread, workers })));

test.each(cases)('a service that never refuses is used, and not flooded: %j', async (can) => {
	let [used, inFlight] = [0, 0];
	const ways = [20, 2_000].flatMap((workMs) => [1, 2].map((seed) => ({ workMs, seed })));
	for (const { workMs, seed } of ways) {
		const world = new World({ ...can, workMs }, seed);
		const rows = Math.max(600, 30 * can.workers);
		const { done } = await world.run(world.post(world.process(), rows));
		const { busyMs, inFlightMs, measuredMs, requests } = world.service;
		expect({ done, requests }).toEqual({ done: rows, requests: rows });
		used += busyMs / measuredMs / ways.length;
		inFlight += inFlightMs / measuredMs / ways.length;
	}
	expect(used).toBeGreaterThan(0.9);
	expect(inFlight).toBeLessThan(2 * can.workers + 2);
});

test('a crowd that comes is given way to, and what it leaves is taken up', async () => {
	const world = new World({ workers: 16, workMs: 100, spread: 'exponential' });
	const { clock, service } = world;
	const inFlight: number[] = [];
	const begun = clock.now();
	const crowd = async () => {
		await clock.sleep(10_000);
		const busy = async () => {
			while (clock.now() < begun + 30_000) await service.occupy();
		};
		await Promise.all(Array.from({ length: 12 }, busy));
	};
	const watch = async () => {
		for (let looks = 0; looks < 40; looks++) {
			await clock.sleep(1_000);
			inFlight.push(service.inFlight);
		}
	};
	const [run] = await world.run(
		Promise.all([world.post(world.process(), 5_000), crowd(), watch()]),
	);
	const mean = (from: number, to: number) =>
		inFlight.slice(from, to).reduce((a, b) => a + b) / (to - from);
	expect(run.done).toBe(5_000);
	expect(mean(3, 10)).toBeGreaterThan(14);
	expect(mean(15, 30)).toBeLessThan(mean(3, 10));
	expect(mean(35, 40)).toBeGreaterThan(14);
});
