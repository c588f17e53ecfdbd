import { Allowance } from '../../nodes/LocalSeo/client/governor/allowance';

const MINUTE = 60_000;

let allowance: Allowance;
let now: number;
beforeEach(() => {
	now = 100_000_000;
	allowance = new Allowance(now);
});

/** So many requests, one after another, that are accepted at once. */
function accept(count: number, every = 10) {
	for (let request = 0; request < count; request++) {
		allowance.wasAccepted(now);
		now += every;
	}
}

/** A refusal with a wait until the minute has passed that began so long ago. */
function refuse(passed: number) {
	allowance.wasRefused(now, now + MINUTE - passed);
	now += MINUTE - passed + 1;
}

test('as long as nothing is refused, nothing is held back', () => {
	accept(1_000);
	expect(allowance.mostInFlight(now)).toBe(Infinity);
	expect(allowance.perSecond).toBeUndefined();
});

test('as many as were accepted in the last period are sent at once', () => {
	accept(60);
	refuse(600);
	expect(allowance.mostInFlight(now)).toBe(60);
	accept(40);
	expect(allowance.mostInFlight(now)).toBe(20);
	expect(allowance.perSecond).toBe(1);
});

test('beyond that one tries, and with each that is accepted, one more', () => {
	accept(60);
	refuse(600);
	accept(60);
	expect(allowance.mostInFlight(now)).toBe(1);
	accept(3);
	expect(allowance.mostInFlight(now)).toBe(4);
});

test('where less is accepted, the next period begins with less', () => {
	accept(60);
	refuse(600);
	accept(15);
	refuse(150);
	expect(allowance.mostInFlight(now)).toBe(15);
	expect(allowance.perSecond).toBe(0.25);
});

test('what was in flight when another one was refused counts for the period before', () => {
	const startedAt = now;
	accept(50);
	refuse(500);
	for (let late = 0; late < 10; late++) allowance.wasAccepted(startedAt);
	expect(allowance.mostInFlight(now)).toBe(60);
});

test('a period that passes without a refusal is followed by the next one', () => {
	accept(60);
	refuse(600);
	accept(50);
	now += MINUTE - 500;
	expect(allowance.mostInFlight(now)).toBe(60);
	accept(50);
	expect(allowance.mostInFlight(now)).toBe(10);
});

test('if more was accepted in it, so many are sent at once in the next one', () => {
	accept(60);
	refuse(600);
	accept(90);
	now += MINUTE;
	expect(allowance.mostInFlight(now)).toBe(90);
});

test('an idle time before the first refusal is no part of a period', () => {
	accept(1_000);
	now += 3_600_000;
	allowance.idleUntil(now);
	accept(60);
	refuse(600);
	expect(allowance.mostInFlight(now)).toBe(60);
	expect(allowance.perSecond).toBe(1);
});

test('an idle time within a period does not begin another one', () => {
	accept(60);
	refuse(600);
	accept(40);
	allowance.idleUntil(now + 5_000);
	expect(allowance.mostInFlight(now + 5_000)).toBe(20);
});

test('where nothing at all is accepted, one tries, and no rate is said', () => {
	refuse(0);
	expect(allowance.mostInFlight(now)).toBe(1);
	expect(allowance.perSecond).toBeUndefined();
});
