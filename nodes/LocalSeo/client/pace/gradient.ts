import type { Permit, Sample } from './permit';

/** The most requests in flight at once: n8n and the machine bear no more. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 8;
/** The factor by which responses may take longer than without a queue: each one at the start, later their mean. */
const TOLERANCE = { start: 1.2, later: 1.6 };
/** The factor beyond which our own queue explains a longer or shorter response no more: the service has changed. */
const CHANGED = 2;
/** The number of responses that make a sample of the latency. */
const ENOUGH = 10;
const SMOOTHING = 0.4;
/** After so many rounds of responses, the queue runs dry, down to this part, for a sample without it. */
const DIP = { after: 15, to: 1 / 3 };
/** The number of failures that is too many: with more in flight than was answered lately, or maybe by chance. */
const TOO_MANY = { more: 1.5, proven: 5 };
const FADING = { failures: 0.95, proven: 0.99 };
/** The part that is kept of a number in flight that was too much, and the time until it is exceeded again (ms). */
const CUT = { to: 0.85, failedFor: 6_000, shedFor: 1_000 };

/** The mean latency of responses (ms), and the mean number in flight. */
class Mean {
	tookMs = 0;
	load = 0;
	weight = 0;

	/** @param most the weight beyond which older answers are forgotten */
	add(tookMs: number, load: number, weight: number, most = Infinity): void {
		this.weight = Math.min(most, this.weight + weight);
		this.tookMs += (weight / this.weight) * (tookMs - this.tookMs);
		this.load += (weight / this.weight) * (load - this.load);
	}
}

/** The latency of one kind of request. */
class Latency {
	readonly lately = new Mean();
	/** The last sample that was complete, almost without a queue; absent for a new kind. */
	base?: Mean;
	private sample = new Mean();
	private count = 0;
	private after = -Infinity;
	private until = Infinity;

	/** @returns true if a sample is complete */
	answered(now: number, { startedAt, inFlight }: Permit, limit: number): boolean {
		const tookMs = Math.max(1, now - startedAt);
		this.lately.add(tookMs, inFlight, 1, Math.max(ENOUGH, limit / 2));
		if (startedAt <= this.after || startedAt >= this.until) return false;
		// The more are in flight, the more of it is a queue.
		this.sample.add(tookMs, inFlight, 1 / inFlight);
		if (++this.count !== ENOUGH) return false;
		// Responses count when they arrive, so the first ones would be the quick ones.
		this.until = now;
		this.base = this.sample;
		return true;
	}

	/** Begins a sample of the requests that start from now on. */
	measure(now: number): void {
		this.sample = new Mean();
		this.count = 0;
		this.after = now;
		this.until = Infinity;
	}

	/** The latency without a queue (ms). */
	get usualMs(): number {
		return (this.base ?? this.sample).tookMs;
	}

	/** Below 1 if responses are slow. */
	get gradient(): number {
		return Math.max(0.5, Math.min(1, (TOLERANCE.later * this.usualMs) / this.lately.tookMs));
	}

	/** True if our own queue does not explain the latency: what was learned is of no use. */
	get hasChanged(): boolean {
		const { base, lately } = this;
		if (!base || lately.weight < ENOUGH) return false;
		const factor = lately.tookMs / base.tookMs;
		return factor > CHANGED * Math.max(1, lately.load / base.load) || factor < 1 / CHANGED;
	}
}

/**
 * Finds the number of requests that a service bears at once. It starts as TCP does: the number doubles
 * with each round of responses until they become slower. Then it is Gradient2 (Netflix
 * concurrency-limits): more as long as responses take no longer than usual, else fewer in proportion.
 * Requests of one kind are compared with each other.
 */
export class Gradient {
	private allowed = FIRST_LIMIT;
	private isStarting = true;
	private readonly kinds = new Map<string, Latency>();
	private isDip = false;
	private sinceDip = 0;
	/** The largest number in flight with a request that was answered lately. */
	private proven = 1;
	private failures = 0;
	private heldUntil = -Infinity;

	/** The most requests in flight. */
	get limit(): number {
		return Math.max(1, Math.floor(this.isDip ? DIP.to * this.allowed : this.allowed));
	}

	/**
	 * @param isDown nothing is learned from a service that is down or has just come back
	 * @returns the most requests in flight from now on
	 */
	next(sample: Sample, isDown: boolean): number {
		const { now, permit, ending, refusals } = sample;
		const isRefused = ending.kind === 'limited' || ending.kind === 'shed';
		if (isDown || (isRefused && refusals === undefined)) {
			// After the service was down, and when it refuses for the first time, begin with few again.
			this.allowed = Math.min(this.allowed, FIRST_LIMIT);
			this.isStarting = false;
			this.failures = 0;
		} else if (ending.kind === 'failed' || ending.kind === 'broken') {
			const most = TOO_MANY[this.isMore(permit) ? 'more' : 'proven'];
			if (++this.failures > most && this.kinds.size > 0) this.cut(sample, CUT.failedFor);
		} else if (ending.kind === 'answered' && ending.isDone) {
			this.answered(now, permit);
		} else if (this.explains(sample)) this.cut(sample, CUT.shedFor);
		return this.limit;
	}

	private answered(now: number, permit: Permit): void {
		const { kind, inFlight, startedAt } = permit;
		const { allowed } = this;
		this.failures *= FADING.failures;
		this.proven = Math.max(inFlight, FADING.proven * this.proven);
		const before = this.kinds.get(kind);
		const latency = before?.hasChanged === false ? before : new Latency();
		this.kinds.set(kind, latency);
		const isKnown = latency.answered(now, permit, allowed) || latency !== before;
		this.isDip &&= !isKnown;
		this.sinceDip = isKnown ? 0 : this.sinceDip + 1;
		// Leave the limit alone while it is not reached.
		if (inFlight < allowed / 2) return;
		const { gradient, usualMs, lately } = latency;
		this.isStarting ||= latency.base === undefined;
		if (gradient < 1 && !this.isDip) {
			this.isDip = this.isStarting || this.sinceDip > DIP.after * allowed;
			if (this.isDip) for (const each of this.kinds.values()) each.measure(now);
		}
		this.isStarting &&= gradient === 1;
		if (this.isDip) return;
		const queue = Math.sqrt(allowed);
		const step = gradient < 1 ? (gradient * lately.load + queue - allowed) / queue : 1;
		const isQuick = now - startedAt <= TOLERANCE.start * usualMs;
		const change = this.isStarting ? Number(isQuick) : SMOOTHING * step;
		if (change > 0 && now < this.heldUntil) return;
		this.allowed = Math.min(MAX_IN_FLIGHT, allowed + change);
	}

	/**
	 * True if a gateway refused a request because of the number in flight: that was no sudden burst, but
	 * more than ever, or the same number again and again.
	 */
	explains({ permit, ending, refusals }: Sample): boolean {
		if (ending.kind !== 'shed' || ending.retryAfterMs || refusals === undefined) return false;
		return this.isMore(permit) || (permit.inFlight > 1 && refusals > 1);
	}

	/** True if more were in flight than with the requests that were answered lately. */
	private isMore({ inFlight }: Permit): boolean {
		return inFlight > this.proven;
	}

	/** Lowers the limit. */
	private cut({ now, permit: { inFlight } }: Sample, heldMs: number): void {
		// Ignore requests that started under an earlier, higher limit; one more is a person.
		if (inFlight > this.limit + 1) return;
		this.heldUntil = now + heldMs;
		this.allowed = Math.min(this.allowed, CUT.to * inFlight);
		this.isStarting = false;
	}
}
