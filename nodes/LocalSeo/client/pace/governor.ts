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
	/** The time at which each kind of request was last accepted: one may work where another stands still. */
	private readonly goodAt = new Map<string, number>();
	private readonly gradient = new Gradient();
	private readonly window = new Window();
	private readonly breaker = new Breaker<Failure>();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.usedAt = clock.now();
	}

	/**
	 * Waits until a request may start. Gives up if the service has accepted nothing for `patienceMs`, or
	 * asks to wait longer than that, and as soon as the key is refused. Rejects when the signal aborts.
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
		const { startedAt, inFlight, kind } = permit;
		const { breaker, gradient, window } = this;
		this.usedAt = now;
		this.inFlight--;
		breaker.ended(now);
		switch (ending.kind) {
			case 'answered':
				this.goodAt.set(kind, now);
				window.accepted(now, startedAt, ending.quota);
				if (breaker.answered()) gradient.restart();
				if (ending.isDone) gradient.answered(now, permit);
				break;
			case 'limited':
				breaker.answered();
				if (window.refused(now, startedAt, this.random(), ending.retryAfterMs)) gradient.restart();
				break;
			case 'shed':
				if (ending.retryAfterMs || !this.isTooMany(permit)) {
					window.refused(now, startedAt, this.random(), ending.retryAfterMs);
				} else gradient.cut(now, inFlight);
				break;
			case 'failed':
				breaker.failed(now, startedAt, this.random(), ending.failure);
				if (!breaker.isOpen) gradient.failed(now, inFlight);
				break;
			case 'broken':
				gradient.failed(now, inFlight);
				break;
			case 'key-refused':
				this.giveUp(now, () => ({ failure: ending.failure }));
		}
		this.pump();
	}

	/**
	 * True if a gateway refused a request because of the number in flight: that was no sudden burst, but more
	 * than ever, or the same number again and again.
	 */
	private isTooMany({ startedAt, inFlight }: Permit): boolean {
		const { gradient, window } = this;
		const isAgain = inFlight > 1 && window.isRefusedAgain;
		return startedAt > window.firstRefusedAt && (gradient.isMore(inFlight) || isAgain);
	}

	/** The rest of the pause that the service asked for (ms); 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.window.pausedUntil - this.clock.now());
	}

	/** The rest as the service has stated it: a very long pause is cut short to ask again. */
	get statedPauseMs(): number {
		const { pauseMs, window, clock } = this;
		return pauseMs > 0 ? Math.max(pauseMs, window.statedUntil - clock.now()) : 0;
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	/** Starts the requests that may start, and wakes when more may, or when one may have waited too long. */
	private readonly pump = () => {
		const now = this.clock.now();
		if (now > this.dueAt || this.window.pausedUntil > now || this.breaker.isOpen) {
			this.giveUp(now, (waiter) => this.isTooLong(now, waiter) && { failure: this.breaker.reason });
			const due = this.waiting.map((waiter) => this.lastGoodOf(waiter) + stallMsOf(waiter));
			this.dueAt = due.reduce((one, other) => Math.min(one, other), Infinity);
		}
		while (this.waiting.length > 0) {
			const opensIn = this.opensIn(now);
			if (opensIn > 0) return this.wakeAfter(Math.min(opensIn, CHECKED_EVERY), now);
			this.breaker.started();
			this.window.started(now);
			const { kind, answer } = this.waiting.shift()!;
			const stalledSince = this.goodAt.get(kind) ?? -Infinity;
			answer({ kind, startedAt: now, stalledSince, inFlight: ++this.inFlight });
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
		// A person waits neither behind slow responses nor until a service is tried again.
		const isPerson = this.waiting[0].urgency === 'person';
		const inFlight = this.inFlight - (isPerson ? 1 : 0);
		if (!isPerson && this.breaker.waitMs(now) > 0) return this.breaker.waitMs(now);
		return inFlight < this.gradient.limit ? this.window.opensIn(now, inFlight) : Infinity;
	}

	/** True if a pause outlasts the patience, or the service has accepted nothing for as long. */
	private isTooLong(now: number, waiter: Waiter<Failure>): boolean {
		const { patienceMs, urgency } = waiter;
		const { pausedUntil } = this.window;
		const last = this.lastGoodOf(waiter);
		if (pausedUntil > now) return pausedUntil - last > patienceMs;
		// A person who waits in the editor may just have repaired it.
		if (urgency === 'person') return false;
		if (now - last > stallMsOf(waiter)) return true;
		const downMs = this.breaker.waitMs(now);
		return downMs > 0 && downMs < Infinity && now - this.breaker.downSince > patienceMs;
	}

	/** Since when a waiter has not seen a request of its kind accepted. */
	private lastGoodOf({ kind, since }: Waiter<Failure>): number {
		return Math.max(since, this.goodAt.get(kind) ?? -Infinity);
	}

	/** Gives up the waits for which there is a reason. */
	private giveUp(now: number, why: (waiter: Waiter<Failure>) => { failure?: Failure } | false) {
		this.waiting = this.waiting.filter((waiter) => {
			const reason = why(waiter);
			if (!reason) return true;
			this.usedAt = now;
			waiter.answer({ waitedMs: now - waiter.since, ...reason });
			return false;
		});
	}
}

function stallMsOf({
	urgency,
	patienceMs,
}: Pick<Required<Wish>, 'urgency' | 'patienceMs'>): number {
	return urgency === 'row' ? Math.max(patienceMs, LEAST_STALL) : patienceMs;
}
