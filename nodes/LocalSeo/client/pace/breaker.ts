/** The number of failures in a row after which the service counts as down. */
const FAILURES_IN_A_ROW = 4;
/** Pauses between trials of a service that is down (ms): the first one, doubled each time, and the longest. */
const PAUSE = { first: 1_000, longest: 30_000 };

/** Stops requests to a service that is down, which is tried by one request at a time. */
export class Breaker<Failure> {
	isOpen = false;
	downSince = 0;
	/** The latest failure, while the service is down. */
	reason?: Failure;
	private failures = 0;
	private openedAt = 0;
	/** Infinity while a trial is under way. */
	private nextTrial = 0;

	/** Time until a request may start (ms); Infinity until the one under way has ended. */
	waitMs(now: number): number {
		return this.isOpen ? Math.max(0, this.nextTrial - now) : 0;
	}

	started(): void {
		if (this.isOpen) this.nextTrial = Infinity;
	}

	/** Notes that a request has ended, whatever its outcome: another one may try the service. */
	ended(now: number): void {
		if (this.nextTrial === Infinity) this.nextTrial = now;
	}

	/** @returns true if the service was down */
	answered(): boolean {
		const wasOpen = this.isOpen;
		this.isOpen = false;
		this.failures = 0;
		// An error keeps its stack, and everything that it references, alive.
		this.reason = undefined;
		return wasOpen;
	}

	failed(now: number, startedAt: number, jitter: number, failure: Failure): void {
		// Requests in flight when it went down have failed for the same reason.
		if (this.isOpen && startedAt <= this.openedAt) return;
		if (this.failures++ === 0) this.downSince = now;
		if (this.failures === FAILURES_IN_A_ROW) this.openedAt = now;
		this.isOpen = this.failures >= FAILURES_IN_A_ROW;
		this.reason = this.isOpen ? failure : undefined;
		const pause = PAUSE.first * 2 ** (this.failures - FAILURES_IN_A_ROW);
		this.nextTrial = now + Math.min(PAUSE.longest, pause) * (0.8 + jitter / 5);
	}
}
