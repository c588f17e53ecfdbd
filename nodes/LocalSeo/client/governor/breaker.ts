import type { Clock, Random } from '../ports';

/** So many requests in a row have to fail before the service counts as down. */
const FAILURES_IN_A_ROW = 4;
/** Milliseconds between two requests to a service that is down: the first, doubled each time, and the most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Whether there is any use in sending: a service that is down, or one kind of request that it never
 * answers, is tried with one request at a time, less and less often, until it answers.
 */
export class Breaker<Failure> {
	/** Since when nothing but failures has come; milliseconds since 1970. */
	downSince?: number;
	private failures = 0;
	private probes = 0;
	private nextProbe = 0;
	private last?: Failure;
	/** Requests under way that were started while it was down; a person does not wait for one to end. */
	private trials = 0;

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
		const wait = this.nextProbe - this.clock.now();
		// More than that, and this machine's clock was set back.
		return this.trials > 0 ? Infinity : Math.min(LONGEST_PAUSE, Math.max(0, wait));
	}

	/** Whether nothing has come for longer than someone waits, and nothing is under way. */
	isGivenUp(patienceMs: number): boolean {
		const { downSince = Infinity, waitMs } = this;
		return waitMs > 0 && waitMs < Infinity && this.clock.now() - downSince > patienceMs;
	}

	trialStarted(): void {
		this.trials++;
	}

	/** A trial has ended, however it did. */
	trialEnded(): void {
		this.trials--;
	}

	/** Who waits from now on, waits for a service that was down before: that time does not count. */
	forgetTime(): void {
		if (this.downSince !== undefined) this.downSince = this.clock.now();
	}

	answered(): boolean {
		const wasOpen = this.isOpen;
		this.failures = 0;
		this.probes = 0;
		this.downSince = undefined;
		this.last = undefined;
		return wasOpen;
	}

	failed(failure: Failure): void {
		const now = this.clock.now();
		this.downSince ??= now;
		this.last = failure;
		this.failures++;
		if (!this.isOpen) return;
		const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.probes++);
		this.nextProbe = now + pause * (0.8 + this.random() / 5);
	}
}
