import type { Clock } from '../ports';
import { Ceiling } from './ceiling';

/** The most requests in flight at once: what n8n and the machine bear. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 4;
/** Answers that take so much longer than usual are still no sign of a queue. */
const TOLERANCE = 1.5;
const SMOOTHING = 0.4;
/** So many answers show how long they take, at least; the long RTT changes with a thousand. */
const FEWEST = 10;
const LONG = 1_000;
/** After so many rounds of answers, only a third are in flight for a moment. */
const ROUNDS_BETWEEN_DIPS = 15;
const DIP = 3;
/**
 * How many failures are too many, where each answer makes up for a little of one: with more in flight
 * than ever, and with as many as were answered, too, so that it may be chance.
 */
const MANY = 1.5;
const TOO_MANY = 5;
const FADING = 0.95;
const PROVEN_FADING = 0.99;
/** What is left of a number in flight that was too much, and how close to it one stays. */
const AFTER_FAILURE = 0.85;
const BELOW_FAILURE = 0.95;
/** How long that is remembered (milliseconds): what a gateway refuses costs little. */
const REMEMBERED = { failed: 6_000, shed: 1_000 };

/**
 * How many requests a service bears at once, by Gradient2 (Netflix concurrency-limits): as long as
 * answers take no longer than usual there may be more, else fewer in proportion. All times are
 * milliseconds.
 *
 * What is usual (the long RTT) is measured now and then with a third in flight, since it would follow
 * the queue that we make; and wherever so few are in flight because a service has become slower.
 */
export class Gradient {
	private allowed = FIRST_LIMIT;
	private shortRtt = 0;
	private longRtt = 0;
	private answers = 0;
	private sinceDip = 0;
	/** The most in flight since the last dip, and answers with at most a third of them. */
	private peak = 0;
	private few = { count: 0, rtt: 0 };
	/** The most in flight when those started that were answered lately. */
	private proven = 1;
	private failures = 0;
	private readonly ceiling = new Ceiling();

	constructor(private readonly clock: Clock) {}

	/** How many requests may be in flight. */
	get limit(): number {
		const full = Math.min(this.allowed, this.ceiling.at(this.clock.now()));
		const isDip = this.sinceDip > ROUNDS_BETWEEN_DIPS * this.allowed;
		return Math.max(1, Math.round(isDip ? full / DIP : full));
	}

	/**
	 * @param inFlight how many there were when it was sent, itself included
	 * @param tookMs until the service answered
	 */
	answered(inFlight: number, tookMs: number): void {
		this.failures *= FADING;
		this.proven = Math.max(inFlight, PROVEN_FADING * this.proven);
		this.measure(inFlight, tookMs);
		// What is not used needs no change.
		if (inFlight < this.allowed / 2) return;
		const gradient = Math.max(0.5, Math.min(1, (TOLERANCE * this.longRtt) / this.shortRtt));
		const queue = Math.sqrt(this.allowed);
		const change = this.allowed * (gradient - 1) + queue;
		this.allowed = Math.min(MAX_IN_FLIGHT, this.allowed + (SMOOTHING * change) / queue);
	}

	/** The service was too busy for a request. */
	failed(inFlight: number): void {
		const isTooMany = ++this.failures > (this.isMore(inFlight) ? MANY : TOO_MANY);
		if (isTooMany && this.answers > 0) this.cut(inFlight, REMEMBERED.failed);
	}

	/** A gateway let no more through. */
	shed(inFlight: number): void {
		this.cut(inFlight, REMEMBERED.shed);
	}

	/** Whether there were more in flight than with any request that was answered lately. */
	isMore(inFlight: number): boolean {
		return inFlight > this.proven;
	}

	/** After it was down, or had nothing to do, a service is asked for little at first. */
	restart(): void {
		this.allowed = Math.min(this.allowed, FIRST_LIMIT);
		this.failures = 0;
	}

	private cut(inFlight: number, lasts: number) {
		// It started before there were fewer; one more is a person.
		if (inFlight > this.limit + 1) return;
		const now = this.clock.now();
		const most = Math.min(inFlight, this.ceiling.at(now));
		this.ceiling.set(now, AFTER_FAILURE * most, BELOW_FAILURE * most, lasts);
		this.allowed = Math.min(this.allowed, most);
	}

	private measure(inFlight: number, tookMs: number) {
		const { few } = this;
		this.answers++;
		this.sinceDip++;
		const lately = Math.min(this.answers, Math.max(FEWEST, this.allowed / 2));
		this.shortRtt += (tookMs - this.shortRtt) / lately;
		this.longRtt += (tookMs - this.longRtt) / (this.answers > FEWEST ? LONG : this.answers);
		this.peak = Math.max(this.peak, inFlight);
		if (inFlight > Math.ceil(this.peak / DIP)) return;
		few.count++;
		few.rtt += (tookMs - few.rtt) / few.count;
		if (few.count < Math.max(FEWEST, 2 * inFlight)) return;
		this.longRtt = few.rtt;
		this.few = { count: 0, rtt: 0 };
		this.peak = inFlight;
		this.sinceDip = 0;
	}
}
