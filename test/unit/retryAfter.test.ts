import { retryAfter } from '../../nodes/LocalSeo/client/http/retryAfter';

const NOW = Date.parse('2026-01-05T08:00:00Z');
const date = new Date(NOW).toUTCString();
const inSeconds = (seconds: number) => NOW / 1000 + seconds;

test.each([
	['Retry-After in seconds', { 'retry-after': '7' }, 7000],
	['Retry-After as a number', { 'retry-after': 7 }, 7000],
	['Retry-After with a fraction', { 'retry-after': '0.5' }, 500],
	['Retry-After as an HTTP date', { 'retry-after': new Date(NOW + 9000).toUTCString() }, 9000],
	['RateLimit, newest draft', { ratelimit: '"default";r=0;t=12' }, 12_000],
	['RateLimit, earlier draft', { ratelimit: 'limit=100, remaining=0, reset=12' }, 12_000],
	[
		'RateLimit beside its policy',
		{ 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=0;t=12' },
		12_000,
	],
	['RateLimit with the time first, spaced', { ratelimit: 't = 12; r=0' }, 12_000],
	['Retry-After with white space', { 'retry-after': ' 7 ' }, 7000],
	['Retry-After with a longer fraction', { 'retry-after': '0.25' }, 250],
	['X-Rate-Limit-Reset', { 'x-rate-limit-reset': '30' }, 30_000],
	['RateLimit-Reset', { 'ratelimit-reset': '30' }, 30_000],
	['X-RateLimit-Reset in seconds', { 'x-ratelimit-reset': '30' }, 30_000],
	['X-RateLimit-Reset as a time in seconds', { 'x-ratelimit-reset': `${inSeconds(30)}` }, 30_000],
	[
		'X-RateLimit-Reset as a time in milliseconds',
		{ 'x-ratelimit-reset': `${NOW + 30_000}` },
		30_000,
	],
	['Retry-After before all others', { 'retry-after': '1', 'x-ratelimit-reset': '30' }, 1000],
	['a zero that another header corrects', { 'retry-after': '0', 'ratelimit-reset': '5' }, 5000],
])('%s', (_, headers, wait) => {
	expect(retryAfter({ date, ...headers }, 0)).toBe(wait);
});

test.each([
	['nothing', {}],
	['zero', { 'retry-after': '0' }],
	['a negative number', { 'retry-after': '-5' }],
	['a date that is over', { 'retry-after': new Date(NOW - 9000).toUTCString() }],
	['a time that is over', { 'x-ratelimit-reset': `${inSeconds(-30)}` }],
	['no date', { 'retry-after': 'soon' }],
	['an empty text', { 'retry-after': '' }],
	['a number with a unit', { 'retry-after': '7s' }],
	['a number after a sign', { 'retry-after': '+7' }],
	['no text', { 'retry-after': true }],
	['a name that only ends like one', { ratelimit: 'budget=12' }],
	['a policy alone', { 'ratelimit-policy': '"default";q=100;w=60' }],
])('%s is no wait', (_, headers) => {
	expect(retryAfter({ date, ...headers }, 0)).toBeUndefined();
});

test("times are measured by the service's own clock, however far it is off", () => {
	const headers = { 'retry-after': new Date(NOW + 3000).toUTCString() };
	expect(retryAfter({ date, ...headers }, 0)).toBe(3000);
	expect(retryAfter({ date, 'x-ratelimit-reset': `${inSeconds(3)}` }, 0)).toBe(3000);
});

test("without the service's own time, the time of this machine counts", () => {
	expect(retryAfter({ 'retry-after': new Date(NOW + 3000).toUTCString() }, NOW)).toBe(3000);
	expect(retryAfter({ date: 'today', 'x-ratelimit-reset': `${inSeconds(3)}` }, NOW)).toBe(3000);
});
