import { periodWithin } from './periods';

/**
 * What a service allows in a long period (a minute, a day), of which each begins at the end of a long
 * wait that it asked for. All times are milliseconds.
 *
 * As many requests as were accepted in the last period are sent as fast as the service bears. Then one
 * tries whether there is more: if it is accepted, two do, and so on; if it is refused, it says when the
 * period ends, and few others are in flight that are refused with it.
 */
export class Allowance {
	/** Requests accepted in the last period; Infinity while no such limit is known. */
	private most = Infinity;
	private lasts = 0;
	/** What was accepted in the period that began then. */
	private used = 0;
	private refusedAt = -Infinity;

	constructor(private since: number) {}

	/** Requests a second, on average; undefined while no such limit is known. */
	get perSecond(): number | undefined {
		return this.lasts > 0 && this.most > 0 ? (1_000 * this.most) / this.lasts : undefined;
	}

	/** How many requests may be in flight. */
	mostInFlight(now: number): number {
		if (this.lasts > 0 && now >= this.since + this.lasts) this.begin(now);
		const left = this.most - this.used;
		return left > 0 ? left : 1 - left;
	}

	/** There was nothing to send until now. */
	idleUntil(now: number): void {
		if (this.lasts === 0) this.begin(now);
	}

	/** A request that started at this time was accepted. */
	wasAccepted(startedAt: number): void {
		// It was in flight when another one was refused, so it counts for the period before.
		if (startedAt <= this.refusedAt) this.most++;
		else this.used++;
	}

	/** A request was refused, and the service asked to wait until then. */
	wasRefused(now: number, until: number): void {
		this.refusedAt = now;
		this.lasts = periodWithin(until - this.since);
		this.most = this.used;
		this.since = until;
		this.used = 0;
	}

	private begin(now: number) {
		this.most = Math.max(this.most, this.used);
		this.since = now;
		this.used = 0;
	}
}
