import { LONGEST_PERIOD, type Quota, Told } from './told';

/**
 * How long a rate is kept without refusals before a faster one is tried (milliseconds): the first one
 * longer, so that a sheet of usual length is done by then.
 */
const STEADY_FOR = { first: 20_000, stated: 12_000, unstated: 5_000, shared: 5_000 };
/** After this much more time the spacing is halved; after twice as much it is a sixteenth. */
const HALVED_AFTER = 2_300;
/** Two measurements of a limit that nobody else uses differ by less than this part. */
const ALONE_WITHIN = 0.1;
/** An upper bound, whatever was measured: an occasional request finds out more. */
const LONGEST_SPACING = 10_000;
/** A period as short as this counts as measured, even if it had already begun. */
const SHORT_PERIOD = 2_500;
const FEWEST_TO_MEASURE = 3;
/** A measurement over a longer time than this loses weight when the next one is added. */
const MEMORY = 5_000;
/** Starts are spaced by a little more than the rate needs, since they are never perfectly even. */
const MARGIN = 1.025;
/** The same where others use the limit: in each second, each of them may send one more. */
const MARGIN_SHARED = 1.02;
const MARGIN_OF_ONE = 0.5;
/** By what factor, at least and at most, a spacing grows after a refusal. */
const LEAST_STEP = 1.1;
const MOST_STEP = 4;
/** Milliseconds from one measurement to the next at least. */
const MEASURED_AGAIN_AFTER = 60_000;
/** In flight while it is measured again, and at first where little was accepted: more are refused together. */
const MOST_WHILE_MEASURED = { again: 3, few: 1 };

/** A spacing is clearly shorter than another one below the one part of it, much longer beyond the other. */
const SHORTER = 0.87;
const MUCH_LONGER = 2;
/** What was accepted for so long before a refusal shows how fast it was accepted then (milliseconds). */
const LATELY = 2_000;
/** The periods in which services usually count requests (milliseconds). */
const PERIODS = [1, 5, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((seconds) => seconds * 1000);

/**
 * The rate that a service allows, learned from what it accepts and refuses. All times are
 * milliseconds.
 *
 * - A refusal shows the rate: what was accepted since the last pause, in the period that the stated
 *   wait ends. If no wait is stated, or too little was accepted, earlier periods count as well.
 * - If requests are refused though that rate holds, it is measured again, once a minute at most: from the end of the pause on,
 *   as many are sent as are accepted. Others that use the same limit pause until the same moment, so
 *   each gets a fair part of it. If the measurements differ, there are others.
 * - Where responses say how many requests are left, what others use shows without a refusal (`Told`).
 * - After a while without refusals, the spacing shrinks faster and faster, to find out whether the
 *   limit was lifted or others have left. If it becomes too short, the spacing that held before comes
 *   back, or is measured again where there are others.
 */
export class Rate {
	private learned = 0;
	private refusedAt = 0;
	private isFirst = true;
	/** When the rate was last measured, and whether it may be measured again. */
	private measuredAt = -Infinity;
	private isDue = false;
	private wasStated = true;
	/** Whether others use the same limit. */
	private isShared = false;
	/** Whether the rate was only lowered, by chance too far, since requests were refused though it held. */
	private isTooSlow = false;
	/** The spacing that was measured before the one that is being measured; 0 without one. */
	private last = 0;
	/** What was accepted since the last pause, while there was always something to send. */
	private measuredFrom = 0;
	/** A measurement that starts at the end of a pause covers a whole period; others may start midway. */
	private isSincePause = false;
	private accepted = 0;
	/** When the latest accepted requests started, while the rate is known. */
	private lately: number[] = [];
	/** In which the service counts its requests, if it is known. */
	private period = Infinity;
	/** When the service last said how much is left: until a while later, no faster rate has to be tried. */
	private toldAt = 0;
	private readonly told = new Told();
	/** What was accepted up to the last refusal (period 0: not reliable), and the spacing at that time. */
	private measured = { period: 0, accepted: 0, before: 0, held: 0, lately: 0 };

	get isKnown(): boolean {
		return this.learned > 0;
	}

	/** Requests a second that the service allows, as far as is known. */
	get perSecond(): number | undefined {
		const spacing = this.learned || this.last;
		return spacing > 0 ? (1_000 / spacing) * MARGIN : undefined;
	}

	/** The most in flight while the rate is being measured. */
	get mostInFlight(): number {
		const { again, few } = MOST_WHILE_MEASURED;
		if (this.isKnown || this.refusedAt === 0 || !this.wasStated) return Infinity;
		if (this.measured.accepted < FEWEST_TO_MEASURE) return few;
		return this.last > 0 ? again : Infinity;
	}

	/** The time between the starts of two requests; 0 while nothing is known. */
	spacing(now: number): number {
		const calm = Math.max(0, now - Math.max(this.refusedAt, this.toldAt) - this.steadyFor);
		return this.learned * 0.5 ** ((calm / HALVED_AFTER) ** 2);
	}

	/** Whether so much was accepted without a refusal that its beginning says nothing about a limit. */
	isOutdated(now: number): boolean {
		return !this.isKnown && now - this.measuredFrom > PERIODS[0];
	}

	/** There was nothing to send until now, so the time since the last refusal says nothing. */
	measureFrom(now: number): void {
		this.measuredFrom = now;
		this.isSincePause = false;
		this.accepted = 0;
	}

	/** A request starts. */
	starts(now: number): void {
		this.told.starts(now);
	}

	/** A request that started at this time was accepted. */
	wasAccepted(startedAt: number, now: number, quota?: Quota): void {
		if (quota) this.wasTold(startedAt, now, quota);
		if (this.isAfterRefusal(startedAt)) {
			this.accepted++;
			if (!this.isKnown) return;
			this.lately.push(startedAt);
			while (this.lately[0] < startedAt - LATELY) this.lately.shift();
		} else {
			// It was in flight when another one was refused, so it counts for the period before.
			this.measured.accepted++;
			this.learn();
		}
	}

	/** A request was refused; all wait until `pausedUntil`. `isStated`: the service asked for this wait. */
	wasRefused(now: number, pausedUntil: number, isStated: boolean, quota?: Quota): void {
		this.told.wasRefused(quota);
		this.isDue = now - this.measuredAt > MEASURED_AGAIN_AFTER;
		if (this.learned === 0) this.measuredAt = now;
		this.measure(now, pausedUntil - this.measuredFrom, isStated);
		const { held } = this.measured;
		if (held > 0) {
			this.isTooSlow = this.measured.before >= held;
			this.isFirst = false;
			this.last = held;
		}
		this.wasStated = isStated;
		this.learn();
		this.measureFrom(pausedUntil);
		this.isSincePause = true;
		this.refusedAt = now;
	}

	/** Whether a request started after the last refusal; those in flight together are refused together. */
	isAfterRefusal(startedAt: number): boolean {
		return startedAt > this.refusedAt;
	}

	private get steadyFor(): number {
		if (!this.wasStated) return STEADY_FOR.unstated;
		if (this.isShared || this.isTooSlow) return STEADY_FOR.shared;
		return this.isFirst ? STEADY_FOR.first : STEADY_FOR.stated;
	}

	private wasTold(startedAt: number, now: number, quota: Quota) {
		if (!this.isKnown || this.period > LONGEST_PERIOD) return;
		const look = this.told.wasAccepted({ startedAt, now }, quota, this.period, this.learned);
		if (!look) return;
		if (look.isUsedUp || look.factor !== 1) this.toldAt = now;
		this.learned = Math.min(LONGEST_SPACING, this.learned / look.factor);
	}

	private measure(now: number, lasted: number, isStated: boolean) {
		const { period, accepted } = this.measured;
		const isWhole = this.isSincePause || lasted < SHORT_PERIOD;
		const isEnough = isStated && accepted >= FEWEST_TO_MEASURE;
		const weight = isWhole && !isEnough && period > 0 ? Math.min(1, MEMORY / period) : 0;
		const last = isStated ? periodWithin(lasted) : lasted;
		if (this.learned === 0) this.period = isStated ? last : Infinity;
		this.measured = {
			period: isWhole ? last + weight * period : 0,
			accepted: this.accepted + weight * accepted,
			before: this.spacing(now),
			held: this.learned,
			lately: LATELY / this.lately.filter((startedAt) => startedAt > now - LATELY).length,
		};
		this.lately = [];
	}

	private learn() {
		const { period, accepted, before, held } = this.measured;
		const exact = accepted < FEWEST_TO_MEASURE ? 0 : period / accepted;
		if (this.wasStated && held === 0 && exact > 0 && this.last > 0) {
			this.isShared = Math.abs(Math.log(exact / this.last)) > ALONE_WITHIN;
		}
		const measured = exact * (this.isShared ? sharedMargin(exact) : MARGIN);
		const longer = LEAST_STEP * before;
		this.learned = Math.min(LONGEST_SPACING, this.next(measured, longer));
	}

	/** @param longer than the spacing with which requests were refused */
	private next(measured: number, longer: number): number {
		const { before, held, lately } = this.measured;
		if (held === 0) return Math.max(measured, longer);
		const isTried = before < held;
		// A faster rate that was only being tried gives way to the one that held before, unless clearly
		// more was accepted than that.
		if (isTried && lately < SHORTER * held) return sharedMargin(lately) * lately;
		if (this.wasStated && !this.told.isBelieved && this.isDue && (this.isShared || !isTried))
			return 0;
		if (isTried) return held;
		if (this.wasStated) return measured > MUCH_LONGER * held ? measured : LEAST_STEP * held;
		return Math.min(MOST_STEP * held, Math.max(measured, longer));
	}
}

function sharedMargin(spacing: number): number {
	return MARGIN_SHARED + (MARGIN_OF_ONE * Math.min(1_000, spacing)) / 1_000;
}

/** Stated waits are rounded up, so the true period is a little shorter than what was measured. */
function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
