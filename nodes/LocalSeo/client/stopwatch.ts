import type { Clock } from './ports';

/** Measures for how long at least one of several things was going on. */
export class Stopwatch {
	private running = 0;
	private startedAt = 0;
	private before = 0;

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	/** Milliseconds in all, until now. */
	get ms(): number {
		return this.before + (this.running > 0 ? this.clock.now() - this.startedAt : 0);
	}

	async during<T>(work: Promise<T>): Promise<T> {
		if (this.running++ === 0) this.startedAt = this.clock.now();
		try {
			return await work;
		} finally {
			if (--this.running === 0) this.before += this.clock.now() - this.startedAt;
		}
	}
}
