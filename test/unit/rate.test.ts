import { Rate } from '../../nodes/LocalSeo/client/governor/rate';
import type { Quota } from '../../nodes/LocalSeo/client/governor/told';

const START = 100_000_000;
/** A little more than the limit needs, since starts are never perfectly even. */
const MARGIN = 1.025;
/** Twenty a second. */
const SPACING = 50;
const HELD = SPACING * MARGIN;

let rate: Rate;
let now: number;
beforeEach(() => {
	rate = new Rate();
	now = START;
	rate.measureFrom(now);
});

/** So many requests, one each `every` milliseconds, each of which is accepted at once. */
function accept(count: number, every = SPACING, quota?: (request: number) => Quota) {
	for (let request = 1; request <= count; request++) {
		rate.starts(now);
		rate.wasAccepted(now, now, quota?.(request));
		now += every;
	}
}

/** A refusal with a wait that ends after so many milliseconds, and the wait. */
function refuse(
	waitMs = 0,
	{ isStated = true, quota }: { isStated?: boolean; quota?: Quota } = {},
) {
	rate.wasRefused(now, now + waitMs, isStated, quota);
	now += waitMs + 1;
}

/** Twenty a second are found: all are sent in the first fifth of a second, then one is refused. */
function findTwentyASecond() {
	accept(20, 10);
	refuse(800);
}

/** Requests are refused though the rate was held, more than a minute after it was measured. */
function refuseMuchLater() {
	now += 55_000;
	refuse();
	accept(5, 1_000);
	refuse(1_000);
}

test('while nothing was refused, nothing is known, and nothing is held back', () => {
	accept(100);
	expect(rate).toMatchObject({ isKnown: false, perSecond: undefined, mostInFlight: Infinity });
	expect(rate.spacing(now)).toBe(0);
});

test('what was accepted until the end of the stated wait is what the service allows', () => {
	findTwentyASecond();
	expect(rate.isKnown).toBe(true);
	expect(rate.spacing(now)).toBeCloseTo(HELD);
	expect(rate.perSecond).toBeCloseTo(20);
	expect(rate.mostInFlight).toBe(Infinity);
});

test.each([
	[1_700, 1_000],
	[2_400, 1_000],
	[700, 700],
])('a wait is rounded up: %d ms are a period of %d', (lasted, period) => {
	accept(20, 10);
	refuse(lasted - 200);
	expect(rate.spacing(now)).toBeCloseTo((period / 20) * MARGIN);
});

test('a period of five seconds is found from the end of a pause on', () => {
	accept(30, 100);
	refuse(2_000);
	expect(rate.isKnown).toBe(false);
	accept(30, 100);
	refuse(2_000);
	expect(rate.spacing(now)).toBeCloseTo((5_000 / 30) * MARGIN);
});

test('what is accepted after the pause of a longer period begins a measurement of its own', () => {
	accept(20, 10);
	now += 60_000;
	rate.pausedUntil(now);
	accept(10, 10);
	refuse(900);
	expect(rate.spacing(now)).toBeCloseTo(100 * MARGIN);
});

test('such a pause ends with a period: what follows it counts, however long it lasts', () => {
	accept(20, 10);
	now += 60_000;
	rate.pausedUntil(now);
	accept(30, 100);
	refuse(2_000);
	expect(rate.spacing(now)).toBeCloseTo((5_000 / 30) * MARGIN);
});

test('the pause of a longer period is no reason to try a faster rate', () => {
	findTwentyASecond();
	now += 60_000;
	rate.pausedUntil(now);
	expect(rate.spacing(now + 20_000)).toBeCloseTo(HELD);
});

test('a time that began midway in a period, and lasted, says nothing', () => {
	accept(20, 100);
	refuse(1_000);
	expect(rate).toMatchObject({ isKnown: false, perSecond: undefined, mostInFlight: Infinity });
	expect(rate.spacing(now)).toBe(0);
});

test('after an idle time, what was accepted before it does not count', () => {
	accept(20, 10);
	now += 600;
	rate.measureFrom(now);
	accept(10, 10);
	refuse(900);
	expect(rate.spacing(now)).toBeCloseTo(100 * MARGIN);
});

test('what was in flight when another one was refused counts for the time before', () => {
	const startedAt = now;
	accept(10, 10);
	refuse(900);
	expect(rate.spacing(now)).toBeCloseTo(100 * MARGIN);
	for (let late = 0; late < 10; late++) rate.wasAccepted(startedAt, now);
	expect(rate.spacing(now)).toBeCloseTo(HELD);
	// One that started later counts for the time that begins with the end of the pause.
	rate.wasAccepted(now, now);
	expect(rate.spacing(now)).toBeCloseTo(HELD);
});

describe('where little was accepted', () => {
	test('one at a time shows how much it is', () => {
		accept(2, 10);
		refuse(980);
		expect(rate).toMatchObject({ isKnown: false, mostInFlight: 1 });
	});

	test('three are enough', () => {
		accept(3, 10);
		refuse(970);
		expect(rate.spacing(now)).toBeCloseTo((1_000 / 3) * MARGIN);
	});

	test('periods add up', () => {
		for (let period = 0; period < 2; period++) {
			accept(1, 10);
			refuse(990);
		}
		expect(rate).toMatchObject({ isKnown: false, mostInFlight: 1 });
		accept(1, 10);
		refuse(990);
		expect(rate.spacing(now)).toBeCloseTo(1_000 * MARGIN);
	});

	test('of a long time before, as much counts as five seconds of it', () => {
		accept(1, 100);
		refuse(900);
		accept(2, 5_000);
		refuse(0);
		// Ten seconds with two, and one second with one, are three in eleven.
		expect(rate.spacing(now)).toBeCloseTo((11_000 / 3) * MARGIN);
	});
});

test('without a stated wait, of ten seconds before as much counts as five of them', () => {
	accept(100, 100);
	refuse(0, { isStated: false });
	// That began midway in a period: only what follows counts.
	accept(100, 100);
	refuse(0, { isStated: false });
	accept(5, 900);
	refuse(0, { isStated: false });
	expect(rate.spacing(now)).toBeCloseTo((9_500 / 55) * MARGIN, 0);
});

describe('without a stated wait', () => {
	test('the time itself counts, and what was learned before', () => {
		accept(20, 50);
		refuse(500, { isStated: false });
		expect(rate.spacing(now)).toBeCloseTo((1_500 / 20) * MARGIN);
	});

	test('it may be too early: one tries, and with each that is accepted, one more', () => {
		accept(20, 50);
		refuse(500, { isStated: false });
		expect(rate.mostInFlight).toBe(1);
		accept(3, 100);
		expect(rate.mostInFlight).toBe(4);
	});

	test('a rate that is refused again is lowered, to a quarter at most', () => {
		accept(20, 50);
		refuse(0, { isStated: false });
		expect(rate.spacing(now)).toBeCloseTo(HELD);
		// Both together: forty in two seconds and the pause.
		accept(20, 50);
		refuse(399, { isStated: false });
		expect(rate.spacing(now)).toBeCloseTo((2_400 / 40) * MARGIN);
		const before = rate.spacing(now);
		refuse(4_000_000, { isStated: false });
		expect(rate.spacing(now - 4_000_000)).toBeCloseTo(4 * before);
	});

	test('it is lowered by a tenth at least', () => {
		accept(20, 50);
		refuse(0, { isStated: false });
		accept(100, 10);
		refuse(0, { isStated: false });
		expect(rate.spacing(now)).toBeCloseTo(1.1 * HELD);
	});

	test('a faster one is tried after five seconds', () => {
		accept(20, 50);
		refuse(0, { isStated: false });
		expect(rate.spacing(now + 4_999)).toBeCloseTo(HELD);
		expect(rate.spacing(now + 7_299)).toBeCloseTo(HELD / 2);
	});
});

describe('a faster rate is tried', () => {
	test('after twenty seconds, slowly at first', () => {
		findTwentyASecond();
		const refusedAt = now - 801;
		expect(rate.spacing(refusedAt + 20_000)).toBeCloseTo(HELD);
		expect(rate.spacing(refusedAt + 22_300)).toBeCloseTo(HELD / 2);
		expect(rate.spacing(refusedAt + 24_600)).toBeCloseTo(HELD / 16);
	});

	test('if it is refused, the one before holds again, and the next one is tried sooner', () => {
		findTwentyASecond();
		accept(400, HELD);
		now += 1_000;
		expect(rate.spacing(now)).toBeLessThan(HELD);
		const refusedAt = now;
		refuse(500);
		expect(rate.spacing(now)).toBeCloseTo(HELD);
		expect(rate.spacing(refusedAt + 12_000)).toBeCloseTo(HELD);
		expect(rate.spacing(refusedAt + 14_300)).toBeCloseTo(HELD / 2);
	});

	test('if clearly more was accepted meanwhile, that is the new one', () => {
		findTwentyASecond();
		accept(400, HELD);
		// Forty a second for two seconds: others have left.
		accept(80, 25);
		refuse(500);
		const spacing = 2_000 / 79;
		expect(rate.spacing(now)).toBeCloseTo(spacing * (1.02 + spacing / 2_000));
	});

	test('what was accepted before an idle time is not taken for it', () => {
		findTwentyASecond();
		accept(400, HELD);
		accept(80, 25);
		rate.measureFrom(now);
		refuse(500);
		expect(rate.spacing(now)).toBeCloseTo(HELD);
	});
});

describe('requests that are refused though the rate was held', () => {
	test('lower it by a tenth, and a faster one is tried after five seconds', () => {
		findTwentyASecond();
		accept(10, HELD);
		refuse(500);
		expect(rate.spacing(now)).toBeCloseTo(1.1 * HELD);
		expect(rate.spacing(now + 4_500)).toBeCloseTo(1.1 * HELD);
		expect(rate.spacing(now + 6_799)).toBeCloseTo(0.55 * HELD);
		expect(rate).toMatchObject({ perSecond: expect.closeTo(20 / 1.1), mostInFlight: Infinity });
	});

	test('do not have it measured again if a faster one was being tried, by who is alone', () => {
		findTwentyASecond();
		now += 65_000;
		refuse(1_000);
		expect(rate.spacing(now)).toBeCloseTo(HELD);
	});

	test('if much less was accepted, that is the limit now', () => {
		findTwentyASecond();
		accept(5, 100);
		refuse(500);
		expect(rate.spacing(now)).toBeCloseTo(200 * MARGIN);
	});

	test('after more than a minute, the rate is measured again, with three in flight', () => {
		findTwentyASecond();
		refuseMuchLater();
		expect(rate).toMatchObject({ isKnown: false, mostInFlight: 3 });
		expect(rate.spacing(now)).toBe(0);
		// What is known until then is said.
		expect(rate.perSecond).toBeCloseTo(20);
	});

	test('the same again is who is alone, with the usual margin', () => {
		findTwentyASecond();
		refuseMuchLater();
		accept(19, 10);
		refuse(809);
		expect(rate.spacing(now)).toBeCloseTo((1_000 / 19) * MARGIN);
		expect(rate.spacing(now + 4_000)).toBeCloseTo((1_000 / 19) * MARGIN);
	});

	test.each([10, 30])('another number (%d) shows that others use the limit, too', (count) => {
		findTwentyASecond();
		refuseMuchLater();
		accept(count, 10);
		refuse(1_000 - 10 * count - 1);
		const spacing = 1_000 / count;
		expect(rate.spacing(now)).toBeCloseTo(spacing * (1.02 + spacing / 2_000));
		// What they leave is looked for sooner.
		expect(rate.spacing(now + 8_000)).toBeLessThan(spacing / 1.5);
	});

	test('who shares a limit measures it again also where a faster rate was tried', () => {
		findTwentyASecond();
		refuseMuchLater();
		accept(10, 10);
		refuse(899);
		now += 70_000;
		refuse(1_000);
		expect(rate.isKnown).toBe(false);
	});

	test('not twice within a minute', () => {
		findTwentyASecond();
		refuseMuchLater();
		accept(20, 10);
		refuse(799);
		accept(10, HELD);
		refuse(500);
		expect(rate.isKnown).toBe(true);
		expect(rate.spacing(now)).toBeCloseTo(1.1 * HELD);
	});
});

test('who has little may send an occasional request: ten seconds apart at most', () => {
	accept(20, 10);
	refuse(800);
	for (let refusal = 0; refusal < 200; refusal++) refuse();
	expect(rate.spacing(now)).toBe(10_000);
});

test('a second without a refusal says nothing about where a limit begins', () => {
	expect(rate.isOutdated(now + 1_000)).toBe(false);
	expect(rate.isOutdated(now + 1_001)).toBe(true);
	findTwentyASecond();
	expect(rate.isOutdated(now + 60_000)).toBe(false);
});

describe('where the responses say what is left', () => {
	const MOST = 20;
	/** What is left of each second where for each request, so many others come from elsewhere. */
	function used(others: number): () => Quota {
		let second = 0;
		let own = 0;
		return () => {
			if (Math.floor(now / 1_000) !== second) own = 0;
			second = Math.floor(now / 1_000);
			own++;
			return { most: MOST, left: Math.max(0, Math.floor(MOST - own * (1 + others))) };
		};
	}
	const NONE = { most: MOST, left: 0 };

	/** The limit was found, and its responses are believed. */
	function believe() {
		findTwentyASecond();
		accept(20, HELD, used(0));
		refuse(500, { quota: NONE });
		// A faster rate was refused: the one before holds.
	}

	test('a pace follows what others use', () => {
		believe();
		const before = rate.spacing(now);
		accept(300, 100, used(1));
		expect(rate.spacing(now)).toBeGreaterThan(1.3 * before);
	});

	test('a faster pace is not tried while it is used up', () => {
		believe();
		const before = rate.spacing(now);
		accept(600, before, used(0));
		expect(rate.spacing(now)).toBeCloseTo(before);
		expect(rate.spacing(now + 30_000)).toBeLessThan(before);
	});

	test('what is not believed changes nothing', () => {
		findTwentyASecond();
		accept(200, HELD, used(1));
		expect(rate.spacing(now)).toBeCloseTo(HELD);
	});

	test('they say nothing of a limit of five seconds', () => {
		accept(20, 50);
		refuse(2_000);
		accept(100, 30);
		refuse(1_999, { quota: NONE });
		const held = rate.spacing(now);
		expect(held).toBeCloseTo(SPACING * MARGIN);
		accept(60, held, used(0));
		refuse(500, { quota: NONE });
		const before = rate.spacing(now);
		accept(40, 100, used(1));
		expect(rate.spacing(now)).toBeCloseTo(before);
	});

	test('a refusal need not be measured again', () => {
		believe();
		accept(1_300, HELD, used(0));
		refuse(500, { quota: NONE });
		expect(rate.isKnown).toBe(true);
	});
});
