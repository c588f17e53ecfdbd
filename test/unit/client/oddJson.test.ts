import {
	change,
	type Connection,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	readData,
	readExisting,
	readList,
	readPage,
	send,
	ServiceError,
	type Transport,
	withoutKey,
} from '../../../nodes/LocalSeo/client';
import { connectionTo } from '../../support/accountTransport';
import { createNew, POSTS } from '../../support/creation';
import { oddBodies, oddJson } from '../../support/oddJson';
import { VirtualClock } from '../../support/virtualClock';
import { fc } from '../../support/random';

// Whatever is answered ends soon, in a result or an error of the client, and the next request works.

const KEY = 'seo_live_8kJ2+vQ/x41=z';
const sent = { title: 'Summer offer, all of July', content: 'Two for one.', tags: ['a'] };
const post = { id: 'post_1', created_at: '2026-01-01T00:00:00Z', ...sent };
const LIST = { data: [post, { ...post, id: 'post_2' }], meta: { current_page: 1, total: 2 } };

const get = { ...POSTS, method: 'GET' as const };
const row = { ...POSTS, method: 'POST' as const, body: sent };
const keyword = { ...POSTS, path: '/keywords/{keywordId}', ids: { keywordId: 'kw_1' } };
const deletion = { ...keyword, method: 'DELETE' as const };

const CALLS: Record<string, (connection: Connection) => Promise<unknown>> = {
	'a list': async (to) => await readList(to, get, DEFAULT_PAGING),
	'a page': async (to) => await readPage(to, get, DEFAULT_PAGING, 2),
	'data of any shape': async (to) => await readData(to, get, DEFAULT_PAGING),
	'what exists': async (to) => await readExisting(to, row, DEFAULT_PAGING),
	'a create': async (to) => await createNew(to, row),
	'an update': async (to) => await change(to, { ...keyword, method: 'PATCH', body: sent }, 0),
	'a deletion': async (to) => await change(to, deletion, 0),
};

const ordinary = ({ method }: HttpRequest): HttpResponse => ({
	status: method === 'POST' ? 201 : 200,
	headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
	body: method === 'GET' ? { data: [], meta: { current_page: 1, total: 0 } } : { data: post },
});

/** Makes calls of a service that answers so, one after the other, and then is well again. */
async function check(name: string, calls: number, answers: HttpResponse[], patienceMs = 100_000) {
	const clock = new VirtualClock();
	const left = [...answers];
	const transport: Transport = async (request) => {
		await clock.sleep(20);
		return withoutKey(left.shift() ?? ordinary(request), KEY);
	};
	const connection = { ...connectionTo(transport, clock, patienceMs), timeoutMs: 10_000 };
	const all = Array.from({ length: calls }, async () => await CALLS[name](connection));
	const ends = await clock.run(Promise.allSettled(all));
	const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
	const odd = reasons.filter((one) => !(one instanceof ServiceError) || one.kind === 'other');
	expect(odd).toEqual([]);
	expect(connection.account.isIdle).toBe(true);
	left.length = 0;
	const next = send({ ...connection, patienceMs: 3_600_000 }, deletion);
	expect((await clock.run(next)).status).toBe(200);
}

const unheard: unknown[] = [];
const note = (reason: unknown) => unheard.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(() => expect(unheard).toEqual([]));

/** Ordinary bodies, of which some values are odd. */
const bodies = fc.oneof(
	...[
		LIST,
		{ ...LIST, links: { next: '/posts?page=2' }, has_more: true },
		{ data: post },
		{ message: 'Invalid', errors: [{ field: 'title', message: 'Too long' }] },
		{ errors: { title: ['Too long'], content: [{ message: 'No' }] } },
		{ error: { message: 'No', details: [{ loc: ['body', 0], msg: 'No' }] } },
	].map(oddBodies),
);
const names = ['date', 'retry-after', 'ratelimit', 'x-ratelimit-remaining', 'location', 'server'];
const drawn = fc.record({
	status: fc.constantFrom(200, 201, 202, 303, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503),
	headers: fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...names), oddJson)),
	body: bodies,
});

test.each(Object.keys(CALLS))('%s, with whatever JSON', async (name) => {
	const answers = fc.array(drawn, { minLength: 1, maxLength: 8 });
	const property = fc.asyncProperty(answers, async (all) => {
		await check(name, 4, all as HttpResponse[]);
	});
	await fc.assert(property, { endOnFailure: true });
});

const times = (text: string) => text.repeat(Math.ceil(2 ** 20 / text.length));
const many = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, i) => make(i));
const nested = (open: string, close: string) =>
	JSON.parse(`${open.repeat(1e5)}1${close.repeat(1e5)}`) as unknown;
const errors = many(50_000, (i) => ({ field: `f${i}`, message: 'no' }));

/** Bodies of about a megabyte, of the kinds that make a reader slow or end its stack. */
const LARGE: Record<string, () => unknown> = {
	'a title that does not end': () => times('<title '),
	'tags that do not end': () => times('<a href="'),
	backslashes: () => times('\\'),
	entities: () => times('&#x41;&amp;'),
	'almost the key': () => times(KEY.slice(0, -1)),
	'100,000 levels': () => nested('{"data":', '}'),
	'100,000 lists in each other': () => nested('[', ']'),
	'50,000 records': () => ({ data: many(50_000, (i) => ({ id: i })), meta: { total: 50_000 } }),
	'50,000 records with one ID': () => ({ data: many(50_000, () => ({ id: 'a' })) }),
	'50,000 errors': () => ({ errors }),
	'50,000 errors by field': () => ({ errors: Object.fromEntries(errors.map((e) => [e.field, e])) }),
	'a message of a megabyte': () => ({ message: times('no ') }),
	'records with texts of a megabyte': () => ({ data: [{ id: 1, title: times('&amp;<b>') }] }),
};

// Read in quadratic time, one of these would outlast jest's timeout by far.
test.each(Object.keys(LARGE))('a megabyte: %s', async (name) => {
	const body = LARGE[name]();
	for (const status of [200, 422]) {
		const answer = { status, headers: {}, body };
		for (const call of ['a list', 'data of any shape', 'an update'])
			await check(call, 1, [answer], 0);
		// The list is read before.
		await check('a create', 1, [ordinary({ method: 'GET' } as HttpRequest), answer], 0);
	}
});
