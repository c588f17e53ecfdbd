import type { Clock, Random } from '../ports';
import { Rate } from './rate';

const FIRST_SLOTS = 4;
/** The most requests in flight at once. */
export const MAX_CONCURRENCY = 64;
/** A pause ends after this at the latest, even if the service says "tomorrow". */
const LONGEST_PAUSE = 300_000;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;
/** Without requests for this long, the time since the last refusal says nothing about the rate. */
const IDLE_AFTER = 1_000;
/** A queue that moves slowly, behind responses of seconds, is none that stands still (milliseconds). */
const LEAST_STALL = 60_000;
/** How late a timer may fire (milliseconds) for the next start still to be counted from the plan. */
const MOST_LATE = 20;

/** One for all: an error of its own would keep everything that its stack names. */
const WOKEN = new Error('Woken');

/** A wait that was given up; milliseconds. */
export interface GivenUp {
	waitedMs: number;
}

interface Waiter {
	since: number;
	patienceMs: number;
	start: () => void;
	giveUp: (waitedMs: number) => void;
}

/**
 * Decides when a request of one API key may start. It finds the service's rate by itself:
 *
 * - A few requests in flight at first and twice as many after each round that was accepted; half as
 *   many after a refusal that does not show the rate, and from then on one more per round.
 * - A refusal (429) pauses all requests of the key: for as long as the service says, else for a
 *   random time that doubles with each refusal in a row (full jitter).
 * - Once refusals have shown the rate, starts are spaced by it (`Rate`).
 *
 * Requests start in the order in which they arrived, retries first.
 */
export class Pacer {
	/** When a request last arrived or ended; decides when a pacer may be forgotten. */
	usedAt = 0;

	private slots = FIRST_SLOTS;
	private inFlight = 0;
	private readonly queue: Waiter[] = [];
	private isPumping = false;
	/** Aborted to wake the pump: a request has ended, or no request waits any more. */
	private waking = new AbortController();

	private pausedUntil = 0;
	private nextStart = 0;
	private goodAt = 0;
	private hasBeenRefused = false;
	private refusalsInARow = 0;
	private readonly rate = new Rate();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	/**
	 * Waits until a request may start; `release` must be called when it has ended. Gives up if the
	 * service has accepted nothing for `patienceMs`, or asks to wait longer than that.
	 * Rejects when the signal aborts.
	 *
	 * @param options.since when it was first asked for, if that is not now
	 */
	async acquire(options: {
		patienceMs: number;
		isRetry?: boolean;
		since?: number;
		signal?: AbortSignal;
	}): Promise<GivenUp | undefined> {
		const { patienceMs, isRetry, since = this.clock.now(), signal } = options;
		signal?.throwIfAborted();
		if (this.isIdle && this.clock.now() - this.usedAt > IDLE_AFTER) {
			this.rate.measureFrom(Math.max(this.clock.now(), this.pausedUntil));
		}
		this.usedAt = this.clock.now();
		if (this.isTooLong(since, patienceMs)) return { waitedMs: this.clock.now() - since };
		return await new Promise((resolve, reject) => {
			const settle =
				<T>(end: (value: T) => void) =>
				(value: T) => {
					signal?.removeEventListener('abort', cancel);
					end(value);
				};
			const waiter: Waiter = {
				since,
				patienceMs,
				start: settle(() => resolve(undefined)) as () => void,
				giveUp: settle((waitedMs: number) => resolve({ waitedMs })),
			};
			const cancel = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				if (this.queue.length === 0) this.waking.abort(WOKEN);
				settle(reject)(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			if (isRetry) this.queue.unshift(waiter);
			else this.queue.push(waiter);
			if (!this.isPumping) void this.pump();
		});
	}

	/**
	 * A request has ended: accepted, refused because of the rate limit, or neither is known.
	 *
	 * @param retryAfterMs the wait that the refusal asked for, where it did
	 */
	release(end: 'accepted' | 'refused' | 'unknown', startedAt: number, retryAfterMs?: number): void {
		this.inFlight--;
		this.usedAt = this.clock.now();
		if (end === 'accepted') this.succeeded(startedAt);
		if (end === 'refused') this.wasRefused(startedAt, retryAfterMs);
		this.waking.abort(WOKEN);
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	/** When the service last accepted anything; milliseconds since 1970. */
	get acceptedAt(): number {
		return this.goodAt;
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.length === 0;
	}

	private succeeded(startedAt: number) {
		this.goodAt = this.clock.now();
		this.refusalsInARow = 0;
		this.rate.wasAccepted(startedAt);
		const growth = this.hasBeenRefused ? 1 / this.slots : 1;
		this.slots = Math.min(MAX_CONCURRENCY, this.slots + growth);
	}

	private wasRefused(startedAt: number, retryAfterMs?: number) {
		const now = this.clock.now();
		const isNew = this.rate.isAfterRefusal(startedAt);
		const backoff =
			this.random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.refusalsInARow);
		const wait = retryAfterMs ?? (isNew ? backoff : 0);
		this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(wait, LONGEST_PAUSE));
		if (!isNew) return;
		this.rate.wasRefused(now, this.pausedUntil, retryAfterMs !== undefined);
		this.nextStart = this.pausedUntil;
		this.hasBeenRefused = true;
		this.refusalsInARow++;
		// Once the rate is known, the spacing keeps to it; fewer slots would only slow it down.
		if (!this.rate.isKnown) this.slots = Math.max(1, this.slots / 2);
	}

	private async pump() {
		this.isPumping = true;
		while (this.queue.length > 0) {
			const now = this.clock.now();
			this.giveUpImpatient(now);
			if (this.queue.length === 0) break;
			const wait = Math.max(this.pausedUntil, this.nextStart) - now;
			if (this.inFlight >= Math.floor(this.slots)) await this.untilWoken();
			else if (wait > 0) await this.untilWoken(wait);
			else this.startNext(now);
		}
		this.isPumping = false;
	}

	private startNext(now: number) {
		const waiter = this.queue.shift();
		if (!waiter) return;
		this.inFlight++;
		// From the planned start, not from now: a late timer must not lower the rate.
		this.nextStart = Math.max(this.nextStart, now - MOST_LATE) + this.rate.spacing(now);
		waiter.start();
	}

	/** Whether a pause outlasts the patience, or the service has long accepted nothing. */
	private isTooLong(since: number, patienceMs: number): boolean {
		const now = this.clock.now();
		const last = Math.max(since, this.goodAt);
		if (this.pausedUntil > now) return this.pausedUntil - last > patienceMs;
		return now - last > Math.max(patienceMs, LEAST_STALL);
	}

	private giveUpImpatient(now: number) {
		const isImpatient = ({ since, patienceMs }: Waiter) => this.isTooLong(since, patienceMs);
		// Most often none is: then nothing is copied.
		if (!this.queue.some(isImpatient)) return;
		const leave = this.queue.filter(isImpatient);
		const stay = this.queue.filter((waiter) => !isImpatient(waiter));
		this.queue.splice(0, this.queue.length, ...stay);
		for (const { since, giveUp } of leave) giveUp(now - since);
	}

	private async untilWoken(atMost?: number) {
		this.waking = new AbortController();
		const { signal } = this.waking;
		if (atMost !== undefined) await this.clock.sleep(atMost, signal).catch(() => {});
		else await new Promise((resolve) => signal.addEventListener('abort', resolve));
	}
}
