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

export const LIMITS = {
	none: undefined,
	'20 a second by the clock': { most: 20, period: 1_000, counts: 'clock periods' },
	'5 in the last second': { most: 5, period: 1_000, counts: 'the last period' },
	'a bucket of 10 at 2 a second': { most: 10, period: 5_000, counts: 'a bucket' },
	'60 a minute': { most: 60, period: 60_000, counts: 'clock periods' },
	'12 a day': { most: 12, period: 86_400_000, counts: 'clock periods' },
} satisfies Record<string, Limit | undefined>;
export type LimitName = keyof typeof LIMITS;

type Telling = (waitMs: number, now: number) => Record<string, string>;

/** How a wait is told, by a service whose time is `now`. */
export const TELLINGS = {
	seconds: (wait) => ({ 'retry-after': String(Math.ceil(wait / 1000)) }),
	date: (wait, now) => ({ 'retry-after': new Date(now + wait + 999).toUTCString() }),
	reset: (wait) => ({ 'ratelimit-reset': String(Math.ceil(wait / 1000)) }),
	'reset as a time': (wait, now) => ({
		'x-ratelimit-reset': String(Math.ceil((now + wait) / 1000)),
	}),
	'reset as a time in ms': (wait, now) => ({ 'x-ratelimit-reset': String(now + wait) }),
	draft: (wait) => ({ ratelimit: `"default";r=0;t=${Math.ceil(wait / 1000)}` }),
	'not at all': () => ({}),
	'as none': () => ({ 'retry-after': '0' }),
	'as past': (_, now) => ({ 'retry-after': new Date(now - 60_000).toUTCString() }),
	'too short': () => ({ 'retry-after': '1' }),
	'as a day': () => ({ 'retry-after': '86400' }),
	'as endless': () => ({ 'retry-after': '1e308', 'x-ratelimit-reset': '9'.repeat(40) }),
	'in words': () => ({ 'retry-after': 'soon' }),
} satisfies Record<string, Telling>;
export type TellingName = keyof typeof TELLINGS;

type Quota = (left: number, most: number, request: number) => Record<string, string>;

const inHeaders = (left: number | string, most: number | string) => ({
	'x-ratelimit-limit': String(most),
	'x-ratelimit-remaining': String(left),
});

/** What each response says of the limit, right and wrong. */
export const QUOTAS = {
	'not at all': () => ({}),
	right: inHeaders,
	'right, as a draft': (left, most) => ({
		ratelimit: `"default";r=${left};t=1`,
		'ratelimit-policy': `"default";q=${most};w=1`,
	}),
	'of a day': (_, __, request) => inHeaders(Math.max(0, 300 - request), 300),
	'never any left': (_, most) => inHeaders(0, most),
	'never any left of a billion': () => inHeaders(0, 999_999_999),
	'half, until it refuses': (left, most) => inHeaders(left && Math.ceil(most / 2), most),
	'by chance': (left, most, request) => inHeaders(left && (request * 7_919) % most, most),
	'more than there is': (_, most, request) => inHeaders(most + (request % 7), most),
	'without sense': () => inHeaders('9'.repeat(40), '-1e308'),
} satisfies Record<string, Quota>;
export type QuotaName = keyof typeof QUOTAS;

/** Counts the requests of a service; times in milliseconds. */
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

	/** How many requests are left after the last one. */
	left(now: number): number {
		if (!this.limit) return Infinity;
		const { most, period, counts } = this.limit;
		if (counts === 'a bucket') return Math.floor(this.tokens);
		const isOpen = counts === 'the last period';
		return most - this.accepted.filter((at) => !isOpen || at > now - period).length;
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
