import { nap } from './nap';
import { Rate } from './rate';

const FIRST_SLOTS = 4;
/** What a service of which nothing is known is asked at most at the same time. */
export const MOST_SLOTS = 64;
/** A pause ends after this in any case: a service that says "tomorrow" is asked again by then. */
const LONGEST_PAUSE = 300_000;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;
/** Without requests for this long, the time since the last refusal says nothing of the rate. */
const IDLE_AFTER = 1_000;
/** What a timer may be late (milliseconds) and a start is still counted from its plan. */
const MOST_LATE = 20;

/** A wait that was given up; milliseconds. */
export interface GivenUp {
	waited: number;
}

interface Waiter {
	since: number;
	maxWait: number;
	start: () => void;
	giveUp: (waited: number) => void;
}

/**
 * Decides when a request of one API key may start. It finds the service's rate by itself:
 *
 * - A few requests side by side at first and twice as many after each round of good answers; half
 *   as many after a refusal that told no rate, and from then on one more a round.
 * - A refusal (429) pauses all requests of the key: for as long as the service says, else for a
 *   random time that doubles with each refusal in a row (full jitter).
 * - Once refusals have told the rate, starts are spaced by it (`Rate`).
 *
 * Requests start in the order in which they came, repeated ones first.
 */
export class Pacer {
	/** When a request last came or went; says when a pacer may be forgotten. */
	usedAt = 0;
	/** Milliseconds that the service's clock is ahead, once an answer has told its time. */
	clockOffset?: number;

	private slots = FIRST_SLOTS;
	private underway = 0;
	private readonly queue: Waiter[] = [];
	private isPumping = false;
	/** Aborted when the pump is to look again: something has ended, or no one waits any more. */
	private waking = new AbortController();

	private pausedUntil = 0;
	private nextStart = 0;
	private goodAt = 0;
	private hasBeenRefused = false;
	private refusalsInARow = 0;
	private readonly rate = new Rate();

	/**
	 * Waits until a request may start; `finish` must be called when it has ended. Gives up when the
	 * service has let nothing through for `maxWait` milliseconds, or will not before that.
	 * Rejects when the signal aborts.
	 */
	async enter(options: {
		maxWait: number;
		isRepeated?: boolean;
		signal?: AbortSignal;
	}): Promise<GivenUp | undefined> {
		const { maxWait, isRepeated, signal } = options;
		signal?.throwIfAborted();
		if (this.isIdle && Date.now() - this.usedAt > IDLE_AFTER) {
			this.rate.measureFrom(Math.max(Date.now(), this.pausedUntil));
		}
		this.usedAt = Date.now();
		return await new Promise((resolve, reject) => {
			const settle =
				<T>(end: (value: T) => void) =>
				(value: T) => {
					signal?.removeEventListener('abort', cancel);
					end(value);
				};
			const waiter: Waiter = {
				since: Date.now(),
				maxWait,
				start: settle(() => resolve(undefined)) as () => void,
				giveUp: settle((waited: number) => resolve({ waited })),
			};
			const cancel = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				if (this.queue.length === 0) this.waking.abort();
				settle(reject)(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			if (isRepeated) this.queue.unshift(waiter);
			else this.queue.push(waiter);
			if (!this.isPumping) void this.pump();
		});
	}

	/** A request that may start has ended: with an answer that is no refusal, a refusal, or none. */
	finish(end: 'good' | 'refused' | 'unknown', startedAt: number, told?: number): void {
		this.underway--;
		this.usedAt = Date.now();
		if (end === 'good') this.succeeded(startedAt);
		if (end === 'refused') this.wasRefused(startedAt, told);
		this.waking.abort();
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pause(): number {
		return Math.max(0, this.pausedUntil - Date.now());
	}

	get isIdle(): boolean {
		return this.underway === 0 && this.queue.length === 0;
	}

	private succeeded(startedAt: number) {
		this.goodAt = Date.now();
		this.refusalsInARow = 0;
		this.rate.wasAccepted(startedAt);
		const growth = this.hasBeenRefused ? 1 / this.slots : 1;
		this.slots = Math.min(MOST_SLOTS, this.slots + growth);
	}

	private wasRefused(startedAt: number, told?: number) {
		const now = Date.now();
		const isNew = this.rate.isAfterRefusal(startedAt);
		const backoff =
			Math.random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.refusalsInARow);
		const wait = told ?? (isNew ? backoff : 0);
		this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(wait, LONGEST_PAUSE));
		if (!isNew) return;
		this.rate.wasRefused(now, this.pausedUntil, told !== undefined);
		this.nextStart = this.pausedUntil;
		this.hasBeenRefused = true;
		this.refusalsInARow++;
		// The spacing keeps to a rate that is known; fewer slots would only make it slower.
		if (!this.rate.isKnown) this.slots = Math.max(1, this.slots / 2);
	}

	private async pump() {
		this.isPumping = true;
		while (this.queue.length > 0) {
			const now = Date.now();
			if (this.pausedUntil > now) this.dismissThoseWhoWaitTooLong(now);
			const wait = Math.max(this.pausedUntil, this.nextStart) - now;
			if (this.underway >= Math.floor(this.slots)) await this.untilWoken();
			else if (wait > 0) await this.untilWoken(wait);
			else this.startNext(now);
		}
		this.isPumping = false;
	}

	private startNext(now: number) {
		const waiter = this.queue.shift();
		if (!waiter) return;
		this.underway++;
		// From the planned start, not from now: a timer that is late must not make the rate lower.
		this.nextStart = Math.max(this.nextStart, now - MOST_LATE) + this.rate.spacing(now);
		waiter.start();
	}

	private dismissThoseWhoWaitTooLong(now: number) {
		const stay = this.queue.filter(({ since, maxWait }) => {
			return this.pausedUntil - Math.max(since, this.goodAt) <= maxWait;
		});
		const leave = this.queue.filter((waiter) => !stay.includes(waiter));
		this.queue.splice(0, this.queue.length, ...stay);
		for (const { since, giveUp } of leave) giveUp(now - since);
	}

	private async untilWoken(atMost?: number) {
		this.waking = new AbortController();
		const { signal } = this.waking;
		if (atMost !== undefined) await nap(atMost, signal).catch(() => {});
		else await new Promise((resolve) => signal.addEventListener('abort', resolve));
	}
}
