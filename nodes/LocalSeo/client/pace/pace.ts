import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import type { Clock, Random } from '../ports';
import { Concurrency } from './concurrency';
import type { Ending, GivenUp, Permit, Urgency, Wish } from './permit';
import { Periods, Rate } from './rate';

export type { Ending, GivenUp, Permit, Urgency } from './permit';

/** The first pause (ms): after a refusal that states no wait, and while the service is down. */
const FIRST_PAUSE = { refused: 100, down: 1_000 };
/** The longest pause (ms), after which the service is asked again: our own, and one that it has stated. */
const LONGEST_PAUSE = { own: 30_000, stated: 300_000 };
/** The number of failures in a row after which the service counts as down. */
const DOWN = 4;
/** Rows queued behind slow responses are given up only after nothing was accepted for so long (ms). */
const STALLED = 60_000;
/** How often waiting requests are checked for one that has waited too long (ms). */
const CHECKED_EVERY = 5_000;
const ORDER: Record<Urgency, number> = { person: 0, look: 1, repeat: 2, row: 3 };

type Waiter<Failure> = Required<Omit<Wish, 'signal'>> & {
	answer: (result: Permit | GivenUp<Failure>) => void;
};

/**
 * Lets the requests of one API key start, for all that use the key in this process: how many at once,
 * how fast, and whether at all. Requests start by urgency, and in their order.
 */
export class Pace<Failure> {
	/** The time at which a request last arrived or ended: after an hour, what was learned is out of date. */
	usedAt: number;
	private inFlight = 0;
	private readonly queue: Array<Waiter<Failure>> = [];
	private timer = new AbortController();
	private wakesAt = Infinity;
	private checkedAt = -Infinity;
	private readonly concurrency = new Concurrency();
	private readonly periods = new Periods();
	private readonly rate = new Rate();
	/** When a request was last accepted. */
	private goodAt = -Infinity;
	/** Until then nothing starts; the service may have asked for longer. */
	private closedUntil = -Infinity;
	private statedUntil = -Infinity;
	private closedAt = -Infinity;
	/** The pauses in a row, and since when; the failures in a row, and the latest one of a service that is down. */
	private pauses = 0;
	private pausedSince = 0;
	private failures = 0;
	private reason?: Failure;
	/** The request that tries a closed service. */
	private trial?: Permit;

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.usedAt = clock.now();
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.queue.length === 0;
	}

	/** The rest of the pause after a refusal (ms), as the service has stated it; 0 without one, and while it is down. */
	get pauseMs(): number {
		const own = this.failures >= DOWN ? -Infinity : this.closedUntil;
		return Math.max(0, Math.max(own, this.statedUntil) - this.clock.now());
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
		if (this.isIdle) this.pausedSince += now - this.usedAt;
		this.usedAt = now;
		return await new Promise((resolve, reject) => {
			const cancel = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				this.pump();
				reject(signal?.reason as Error);
			};
			const answer: Waiter<Failure>['answer'] = (result) => {
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter = { kind, patienceMs, urgency, since, answer };
			if (this.isGivenUp(now, waiter)) return;
			signal?.addEventListener('abort', cancel, { once: true });
			const place = sortedLastIndexBy(this.queue, waiter, (one) => ORDER[one.urgency]);
			this.queue.splice(place, 0, waiter);
			if (place === 0) this.pump();
		});
	}

	ended(permit: Permit, ending: Ending<Failure>): void {
		const now = this.clock.now();
		this.usedAt = now;
		this.inFlight--;
		if (permit === this.trial) this.trial = undefined;
		if (ending.kind === 'answered') this.answered(now, permit);
		if (ending.kind === 'limited') this.limited(now, permit, ending.retryAfterMs);
		if (ending.kind === 'failed') this.failed(now, permit, ending.failure);
		this.pump();
	}

	/** Starts the requests that may start, and wakes when more may, or to look for waits that are too long. */
	private readonly pump = () => {
		const now = this.clock.now();
		if (this.queue.length > 0) this.usedAt = now;
		if (now >= this.checkedAt + CHECKED_EVERY) this.giveUp(now);
		while (this.queue.length > 0) {
			const waitMs = this.opensIn(now);
			if (waitMs > 0) return this.wakeAfter(Math.min(waitMs, CHECKED_EVERY), now);
			const { kind, answer } = this.queue.shift()!;
			const permit = { kind, startedAt: now, stalledSince: this.goodAt, inFlight: ++this.inFlight };
			if (this.isClosed(now)) this.trial ??= permit;
			this.periods.started(now);
			this.rate.started(now, this.closedUntil);
			answer(permit);
		}
		this.endTimer();
	};

	/** Leaves a timer alone that ends before: making one costs more than waking once more. */
	private wakeAfter(waitMs: number, now: number): void {
		if (this.wakesAt <= now + waitMs) return;
		this.endTimer();
		this.wakesAt = now + waitMs;
		const woken = () => {
			this.wakesAt = Infinity;
			this.pump();
		};
		this.clock.sleep(waitMs, this.timer.signal).then(woken, () => {});
	}

	private endTimer(): void {
		if (this.wakesAt === Infinity) return;
		this.timer.abort();
		this.timer = new AbortController();
		this.wakesAt = Infinity;
	}

	/** Time until one more may start, if no request ends before (ms). */
	private opensIn(now: number): number {
		const { inFlight, closedUntil, concurrency, periods, rate } = this;
		// A person waits neither behind slow responses nor until a service that is down is tried again.
		const isPerson = this.queue[0].urgency === 'person';
		const isFull = inFlight >= concurrency.limit + Number(isPerson);
		if (this.isClosed(now) && !isPerson ? this.trial : isFull) return Infinity;
		const opensAt = isPerson && this.failures >= DOWN ? -Infinity : closedUntil;
		const rateMs = periods.isKnown ? 0 : rate.opensIn(now);
		return Math.max(opensAt - now, rateMs, periods.opensIn(now, inFlight));
	}

	/** True if one request at a time tries whether the service accepts any. */
	private isClosed(now: number): boolean {
		return this.failures >= DOWN || this.pauses > 1 || this.statedUntil > now;
	}

	private giveUp(now: number): void {
		this.checkedAt = now;
		for (const waiter of this.queue.splice(0)) {
			if (!this.isGivenUp(now, waiter)) this.queue.push(waiter);
		}
	}

	/** Gives a waiter up if a pause outlasts its patience, or if the service has accepted nothing for as long. */
	private isGivenUp(now: number, { since, patienceMs, urgency, answer }: Waiter<Failure>): boolean {
		const last = Math.max(since, this.goodAt);
		const isClosed = this.closedUntil > now;
		const isPaused = isClosed && this.statedUntil - last > patienceMs;
		const isDown = this.failures >= DOWN && isClosed && now - this.pausedSince > patienceMs;
		const isStalled = now - last > Math.max(patienceMs, urgency === 'row' ? STALLED : 0);
		// A person may just have repaired it, and a look has a time of its own.
		const isTooLong = isPaused || isStalled || (isDown && ORDER[urgency] > ORDER.look);
		if (isTooLong) answer({ waitedMs: now - since, failure: this.reason });
		return isTooLong;
	}

	private answered(now: number, permit: Permit): void {
		this.goodAt = now;
		this.concurrency.answered(now, permit);
		if (permit.startedAt <= this.closedAt) return;
		if (this.pauses > 0) this.rate.resumed(permit.startedAt);
		this.pauses = this.failures = 0;
		this.closedUntil = this.statedUntil = -Infinity;
		// An error keeps its stack, and everything that it references, alive.
		this.reason = undefined;
	}

	private failed(now: number, permit: Permit, failure: Failure): void {
		this.concurrency.failed(now, permit);
		// Requests in flight when it closed have failed for the same reason.
		if (permit.startedAt <= this.closedAt || ++this.failures < DOWN) return;
		this.reason = failure;
		this.concurrency.restart();
		this.pause(now, permit.startedAt, FIRST_PAUSE.down);
	}

	private limited(now: number, permit: Permit, statedMs?: number): void {
		const { concurrency, periods, rate, pauses } = this;
		const { startedAt } = permit;
		const isNew = startedAt > this.closedAt;
		this.failures = 0;
		this.reason = undefined;
		if (!periods.isKnown && !rate.isKnown) concurrency.restart();
		else if (isNew && !statedMs && concurrency.explains(now, permit)) return;
		periods.refused(startedAt);
		if (statedMs) {
			const pauseMs = Math.min(LONGEST_PAUSE.stated, statedMs);
			if (this.pauses === 0) [this.pauses, this.pausedSince] = [1, now];
			this.statedUntil = Math.max(this.statedUntil, now + statedMs);
			periods.measure(now, startedAt, pauseMs);
			return this.close(now, pauseMs);
		}
		// A wait of no length is believed once.
		if (isNew) this.pause(now, startedAt, statedMs ?? FIRST_PAUSE.refused);
		rate.refused(now, startedAt, isNew && pauses === 0, this.closedUntil);
	}

	/** Nothing starts for a while; after the first time, for as long again as nothing was accepted. */
	private pause(now: number, startedAt: number, firstMs: number): void {
		const isFirst = this.pauses++ === 0;
		if (isFirst) this.pausedSince = now;
		const longerMs = Math.min(LONGEST_PAUSE.own, 2 * startedAt - this.pausedSince - now);
		// Several processes should not act in step.
		this.close(now, isFirst ? firstMs * (0.95 + this.random() / 20) : longerMs);
	}

	private close(now: number, pauseMs: number): void {
		this.closedAt = now;
		this.closedUntil = Math.max(this.closedUntil, now + pauseMs);
		this.giveUp(now);
	}
}
