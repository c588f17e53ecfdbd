import { Periods, SHORT } from './periods';
import type { Permit, Quota, Sample } from './permit';
import { Rate } from './rate';

/** The longest pauses (ms): after the first one, the service is asked again, whatever it has stated. */
const LONGEST = { stated: 300_000, backoff: 30_000 };
/** The first pause if no wait is stated (ms), with jitter. */
const FIRST_BACKOFF = 100;

/**
 * How fast requests may start. A refusal pauses all; what it says of the limit is learned by `Periods`
 * if it states a wait, else by `Rate`. All times in milliseconds.
 */
export class Window {
	/** Until then the service accepts nothing, as it has stated, or as we assume. */
	pausedUntil = -Infinity;
	private pausedAt = -Infinity;
	private firstRefusedAt = Infinity;
	/** The number of refusals in a row, and the time of the first of them. */
	private refusals = 0;
	private refusedSince = 0;
	private readonly periods = new Periods();
	private readonly rate = new Rate();
	/** The quota that a success stated, and until when it is used up. */
	private left = Infinity;
	private emptyUntil = -Infinity;
	/** True once requests were accepted although the stated quota was used up: it is no longer believed. */
	private isUntrue = false;

	private get opensAt(): number {
		return Math.min(this.pausedUntil, this.pausedAt + LONGEST.stated);
	}

	/** True if it has refused several times in a row without a stated wait. */
	get isRefusing(): boolean {
		return this.refusals > 1 && !this.periods.isKnown;
	}

	/** The number of refusals in a row; undefined for a request that started before the first one of all. */
	refusalsBefore({ startedAt }: Permit): number | undefined {
		return startedAt > this.firstRefusedAt ? this.refusals : undefined;
	}

	/** Time until one more may start beside so many; a response may change it. */
	opensIn(now: number, inFlight: number): number {
		if (inFlight >= Math.max(1, this.left)) return Infinity;
		const rateMs = this.periods.isKnown ? 0 : this.rate.opensIn(now);
		return Math.max(this.opensAt - now, rateMs, this.periods.opensIn(now, inFlight));
	}

	started(now: number): void {
		if (this.periods.started(now)) this.left = Infinity;
		this.rate.started(now, this.opensAt);
	}

	/** @returns the end of the pause, or of the part of it after which the service is asked again */
	next(sample: Sample): number {
		const { now, permit, ending } = sample;
		if (ending.kind === 'answered') this.accepted(now, permit.startedAt, ending.quota);
		if (ending.kind === 'limited' || ending.kind === 'shed') {
			this.refused(sample, ending.retryAfterMs);
		}
		return this.opensAt;
	}

	private accepted(now: number, startedAt: number, quota?: Quota): void {
		if (startedAt > this.pausedAt) {
			if (this.refusals > 0) this.rate.resumed(startedAt);
			this.refusals = 0;
			this.pausedUntil = -Infinity;
		}
		this.isUntrue ||= quota?.left === 0 && startedAt < this.emptyUntil;
		const { left, forMs } = quota && !this.isUntrue ? quota : { left: Infinity, forMs: 0 };
		this.left = left;
		this.emptyUntil = left > 0 ? -Infinity : now + forMs;
		// Before any refusal, one request shows whether it is true. Our count of a short period is more exact.
		if (left > 0 || forMs <= SHORT.upTo || this.firstRefusedAt >= now) return;
		this.pausedAt = now;
		this.pausedUntil = Math.max(this.pausedUntil, now + forMs);
		this.periods.measure(now, startedAt, Math.min(LONGEST.stated, forMs));
	}

	/** @param statedMs the wait that the service asks for */
	private refused({ now, permit: { startedAt }, random }: Sample, statedMs?: number): void {
		// Requests that are in flight together are refused together.
		const isNew = startedAt > this.pausedAt;
		const isFirst = isNew && this.refusals === 0;
		if (isFirst) this.refusedSince = now;
		let ownMs = 0;
		if (isNew) {
			const first = FIRST_BACKOFF * (0.95 + random() / 20);
			// Later, as long again as it had refused when this request started.
			ownMs = isFirst ? first : Math.max(0, 2 * startedAt - this.refusedSince - now);
			this.refusals++;
			this.pausedAt = now;
		}
		this.firstRefusedAt = Math.min(this.firstRefusedAt, now);
		// A wait of no length is believed, but not again and again.
		const isBelieved = statedMs !== undefined && (isFirst || statedMs >= FIRST_BACKOFF);
		const waitMs = isBelieved ? statedMs : Math.min(LONGEST.backoff, ownMs);
		this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
		this.periods.refused(startedAt);
		if (statedMs) this.periods.measure(now, startedAt, Math.min(LONGEST.stated, statedMs));
		else this.rate.refused(now, startedAt, isFirst, this.opensAt);
	}
}
