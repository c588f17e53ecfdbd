export interface WorkersOptions {
	/** How many requests are worked on at once. */
	count: number;
	/** How many more may wait. */
	queue: number;
}

/** A fixed number of workers, as a PHP or Ruby server has them; without options there is no bound. */
export class Workers {
	private busy = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly options: WorkersOptions = { count: Infinity, queue: 0 }) {}

	/** Lets a worker do something; false if too many wait. */
	async work(task: () => Promise<void>): Promise<boolean> {
		const { count, queue } = this.options;
		if (this.busy >= count) {
			if (this.waiting.length >= queue) return false;
			// The worker that is done stays busy for the one that waited.
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.busy++;
		}
		try {
			await task();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.busy--;
		}
		return true;
	}
}
