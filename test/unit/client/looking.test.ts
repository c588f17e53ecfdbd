import { Account as Service } from '../../../dev/sandbox/account';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	type JsonObject,
	type ServiceError,
} from '../../../nodes/LocalSeo/client';
import { concurrently } from '../../../nodes/LocalSeo/client/time';
import { responseOf, transportTo } from '../../support/accountTransport';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

const LATENCY = 100;

/** A list of posts, newest first; the first create is refused with an error of the service's own. */
function serviceWith({ headers = {}, postedEvery = Infinity, before = 0 }) {
	const clock = new VirtualClock();
	const service = new Service(clock, {
		newestFirst: ['posts'],
		instead: ({ method, earlier }) =>
			method === 'POST' && earlier === 0 ? { status: 503, body: { message: 'Busy' } } : undefined,
	});
	const { id } = service.create('locations', {});
	const post = (fields: JsonObject) => service.create('posts', fields, String(id));
	for (let count = 0; count < before; count++) post({ title: `Older post ${count}` });
	const answer = (request: HttpRequest) => {
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
	/** Creates so many posts; how many seconds the last one takes. */
	const seconds = async (count: number) => {
		const work = Array.from({ length: count }, (_, row) => async () => {
			const body = { title: `Summer offer ${row}`, content: `All of July, in shop ${row}` };
			const ids = { locationId: String(id) };
			await create(connection, { ...LIST, ids, method: 'POST', body }, DEFAULT_PAGING);
		});
		void othersPost();
		const startedAt = clock.now();
		await clock.run(concurrently(work, 8));
		return (clock.now() - startedAt) / 1000;
	};
	return { posts: service.list('posts', String(id)), seconds };
}

const LIST = {
	path: '/locations/{locationId}/posts',
	query: {},
	noun: 'content post',
};

const own = (posts: JsonObject[]) => posts.filter(({ content }) => content !== undefined);

test.each([
	['nothing', {}, false],
	['no-store', { 'cache-control': 'no-store' }, true],
	['no-cache among others', { 'cache-control': 'private, No-Cache' }, true],
	['no-cache of a header', { 'cache-control': 'no-cache="set-cookie"' }, false],
	['a time', { 'cache-control': 'max-age=30' }, false],
	['no-cache, from a cache all the same', { 'cache-control': 'no-cache', age: '7' }, false],
])(
	'a list is out of date for half a minute, unless no cache may keep it: %s',
	async (_, headers, isFresh) => {
		const { posts, seconds } = serviceWith({ headers });
		const took = await seconds(1);
		expect(own(posts)).toHaveLength(1);
		if (isFresh) expect(took).toBeLessThan(4);
		else expect(took).toBeGreaterThan(30);
	},
);

test('a list to which others post while it is read is read again at once', async () => {
	const headers = { 'cache-control': 'no-store' };
	const { posts, seconds } = serviceWith({ headers, postedEvery: 130, before: 100 });
	expect(await seconds(1)).toBeLessThan(8);
	expect(own(posts)).toHaveLength(1);
});

test('so is one to which the other rows are added', async () => {
	const { posts, seconds } = serviceWith({});
	// 500 rows, 8 at a time.
	expect(await seconds(500)).toBeLessThan(10);
	expect(own(posts)).toHaveLength(500);
});

test('a row in doubt stays in doubt when it is said to exist already: the next one looks first', async () => {
	const clock = new VirtualClock();
	let isDown = false;
	const service = new Service(clock, {
		instead: ({ method, earlier }) => {
			if (isDown && method === 'GET') return { status: 500, body: {} };
			if (method !== 'POST' || earlier > 1) return undefined;
			isDown = earlier === 1;
			return { status: isDown ? 409 : 500, body: { message: 'Exists' } };
		},
	});
	const { id } = service.create('locations', {});
	const methods: string[] = [];
	const answer = (request: HttpRequest) => {
		methods.push(request.method);
		return service.handle(request);
	};
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 20_000,
		transport: transportTo(answer, clock, () => LATENCY),
	};
	const body = { title: 'Summer offer', content: 'All of July' };
	const request = { ...LIST, ids: { locationId: String(id) }, method: 'POST' as const, body };
	const createIn = async (run: string) =>
		await clock.run(create(connection, request, DEFAULT_PAGING, { row: { run, row: 0 } }));
	await expect(createIn('first')).rejects.toMatchObject({ kind: 'unconfirmed' });
	isDown = false;
	methods.length = 0;
	await createIn('second').catch(() => {});
	expect(methods[0]).toBe('GET');
});

describe('a create that takes as long as the patience to time out', () => {
	const timedOut = async (isMade: boolean) => {
		const clock = new VirtualClock();
		const service = new Service(clock, {});
		const { id } = service.create('locations', {});
		const connection: Connection = {
			account: new Account(clock, seededRandom()),
			patienceMs: 300_000,
			transport: async (request) => {
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
			.run(create(connection, request, DEFAULT_PAGING))
			.catch((error: ServiceError) => error.facts);
		return { outcome, seconds: (clock.now() - startedAt) / 1_000, body };
	};

	test('is looked for all the same', async () => {
		const { outcome, body } = await timedOut(true);
		expect(outcome).toMatchObject({ record: body });
	});

	test('is in doubt where the list does not show it, and is not sent for so long once more', async () => {
		const { outcome, seconds } = await timedOut(false);
		expect(outcome).toMatchObject({ kind: 'unconfirmed' });
		expect(seconds).toBeLessThan(610);
	});
});
