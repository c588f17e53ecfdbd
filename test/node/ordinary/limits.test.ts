import { createPosts } from '../../support/sheet';
import { useBackend } from './backend';
import { READS_OF_NEW_ACCOUNT, rowsFor, saidIn } from './rows';

// What an ordinary service says of its limit: each row is sent once, and nothing waits without a reason.
// test/node/mocks has the limiters of real frameworks, test/simulation their periods and slow answers.

const backend = useBackend();

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
/** A wait of one to two seconds, as services state it. */
const SAYS: Record<string, () => Record<string, string>> = {
	'Retry-After in seconds': () => ({ 'retry-after': '1' }),
	'Retry-After as a date': () => ({ 'retry-after': inSeconds(2).toUTCString() }),
	RateLimit: () => ({ ratelimit: '"default";r=0;t=1' }),
	'RateLimit, an older draft': () => ({ ratelimit: 'limit=20, remaining=0, reset=1' }),
	'X-RateLimit-Reset in seconds': () => ({
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': '1',
	}),
	'X-RateLimit-Reset as a time': () => ({
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': String(Math.ceil(Number(inSeconds(1)) / 1_000)),
	}),
	nothing: () => ({}),
};

test.concurrent.each(Object.keys(SAYS))('429 with %s: waits, and sends it again', async (name) => {
	const sentAt: number[] = [];
	const service = backend({
		// Dates count in whole seconds: from the service's own.
		hasDate: false,
		instead: ({ method, earlier }) => {
			if (method !== 'POST') return undefined;
			sentAt.push(Date.now());
			if (earlier > 0) return undefined;
			return { status: 429, headers: SAYS[name](), body: { message: 'Too many requests' } };
		},
	});
	const { json, ...said } = await service.run(createPosts, rowsFor(service, 1));
	expect([saidIn(said), json]).toEqual([[], service.records.posts]);
	const waited = sentAt[1] - sentAt[0];
	expect([sentAt.length, waited < 5_000]).toEqual([2, true]);
	// A date and a time since 1970 have lost a part of a second.
	if (name !== 'nothing') expect(waited).toBeGreaterThan(/ as a /.test(name) ? 0 : 950);
});

test('a static Remaining: 0 on each success stops nothing', async () => {
	const service = backend({
		created: (data) => ({
			...{ status: 201, body: { data } },
			headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
		}),
	});
	const { json, ...said } = await service.run(createPosts, rowsFor(service, 30));
	expect([saidIn(said), json.length, said.waited]).toEqual([[], 30, false]);
	expect(service.requests).toHaveLength(30 + READS_OF_NEW_ACCOUNT);
});
