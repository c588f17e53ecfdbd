/** A fixed number of workers, as a PHP or Ruby server has them: others wait until one is free. */
export class Workers {
	private busy = 0;
	private readonly waiting: Array<(isServed: boolean) => void> = [];

	constructor(
		private readonly count = Infinity,
		/** How many may wait. */
		private readonly queue = Infinity,
	) {}

	get isFull(): boolean {
		return this.busy >= this.count;
	}

	/** Takes a worker; false if too many wait, or if `patience` ends before one is free. */
	async enter(patience?: () => Promise<void>): Promise<boolean> {
		if (!this.isFull) {
			this.busy++;
			return true;
		}
		if (this.waiting.length >= this.queue) return false;
		return await new Promise<boolean>((resolve) => {
			this.waiting.push(resolve);
			void patience?.().then(() => {
				const index = this.waiting.indexOf(resolve);
				if (index < 0) return;
				this.waiting.splice(index, 1);
				resolve(false);
			});
		});
	}

	leave(): void {
		// The worker that is done stays busy for the one that waited.
		const next = this.waiting.shift();
		if (next) next(true);
		else this.busy--;
	}
}
