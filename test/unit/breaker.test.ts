import { Breaker } from '../../nodes/LocalSeo/client/governor/breaker';
import { VirtualClock } from '../support/virtualClock';

let clock: VirtualClock;
let breaker: Breaker<string>;
/** Of 0 to 1: where in its range a random time is. */
let chance: number;
beforeEach(() => {
	clock = new VirtualClock();
	chance = 1;
	breaker = new Breaker(clock, () => chance);
});

function fail(times: number) {
	for (let time = 0; time < times; time++) breaker.failed(`failure ${time + 1}`);
}

function pass(milliseconds: number) {
	clock.moveTo(clock.now() + milliseconds);
}

/** A request of which it is a trial, and which fails after a while. */
function tryInVain(tookMs = 0) {
	breaker.trialStarted();
	pass(tookMs);
	breaker.trialEnded();
	breaker.failed('still gone');
}

test('three failures in a row are none: a fourth one is a service that is down', () => {
	fail(3);
	expect(breaker).toMatchObject({ isOpen: false, reason: undefined, waitMs: 0 });
	fail(1);
	expect(breaker).toMatchObject({ isOpen: true, reason: 'failure 1', waitMs: 1_000 });
});

test('an answer between two failures begins the row anew', () => {
	fail(3);
	expect(breaker.answered()).toBe(false);
	fail(3);
	expect(breaker.isOpen).toBe(false);
});

test('it is down since the first failure, until it answers', () => {
	const first = clock.now();
	fail(1);
	pass(500);
	fail(3);
	expect(breaker.downSince).toBe(first);
	expect(breaker.answered()).toBe(true);
	expect(breaker).toMatchObject({ downSince: undefined, isOpen: false, waitMs: 0 });
});

test('who is down is tried less and less often, half a minute apart at most', () => {
	fail(4);
	const waits = Array.from({ length: 7 }, () => {
		const { waitMs } = breaker;
		pass(waitMs);
		expect(breaker.waitMs).toBe(0);
		tryInVain();
		return waitMs;
	});
	expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('after an answer, the waits begin anew', () => {
	fail(6);
	expect(breaker.waitMs).toBe(4_000);
	breaker.answered();
	fail(4);
	expect(breaker.waitMs).toBe(1_000);
});

test('processes that see the same failure do not try at the same moment', () => {
	chance = 0;
	fail(4);
	expect(breaker.waitMs).toBe(800);
});

test('one at a time tries', () => {
	fail(4);
	pass(1_000);
	breaker.trialStarted();
	expect(breaker.waitMs).toBe(Infinity);
	breaker.trialStarted();
	breaker.trialEnded();
	expect(breaker.waitMs).toBe(Infinity);
	breaker.trialEnded();
	expect(breaker.waitMs).toBe(0);
});

test('a clock that is set back a day makes nobody wait for a day', () => {
	fail(4);
	pass(-86_400_000);
	expect(breaker.waitMs).toBe(30_000);
});

test('who has waited for longer than anyone wants to is told so, as long as nothing is under way', () => {
	expect(breaker.isGivenUp(0)).toBe(false);
	fail(3);
	pass(60_000);
	expect(breaker.isGivenUp(10_000)).toBe(false);
	fail(1);
	expect(breaker.isGivenUp(59_999)).toBe(true);
	expect(breaker.isGivenUp(60_000)).toBe(false);
	breaker.trialStarted();
	expect(breaker.isGivenUp(59_999)).toBe(false);
	breaker.trialEnded();
	expect(breaker.isGivenUp(59_999)).toBe(true);
	// Now it may be tried again.
	pass(1_000);
	expect(breaker.isGivenUp(59_999)).toBe(false);
});

test('time in which nobody asked does not count', () => {
	breaker.forgetTime();
	expect(breaker.downSince).toBeUndefined();
	fail(4);
	pass(3_600_000);
	breaker.forgetTime();
	tryInVain();
	expect(breaker.isGivenUp(1_000)).toBe(false);
	pass(1_500);
	expect(breaker.isGivenUp(1_000)).toBe(true);
});
