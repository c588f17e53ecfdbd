import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	type JsonObject,
} from '../../../nodes/LocalSeo/client';
import { concurrently } from '../../../nodes/LocalSeo/client/time';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

const PAGE_SIZE = 15;
const LATENCY = 100;

/** A list of posts, newest first; the first create is refused with an error of the service's own. */
function serviceWith({ headers = {}, postedEvery = Infinity, before = 0 }) {
	const clock = new VirtualClock();
	const posts: JsonObject[] = [];
	let isBusy = true;
	const post = (fields: JsonObject) => {
		const record = {
			...{ id: `post_${posts.length + 1}`, created_at: new Date(clock.now()).toISOString() },
			...fields,
		};
		posts.unshift(record);
		return record;
	};
	for (let count = 0; count < before; count++) post({ title: `Older post ${count}` });
	const answer = ({ method, body, query }: HttpRequest) => {
		if (method === 'POST' && isBusy) {
			isBusy = false;
			return { status: 503, body: { message: 'Busy' } };
		}
		if (method === 'POST') return { status: 201, body: { data: post(JSON.parse(body!)) } };
		const page = Number(query.page ?? 1);
		const data = posts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
		return { status: 200, body: { data, meta: { current_page: page, total: posts.length } } };
	};
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: async (request) => {
			await clock.sleep(LATENCY);
			return {
				headers: { date: new Date(clock.now()).toUTCString(), ...headers },
				...answer(request),
			};
		},
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
			await create(connection, { ...LIST, method: 'POST', body }, DEFAULT_PAGING);
		});
		void othersPost();
		const startedAt = clock.now();
		await clock.run(concurrently(work, 8));
		return (clock.now() - startedAt) / 1000;
	};
	return { posts, seconds };
}

const LIST = {
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
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
