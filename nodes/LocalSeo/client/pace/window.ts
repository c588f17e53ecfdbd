import { Periods, SHORT } from './periods';
import type { Quota } from './permit';
import { Rate } from './rate';

/** The longest pauses (ms), whatever is stated: while requests are accepted, one may ask again. */
const LONGEST = { refused: 300_000, usedUp: 60_000, backoff: 30_000 };
/** The first pause if no wait is stated (ms); doubled with each refusal in a row, with jitter. */
const FIRST_BACKOFF = 100;

/**
 * How fast requests may start. A refusal pauses all; what it says of the limit is learned by `Periods`
 * if it states a wait, else by `Rate`. All times in milliseconds.
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
	/** When the next start of a short period is due. */
	private nextStart = -Infinity;
	private readonly periods = new Periods();
	private readonly rate = new Rate();
	/** The quota that a success stated, and until when it is used up. */
	private left = Infinity;
	private emptyUntil = -Infinity;
	/** True once requests were accepted although the stated quota was used up: it is no longer believed. */
	private isUntrue = false;

	/** True if requests were refused several times in a row. */
	get isRefusedAgain(): boolean {
		return this.refusalsInARow > 1;
	}

	/** Time until one more may start beside so many; a response may change it. */
	opensIn(now: number, inFlight: number): number {
		const ownMs = this.periods.isKnown ? this.nextStart - now : this.rate.opensIn(now);
		const pause = Math.max(this.pausedUntil - now, ownMs);
		if (pause > 0) return pause;
		if (inFlight >= Math.max(1, this.left)) return Infinity;
		return this.periods.opensIn(now, inFlight);
	}

	started(now: number): void {
		if (this.periods.started(now)) this.left = Infinity;
		this.rate.started(now, this.pausedUntil);
		this.nextStart = now + this.periods.spread;
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
	 * @returns true if no limit was known
	 */
	refused(now: number, startedAt: number, jitter: number, statedMs = 0): boolean {
		const { periods, rate } = this;
		const wasUnknown = !periods.isKnown && !rate.isKnown;
		let ownMs = 0;
		// Requests that are in flight together are refused together.
		if (startedAt > this.refusedAt) {
			const backoff = Math.min(LONGEST.backoff, FIRST_BACKOFF * 2 ** this.refusalsInARow);
			ownMs = backoff * (0.5 + jitter);
			if (this.refusalsInARow++ === 0) rate.tryEnded(now);
			this.refusedAt = now;
			this.firstRefusedAt = Math.min(this.firstRefusedAt, now);
		}
		periods.refused(startedAt);
		rate.refused(startedAt);
		this.statedUntil = Math.max(this.statedUntil, now + statedMs);
		const waitMs = Math.min(LONGEST.refused, Math.max(statedMs, ownMs));
		if (statedMs > 0) {
			this.measure(now, startedAt, waitMs);
		} else {
			this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
			rate.slowDown(now, this.pausedUntil);
		}
		return wasUnknown;
	}

	private measure(now: number, startedAt: number, waitMs: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
		this.periods.measure(now, startedAt, waitMs);
	}
}
