import type { Sample } from './permit';

/** The number of failures in a row after which the service counts as down. */
const FAILURES_IN_A_ROW = 4;
/** Pauses between trials of a service that is down (ms): the first one, doubled each time, and the longest. */
const PAUSE = { first: 1_000, longest: 30_000 };

/** Stops requests to a service that is down, which is tried now and then. */
export class Breaker<Failure> {
	downSince = 0;
	/** The latest failure, while the service is down. */
	reason?: Failure;
	private failures = 0;
	private openedAt = 0;
	private triedAt = -Infinity;

	get isOpen(): boolean {
		return this.failures >= FAILURES_IN_A_ROW;
	}

	/** @returns the time of the next trial; -Infinity unless the service is down */
	next({ now, permit: { startedAt }, ending, random }: Sample<Failure>): number {
		if (ending.kind === 'answered' || ending.kind === 'limited') {
			this.failures = 0;
			// An error keeps its stack, and everything that it references, alive.
			this.reason = undefined;
		}
		// Requests in flight when it went down have failed for the same reason.
		if (ending.kind === 'failed' && !(this.isOpen && startedAt <= this.openedAt)) {
			if (this.failures++ === 0) this.downSince = now;
			if (this.failures === FAILURES_IN_A_ROW) this.openedAt = now;
			this.reason = this.isOpen ? ending.failure : undefined;
			const pause = PAUSE.first * 2 ** (this.failures - FAILURES_IN_A_ROW);
			this.triedAt = now + Math.min(PAUSE.longest, pause) * (0.8 + random() / 5);
		}
		return this.isOpen ? this.triedAt : -Infinity;
	}
}
