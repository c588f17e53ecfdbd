import type { Permit } from './permit';

/** The most requests in flight at once: n8n and the machine bear no more. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 8;
/** Responses are slow if their recent mean is longer than this (ms), and so many times the usual one. */
const SLOW = { ms: 1_000, times: 2, least: 4 };
/** The weight of the responses that a mean remembers. */
const REMEMBERED = 10;
/** More failures than this are too many: with more in flight than was answered lately, or maybe by chance. */
const TOO_MANY = { more: 1.5, proven: 5 };
const FADING = { failures: 0.95, proven: 0.99 };
/** The part that is kept of a number in flight that was too much, and how long it is not exceeded (ms). */
const CUT = { to: 0.8, failedFor: 6_000, refusedFor: 1_000 };

/** A mean latency, in which older responses count less and less. */
class Mean {
	ms = 0;
	private weight = 0;

	add(tookMs: number, weight: number): void {
		this.weight = Math.min(REMEMBERED, this.weight + weight);
		this.ms += (weight / this.weight) * (tookMs - this.ms);
	}
}

/**
 * Finds the number of requests that a service bears at once, as TCP does (AIMD): it doubles with each
 * round of responses until there are failures or slow responses, which lower it by a fifth; from then on
 * it grows by its square root each round. Responses of one kind of request are compared with each other.
 */
export class Concurrency {
	private allowed = FIRST_LIMIT;
	private isStarting = true;
	private cutAt = -Infinity;
	private heldUntil = -Infinity;
	private failures = 0;
	/** The largest number in flight with a request that was answered lately. */
	private proven = 1;
	private readonly latencies = new Map<string, { recent: Mean; usual: Mean }>();

	get limit(): number {
		return Math.floor(this.allowed);
	}

	answered(now: number, permit: Permit): void {
		const { startedAt, inFlight, kind } = permit;
		const { allowed } = this;
		this.failures *= FADING.failures;
		this.proven = Math.max(inFlight, FADING.proven * this.proven);
		const tookMs = now - startedAt;
		const latency = this.latencies.get(kind) ?? { recent: new Mean(), usual: new Mean() };
		this.latencies.set(kind, latency);
		latency.recent.add(tookMs, 1);
		// The more are in flight, the more of it is a queue of our own.
		latency.usual.add(tookMs, 1 / inFlight);
		const isSlow = latency.recent.ms > Math.max(SLOW.ms, SLOW.times * latency.usual.ms);
		if (isSlow) return this.cut(now, permit, 0, SLOW.least);
		// Leave the limit alone while it is not reached.
		if (inFlight < allowed / 2 || now < this.heldUntil) return;
		this.allowed = Math.min(
			MAX_IN_FLIGHT,
			allowed + (this.isStarting ? 1 : 1 / Math.sqrt(allowed)),
		);
	}

	failed(now: number, permit: Permit): void {
		const most = TOO_MANY[permit.inFlight > this.proven ? 'more' : 'proven'];
		if (++this.failures > most) this.cut(now, permit, CUT.failedFor);
	}

	/** Begins with few again: before a rate is known, and after the service was down. */
	restart(): void {
		this.allowed = Math.min(this.allowed, FIRST_LIMIT);
		this.isStarting = false;
	}

	/** Lowers the limit, and returns true, if the number in flight explains a refusal. */
	explains(now: number, permit: Permit): boolean {
		const isMore = permit.inFlight > Math.max(1, this.proven);
		if (isMore) this.cut(now, permit, CUT.refusedFor);
		return isMore;
	}

	private cut(now: number, { startedAt, inFlight }: Permit, heldMs: number, least = 1): void {
		// Requests that were in flight together count once.
		if (startedAt <= this.cutAt) return;
		this.cutAt = now;
		this.heldUntil = now + heldMs;
		this.isStarting = false;
		this.allowed = Math.min(this.allowed, Math.max(least, CUT.to * inFlight));
	}
}
