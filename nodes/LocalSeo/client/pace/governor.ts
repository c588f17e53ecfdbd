import type { Clock, Random } from '../ports';
import { Breaker } from './breaker';
import { Gradient } from './gradient';
import type { Ending, GivenUp, Permit, Urgency } from './permit';
import { Window } from './window';

/** Rows queued behind slow responses count as stalled only after nothing was accepted for so long (ms). */
const LEAST_STALL = 60_000;
/** How often waiting requests are checked for one that has waited too long (ms). */
const CHECKED_EVERY = 5_000;
/** In the order in which they start. */
const URGENCIES: Record<Urgency, number> = { person: 0, look: 1, repeat: 2, row: 3 };
/** Shared, because an error keeps its stack, and everything that it references, alive. */
const OVER = new Error('Over');

interface Wish {
	/** The method and the path template of the request. */
	kind: string;
	patienceMs: number;
	urgency?: Urgency;
	/** When it was first asked for, if that is not now. */
	since?: number;
	signal?: AbortSignal;
}

type Waiter<Failure> = Required<Omit<Wish, 'signal'>> & {
	answer: (result: Permit | GivenUp<Failure>) => void;
};

/**
 * Lets the requests of one API key start, for all that use the key in this process: `Gradient` limits
 * how many are in flight, `Window` how fast they start, and `Breaker` stops them while the service is
 * down. Requests start by urgency, and in their order.
 */
export class Governor<Failure> {
	/** The time at which a request last arrived or ended: after an hour, what was learned is out of date. */
	usedAt: number;
	private inFlight = 0;
	private waiting: Array<Waiter<Failure>> = [];
	/** Before this time no waiter can be overdue, unless requests are paused or the service is down. */
	private dueAt = -Infinity;
	/** Ends the wait until one of them may start; and the time at which that wait is over. */
	private timer = new AbortController();
	private wakesAt = Infinity;
	/** The time at which a request was last accepted. */
	private goodAt = -Infinity;
	/** The request that tries a service which is down, or refuses without a stated wait: one at a time. */
	private trial?: Permit;
	/** The words of the policies: the most in flight, the end of a pause, and the next trial of a service that is down. */
	private limit: number;
	private opensAt = -Infinity;
	private triedAt = -Infinity;
	private readonly gradient = new Gradient();
	private readonly window = new Window();
	private readonly breaker = new Breaker<Failure>();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.usedAt = clock.now();
		this.limit = this.gradient.limit;
	}

	/**
	 * Waits until a request may start. Gives up if the service has accepted nothing for `patienceMs`, or
	 * asks to wait longer than that. Rejects when the signal aborts.
	 */
	async acquire(wish: Wish): Promise<Permit | GivenUp<Failure>> {
		const now = this.clock.now();
		const { kind, patienceMs, urgency = 'row', since = now, signal } = wish;
		signal?.throwIfAborted();
		// Idle time says nothing about the service.
		if (this.isIdle) this.breaker.downSince += now - this.usedAt;
		this.usedAt = now;
		return await new Promise((resolve, reject) => {
			const answer: Waiter<Failure>['answer'] = (result) => {
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter = { kind, patienceMs, urgency, since, answer };
			const cancel = () => {
				this.waiting = this.waiting.filter((other) => other !== waiter);
				this.pump();
				reject(signal?.reason as Error);
			};
			signal?.addEventListener('abort', cancel, { once: true });
			const isLater = (other: Waiter<Failure>) => URGENCIES[other.urgency] > URGENCIES[urgency];
			const next = this.waiting.findIndex(isLater);
			this.waiting.splice(next < 0 ? this.waiting.length : next, 0, waiter);
			this.dueAt = Math.min(this.dueAt, since + stallMsOf(waiter));
			if (this.waiting[0] === waiter) this.pump();
		});
	}

	ended(permit: Permit, ending: Ending<Failure>): void {
		const now = this.clock.now();
		const { breaker, gradient, window } = this;
		const refusals = window.refusalsBefore(permit);
		const sample = { now, permit, ending, refusals, random: this.random };
		this.usedAt = now;
		this.inFlight--;
		if (permit === this.trial) this.trial = undefined;
		if (ending.kind === 'answered') this.goodAt = now;
		const wasDown = breaker.isOpen;
		this.triedAt = breaker.next(sample);
		// A refusal that the number in flight explains says nothing about the rate.
		if (!gradient.explains(sample)) this.opensAt = window.next(sample);
		this.limit = gradient.next(sample, wasDown || breaker.isOpen);
		this.pump();
	}

	/** The rest of the pause that the service asks for (ms); 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.window.pausedUntil - this.clock.now());
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	/** Starts the requests that may start, and wakes when more may, or when one may have waited too long. */
	private readonly pump = () => {
		const now = this.clock.now();
		if (now > this.dueAt || this.opensAt > now || this.breaker.isOpen) this.giveUp(now);
		while (this.waiting.length > 0) {
			const opensIn = this.opensIn(now);
			if (opensIn > 0) return this.wakeAfter(Math.min(opensIn, CHECKED_EVERY), now);
			const { goodAt: stalledSince, breaker, window } = this;
			const { kind, answer } = this.waiting.shift()!;
			const permit = { kind, startedAt: now, stalledSince, inFlight: ++this.inFlight };
			if (breaker.isOpen || window.isRefusing) this.trial ??= permit;
			window.started(now);
			answer(permit);
		}
		this.endTimer();
	};

	/** Leaves a timer alone that ends before: making one costs more than waking once more. */
	private wakeAfter(waitMs: number, now: number) {
		if (this.wakesAt <= now + waitMs) return;
		this.endTimer();
		this.wakesAt = now + waitMs;
		const woken = () => {
			this.wakesAt = Infinity;
			this.pump();
		};
		this.clock.sleep(waitMs, this.timer.signal).then(woken, () => {});
	}

	private endTimer() {
		if (this.wakesAt === Infinity) return;
		this.timer.abort(OVER);
		this.timer = new AbortController();
		this.wakesAt = Infinity;
	}

	/** Time until one more may start, if no request ends before (ms). */
	private opensIn(now: number): number {
		const { limit, trial, triedAt, window } = this;
		// A person waits neither behind slow responses nor until a service is tried again.
		const isPerson = this.waiting[0].urgency === 'person';
		const inFlight = this.inFlight - (isPerson ? 1 : 0);
		const isTried = trial && (this.breaker.isOpen || window.isRefusing);
		if (inFlight >= limit || (isTried && !isPerson)) return Infinity;
		return Math.max(isPerson ? 0 : triedAt - now, window.opensIn(now, inFlight));
	}

	/** Gives up the waits that are too long. */
	private giveUp(now: number): void {
		this.dueAt = Infinity;
		this.waiting = this.waiting.filter((waiter) => {
			const last = Math.max(waiter.since, this.goodAt);
			const dueAt = last + stallMsOf(waiter);
			if (!this.isTooLong(now, waiter, last)) {
				this.dueAt = Math.min(this.dueAt, dueAt);
				return true;
			}
			this.usedAt = now;
			waiter.answer({ waitedMs: now - waiter.since, failure: this.breaker.reason });
			return false;
		});
	}

	/** True if a pause outlasts the patience, or the service has accepted nothing for as long. */
	private isTooLong(now: number, waiter: Waiter<Failure>, last: number): boolean {
		const { patienceMs, urgency } = waiter;
		if (this.opensAt > now) return this.opensAt - last > patienceMs;
		// A person who waits in the editor may just have repaired it.
		if (urgency === 'person') return false;
		if (now - last > stallMsOf(waiter)) return true;
		const isDown = this.triedAt > now && !this.trial;
		return isDown && now - this.breaker.downSince > patienceMs;
	}
}

function stallMsOf({ urgency, patienceMs }: Pick<Required<Wish>, 'urgency' | 'patienceMs'>) {
	return urgency === 'row' ? Math.max(patienceMs, LEAST_STALL) : patienceMs;
}
