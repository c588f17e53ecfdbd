import type { Quota } from './permit';

/** The longest pauses, whatever is stated: while requests are accepted, one may ask again. */
const LONGEST = { refused: 300_000, usedUp: 60_000, backoff: 30_000 };
/** The first pause if no wait is stated; doubled with each refusal in a row, with jitter. */
const FIRST_BACKOFF = 100;
/** The periods in which services usually count, in seconds. */
const PERIODS = [86_400, 3600, 900, 300, 60, 30, 15, 10, 5, 3, 1];
/** How much longer than a period to wait: requests may be late or early on their way. */
const MARGIN = 30;
/** Up to this a period is short: its starts are spread over a part of it, to let others in. */
const SHORT = { upTo: 2_500, part: 0.15 };
/** For how long a limit that was measured twice is kept to before more is tried. */
const KEPT = 10_000;
/** The part of a refused rate that is kept, and how close to it one comes while it is held; the same where much less passed. */
const REFUSED = { kept: 0.9, height: 0.97 };
const HALVED = { kept: 0.5, height: 0.75 };
const HELD = 3_500;

/**
 * How fast requests may start, learned from refusals; all times in milliseconds. A refusal pauses all.
 *
 * With stated waits, as many as passed in one period start at the beginning of the next, and then none;
 * now and then one more is tried, then two, and so on. Without, starts are spaced evenly, at a rate just
 * below the one that was refused: it is approached fast, held, and exceeded ever faster, as TCP CUBIC does.
 */
export class Window {
	/** Until then the service accepts nothing. */
	pausedUntil = -Infinity;
	/** The same as the service has stated it; it may be asked again before. */
	statedUntil = -Infinity;
	/** A request that started later was no sudden burst. */
	firstRefusedAt = Infinity;
	private refusedAt = -Infinity;
	private refusalsInARow = 0;
	private nextStart = -Infinity;
	/** The number of requests started since then and not refused. */
	private since = -Infinity;
	private passed = 0;
	/** Whether the next start is the first of a period: after a stated wait. */
	private isOver = true;
	/** The limit: the most requests in one period; Infinity while no period is known. */
	private most = Infinity;
	private lasts = Infinity;
	private keptUntil = -Infinity;
	/** The quota that a success stated, until when it is used up, and whether others were accepted in spite of that. */
	private left = Infinity;
	private emptyUntil = -Infinity;
	private isUntrue = false;
	/** The rate a second that was refused; Infinity while none was. */
	private tried = Infinity;
	private rate = { of: Infinity, ...REFUSED, since: 0 };

	/** Until one more may start beside so many; an answer may change it. */
	opensIn(now: number, inFlight: number): number {
		const pause = Math.max(this.pausedUntil, this.nextStart) - now;
		if (pause > 0) return pause;
		if (inFlight >= Math.max(1, this.left)) return Infinity;
		if (this.passed < this.most) return 0;
		const isTried = now >= this.keptUntil && inFlight <= this.passed - inFlight - this.most;
		return isTried ? 0 : this.since + this.lasts - now;
	}

	started(now: number): void {
		if (this.isOver || now >= this.since + this.lasts) {
			this.most = Math.max(this.most, this.passed);
			this.since = now;
			this.passed = 0;
			this.left = Infinity;
			this.isOver = false;
		}
		this.passed++;
		// A rate that is not used does not grow.
		this.rate.since += Math.max(0, now - Math.max(this.nextStart, this.since));
		const spread = this.lasts < SHORT.upTo ? (SHORT.part * this.lasts) / this.most : 0;
		this.nextStart = now + (this.lasts < Infinity ? spread : 1_000 / this.perSecond(now));
	}

	accepted(now: number, startedAt: number, quota?: Quota): void {
		if (startedAt > this.refusedAt) {
			this.refusalsInARow = 0;
			this.statedUntil = -Infinity;
		}
		this.isUntrue ||= quota?.left === 0 && startedAt < this.emptyUntil;
		const { left = Infinity, forMs = 0 } = this.isUntrue ? {} : (quota ?? {});
		const waitMs = left > 0 ? 0 : Math.min(forMs, LONGEST.usedUp);
		this.left = left;
		this.emptyUntil = waitMs > 0 ? now + waitMs : -Infinity;
		// Before any refusal, one request shows whether it is true. Our count of a short period is more exact.
		if (waitMs > SHORT.upTo && this.firstRefusedAt < now) this.measure(now, startedAt, waitMs);
	}

	/**
	 * @param statedMs the wait that the service asks for
	 * @returns whether no limit was known
	 */
	refused(now: number, startedAt: number, jitter: number, statedMs = 0): boolean {
		const wasUnknown = this.lasts === Infinity && this.tried === Infinity;
		let ownMs = 0;
		// Requests that are in flight together are refused together.
		if (startedAt > this.refusedAt) {
			const backoff = Math.min(LONGEST.backoff, FIRST_BACKOFF * 2 ** this.refusalsInARow);
			ownMs = backoff * (0.5 + jitter);
			if (this.refusalsInARow++ === 0) this.tried = this.perSecond(now);
			this.refusedAt = now;
			this.firstRefusedAt = Math.min(this.firstRefusedAt, now);
		}
		if (startedAt >= this.since && this.passed > 0) this.passed--;
		this.statedUntil = Math.max(this.statedUntil, now + statedMs);
		const waitMs = Math.min(LONGEST.refused, Math.max(statedMs, ownMs));
		if (statedMs > 0) this.measure(now, startedAt, waitMs);
		else this.slowDown(now, waitMs);
		return wasUnknown;
	}

	/** With a stated wait, what has passed is what a period allows. */
	private measure(now: number, startedAt: number, waitMs: number) {
		this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
		// Waits are rounded up, so the true period is a little shorter.
		const lasted = (startedAt + waitMs - this.since) / 1_000;
		const lasts = 1_000 * (PERIODS.find((period) => period <= lasted) ?? lasted) + MARGIN;
		// In a long one a try costs little, and of the first one others may have used a part.
		const isKept = lasts < SHORT.upTo && this.lasts < Infinity;
		if (!this.isOver) this.keptUntil = isKept ? now + KEPT : -Infinity;
		this.isOver = true;
		this.most = Math.max(1, this.passed);
		this.lasts = lasts;
	}

	private slowDown(now: number, waitMs: number) {
		this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
		const measured = (1_000 * Math.max(0.5, this.passed)) / (this.pausedUntil - this.since);
		// The number that passed until the first refusal may be a small part.
		const of = this.tried < Infinity ? this.tried : 3 * measured;
		this.rate = { of, ...(measured < HALVED.kept * of ? HALVED : REFUSED), since: now };
	}

	private perSecond(now: number): number {
		const { of, kept, height, since } = this.rate;
		const way = Math.max(0, now - since) / HELD - 1;
		return of * (height + (height - kept) * way ** 3);
	}
}
