import type { Clock, Random } from '../ports';
import { Allowance } from './allowance';
import { Breaker } from './breaker';
import { Capacity, MAX_KINDS } from './capacity';
import { SHORT_PERIOD } from './periods';
import { Rate } from './rate';
import type { Quota } from './told';

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

/** Who goes first. A `look` settles whether a create was done. */
export const URGENCIES = ['person', 'look', 'repeat', 'row'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** One for all: an error of its own would keep everything that its stack names. */
const WOKEN = new Error('Woken');

/** The permission to send one request; it has to be returned with `ended`. */
export interface Permit {
	/** Requests of one kind should take about the same time, and fail for the same reason. */
	kind: string;
	startedAt: number;
	/** Since when the service had answered none of this kind, as far as it was asked. */
	stalledSince: number;
	/** How many requests are in flight with this one. */
	inFlight: number;
	/** Of what it is a trial: a service that was down when it started, or that never answered its kind. */
	trials: ReadonlyArray<Breaker<unknown>>;
}

/** A wait that was given up; milliseconds. */
export interface GivenUp<Failure> {
	waitedMs: number;
	/** How other requests failed meanwhile, if that is why. */
	failure?: Failure;
}

/** What a request came to, as far as it says what the service can bear. */
export type Ending<Failure> =
	/** `tookMs`: how long it took to do it; absent for a refusal. */
	| { kind: 'answered'; tookMs?: number; quota?: Quota }
	/** Refused because of the rate limit, with the wait that the service asked for, if it did. */
	| { kind: 'limited'; retryAfterMs?: number; quota?: Quota }
	/** Too busy, gone, or silent. */
	| { kind: 'failed'; failure: Failure }
	/** An error of the service itself: too much for it, perhaps, but it is there. */
	| { kind: 'broken' }
	| { kind: 'key-refused'; failure: Failure }
	| { kind: 'cancelled' };

/** What requests wait for: a rate limit, room among those that are being served, or a service that is down. */
export type Hindrance = 'limit' | 'capacity' | 'down';

/** What is known of the service's pace, and what it has cost. */
export interface Pace {
	/** Milliseconds in all for which some request waited for each. */
	waitedMs: Readonly<Record<Hindrance, number>>;
	/** Requests a second that the service allows; undefined while no limit is known. */
	perSecond?: number;
	/** Requests that the service is sent at once. */
	atOnce: number;
}

interface Waiter<Failure> {
	kind: string;
	since: number;
	patienceMs: number;
	start: (permit: Permit) => void;
	giveUp: (given: GivenUp<Failure>) => void;
}

/**
 * Decides when a request of one API key may start, for all that use the key in this process:
 *
 * - how many at once (`Capacity`), found from the time that answers take and from failures;
 * - how fast (`Rate`), and how many in a minute or a day (`Allowance`), found from refusals (429). A
 *   refusal pauses all requests: for as long as the service says, else for a random time that doubles
 *   with each refusal in a row (full jitter);
 * - whether at all (`Breaker`): a service that is down is asked by one request at a time;
 * - who first: a person who waits in the editor, then looks that settle a doubt, then repeats, then
 *   rows, each in the order in which they came.
 */
export class Governor<Failure> {
	/** When a request last arrived or ended; decides when what was learned is out of date. */
	usedAt: number;

	private inFlight = 0;
	private readonly queues = URGENCIES.map((): Array<Waiter<Failure>> => []);
	private isPumping = false;
	/** Aborted to wake the pump: a request has ended, or no request waits any more. */
	private waking = new AbortController();

	private pausedUntil = 0;
	private nextStart = 0;
	private goodAt = 0;
	private refusedAt = -Infinity;
	private refusalsInARow = 0;
	private readonly rate = new Rate();
	private readonly allowance: Allowance;
	private readonly capacity = new Capacity();
	/** For all requests together. */
	private readonly breaker: Breaker<Failure>;
	/** For each kind that has failed and was not answered since. */
	private readonly breakers = new Map<string, Breaker<Failure>>();
	private readonly waitedMs: Record<Hindrance, number> = { limit: 0, capacity: 0, down: 0 };

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.usedAt = clock.now();
		this.rate.measureFrom(this.usedAt);
		this.allowance = new Allowance(this.usedAt);
		this.breaker = new Breaker(clock, random);
	}

	/**
	 * Waits until a request may start. Gives up if the service has accepted nothing for `patienceMs`, or
	 * asks to wait longer than that, and as soon as the key is refused. Rejects when the signal aborts.
	 *
	 * @param options.since when it was first asked for, if that is not now
	 */
	async acquire(options: {
		kind: string;
		patienceMs: number;
		urgency?: Urgency;
		since?: number;
		signal?: AbortSignal;
	}): Promise<Permit | GivenUp<Failure>> {
		const { kind, patienceMs, urgency = 'row', since = this.clock.now(), signal } = options;
		signal?.throwIfAborted();
		if (this.isIdle) this.begin();
		this.usedAt = this.clock.now();
		return await new Promise((resolve, reject) => {
			const settle =
				<T>(end: (value: T) => void) =>
				(value: T) => {
					signal?.removeEventListener('abort', cancel);
					end(value);
				};
			const waiter: Waiter<Failure> = {
				kind,
				since,
				patienceMs,
				start: settle(resolve),
				giveUp: settle(resolve),
			};
			const queue = this.queues[URGENCIES.indexOf(urgency)];
			const cancel = () => {
				queue.splice(queue.indexOf(waiter), 1);
				if (!this.isWaitedFor) this.waking.abort(WOKEN);
				settle(reject)(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			queue.push(waiter);
			if (this.isPumping) this.waking.abort(WOKEN);
			else void this.pump();
		});
	}

	/** After a time without requests: what was seen before says little about how it is now. */
	private begin() {
		const now = this.clock.now();
		const wasLong = now - this.usedAt > IDLE_AFTER;
		if (wasLong) this.allowance.idleUntil(now);
		this.capacity.restart();
		if (wasLong || this.rate.isOutdated(now))
			this.rate.measureFrom(Math.max(now, this.pausedUntil));
		if (!wasLong) return;
		this.breaker.forgetTime();
		for (const breaker of this.breakers.values()) breaker.forgetTime();
	}

	/** A request has ended. */
	ended({ kind, startedAt, inFlight, trials }: Permit, ending: Ending<Failure>): void {
		this.inFlight--;
		const now = this.clock.now();
		this.usedAt = now;
		for (const breaker of trials) breaker.trialEnded();
		switch (ending.kind) {
			case 'answered':
				this.goodAt = now;
				this.refusalsInARow = 0;
				this.rate.wasAccepted(startedAt, now, ending.quota);
				this.allowance.wasAccepted(startedAt);
				this.answered(kind);
				if (ending.tookMs !== undefined) this.capacity.answered(inFlight, ending.tookMs, kind);
				break;
			case 'limited':
				this.answered(kind);
				this.wasLimited(startedAt, ending);
				break;
			case 'failed':
				this.capacity.failed(inFlight);
				this.failed(kind, ending.failure);
				break;
			case 'broken':
				this.capacity.failed(inFlight);
				break;
			case 'key-refused':
				this.goodAt = now;
				this.giveUp(() => ending.failure);
				break;
			case 'cancelled':
				break;
		}
		this.waking.abort(WOKEN);
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	get pace(): Pace {
		const perSecond = this.allowance.perSecond ?? this.rate.perSecond;
		return { waitedMs: { ...this.waitedMs }, perSecond, atOnce: this.capacity.limit };
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && !this.isWaitedFor;
	}

	private get isWaitedFor(): boolean {
		return this.queues.some((queue) => queue.length > 0);
	}

	private wasLimited(
		startedAt: number,
		{ retryAfterMs, quota }: { retryAfterMs?: number; quota?: Quota },
	) {
		const now = this.clock.now();
		// Those in flight together are refused together.
		const isNew = startedAt > this.refusedAt;
		const backoff =
			this.random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.refusalsInARow);
		const wait = retryAfterMs ?? (isNew ? backoff : 0);
		this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(wait, LONGEST_PAUSE));
		if (!isNew) return;
		this.refusedAt = now;
		if (retryAfterMs !== undefined && this.pausedUntil - now > SHORT_PERIOD) {
			this.allowance.wasRefused(now, this.pausedUntil);
			this.rate.pausedUntil(this.pausedUntil);
		} else {
			this.rate.wasRefused(now, this.pausedUntil, retryAfterMs !== undefined, quota);
		}
		this.nextStart = this.pausedUntil;
		this.refusalsInARow++;
	}

	private answered(kind: string) {
		this.breakers.delete(kind);
		if (this.breaker.answered()) this.capacity.restart();
	}

	private failed(kind: string, failure: Failure) {
		const own = this.breakers.get(kind) ?? new Breaker(this.clock, this.random);
		if (this.breakers.size < MAX_KINDS) this.breakers.set(kind, own);
		own.failed(failure);
		this.breaker.failed(failure);
	}

	private breakersOf(kind: string): Array<Breaker<Failure>> {
		const own = this.breakers.get(kind);
		return own ? [this.breaker, own] : [this.breaker];
	}

	private async pump() {
		this.isPumping = true;
		while (this.isWaitedFor) {
			const now = this.clock.now();
			this.forgetFuture(now);
			this.giveUpImpatient(now);
			if (!this.isWaitedFor) break;
			const pause = Math.max(this.pausedUntil, this.nextStart) - now;
			const { queue, index, wait } = this.next();
			if (wait > 0) await this.wait('down', wait);
			else if (!this.hasRoom) await this.wait('capacity', Infinity);
			else if (pause > 0) await this.wait('limit', pause);
			else this.start(queue.splice(index, 1)[0], now);
		}
		this.isPumping = false;
	}

	/** A pause that seems longer than any can be: this machine's clock was set back. */
	private forgetFuture(now: number) {
		this.goodAt = Math.min(this.goodAt, now);
		this.refusedAt = Math.min(this.refusedAt, now);
		if (Math.max(this.pausedUntil, this.nextStart) - now <= LONGEST_PAUSE) return;
		this.pausedUntil = now;
		this.nextStart = now;
	}

	/** Who goes next, or else how many milliseconds it takes until anyone may. */
	private next(): { queue: Array<Waiter<Failure>>; index: number; wait: number } {
		let wait = Infinity;
		for (const queue of this.queues) {
			for (let index = 0; index < queue.length; index++) {
				const { kind } = queue[index];
				// Who waits in the editor does not wait for a service to be tried again.
				const isPerson = queue === this.queues[0];
				const own = isPerson ? 0 : Math.max(...this.breakersOf(kind).map(({ waitMs }) => waitMs));
				if (own === 0) return { queue, index, wait: 0 };
				wait = Math.min(wait, own);
			}
		}
		return { queue: [], index: -1, wait };
	}

	/** A person does not wait behind slow responses. */
	private get hasRoom(): boolean {
		const most = Math.min(
			this.capacity.limit,
			this.rate.mostInFlight,
			this.allowance.mostInFlight(this.clock.now()),
		);
		return this.inFlight < most + (this.isPersonWaiting ? 1 : 0);
	}

	private get isPersonWaiting(): boolean {
		return this.queues[0].length > 0;
	}

	private start({ kind, start }: Waiter<Failure>, now: number) {
		this.inFlight++;
		this.rate.starts(now);
		const breakers = this.breakersOf(kind);
		const trials = breakers.filter(({ isOpen }) => isOpen);
		for (const breaker of trials) breaker.trialStarted();
		// From the planned start, not from now: a late timer must not lower the rate.
		this.nextStart = Math.max(this.nextStart, now - MOST_LATE) + this.rate.spacing(now);
		const downSince = breakers.map((breaker) => breaker.downSince ?? now);
		const stalledSince = Math.min(this.goodAt, ...downSince);
		start({ kind, startedAt: now, stalledSince, inFlight: this.inFlight, trials });
	}

	/** Whether a pause outlasts the patience, or the service has long accepted nothing. */
	private isTooLong({ since, patienceMs, kind }: Waiter<Failure>): boolean {
		const now = this.clock.now();
		const last = Math.max(since, this.goodAt);
		if (this.pausedUntil > now) return this.pausedUntil - last > patienceMs;
		if (this.breakersOf(kind).some((breaker) => breaker.isGivenUp(patienceMs))) return true;
		return now - last > Math.max(patienceMs, LEAST_STALL);
	}

	private giveUpImpatient(now: number) {
		// Most often all is well: then nobody has to be looked at.
		const isWell = now - this.goodAt < LEAST_STALL && this.breakers.size === 0;
		if (isWell && this.pausedUntil <= now) return;
		this.giveUp((waiter, isPerson) => {
			// Who waits in the editor may just have repaired it.
			if (isPerson && this.pausedUntil <= now) return undefined;
			if (!this.isTooLong(waiter)) return undefined;
			const [reason] = this.breakersOf(waiter.kind).flatMap((breaker) => breaker.reason ?? []);
			return reason ?? 'silence';
		});
	}

	/** Gives up the waits for which there is a reason: how others failed, or that nothing has come. */
	private giveUp(
		why: (waiter: Waiter<Failure>, isPerson: boolean) => Failure | 'silence' | undefined,
	) {
		const now = this.clock.now();
		for (const queue of this.queues) {
			const isPerson = queue === this.queues[0];
			for (let index = 0; index < queue.length; index++) {
				const waiter = queue[index];
				const reason = why(waiter, isPerson);
				if (reason === undefined) continue;
				queue.splice(index--, 1);
				const failure = reason === 'silence' ? undefined : reason;
				waiter.giveUp({ waitedMs: now - waiter.since, failure });
			}
		}
	}

	/** @param atMost milliseconds; Infinity: until something happens */
	private async wait(hindrance: Hindrance, atMost: number) {
		const since = this.clock.now();
		await this.untilWoken(atMost);
		this.waitedMs[hindrance] += this.clock.now() - since;
	}

	private async untilWoken(atMost: number) {
		this.waking = new AbortController();
		const { signal } = this.waking;
		if (atMost < Infinity) await this.clock.sleep(atMost, signal).catch(() => {});
		else await new Promise((resolve) => signal.addEventListener('abort', resolve));
	}
}
