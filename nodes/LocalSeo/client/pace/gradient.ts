import type { Permit } from './permit';

/** The most requests in flight at once: what n8n and the machine bear. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 8;
/** How much longer than without a queue answers may take, by factor: at the start each one, later on average. */
const TOLERANCE = { start: 1.2, later: 1.6 };
/** A service has changed if answers take so much longer than a queue of ours explains, or less long. */
const CHANGED = 2;
/** How many answers show how long they take. */
const ENOUGH = 10;
const SMOOTHING = 0.4;
/** After how many rounds of answers a queue is let run dry, down to which part, to take a sample without it. */
const DIP = { after: 15, to: 1 / 3 };
/** How many failures are too many: with more in flight than was answered lately, or maybe by chance. They fade. */
const TOO_MANY = { more: 1.5, proven: 5 };
const FADING = { failures: 0.95, proven: 0.99 };
/** The part that is kept of a number in flight that was too much, and for how long it is not exceeded (ms). */
const CUT = { to: 0.85, failedFor: 6_000, shedFor: 1_000 };

/** Means of how long answers took (ms), and of how many requests were in flight. */
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

/** How long a service takes for one kind of request. */
class Latency {
	readonly lately = new Mean();
	/** The last sample that was complete, almost without a queue; absent for a new kind. */
	base?: Mean;
	private sample = new Mean();
	private count = 0;
	private after = -Infinity;
	private until = Infinity;

	/** @returns whether a sample is complete */
	answered(now: number, { startedAt, inFlight }: Permit, limit: number): boolean {
		const tookMs = Math.max(1, now - startedAt);
		this.lately.add(tookMs, inFlight, 1, Math.max(ENOUGH, limit / 2));
		if (startedAt <= this.after || startedAt >= this.until) return false;
		// The more are in flight, the more of it is a queue.
		this.sample.add(tookMs, inFlight, 1 / inFlight);
		if (++this.count !== ENOUGH) return false;
		// Answers under way count when they come: the first ones are the quick ones.
		this.until = now;
		this.base = this.sample;
		return true;
	}

	/** Takes a sample of what starts from now on. */
	measure(now: number): void {
		this.sample = new Mean();
		this.count = 0;
		this.after = now;
		this.until = Infinity;
	}

	/** Without a queue (ms). */
	get usualMs(): number {
		return (this.base ?? this.sample).tookMs;
	}

	/** Less than 1 for slow answers. */
	get gradient(): number {
		return Math.max(0.5, Math.min(1, (TOLERANCE.later * this.usualMs) / this.lately.tookMs));
	}

	/** Whether the service is slower than a queue of ours explains, or faster: what is known is of no use. */
	get hasChanged(): boolean {
		const { base, lately } = this;
		if (!base || lately.weight < ENOUGH) return false;
		const factor = lately.tookMs / base.tookMs;
		return factor > CHANGED * Math.max(1, lately.load / base.load) || factor < 1 / CHANGED;
	}
}

/**
 * How many requests a service bears at once. It starts as TCP does: the number doubles with each round of
 * answers until they become slower. Then it is Gradient2 (Netflix concurrency-limits): more as long as
 * answers take no longer than usual, else fewer in proportion. Each kind is compared with itself.
 */
export class Gradient {
	private allowed = FIRST_LIMIT;
	private isStarting = true;
	private readonly kinds = new Map<string, Latency>();
	private isDip = false;
	private sinceDip = 0;
	/** The most in flight with what was answered lately. */
	private proven = 1;
	private failures = 0;
	private heldUntil = -Infinity;

	get limit(): number {
		return Math.max(1, Math.floor(this.isDip ? DIP.to * this.allowed : this.allowed));
	}

	answered(now: number, permit: Permit): void {
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
		// A limit that is not used stays as it is.
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

	failed(now: number, inFlight: number): void {
		const most = TOO_MANY[this.isMore(inFlight) ? 'more' : 'proven'];
		if (++this.failures > most && this.kinds.size > 0) this.cut(now, inFlight, CUT.failedFor);
	}

	/** Whether there were more in flight than with what was answered lately. */
	isMore(inFlight: number): boolean {
		return inFlight > this.proven;
	}

	/** Asks for little at first, after the service was down or has refused for the first time. */
	restart(): void {
		this.allowed = Math.min(this.allowed, FIRST_LIMIT);
		this.isStarting = false;
		this.failures = 0;
	}

	/** Either too many failed, or a gateway let no more through. */
	cut(now: number, inFlight: number, heldMs = CUT.shedFor): void {
		// It started under a higher limit; one more is a person.
		if (inFlight > this.limit + 1) return;
		this.heldUntil = now + heldMs;
		this.allowed = Math.min(this.allowed, CUT.to * inFlight);
		this.isStarting = false;
	}
}
