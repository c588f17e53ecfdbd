import { SHORT_PERIOD } from './periods';

/** A look is over this many requests, and one period at least. */
const REQUESTS_IN_A_LOOK = 4;
/** From this part of all use on, the use of others counts; so many requests more may be chance. */
const OTHERS = { part: 0.12, requests: 1 };
/** The weight of the latest look in the use of others. */
const LATEST = 0.3;
/** A refusal where less than this part was said to be used was because of something else. */
const USED_AT_REFUSAL = 0.6;
/** Where this part is used, there is no room to look for. */
const USED_UP = 0.9;
/** If fewer requests start than this part of what the pace allows, there is not enough to send. */
const BUSY = 0.5;
/** By what factor the pace changes from one look to the next, at least and at most. */
const STEP = { least: 0.8, most: 1.5 };
/** The aim is the limit divided by this, which grows with each refusal and shrinks with each look. */
const MARGIN = { first: 1.05, least: 0.85, most: 1.4, refusal: 0.05, look: 0.003 };
/** Who uses more than a quarter of the limit gives way to those who use less: so all become equal. */
const PULL = { to: 0.25, strength: 0.2, most: 1.35 };

/** What a response says of a rate limit: requests that it allows in a period, and those left of it. */
export interface Quota {
	most: number;
	left: number;
}

/** By what factor a pace should change, and whether the limit is used up. */
export interface Look {
	factor: number;
	isUsedUp: boolean;
}

/**
 * What a service says of its limit in each response. It shows how much of the limit others use, and
 * what they leave, without a refusal. Believed only where it agrees with the refusals. All times are
 * milliseconds.
 */
export class Told {
	isBelieved = false;
	private margin = MARGIN.first;
	/** The part of all use that others have, on average. */
	private others = 0;
	/** When the latest requests started. */
	private startedAt: number[] = [];
	private since = 0;
	private requests = 0;
	/** What was used since then: the most in all, what of it from here, the least, and in the look before. */
	private used = { all: 0, own: 0, least: Infinity, before: 0 };

	/** A request starts. */
	starts(now: number): void {
		// Later ones are left over from before this machine's clock was set back.
		if (this.startedAt[0] > now) this.startedAt = [];
		this.startedAt.push(now);
		while (this.startedAt[0] < now - 2 * SHORT_PERIOD) this.startedAt.shift();
	}

	/** A request was refused; `quota`: what the refusal said. */
	wasRefused(quota?: Quota): void {
		if (this.isBelieved) this.margin = Math.min(MARGIN.most, this.margin + MARGIN.refusal);
		const used = Math.max(this.used.all, this.used.before);
		this.isBelieved = quota?.left === 0 && used >= USED_AT_REFUSAL * quota.most;
	}

	/**
	 * A request was accepted.
	 *
	 * @param period in which the service counts
	 * @param spacing between the starts of two requests
	 * @returns undefined while there is nothing new to say
	 */
	wasAccepted(
		{ startedAt, now }: { startedAt: number; now: number },
		{ most, left }: Quota,
		period: number,
		spacing: number,
	): Look | undefined {
		this.requests++;
		// A slow response says how it was when the request came.
		if (startedAt > now - SHORT_PERIOD) this.note(startedAt, most - left, period);
		this.since = Math.min(this.since, now);
		const passed = now - this.since;
		if (passed < Math.max(period, REQUESTS_IN_A_LOOK * spacing)) return undefined;
		const { all, own, least } = this.used;
		const isBusy = this.requests * spacing >= BUSY * passed;
		this.since = now;
		this.requests = 0;
		this.used = { all: 0, own: 0, least: Infinity, before: all };
		// What never changes is not counted.
		if (!this.isBelieved || !isBusy || least >= all) return undefined;
		this.others += LATEST * (Math.max(0, all - own - OTHERS.requests) / all - this.others);
		const isUsedUp = all >= USED_UP * most;
		if (this.others < OTHERS.part) return { factor: 1, isUsedUp };
		this.margin = Math.max(MARGIN.least, this.margin - MARGIN.look);
		const step = within(most / this.margin / all, STEP.least, STEP.most);
		const share = period / spacing / most;
		const pull = within((PULL.to / share) ** PULL.strength, 1 / PULL.most, PULL.most);
		return { factor: step * pull, isUsedUp };
	}

	private note(startedAt: number, all: number, period: number) {
		this.used.least = Math.min(this.used.least, all);
		if (all <= this.used.all) return;
		const from = startedAt - period;
		this.used.all = all;
		this.used.own = this.startedAt.filter((at) => at > from && at <= startedAt).length;
	}
}

function within(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}
