import { quotaIn, retryAfter } from '../../../nodes/LocalSeo/client/http/limits';

const NOW = Date.parse('2026-01-05T08:00:00Z');
const YEAR = 365 * 86_400;
const date = new Date(NOW).toUTCString();
const dateIn = (ms: number) => new Date(NOW + ms).toUTCString();
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
/** A time, by the clock of the service. */
const AT = `${inSeconds(30)}`;

const unread = (wait: unknown) => [`none: ${wait}`, { 'retry-after': wait }, undefined] as const;
test.each<readonly [string, object, number | undefined]>([
	['Retry-After in seconds', { 'retry-after': ' 7 ' }, 7000],
	['Retry-After as a number', { 'retry-after': 7 }, 7000],
	['Retry-After with a fraction', { 'retry-after': '0.25' }, 250],
	['Retry-After as an HTTP date', { 'retry-after': dateIn(9000) }, 9000],
	['RateLimit, newest draft', { ratelimit: '"default";r=0;t=12' }, 12_000],
	['RateLimit, earlier draft', { ratelimit: 'limit=100, remaining=0, reset=12' }, 12_000],
	['RateLimit with the time first, spaced', { ratelimit: 't = 12; r=0' }, 12_000],
	['X-Rate-Limit-Reset', { 'x-rate-limit-reset': '30' }, 30_000],
	['RateLimit-Reset', { 'ratelimit-reset': '30' }, 30_000],
	['X-RateLimit-Reset in seconds', { 'x-ratelimit-reset': '30' }, 30_000],
	['X-RateLimit-Reset as a time in seconds', { 'x-ratelimit-reset': AT }, 30_000],
	['the same in milliseconds', { 'x-ratelimit-reset': `${NOW + 30_000}` }, 30_000],
	['Retry-After before all others', { 'retry-after': '1', 'x-ratelimit-reset': '30' }, 1000],
	['Retry-After of 0, too', { 'retry-after': '0', 'x-ratelimit-reset': '3600' }, 0],
	[
		'Retry-After that says nothing, and a reset',
		{ 'retry-after': 'soon', 'ratelimit-reset': '5' },
		5000,
	],
	['a reset of 0, and another one', { ratelimit: 'r=0;t=0', 'x-ratelimit-reset': '5' }, 5000],
	['a year', { 'retry-after': `${YEAR}` }, YEAR * 1000],
	['more than a year', { 'retry-after': `${YEAR + 1}` }, undefined],
	['a reset in microseconds', { 'x-ratelimit-reset': `${(NOW + 30_000) * 1e3}` }, undefined],
	['a reset in nanoseconds', { 'x-ratelimit-reset': `${(NOW + 30_000) * 1e6}` }, undefined],
	['nothing', {}, undefined],
	...['-5', dateIn(-9000), 'soon', '7s', true].map(unread),
	['a policy alone', { 'ratelimit-policy': '"default";q=100;w=60' }, undefined],
])('the wait that is asked for: %s', (_, headers, wait) => {
	expect(retryAfter({ date, ...headers }, 0)).toBe(wait);
});

test("without the service's own time, the time of this machine counts", () => {
	expect(retryAfter({ 'retry-after': dateIn(3000) }, NOW)).toBe(3000);
	expect(retryAfter({ date: 'today', 'x-ratelimit-reset': `${inSeconds(3)}` }, NOW)).toBe(3000);
});

const NONE = { left: 0, forMs: 30_000 };
test.each([
	['the newest draft', { ratelimit: '"default";r=0;t=30' }, NONE],
	['one header', { ratelimit: 'limit=9, remaining=2, reset=30' }, { ...NONE, left: 2 }],
	['seconds', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, NONE],
	['numbers', { 'x-rate-limit-remaining': 0, 'x-rate-limit-reset': 30 }, NONE],
	['a time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': AT }, NONE],
	['no time', { 'ratelimit-remaining': '0', 'retry-after': '9' }, undefined],
	['a time that has passed', { ratelimit: '"default";r=0;t=0' }, undefined],
	['it does not say what is left', { 'ratelimit-reset': '30' }, undefined],
	['no number', { 'ratelimit-remaining': 'many', 'ratelimit-reset': '30' }, undefined],
	['a number without sense', { 'ratelimit-remaining': '9'.repeat(40) }, undefined],
])('what is left, and for how long: %s', (_, headers, quota) => {
	expect(quotaIn({ date, ...headers }, 0)).toEqual(quota);
});
