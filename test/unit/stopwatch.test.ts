import { Stopwatch } from '../../nodes/LocalSeo/client/stopwatch';
import { VirtualClock } from '../support/virtualClock';

let clock: VirtualClock;
let stopwatch: Stopwatch;
beforeEach(() => {
	clock = new VirtualClock();
	stopwatch = new Stopwatch(clock);
});

const wait = async (milliseconds: number) => await clock.run(clock.sleep(milliseconds));

test('what goes on at the same time counts once, what follows is added', async () => {
	expect(stopwatch.ms).toBe(0);
	const both = [stopwatch.during(clock.sleep(200)), stopwatch.during(clock.sleep(500))];
	await wait(300);
	expect(stopwatch.ms).toBe(300);
	await clock.run(Promise.all(both));
	await wait(1_000);
	expect(stopwatch.ms).toBe(500);
	const third = stopwatch.during(clock.sleep(50));
	await wait(20);
	expect(stopwatch.ms).toBe(520);
	await clock.run(third);
	await wait(1_000);
	expect(stopwatch.ms).toBe(550);
});

test('what fails counts as well, and is passed on', async () => {
	const work = clock.sleep(100).then(() => Promise.reject(new Error('no')));
	await expect(clock.run(stopwatch.during(work))).rejects.toThrow('no');
	await wait(1_000);
	expect(stopwatch.ms).toBe(100);
});

test('it gives what the work gives', async () => {
	expect(await stopwatch.during(Promise.resolve('done'))).toBe('done');
});
