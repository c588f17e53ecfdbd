import { Account as Service, type Answer, type Call } from '../../../dev/sandbox/account';
import {
	Account,
	type Connection,
	create,
	type HttpRequest,
	type JsonObject,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { concurrently } from '../../../nodes/LocalSeo/client/time';
import { responseOf, transportTo } from '../../support/accountTransport';
import { createNew, howAfterReading, UNREAD } from '../../support/creation';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

const LATENCY = 100;
const LIST = { path: '/locations/{locationId}/posts', query: {}, noun: 'content post' };
const BUSY: Answer = { status: 503, body: { message: 'Service Unavailable' } };

interface Options {
	/** Answers in place of the service, before it acts. */
	instead?: (call: Call) => Answer | undefined;
	/** Makes the post, and answers so in place of the service. */
	lost?: (call: Call) => Answer | undefined;
	headers?: Record<string, string>;
	/** How long a list lags (ms). */
	staleness?: number;
	/** Others post every so often (ms). */
	postedEvery?: number;
	before?: number;
}

/** A list of posts, newest first. */
function serviceWith(options: Options) {
	const { instead, lost, headers = {}, staleness, postedEvery = Infinity, before = 0 } = options;
	const clock = new VirtualClock();
	const service = new Service(clock, {
		newestFirst: ['posts'],
		...(instead && { instead }),
		...(lost && { created: (data, call) => lost(call) ?? { status: 201, body: { data } } }),
		...(staleness && { staleness }),
	});
	const { id } = service.create('locations', {});
	const post = (fields: JsonObject) => service.create('posts', fields, String(id));
	for (let count = 0; count < before; count++) post({ title: `Older post ${count}` });
	const methods: string[] = [];
	const answer = (request: HttpRequest) => {
		methods.push(request.method);
		const { headers: own, ...rest } = service.handle(request);
		return { ...rest, headers: { ...own, ...headers } };
	};
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: transportTo(answer, clock, () => LATENCY),
	};
	const othersPost = async () => {
		for (let count = 0; postedEvery < Infinity && count < 1_000; count++) {
			await clock.sleep(postedEvery);
			post({ title: `Post ${count} of someone else` });
		}
	};
	const requestOf = (row: number) => ({
		...{ ...LIST, ids: { locationId: String(id) }, method: 'POST' as const },
		body: { title: `Summer offer ${row}`, content: `All of July, in shop ${row}` },
	});
	/** Creates so many posts, 8 at a time; how many seconds the last one takes, and what the rows come to. */
	const createAll = async (count: number) => {
		const how = await clock.run(howAfterReading(connection, requestOf(0)));
		const work = Array.from({ length: count }, (_, row) => async () => {
			return await create(connection, requestOf(row), how).then(
				() => 'done',
				(error: ServiceError) => error.kind,
			);
		});
		void othersPost();
		const startedAt = clock.now();
		const ends = await clock.run(concurrently(work, 8));
		return { ends, seconds: (clock.now() - startedAt) / 1000 };
	};
	const posts = service.list('posts', String(id));
	return { clock, connection, methods, posts, requestOf, createAll };
}

const own = (posts: JsonObject[]) => posts.filter(({ content }) => content !== undefined);
const first =
	(answer: Answer) =>
	({ method, earlier }: Call) =>
		method === 'POST' && earlier === 0 ? answer : undefined;

test('a create that was lost is sent again once two readings, at 90 and 95 s, show that there is none', async () => {
	const { posts, methods, createAll } = serviceWith({ instead: first(BUSY), before: 3 });
	const { ends, seconds } = await createAll(1);
	expect(ends).toEqual(['done']);
	expect(own(posts)).toHaveLength(1);
	expect(seconds).toBeGreaterThanOrEqual(95);
	expect(seconds).toBeLessThan(97);
	// Once before; then after 1, 5, 15, 30, 60, 90 and 95 s.
	expect(methods.join(' ')).toBe(`GET POST ${'GET '.repeat(7)}POST`);
});

test.each([
	[0, 1],
	[4, 5],
	[25, 30],
	[70, 90],
])(
	'in a list that lags by %d s, the post of a lost create is found after %d s',
	async (lag, at) => {
		const staleness = lag * 1_000 + 500;
		const { posts, methods, createAll } = serviceWith({ lost: first(BUSY), staleness });
		const { ends, seconds } = await createAll(1);
		expect(ends).toEqual(['done']);
		expect(posts).toHaveLength(1);
		expect(methods.filter((method) => method === 'POST')).toHaveLength(1);
		expect(seconds).toBeGreaterThanOrEqual(at);
		expect(seconds).toBeLessThan(at + 1);
	},
);

test.each([
	['later than the fault', '1', 'done'],
	['as old as the fault', '200', 'unconfirmed'],
])('a reading out of a cache counts by its age: %s', async (_, age, end) => {
	const { posts, createAll } = serviceWith({ instead: first(BUSY), headers: { age } });
	expect((await createAll(1)).ends).toEqual([end]);
	expect(posts).toHaveLength(end === 'done' ? 1 : 0);
});

test('a list is asked for past caches while a create is looked for, and only then', async () => {
	const { clock, connection, requestOf } = serviceWith({ instead: first(BUSY) });
	const headers: unknown[] = [];
	const { transport } = connection;
	const noting: Connection = {
		...connection,
		transport: async (request, signal) => {
			headers.push([request.method, request.headers['Cache-Control']]);
			return await transport(request, signal);
		},
	};
	await clock.run(createNew(noting, requestOf(0)));
	const looks = Array.from({ length: 7 }, () => ['GET', 'no-cache']);
	expect(headers).toEqual([['GET', undefined], ['POST', undefined], ...looks, ['POST', undefined]]);
});

test('beside others who post, a lost create is not sent again: what they post may be it, rewritten', async () => {
	const { posts, methods, createAll } = serviceWith({
		...{ instead: first(BUSY), postedEvery: 40_000, before: 100 },
	});
	const { ends, seconds } = await createAll(1);
	expect(ends).toEqual(['unconfirmed']);
	expect(own(posts)).toHaveLength(0);
	expect(methods.filter((method) => method === 'POST')).toHaveLength(1);
	expect(seconds).toBeLessThan(97);
});

test('the other rows of a run explain their posts: the one that was lost is sent again', async () => {
	const { posts, createAll } = serviceWith({ instead: first(BUSY) });
	// 500 rows, 8 at a time.
	const { ends, seconds } = await createAll(500);
	expect(ends.filter((end) => end !== 'done')).toEqual([]);
	expect(new Set(own(posts).map(({ title }) => title)).size).toBe(500);
	expect(posts).toHaveLength(500);
	expect(seconds).toBeLessThan(97);
});

test('where the list was not read before, nothing can be told from it: a lost create is left open', async () => {
	for (const options of [{ instead: first(BUSY) }, { lost: first(BUSY) }]) {
		const { clock, connection, methods, requestOf } = serviceWith(options);
		const work = create(connection, requestOf(0), UNREAD);
		await expect(clock.run(work)).rejects.toMatchObject({ kind: 'unconfirmed', status: 503 });
		expect(methods).toEqual(['POST']);
	}
});

test("the service's own 500 is looked at for 15 s, and not sent again: its words say what happened", async () => {
	const failed = first({ status: 500, body: { message: 'Mail hook failed' } });
	const made = serviceWith({ lost: failed, staleness: 6_000 });
	expect(await made.createAll(1)).toMatchObject({ ends: ['done'], seconds: expect.any(Number) });
	expect(made.posts).toHaveLength(1);

	const { clock, connection, posts, requestOf } = serviceWith({ instead: failed });
	const startedAt = clock.now();
	await expect(clock.run(createNew(connection, requestOf(0)))).rejects.toMatchObject({
		kind: 'rejected',
		mayHaveActed: true,
		facts: { said: { text: 'Mail hook failed' }, isUnseen: true },
	});
	expect(clock.now() - startedAt).toBeLessThan(16_000);
	expect(posts).toEqual([]);
});

test('a row in doubt stays in doubt when it is said to exist already: the next one looks first', async () => {
	let isDown = false;
	const { clock, connection, methods, requestOf } = serviceWith({
		instead: ({ method, earlier }) => {
			if (isDown && method === 'GET') return { status: 500, body: {} };
			if (method !== 'POST' || earlier > 1) return undefined;
			isDown = earlier === 1;
			return isDown ? { status: 409, body: { message: 'Exists' } } : BUSY;
		},
	});
	const request = requestOf(0);
	const createIn = async (run: string) =>
		await clock.run(createNew(connection, request, { row: { run, row: 0 } }));
	await expect(createIn('first')).rejects.toMatchObject({ kind: 'unconfirmed', status: 409 });
	expect(methods.filter((method) => method === 'POST')).toHaveLength(2);
	isDown = false;
	const how = await clock.run(howAfterReading(connection, request));
	methods.length = 0;
	await clock.run(create(connection, request, { ...how, row: { run: 'second', row: 0 } }));
	expect(methods[0]).toBe('GET');
});

describe('a create that takes as long as the patience to time out', () => {
	const timedOut = async (isMade: boolean) => {
		const clock = new VirtualClock();
		const service = new Service(clock, {});
		const { id } = service.create('locations', {});
		const methods: string[] = [];
		const connection: Connection = {
			account: new Account(clock, seededRandom()),
			patienceMs: 300_000,
			transport: async (request) => {
				methods.push(request.method);
				if (request.method === 'GET') return responseOf(service.handle(request));
				if (isMade) service.handle(request);
				await clock.sleep(300_000);
				return { fault: 'timeout', cause: new Error('timeout of 300000ms exceeded') };
			},
		};
		const body = { title: 'Summer offer', content: 'All of July' };
		const request = { ...LIST, ids: { locationId: String(id) }, method: 'POST' as const, body };
		const startedAt = clock.now();
		const outcome = await clock
			.run(createNew(connection, request))
			.catch((error: ServiceError) => error.facts);
		return { outcome, seconds: (clock.now() - startedAt) / 1_000, body, methods };
	};

	test('is looked for all the same', async () => {
		const { outcome, body, seconds } = await timedOut(true);
		expect(outcome).toMatchObject(body);
		expect(seconds).toBeLessThan(302);
	});

	test('is sent once more where the list does not show it, and then no more', async () => {
		const { outcome, seconds, methods } = await timedOut(false);
		expect(outcome).toMatchObject({ kind: 'unconfirmed' });
		expect(methods.filter((method) => method === 'POST')).toHaveLength(2);
		// Twice the timeout and the looks.
		expect(seconds).toBeLessThan(2 * (300 + 96));
	});
});
