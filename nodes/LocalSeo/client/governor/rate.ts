import { Accepted } from './accepted';
import { PERIODS, periodWithin, SHORT_PERIOD } from './periods';
import { type Quota, Told } from './told';

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

/** What a refusal showed. All times are milliseconds. */
interface Refusal {
	at: number;
	/** Whether the service said how long to wait. */
	isStated: boolean;
	/** So many requests were accepted in such a time; 0 if the time began midway in a period. */
	accepted: number;
	period: number;
	/** The spacing with which it came, and the one that was learned before; 0 while that was measured. */
	tried: number;
	held: number;
	/** The spacing of what was accepted in the last seconds before. */
	lately: number;
	/** Whether the rate may be measured again. */
	isDue: boolean;
}

/**
 * The rate that a service allows, learned from what it accepts and refuses. All times are
 * milliseconds.
 *
 * - **Nothing known**, as long as nothing is refused: all is sent at once.
 * - **Measured**: a refusal shows the rate, which is what was accepted since the last pause, in the period
 *   that the stated wait ends. If no wait is stated, or too little was accepted, earlier periods count as well.
 * - **Held**: requests are spaced by what was learned. If they are refused nevertheless, the rate is
 *   measured again, once a minute at most: from the end of the pause on, as many are sent as are
 *   accepted. Others that use the same limit pause until the same moment, so each gets a fair part of
 *   it. If the measurements differ, there are others.
 * - **Tried**: after a while without refusals, the spacing shrinks faster and faster, to find out whether
 *   the limit was lifted or others have left. If it becomes too short, the spacing that held before comes
 *   back, or is measured again where there are others.
 *
 * Where responses say how many requests are left, what others use shows without a refusal (`Told`).
 */
export class Rate {
	/** The spacing that is held; 0 while nothing is known or it is measured. */
	private learned = 0;
	private accepted = new Accepted(0, false);
	/** The last one. */
	private refusal?: Refusal;
	/** The last spacing with which requests were refused, and whether they were while it was held. */
	private former?: { spacing: number; wasHeld: boolean };
	private measuredAt = -Infinity;
	/** Whether others use the same limit. */
	private isShared = false;
	/** In which the service counts its requests, if it is known. */
	private period = Infinity;
	/** When the service last said how much is left: until a while later, no faster rate has to be tried. */
	private toldAt = 0;
	private readonly told = new Told();

	get isKnown(): boolean {
		return this.learned > 0;
	}

	/** Requests a second that the service allows, as far as is known. */
	get perSecond(): number | undefined {
		const spacing = this.learned || this.former?.spacing;
		return spacing ? (1_000 / spacing) * MARGIN : undefined;
	}

	/** The most in flight while the rate is being measured. */
	get mostInFlight(): number {
		const { again, few } = MOST_WHILE_MEASURED;
		if (!this.refusal) return Infinity;
		// Without a stated wait, it may be too early: one finds out.
		if (!this.refusal.isStated) return 1 + this.accepted.count;
		if (this.isKnown) return Infinity;
		if (this.refusal.accepted < FEWEST_TO_MEASURE) return few;
		return this.former ? again : Infinity;
	}

	/** The time between the starts of two requests; 0 while nothing is known. */
	spacing(now: number): number {
		if (!this.refusal) return 0;
		const calm = now - Math.max(this.refusal.at, this.toldAt) - this.steadyFor(this.refusal);
		return this.learned * 0.5 ** ((Math.max(0, calm) / HALVED_AFTER) ** 2);
	}

	/** Whether so much was accepted without a refusal that its beginning says nothing about a limit. */
	isOutdated(now: number): boolean {
		return !this.isKnown && now - this.accepted.since > PERIODS[0];
	}

	/** There was nothing to send until now, so the time since the last refusal says nothing. */
	measureFrom(now: number): void {
		this.accepted = new Accepted(now, false);
	}

	/** Nothing is sent until then, because of a longer period: that time says nothing. */
	pausedUntil(until: number): void {
		this.toldAt = until;
		this.accepted = new Accepted(until, true);
	}

	/** A request starts. */
	starts(now: number): void {
		this.told.starts(now);
	}

	/** A request that started at this time was accepted. */
	wasAccepted(startedAt: number, now: number, quota?: Quota): void {
		if (quota) this.wasTold(startedAt, now, quota);
		if (!this.refusal || startedAt > this.refusal.at) return this.accepted.add(startedAt);
		// It was in flight when another one was refused, so it counts for the period before.
		this.refusal.accepted++;
		this.learn(this.refusal);
	}

	/** A request was refused; all wait until `pausedUntil`. `isStated`: the service asked for this wait. */
	wasRefused(now: number, pausedUntil: number, isStated: boolean, quota?: Quota): void {
		this.told.wasRefused(quota);
		const held = this.learned;
		const tried = this.spacing(now);
		const lately = this.accepted.spacingLately(now);
		const isDue = now - this.measuredAt > MEASURED_AGAIN_AFTER;
		const lasted = pausedUntil - this.accepted.since;
		const period = isStated ? periodWithin(lasted) : lasted;
		if (held > 0) {
			this.former = { spacing: held, wasHeld: tried >= held };
		} else {
			this.measuredAt = now;
			this.period = isStated ? period : Infinity;
		}
		const measured = this.withEarlier(period, lasted, isStated);
		this.refusal = { at: now, isStated, ...measured, tried, held, lately, isDue };
		this.learn(this.refusal);
		this.accepted = new Accepted(pausedUntil, true);
	}

	private steadyFor({ isStated }: Refusal): number {
		if (!isStated) return STEADY_FOR.unstated;
		// A much faster one was no limit: it was sent before there was one, or before it was lowered.
		const isLimit = this.former && this.former.spacing * MUCH_LONGER > this.learned;
		const former = isLimit ? this.former : undefined;
		// One that was only lowered because it was refused may be too slow by chance.
		if (this.isShared || former?.wasHeld) return STEADY_FOR.shared;
		return former ? STEADY_FOR.stated : STEADY_FOR.first;
	}

	private wasTold(startedAt: number, now: number, quota: Quota) {
		if (!this.isKnown || this.period > SHORT_PERIOD) return;
		const look = this.told.wasAccepted({ startedAt, now }, quota, this.period, this.learned);
		if (!look) return;
		if (look.isUsedUp || look.factor !== 1) this.toldAt = now;
		this.learned = Math.min(LONGEST_SPACING, this.learned / look.factor);
	}

	/** What was accepted in a period, with what was up to the refusal before if that is too little. */
	private withEarlier(period: number, lasted: number, isStated: boolean) {
		const { count, isSincePause } = this.accepted;
		if (!isSincePause && lasted >= SHORT_PERIOD) return { accepted: count, period: 0 };
		const earlier = this.refusal;
		if (!earlier?.period || (isStated && earlier.accepted >= FEWEST_TO_MEASURE))
			return { accepted: count, period };
		const weight = Math.min(1, MEMORY / earlier.period);
		return {
			accepted: count + weight * earlier.accepted,
			period: period + weight * earlier.period,
		};
	}

	private learn(refusal: Refusal) {
		const { accepted, period, tried, held, isStated } = refusal;
		const exact = accepted < FEWEST_TO_MEASURE ? 0 : period / accepted;
		if (isStated && held === 0 && exact > 0 && this.former) {
			this.isShared = Math.abs(Math.log(exact / this.former.spacing)) > ALONE_WITHIN;
		}
		const measured = exact * (this.isShared ? sharedMargin(exact) : MARGIN);
		this.learned = Math.min(LONGEST_SPACING, this.next(refusal, measured, LEAST_STEP * tried));
	}

	/**
	 * @param measured the spacing that the refusal shows; 0 for none
	 * @param longer than the spacing with which requests were refused
	 * @returns the spacing to hold from now on; 0: to be measured again
	 */
	private next(refusal: Refusal, measured: number, longer: number): number {
		const { tried, held, lately, isStated, isDue } = refusal;
		if (held === 0) return Math.max(measured, longer);
		const isTried = tried < held;
		// A faster rate that was only being tried gives way to the one that held before, unless clearly
		// more was accepted than that.
		if (isTried && lately < SHORTER * held) return sharedMargin(lately) * lately;
		if (isStated && !this.told.isBelieved && isDue && (this.isShared || !isTried)) return 0;
		if (isTried) return held;
		if (isStated) return measured > MUCH_LONGER * held ? measured : LEAST_STEP * held;
		return Math.min(MOST_STEP * held, Math.max(measured, longer));
	}
}

function sharedMargin(spacing: number): number {
	return MARGIN_SHARED + (MARGIN_OF_ONE * Math.min(1_000, spacing)) / 1_000;
}
