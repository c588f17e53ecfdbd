import type { Limit, Switches } from '../../../dev/sandbox/account';

export const LIMITS = {
	none: undefined,
	'20 a second by the clock': { most: 20, period: 1_000, counts: 'clock periods' },
	'5 in the last second': { most: 5, period: 1_000, counts: 'the last period' },
	'a bucket of 10 at 2 a second': { most: 10, period: 5_000, counts: 'a bucket' },
	'60 a minute': { most: 60, period: 60_000, counts: 'clock periods' },
	'12 a day': { most: 12, period: 86_400_000, counts: 'clock periods' },
} satisfies Record<string, Limit | undefined>;
export type LimitName = keyof typeof LIMITS;

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
} satisfies Record<string, Switches['saysWait']>;
export type TellingName = keyof typeof TELLINGS;

const inHeaders = (left: number | string, most: number | string) => ({
	'x-ratelimit-limit': String(most),
	'x-ratelimit-remaining': String(left),
});

/** What each response says of the limit; some say of each success that none is left. */
export const QUOTAS = {
	'not at all': () => ({}),
	right: ({ left, most }) => inHeaders(left, most),
	'right, as a draft': ({ left, most }) => ({
		ratelimit: `"default";r=${left};t=1`,
		'ratelimit-policy': `"default";q=${most};w=1`,
	}),
	'never any left': ({ most }) => inHeaders(0, most),
} satisfies Record<string, Switches['saysQuota']>;
export type QuotaName = keyof typeof QUOTAS;
