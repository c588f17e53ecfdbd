import type { Clock, Random } from '../ports';
import { Gradient, Window } from './limits';
import type { Ending, GivenUp, Kind, Permit, Urgency } from './permit';

/** A row's queue that moves slowly, behind responses of seconds, is none that stands still (milliseconds). */
const LEAST_STALL = 60_000;

/** After so long one looks again who has waited for too long (milliseconds). */
const LONGEST_WAIT = 5_000;

/** So many requests in a row have to fail before the service counts as down. */
const FAILURES_IN_A_ROW = 4;
/** Milliseconds between two requests to a service that is down: the first, doubled each time, and the most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** In the order in which they start. */
const URGENCIES: Urgency[] = ['person', 'look', 'repeat', 'row'];

/** One for all: an error of its own would keep everything that its stack names. */
const WOKEN = new Error('Woken');

interface Waiter<Failure> {
	/** Its place among the urgencies. */
	rank: number;
	kind: Kind;
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
	private readonly goodAt: Record<Kind, number> = { read: -Infinity, write: -Infinity };
	private readonly gradient: Gradient;
	private readonly window: Window;
	private readonly breaker: Breaker<Failure>;

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
		kind?: Kind;
		since?: number;
		signal?: AbortSignal;
	}): Promise<Permit | GivenUp<Failure>> {
		const { patienceMs, urgency = 'row', kind = 'read', signal } = options;
		const { since = this.clock.now() } = options;
		signal?.throwIfAborted();
		if (this.isIdle) this.breaker.skip(this.clock.now() - this.usedAt);
		this.usedAt = this.clock.now();
		const rank = URGENCIES.indexOf(urgency);
		return await new Promise((resolve, reject) => {
			const settle: Waiter<Failure>['settle'] = (result) => {
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter = { rank, kind, since, patienceMs, settle };
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
		this.breaker.ended();
		this.learn(permit, ending);
		this.waking.abort(WOKEN);
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pauseMs(): number {
		return Math.max(0, this.window.pausedUntil - this.clock.now());
	}

	get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	private get isPersonWaiting(): boolean {
		return this.waiting[0]?.rank === 0;
	}

	private learn({ startedAt, inFlight, kind }: Permit, ending: Ending<Failure>) {
		switch (ending.kind) {
			case 'answered':
				this.goodAt[kind] = this.clock.now();
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
					this.gradient.cut(inFlight, 'shed');
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
		return startedAt > this.window.firstRefusedAt && this.gradient.isMore(inFlight);
	}

	private async pump() {
		this.isPumping = true;
		while (this.waiting.length > 0) {
			this.giveUp((waiter) => this.isTooLong(waiter) && { failure: this.breaker.reason });
			// Who waits in the editor does not wait for a service to be tried again.
			const down = this.isPersonWaiting ? 0 : this.breaker.waitMs;
			const pause = this.window.opensAt - this.clock.now();
			if (this.waiting.length === 0) break;
			if (down > 0) await this.wait(down);
			else if (!this.hasRoom) await this.wait(Infinity);
			else if (pause > 0) await this.wait(pause);
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
		const { kind, settle } = this.waiting.shift()!;
		this.breaker.started();
		this.window.started();
		const inFlight = ++this.inFlight;
		settle({ startedAt: this.clock.now(), stalledSince: this.goodAt[kind], inFlight, kind });
	}

	/** Whether a pause outlasts the patience, or the service has long accepted nothing. */
	private isTooLong({ rank, kind, since, patienceMs }: Waiter<Failure>): boolean {
		const now = this.clock.now();
		const { pausedUntil } = this.window;
		const last = Math.max(since, this.goodAt[kind]);
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
	private async wait(atMost: number) {
		this.waking = new AbortController();
		await this.clock.sleep(Math.min(atMost, LONGEST_WAIT), this.waking.signal).catch(() => {});
	}
}

/**
 * Whether there is any use in sending: a service that is down is tried by one request at a time, until
 * it answers.
 */
class Breaker<Failure> {
	private failures = 0;
	private trials = 0;
	private last?: Failure;
	private downSince = 0;
	/** Infinity while a trial is under way. */
	private nextTrial = 0;

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	get isOpen(): boolean {
		return this.failures >= FAILURES_IN_A_ROW;
	}

	/** How the service failed last, while it is down. */
	get reason(): Failure | undefined {
		return this.isOpen ? this.last : undefined;
	}

	/** Milliseconds until a request may start; Infinity until the one under way has ended. */
	get waitMs(): number {
		return this.isOpen ? Math.max(0, this.nextTrial - this.clock.now()) : 0;
	}

	/** Whether nothing has come for longer than someone waits, and nothing is under way. */
	isGivenUp(patienceMs: number): boolean {
		const { waitMs } = this;
		return waitMs > 0 && waitMs < Infinity && this.clock.now() - this.downSince > patienceMs;
	}

	/** Nobody has asked for so many milliseconds: they say nothing about the service. */
	skip(milliseconds: number): void {
		this.downSince += milliseconds;
	}

	started(): void {
		if (this.isOpen) this.nextTrial = Infinity;
	}

	/** @returns whether it was down */
	answered(): boolean {
		const wasOpen = this.isOpen;
		this.failures = 0;
		this.trials = 0;
		// It keeps all that its stack names.
		this.last = undefined;
		return wasOpen;
	}

	failed(failure: Failure): void {
		const now = this.clock.now();
		if (this.failures++ === 0) this.downSince = now;
		this.last = failure;
		if (!this.isOpen) return;
		const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.trials++);
		this.nextTrial = now + pause * (0.8 + this.random() / 5);
	}

	/** A request has ended, however it did: another one may try the service. */
	ended(): void {
		if (this.nextTrial === Infinity) this.nextTrial = this.clock.now();
	}
}
