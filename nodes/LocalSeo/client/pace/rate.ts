/** The periods in which services usually count, in seconds. */
const PERIODS = [86_400, 3600, 900, 300, 60, 30, 15, 10, 5, 3, 1];
/** How much longer than a period to wait (ms): requests may be late or early on their way. */
const MARGIN = 30;
/** Up to this a period is short (ms): its starts are spread over a part of it, to let others in. */
const SHORT = { upTo: 2_500, part: 0.15 };
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

/** The part of a refused rate that is kept, and how close to it one comes while it is held. */
const REFUSED = { kept: 0.9, height: 0.97 };
/** The same where much less passed than was tried. */
const HALVED = { kept: 0.5, height: 0.75 };
/** How long a rate is held before it is exceeded (ms). */
const HELD = 3_500;
/** Requests that are enough to measure a rate. */
const ENOUGH = 10;
/** The rate to try, as a multiple of what passed: that may be a small part of the limit, at first above all. */
const TRIED = { first: 6, later: 3 };
/** Time without a start (ms), although one could start, after which what passed is counted afresh. */
const IDLE = 5_000;

/**
 * A rate that is learned from refusals without a stated wait: starts are spaced evenly, at a rate just
 * below the one that was refused. It is approached fast, held, and exceeded ever faster, as TCP CUBIC
 * does. All times in milliseconds.
 */
export class Rate {
	/** The rate a second that was refused; Infinity while none was. */
	private tried = Infinity;
	/** The rate a second that is approached, and exceeded later. */
	private of = Infinity;
	private shape = REFUSED;
	/** Since when it is approached; time in which it is not used does not count. */
	private approachedSince = 0;
	/** Since when requests are counted, and the number of those started and not refused. */
	private countedSince = -Infinity;
	private passed = 0;
	private nextStart = -Infinity;

	get isKnown(): boolean {
		return this.tried < Infinity;
	}

	opensIn(now: number): number {
		return this.nextStart - now;
	}

	/** @param pausedUntil until then nothing could start */
	started(now: number, pausedUntil: number): void {
		const unusedSince = Math.max(this.nextStart, pausedUntil);
		if (now - unusedSince > IDLE) this.count(now, 0);
		this.passed++;
		this.approachedSince += Math.max(0, now - Math.max(this.nextStart, this.countedSince));
		this.nextStart = now + 1_000 / this.perSecond(now);
	}

	/** The first request after refusals was accepted: what passes from then on shows the limit. */
	resumed(startedAt: number): void {
		if (this.passed >= ENOUGH) this.count(startedAt, 1);
	}

	/**
	 * @param isNew true for the first of several refusals in a row
	 * @param pausedUntil until then nothing can start
	 */
	refused(now: number, startedAt: number, isNew: boolean, pausedUntil: number): void {
		if (isNew) this.tried = this.perSecond(now);
		if (startedAt >= this.countedSince && this.passed > 0) this.passed--;
		const measured = (1_000 * Math.max(0.5, this.passed)) / (pausedUntil - this.countedSince);
		const isEnough = this.passed >= ENOUGH;
		const isFirst = this.tried === Infinity;
		const times = TRIED[isEnough && isFirst ? 'first' : 'later'];
		if (isEnough || isFirst) this.of = Math.min(this.tried, times * measured);
		else this.of = this.tried;
		this.shape = measured < HALVED.kept * this.of ? HALVED : REFUSED;
		this.approachedSince = now;
	}

	private count(since: number, passed: number): void {
		this.countedSince = since;
		this.passed = passed;
	}

	private perSecond(now: number): number {
		const { kept, height } = this.shape;
		const way = Math.max(0, now - this.approachedSince) / HELD - 1;
		return this.of * (height + (height - kept) * way ** 3);
	}
}
