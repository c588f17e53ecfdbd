import type { Clock, Random } from '../ports';

/** So many requests in a row have to fail before the service counts as down. */
const FAILURES_IN_A_ROW = 4;
/** Milliseconds between two requests to a service that is down: the first, doubled each time, and the most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Whether there is any use in sending: a service that is down is tried by one request at a time, until it answers. */
export class Breaker<Failure> {
	private failures = 0;
	private trials = 0;
	private last?: Failure;
	private downSince = 0;
	private nextTrial = 0;
	/** Trials under way; a person does not wait for one to end. */
	private underWay = 0;

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
		if (!this.isOpen) return 0;
		return this.underWay > 0 ? Infinity : Math.max(0, this.nextTrial - this.clock.now());
	}

	/** Whether nothing has come for longer than someone waits, and nothing is under way. */
	isGivenUp(patienceMs: number): boolean {
		const { waitMs } = this;
		return waitMs > 0 && waitMs < Infinity && this.clock.now() - this.downSince > patienceMs;
	}

	trialStarted(): void {
		this.underWay++;
	}

	/** A trial has ended, however it did. */
	trialEnded(): void {
		this.underWay--;
	}

	/** Nobody has asked for so many milliseconds: they say nothing about the service. */
	skip(milliseconds: number): void {
		this.downSince += milliseconds;
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
}
