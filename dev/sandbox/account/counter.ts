/** Requests that a service allows in a period of milliseconds, and how it counts them. */
export interface Limit {
	most: number;
	period: number;
	counts: (typeof COUNTS)[number];
}

export const COUNTS = [
	'clock periods',
	'periods from a request on',
	'the last period',
	'a bucket',
] as const;

/** What is left of a limit after a request; times in milliseconds. */
export interface Quota {
	left: number;
	most: number;
	/** When all of it is there again. */
	endsAt: number;
}

export class Counter {
	private accepted: number[] = [];
	private began = -Infinity;
	private tokens: number;
	private filledAt = 0;

	constructor(public limit: Limit | undefined) {
		this.tokens = limit?.most ?? 0;
	}

	/** The wait until a request is accepted again; undefined where this one is. */
	refusal(now: number): number | undefined {
		if (!this.limit) return undefined;
		const { most, period, counts } = this.limit;
		if (counts === 'a bucket') return this.takeToken(now, most, period);
		this.began = this.beginning(now, period, counts);
		// The last period has no request of its very beginning.
		const isOpen = counts === 'the last period';
		this.accepted = this.accepted.filter((at) => at > this.began || (at === this.began && !isOpen));
		if (this.accepted.length < most) {
			this.accepted.push(now);
			return undefined;
		}
		return (isOpen ? this.accepted[0] : this.began) + period - now;
	}

	quota(now: number): Quota | undefined {
		if (!this.limit) return undefined;
		const { most, period, counts } = this.limit;
		if (counts === 'a bucket') {
			const left = Math.floor(this.tokens);
			return { left, most, endsAt: now + ((most - left) * period) / most };
		}
		const began = this.beginning(now, period, counts);
		const isOpen = counts === 'the last period';
		const used = this.accepted.filter((at) => at > began || (at === began && !isOpen));
		return { left: most - used.length, most, endsAt: (isOpen ? now : began) + period };
	}

	private beginning(now: number, period: number, counts: Limit['counts']): number {
		if (counts === 'the last period') return now - period;
		if (counts === 'clock periods') return Math.floor(now / period) * period;
		return now < this.began + period ? this.began : now;
	}

	private takeToken(now: number, most: number, period: number): number | undefined {
		this.tokens = Math.min(most, this.tokens + ((now - this.filledAt) / period) * most);
		this.filledAt = now;
		if (this.tokens < 1) return ((1 - this.tokens) * period) / most;
		this.tokens--;
		return undefined;
	}
}
