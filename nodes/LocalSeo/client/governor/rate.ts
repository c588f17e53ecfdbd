/** How long a rate is kept without refusals before a faster one is tried. */
const STEADY_FOR = { stated: 15_000, unstated: 2_000 };
/** After this much more time the spacing is halved; after twice as much it is a sixteenth. */
const HALVED_AFTER = 30_000;
/** An upper bound, whatever was measured: an occasional request finds out more. */
const LONGEST_SPACING = 10_000;
/** A period as short as this counts as measured, even if it had already begun. */
const SHORT_PERIOD = 2_500;
const FEWEST_TO_MEASURE = 3;
/** A measurement over a longer time than this loses weight when the next one is added. */
const MEMORY = 5_000;
/** Starts are spaced by a little more than the rate needs, since they are never perfectly even. */
const MARGIN = 1.03;
/** By what factor, at least and at most, a spacing grows after a refusal. */
const LEAST_STEP = 1.1;
const MOST_STEP = 2;
/** The periods in which services usually count requests (milliseconds). */
const PERIODS = [1, 5, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((seconds) => seconds * 1000);

/**
 * The rate that a service allows, learned from what it accepts and refuses. All times are
 * milliseconds.
 *
 * - A refusal shows the rate: what was accepted since the last pause, in the period that the stated
 *   wait ends. If no wait is stated, or too little was accepted, earlier periods count as well.
 * - If requests are refused nevertheless, the spacing was too short: the next one is always longer.
 * - After a while without refusals, the spacing shrinks faster and faster, so a refusal that had
 *   another cause is forgotten within minutes. If it becomes too short, the spacing that held before
 *   comes back.
 */
export class Rate {
	private learned = 0;
	private refusedAt = 0;
	private wasStated = true;
	/** What was accepted since the last pause, while there was always something to send. */
	private measuredFrom = 0;
	/** A measurement that starts at the end of a pause covers a whole period; others may start midway. */
	private isSincePause = false;
	private accepted = 0;
	/** What was accepted up to the last refusal (period 0: not reliable), and the spacing at that time. */
	private measured = { period: 0, accepted: 0, before: 0, held: 0 };

	get isKnown(): boolean {
		return this.learned > 0;
	}

	/** The time between the starts of two requests; 0 while nothing is known. */
	spacing(now: number): number {
		const steadyFor = this.wasStated ? STEADY_FOR.stated : STEADY_FOR.unstated;
		const calm = Math.max(0, now - this.refusedAt - steadyFor);
		return this.learned * 0.5 ** ((calm / HALVED_AFTER) ** 2);
	}

	/** There was nothing to send until now, so the time since the last refusal says nothing. */
	measureFrom(now: number): void {
		this.measuredFrom = now;
		this.isSincePause = false;
		this.accepted = 0;
	}

	/** A request that started at this time was accepted. */
	wasAccepted(startedAt: number): void {
		if (this.isAfterRefusal(startedAt)) {
			this.accepted++;
		} else {
			// It was in flight when another one was refused, so it counts for the period before.
			this.measured.accepted++;
			this.learn();
		}
	}

	/** A request was refused; all wait until `pausedUntil`. `isStated`: the service asked for this wait. */
	wasRefused(now: number, pausedUntil: number, isStated: boolean): void {
		this.measure(now, pausedUntil - this.measuredFrom, isStated);
		this.learn();
		this.measureFrom(pausedUntil);
		this.isSincePause = true;
		this.refusedAt = now;
		this.wasStated = isStated;
	}

	/** Whether a request started after the last refusal; those in flight together are refused together. */
	isAfterRefusal(startedAt: number): boolean {
		return startedAt > this.refusedAt;
	}

	private measure(now: number, lasted: number, isStated: boolean) {
		const { period, accepted } = this.measured;
		const isWhole = this.isSincePause || lasted < SHORT_PERIOD;
		const isEnough = isStated && accepted >= FEWEST_TO_MEASURE;
		const weight = isWhole && !isEnough && period > 0 ? Math.min(1, MEMORY / period) : 0;
		const last = isStated ? periodWithin(lasted) : lasted;
		this.measured = {
			period: isWhole ? last + weight * period : 0,
			accepted: this.accepted + weight * accepted,
			before: this.spacing(now),
			held: this.learned,
		};
	}

	private learn() {
		const { period, accepted, before, held } = this.measured;
		const measured = accepted < FEWEST_TO_MEASURE ? 0 : (MARGIN * period) / accepted;
		// A faster rate that was only being tried gives way to the one that held before.
		const least = before < held ? Math.min(held, LEAST_STEP * before) : LEAST_STEP * before;
		const most = before > 0 ? MOST_STEP * before : LONGEST_SPACING;
		this.learned = Math.min(LONGEST_SPACING, most, Math.max(least, measured));
	}
}

/** Stated waits are rounded up, so the true period is a little shorter than what was measured. */
function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
