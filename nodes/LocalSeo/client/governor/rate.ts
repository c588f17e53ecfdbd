/** A rate is kept for this long without a refusal before it is tried to go faster. */
const STEADY_FOR = { stated: 15_000, unstated: 2_000 };
/** So much later the spacing is half of it; twice as much later a sixteenth. */
const HALVED_AFTER = 30_000;
/** Whatever was measured: a request every so often finds out more. */
const LONGEST_SPACING = 10_000;
/** A period as short as this was measured well enough, even if it had begun before. */
const SHORT_PERIOD = 2_500;
const FEWEST_TO_MEASURE = 3;
/** What was measured over longer than this counts for less when more is measured. */
const MEMORY = 5_000;
/** Starts are spaced by a little more than the rate needs, since they never come quite evenly. */
const MARGIN = 1.03;
/** A spacing that is refused was too short by at least so much, and by at most so much. */
const LEAST_STEP = 1.1;
const MOST_STEP = 2;
/** Limits are counted in such periods (milliseconds). */
const PERIODS = [1, 5, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((seconds) => seconds * 1000);

/**
 * What a service takes, found out from what it accepts and refuses. All times are milliseconds.
 *
 * - A refusal shows the rate: what was accepted since the last pause, in the period that the stated
 *   wait ends. Where no wait is stated, or too little was accepted, the periods before count as well.
 * - A spacing that is refused all the same was too short: the next one is longer in any case.
 * - Without a refusal for a while, the spacing becomes shorter and shorter, ever faster: so a refusal
 *   that was none of the rate's is forgotten in minutes. If it becomes too short, the spacing that
 *   held before comes back.
 */
export class Rate {
	private learned = 0;
	private refusedAt = 0;
	private wasStated = true;
	/** What was accepted since the last pause, while there was always something to send. */
	private measuredFrom = 0;
	/** A measure from the end of a pause has a whole period; another may begin in the middle of one. */
	private isSincePause = false;
	private accepted = 0;
	/** What refusals have ended (period 0: not to be relied on), and the spacing at the last one. */
	private measured = { period: 0, accepted: 0, before: 0, held: 0 };

	get isKnown(): boolean {
		return this.learned > 0;
	}

	/** Between the starts of two requests now; 0 where nothing is known. */
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

	/** A request that was started at that time was not refused. */
	wasAccepted(startedAt: number): void {
		if (this.isAfterRefusal(startedAt)) {
			this.accepted++;
		} else {
			// It was underway when another was refused, and was accepted in the period before that.
			this.measured.accepted++;
			this.learn();
		}
	}

	/** A request was refused; all wait until `pausedUntil`, as the service asked for, or not. */
	wasRefused(now: number, pausedUntil: number, isStated: boolean): void {
		this.measure(now, pausedUntil - this.measuredFrom, isStated);
		this.learn();
		this.measureFrom(pausedUntil);
		this.isSincePause = true;
		this.refusedAt = now;
		this.wasStated = isStated;
	}

	/** Requests that were underway together are refused together: that is one refusal. */
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
		// What was only tried is given up for what held before.
		const least = before < held ? Math.min(held, LEAST_STEP * before) : LEAST_STEP * before;
		const most = before > 0 ? MOST_STEP * before : LONGEST_SPACING;
		this.learned = Math.min(LONGEST_SPACING, most, Math.max(least, measured));
	}
}

/** Stated waits are rounded up, so the true period is a little shorter than what was measured. */
function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
