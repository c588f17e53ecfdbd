/** The periods in which services usually count, in seconds. */
const PERIODS = [86_400, 3600, 900, 300, 60, 30, 15, 10, 5, 3, 1];
/** How much longer than a period to wait (ms): requests may be late or early on their way. */
const MARGIN = 30;
/** Up to this a period is short (ms): its starts are spread over a part of it, to let others in. */
export const SHORT = { upTo: 2_500, part: 0.15 };
/** How long a limit that was measured twice is kept to before more is tried (ms). */
const KEPT = 10_000;

/**
 * A limit that is learned from stated waits: as many requests as passed in one period start at the
 * beginning of the next, and then none; now and then one more is tried, then two, and so on. All times
 * in milliseconds.
 */
export class Periods {
	/** When the period began, and the number of requests started since and not refused. */
	private since = -Infinity;
	private passed = 0;
	/** True if the next start is the first of a period. */
	private isOver = true;
	/** The most requests in one period, and its length; Infinity while none is known. */
	private most = Infinity;
	private lasts = Infinity;
	/** Until then, no more than that is tried. */
	private keptUntil = -Infinity;
	private nextStart = -Infinity;

	get isKnown(): boolean {
		return this.lasts < Infinity;
	}

	/** Time until one more may start beside so many in flight. */
	opensIn(now: number, inFlight: number): number {
		if (this.passed < this.most) return this.nextStart - now;
		// One more than the limit, then two and so on, as long as all that passed before were accepted.
		const isTried = now >= this.keptUntil && inFlight <= this.passed - inFlight - this.most;
		return isTried ? this.nextStart - now : this.since + this.lasts - now;
	}

	/** @returns true for the first start of a period */
	started(now: number): boolean {
		const isFirst = this.isOver || now >= this.since + this.lasts;
		if (isFirst) {
			this.most = Math.max(this.most, this.passed);
			this.since = now;
			this.passed = 0;
			this.isOver = false;
		}
		this.passed++;
		const isShort = this.lasts < SHORT.upTo;
		this.nextStart = isShort ? now + (SHORT.part * this.lasts) / this.most : -Infinity;
		return isFirst;
	}

	refused(startedAt: number): void {
		if (startedAt >= this.since && this.passed > 0) this.passed--;
	}

	/** Takes what has passed for what a period allows: it ends after this wait. */
	measure(now: number, startedAt: number, waitMs: number): void {
		// Waits are rounded up, so the true period is a little shorter.
		const lasted = (startedAt + waitMs - this.since) / 1_000;
		const lasts = 1_000 * (PERIODS.find((period) => period <= lasted) ?? lasted) + MARGIN;
		// In a long one a try costs little, and of the first one others may have used a part.
		const isKept = lasts < SHORT.upTo && this.isKnown;
		if (!this.isOver) this.keptUntil = isKept ? now + KEPT : -Infinity;
		this.isOver = true;
		this.most = Math.max(1, this.passed);
		this.lasts = lasts;
	}
}
