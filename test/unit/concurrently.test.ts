import { concurrently } from '../../nodes/LocalSeo/client/concurrently';
import { VirtualClock } from '../support/virtualClock';

let clock: VirtualClock;
let begun: number[];
let most: number;
beforeEach(() => {
	clock = new VirtualClock();
	[begun, most] = [[], 0];
});

/** Jobs that take so many milliseconds each; a negative one fails after as many. */
function jobsOf(times: number[]) {
	let running = 0;
	return times.map((time, index) => async () => {
		begun.push(index);
		most = Math.max(most, ++running);
		await clock.sleep(Math.abs(time));
		running--;
		if (time < 0) throw new Error(`Job ${index}`);
		return index;
	});
}

const run = async (times: number[], limit: number) =>
	await clock.run(concurrently(jobsOf(times), limit));

test('the results come in the order of the jobs, whichever ends first', async () => {
	expect(await run([50, 10, 30, 20, 40], 2)).toEqual([0, 1, 2, 3, 4]);
	expect({ begun, most }).toEqual({ begun: [0, 1, 2, 3, 4], most: 2 });
});

test('more may run at once than there are', async () => {
	expect(await run([10, 10], 5)).toEqual([0, 1]);
	expect(most).toBe(2);
	expect(await run([], 5)).toEqual([]);
});

test('after a failure no more begin, and what fails later is not unheard', async () => {
	await expect(run([-20, -50, 10, 10], 2)).rejects.toThrow('Job 0');
	await clock.run(clock.sleep(1_000));
	expect(begun).toEqual([0, 1]);
	begun = [];
	await expect(run([-20, 50, 10, 10], 2)).rejects.toThrow('Job 0');
	await clock.run(clock.sleep(1_000));
	expect(begun).toEqual([0, 1]);
});
