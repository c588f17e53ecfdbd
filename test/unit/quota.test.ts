import { quotaOf } from '../../nodes/LocalSeo/client/http/quota';

test.each([
	['X-RateLimit', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '40' }, 100, 40],
	['X-Rate-Limit', { 'x-rate-limit-limit': '100', 'x-rate-limit-remaining': '40' }, 100, 40],
	['RateLimit', { 'ratelimit-limit': '100', 'ratelimit-remaining': '40' }, 100, 40],
	['numbers', { 'x-ratelimit-limit': 100, 'x-ratelimit-remaining': 40 }, 100, 40],
	['none left', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' }, 100, 0],
	['white space', { 'x-ratelimit-limit': ' 100 ', 'x-ratelimit-remaining': ' 40 ' }, 100, 40],
	[
		'a limit with its window',
		{ 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '40' },
		100,
		40,
	],
	['one header', { ratelimit: 'limit=100, remaining=40, reset=30' }, 100, 40],
	[
		'the newest draft',
		{ ratelimit: '"default";r=40;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
		100,
		40,
	],
])('%s', (_, headers, most, left) => {
	expect(quotaOf(headers, 0)).toMatchObject({ most, left });
});

test.each([
	['nothing', {}],
	['only the limit', { 'x-ratelimit-limit': '100' }],
	['only what is left', { 'x-ratelimit-remaining': '40' }],
	['a limit of nothing', { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }],
	['words', { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': 'some' }],
	['less than none', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '-1' }],
	[
		'more than anyone can count',
		{ 'x-ratelimit-limit': '9'.repeat(40), 'x-ratelimit-remaining': '1' },
	],
	['more than there is', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '101' }],
	['fractions', { 'x-ratelimit-limit': '1.5', 'x-ratelimit-remaining': '0.5' }],
])('no quota: %s', (_, headers) => {
	expect(quotaOf(headers, 0)).toBeUndefined();
});

test.each([
	[
		'the newest draft',
		{ ratelimit: '"default";r=0;t=30', 'ratelimit-policy': '"default";q=9;w=60' },
	],
	['one header', { ratelimit: 'limit=9, remaining=0, reset=30' }],
	['seconds', { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }],
	[
		'a time, by the clock of the service',
		{
			'x-ratelimit-limit': '9',
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': '1800000030',
			date: new Date(1_800_000_000_000).toUTCString(),
		},
	],
])('begins anew in 30 seconds: %s', (_, headers) => {
	expect(quotaOf(headers, 5_000)).toEqual({ most: 9, left: 0, resetMs: 30_000 });
});
