import type { Clock, Random } from '../ports';
import { Breaker } from './breaker';
import { Gradient } from './gradient';
import { Window } from './window';

/** Without requests for this long, what was seen before says little about how it is now (milliseconds). */
const IDLE_AFTER = 1_000;
/** A row's queue that moves slowly, behind responses of seconds, is none that stands still (milliseconds). */
const LEAST_STALL = 60_000;

/** After so long one looks again who has waited for too long (milliseconds). */
const LONGEST_WAIT = 5_000;

const kindOf = (isWrite: boolean) => (isWrite ? 'write' : 'read');

/** Who goes first. A `look` settles whether a create was done. */
export const URGENCIES = ['person', 'look', 'repeat', 'row'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** One for all: an error of its own would keep everything that its stack names. */
const WOKEN = new Error('Woken');

/** The permission to send one request; it has to be returned with `ended`. Times by the clock. */
export interface Permit {
	startedAt: number;
	/** When the service last answered a request of its kind. */
	stalledSince: number;
	isWrite: boolean;
	/** How many requests are in flight with this one. */
	inFlight: number;
	/** Whether it tries a service that was down. */
	isTrial: boolean;
}

/** A wait that was given up; milliseconds. */
export interface GivenUp<Failure> {
	waitedMs: number;
	/** How other requests failed meanwhile, if that is why. */
	failure?: Failure;
}

/** What a request came to, as far as it says what the service can bear. */
export type Ending<Failure> =
	/**
	 * `tookMs`: how long it took to do it; absent for a refusal. `usedUpForMs`: how long nothing is left of
	 * what the service allows, where it says so.
	 */
	| { kind: 'answered'; tookMs?: number; usedUpForMs?: number }
	/** Refused because of the rate limit, with the wait that the service asked for, if it did. */
	| { kind: 'limited'; retryAfterMs?: number }
	/** Refused by a gateway that passed nothing on, because of a limit of the rate or of the number in flight. */
	| { kind: 'shed'; retryAfterMs?: number }
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
	/** Its place among the urgencies. */
	rank: number;
	isWrite: boolean;
	since: number;
	patienceMs: number;
	settle: (result: Permit | GivenUp<Failure>) => void;
}

/**
 * Decides when a request of one API key may start, for all that use the key in this process: how many
 * at once (`Gradient`), how fast (`Window`), whether at all (`Breaker`), and who first: by urgency, and
 * each in the order in which they came.
 */
export class Governor<Failure> {
	/** When a request last arrived or ended; decides when what was learned is out of date. */
	usedAt: number;

	private inFlight = 0;
	/** In the order in which they start. */
	private waiting: Array<Waiter<Failure>> = [];
	private isPumping = false;
	/** Aborted to wake the pump: a request has ended, or no request waits any more. */
	private waking = new AbortController();
	/** When a reading, and when a write, was last accepted: one may work where the other stands still. */
	private readonly goodAt = { read: -Infinity, write: -Infinity };
	private readonly gradient: Gradient;
	private readonly window: Window;
	private readonly breaker: Breaker<Failure>;
	private readonly waitedMs: Record<Hindrance, number> = { limit: 0, capacity: 0, down: 0 };

	constructor(
		private readonly clock: Clock,
		random: Random,
	) {
		this.usedAt = clock.now();
		this.gradient = new Gradient(clock);
		this.window = new Window(clock, random);
		this.breaker = new Breaker(clock, random);
	}

	/**
	 * Waits until a request may start. Gives up if the service has accepted nothing for `patienceMs`, or
	 * asks to wait longer than that, and as soon as the key is refused. Rejects when the signal aborts.
	 *
	 * @param options.since when it was first asked for, if that is not now
	 */
	async acquire(options: {
		patienceMs: number;
		urgency?: Urgency;
		isWrite?: boolean;
		since?: number;
		signal?: AbortSignal;
	}): Promise<Permit | GivenUp<Failure>> {
		const { patienceMs, urgency = 'row', isWrite = false, signal } = options;
		const { since = this.clock.now() } = options;
		signal?.throwIfAborted();
		this.begin();
		const rank = URGENCIES.indexOf(urgency);
		return await new Promise((resolve, reject) => {
			const settle: Waiter<Failure>['settle'] = (result) => {
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter = { rank, isWrite, since, patienceMs, settle };
			const cancel = () => {
				this.waiting = this.waiting.filter((other) => other !== waiter);
				if (this.waiting.length === 0) this.waking.abort(WOKEN);
				reject(signal?.reason as Error);
			};
			signal?.addEventListener('abort', cancel, { once: true });
			const behind = this.waiting.findIndex((other) => other.rank > rank);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			if (this.isPumping) this.waking.abort(WOKEN);
			else void this.pump();
		});
	}

	/** A request has ended. */
	ended(permit: Permit, ending: Ending<Failure>): void {
		this.inFlight--;
		this.usedAt = this.clock.now();
		if (permit.isTrial) this.breaker.trialEnded();
		this.learn(permit, ending);
		this.waking.abort(WOKEN);
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.window.pausedUntil - this.clock.now());
	}

	get pace(): Pace {
		const { perSecond } = this.window;
		return { waitedMs: { ...this.waitedMs }, perSecond, atOnce: this.gradient.limit };
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	private get isPersonWaiting(): boolean {
		return this.waiting[0]?.rank === 0;
	}

	/** After a time without requests, what was seen before says little about how it is now. */
	private begin() {
		const idle = this.isIdle ? this.clock.now() - this.usedAt : 0;
		this.usedAt = this.clock.now();
		if (idle <= IDLE_AFTER) return;
		this.gradient.restart();
		this.breaker.skip(idle);
	}

	private learn({ startedAt, inFlight, isWrite }: Permit, ending: Ending<Failure>) {
		switch (ending.kind) {
			case 'answered':
				this.goodAt[kindOf(isWrite)] = this.clock.now();
				this.window.accepted(startedAt, ending.usedUpForMs);
				if (this.breaker.answered()) this.gradient.restart();
				if (ending.tookMs !== undefined) this.gradient.answered(inFlight, ending.tookMs);
				break;
			case 'limited':
				this.breaker.answered();
				this.window.refused(startedAt, ending.retryAfterMs);
				break;
			case 'shed':
				if (ending.retryAfterMs === undefined && this.isCrowded(startedAt, inFlight))
					this.gradient.shed(inFlight);
				else this.window.refused(startedAt, ending.retryAfterMs);
				break;
			case 'failed':
				this.breaker.failed(ending.failure);
				if (!this.breaker.isOpen) this.gradient.failed(inFlight);
				break;
			case 'broken':
				this.gradient.failed(inFlight);
				break;
			case 'key-refused':
				this.giveUp(() => ({ failure: ending.failure }));
				break;
			case 'cancelled':
				break;
		}
	}

	/** Whether it was refused for the number in flight: it was no sudden burst, but one more than ever. */
	private isCrowded(startedAt: number, inFlight: number): boolean {
		return this.window.wasSpaced(startedAt) && this.gradient.isMore(inFlight);
	}

	private async pump() {
		this.isPumping = true;
		while (this.waiting.length > 0) {
			this.giveUp((waiter) => this.isTooLong(waiter) && { failure: this.breaker.reason });
			// Who waits in the editor does not wait for a service to be tried again.
			const down = this.isPersonWaiting ? 0 : this.breaker.waitMs;
			const pause = this.window.opensAt - this.clock.now();
			if (this.waiting.length === 0) break;
			if (down > 0) await this.wait('down', down);
			else if (!this.hasRoom) await this.wait('capacity', Infinity);
			else if (pause > 0) await this.wait('limit', pause);
			else this.start();
		}
		this.isPumping = false;
	}

	/** A person does not wait behind slow responses. */
	private get hasRoom(): boolean {
		const inFlight = this.inFlight - (this.isPersonWaiting ? 1 : 0);
		return inFlight < this.gradient.limit && this.window.hasRoom(inFlight);
	}

	private start() {
		const waiter = this.waiting.shift()!;
		const { isWrite } = waiter;
		const isTrial = this.breaker.isOpen;
		if (isTrial) this.breaker.trialStarted();
		this.window.started();
		const inFlight = ++this.inFlight;
		const stalledSince = this.goodAt[kindOf(isWrite)];
		waiter.settle({ startedAt: this.clock.now(), stalledSince, inFlight, isWrite, isTrial });
	}

	/** Whether a pause outlasts the patience, or the service has long accepted nothing. */
	private isTooLong({ rank, since, patienceMs, isWrite }: Waiter<Failure>): boolean {
		const now = this.clock.now();
		const { pausedUntil } = this.window;
		const last = Math.max(since, this.goodAt[kindOf(isWrite)]);
		if (pausedUntil > now) return pausedUntil - last > patienceMs;
		// Who waits in the editor may just have repaired it.
		if (rank === 0) return false;
		const isRow = rank === URGENCIES.indexOf('row');
		const longest = isRow ? Math.max(patienceMs, LEAST_STALL) : patienceMs;
		return this.breaker.isGivenUp(patienceMs) || now - last > longest;
	}

	/** Gives up the waits for which there is a reason. */
	private giveUp(why: (waiter: Waiter<Failure>) => { failure?: Failure } | false) {
		const now = this.clock.now();
		this.waiting = this.waiting.filter((waiter) => {
			const reason = why(waiter);
			if (!reason) return true;
			this.usedAt = now;
			waiter.settle({ waitedMs: now - waiter.since, ...reason });
			return false;
		});
	}

	/** Until something happens; @param atMost milliseconds */
	private async wait(hindrance: Hindrance, atMost: number) {
		const since = this.clock.now();
		this.waking = new AbortController();
		await this.clock.sleep(Math.min(atMost, LONGEST_WAIT), this.waking.signal).catch(() => {});
		this.waitedMs[hindrance] += this.clock.now() - since;
	}
}
