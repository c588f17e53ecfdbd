import { ServiceClock } from '../../nodes/LocalSeo/client/writes/serviceClock';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 30, 250);
const SECOND = 1_000;
const HOUR = 3_600_000;
const BY_DATE = { serviceClockOffset: 0, serviceClockSetAt: -Infinity };

/** A clock learned from one record, sent and answered within 200 ms. */
function learned(offset: number, granularity = 1) {
	const clock = new ServiceClock();
	const created = Math.floor((NOW + 100 + offset) / granularity) * granularity;
	clock.learn(created, NOW, NOW + 200);
	return clock;
}

test.each([0, -2_500, 2 * HOUR, -7 * HOUR, 1e12])(
	'a clock that is off by %i ms is learned',
	(offset) => {
		const clock = learned(offset);
		const later = NOW + 10 * SECOND;
		const at = (created: number) => clock.ageOf(created + offset, later, later + SECOND);
		expect(at(later + 500)).toBe('newer');
		expect(at(later - SECOND)).toBe('unknown');
		expect(at(later - 10 * SECOND)).toBe('older');
		expect(at(later + 50)).toBe('about-then');
		// Not even now: it is not this clock's.
		expect(at(later + HOUR)).toBe('unknown');
	},
);

test.each([
	[-5_101, 'older'],
	[-5_100, 'unknown'],
	[-101, 'unknown'],
	[-100, 'about-then'],
	[100, 'about-then'],
	[101, 'newer'],
	[6_101, 'newer'],
	[6_102, 'unknown'],
])('what is known to 200 ms tells ages to the millisecond: %i', (offset, age) => {
	// Sent and answered 100 ms before and after; machines may differ by 5 s, and now is a second later.
	const later = NOW + 60 * SECOND;
	expect(learned(0).ageOf(later + offset, later, later + SECOND)).toBe(age);
});

test('a date from after now is not believed where the clock of this machine was set back', () => {
	const later = NOW + 60 * SECOND;
	const ageAt = (now: number) => learned(0).ageOf(later - 50, later, now);
	expect(ageAt(later - 50)).toBe('about-then');
	expect(ageAt(later - SECOND)).toBe('unknown');
});

test('a clock that counts seconds takes a record of the same second for about as old', () => {
	const clock = learned(0, SECOND);
	const lateInSecond = NOW + 60 * SECOND + 650;
	const second = Math.floor(lateInSecond / SECOND) * SECOND;
	expect(clock.ageOf(second, lateInSecond, lateInSecond + 50)).toBe('about-then');
	const nextButOne = second + 2 * SECOND;
	expect(clock.ageOf(nextButOne, lateInSecond, nextButOne)).toBe('newer');
});

test('a clock that counts minutes says nothing of the same minute', () => {
	const clock = learned(0, 60_000);
	const later = NOW + 5 * SECOND;
	const minute = Math.floor(later / 60_000) * 60_000;
	expect(clock.ageOf(minute, later, later)).toBe('unknown');
	expect(clock.ageOf(minute - 3 * 60_000, later, later)).toBe('older');
	expect(clock.ageOf(minute + 2 * 60_000, later, later + 120_000)).toBe('newer');
});

test.each([HOUR, -HOUR])(
	'a clock that was set by %i ms says nothing for ten minutes, and is then the new one',
	(by) => {
		const clock = learned(0);
		clock.learn(NOW + by + 100, NOW, NOW + 200);
		expect(clock.ageOf(NOW, NOW, NOW + SECOND)).toBe('unknown');
		expect(clock.ageOf(NOW + by, NOW, NOW + SECOND)).toBe('unknown');
		const later = NOW + HOUR;
		const at = (created: number) => clock.ageOf(created + by, later, later + SECOND);
		expect(at(later + 500)).toBe('newer');
		expect(at(later)).toBe('about-then');
		expect(at(later - HOUR)).toBe('older');
	},
);

test('machines whose clocks differ by a little are all believed', () => {
	const clock = learned(0);
	clock.learn(NOW + 100 - SECOND, NOW, NOW + 200);
	const later = NOW + 60 * SECOND;
	expect(clock.ageOf(later - SECOND, later, later + SECOND)).toBe('about-then');
	expect(clock.ageOf(later, later, later + SECOND)).toBe('about-then');
	expect(clock.ageOf(later - 30 * SECOND, later, later)).toBe('older');
});

test('what was learned before the clock was set, as Date shows, is forgotten', () => {
	const clock = learned(0);
	const setAt = NOW + 20 * SECOND;
	const date = { serviceClockOffset: HOUR, serviceClockSetAt: setAt };
	const before = NOW + 10 * SECOND;
	expect(clock.ageOf(before - HOUR, before, setAt)).toBe('older');
	expect(clock.ageOf(before - HOUR, before, setAt, date)).toBe('unknown');
	// A record that was sent before and answered after it may be dated by either clock.
	clock.learn(before + 100, before, setAt + SECOND, date);
	const later = setAt + 10 * SECOND;
	expect(clock.ageOf(later + HOUR, later, later + SECOND, date)).toBe('about-then');
	// The next one is believed at once: it shows the clock as it is now.
	clock.learn(later + HOUR + 100, later, later + 200, date);
	expect(clock.ageOf(later + HOUR + SECOND, later, later + SECOND, date)).toBe('newer');
	expect(clock.ageOf(later, later, later + SECOND, date)).toBe('older');
});

test('the dates of other records show to what they are cut', () => {
	const minute = Math.floor(NOW / 60_000) * 60_000;
	const clock = new ServiceClock();
	clock.learn(minute, minute + 50, minute + 150);
	const at = minute + 30 * SECOND;
	expect(clock.ageOf(at, at - 10 * SECOND, at)).toBe('unknown');
	clock.see(minute - 30 * SECOND);
	expect(clock.ageOf(at, at - 10 * SECOND, at)).toBe('newer');
});

describe('before anything is learned', () => {
	const clock = new ServiceClock();

	test('the header Date shows what is about as old, and proves nothing of the rest', () => {
		expect(clock.ageOf(NOW + SECOND, NOW, NOW + SECOND, BY_DATE)).toBe('about-then');
		expect(clock.ageOf(NOW - HOUR, NOW, NOW, BY_DATE)).toBe('earlier-by-date');
		expect(clock.ageOf(NOW + HOUR, NOW, NOW, BY_DATE)).toBe('unknown');
	});

	test.each([
		[-3_001, 'earlier-by-date'],
		[-3_000, 'about-then'],
		[4_000, 'about-then'],
		[4_001, 'unknown'],
	])('a header Date that is an hour ahead is taken to three seconds: %i', (offset, age) => {
		const ahead = { ...BY_DATE, serviceClockOffset: HOUR };
		expect(clock.ageOf(NOW + HOUR + offset, NOW, NOW + SECOND, ahead)).toBe(age);
	});

	test('without Date nothing is known', () => {
		expect(clock.ageOf(NOW, NOW, NOW)).toBe('unknown');
		expect(clock.ageOf(undefined, NOW, NOW, BY_DATE)).toBe('unknown');
	});
});

test('a clock that was learned from a long search is no less exact than Date', () => {
	const clock = new ServiceClock();
	// The record was found half a minute after it was sent.
	clock.learn(NOW + SECOND, NOW, NOW + 30 * SECOND, BY_DATE);
	const later = NOW + 60 * SECOND;
	const ageOf = (created: number, date?: typeof BY_DATE) =>
		clock.ageOf(created, later, later + SECOND, date);
	expect(ageOf(later + 500)).toBe('unknown');
	expect(ageOf(later + 500, BY_DATE)).toBe('about-then');
	expect(ageOf(later - 5 * SECOND, BY_DATE)).toBe('unknown');
	expect(ageOf(later - HOUR, BY_DATE)).toBe('older');
	// What is ahead by hours is another clock, and so is what is behind by more than the search took.
	expect(ageOf(later + HOUR, { ...BY_DATE, serviceClockOffset: HOUR })).toBe('unknown');
	const ageBehind = (seconds: number) =>
		clock.ageOf(later - 20 * SECOND, later, later + 60 * SECOND, {
			...BY_DATE,
			serviceClockOffset: -seconds * SECOND,
		});
	expect(ageBehind(31)).toBe('about-then');
	expect(ageBehind(33)).toBe('unknown');
});
