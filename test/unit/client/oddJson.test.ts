import {
	Account,
	change,
	type Connection,
	DEFAULT_PAGING,
	folded,
	type HttpRequest,
	type HttpResponse,
	idOf,
	instantOfIso,
	type JsonObject,
	keyOf,
	looseKeyOf,
	matchKeyOf,
	readCompleteList,
	readData,
	readExisting,
	readList,
	readPage,
	send,
	ServiceError,
	withoutKey,
} from '../../../nodes/LocalSeo/client';
import { ListLedger } from '../../../nodes/LocalSeo/client/create/listLedger';
import { versionsOf } from '../../../nodes/LocalSeo/client/create/versions';
import { factsOf } from '../../../nodes/LocalSeo/client/http/facts';
import { quotaIn, retryAfter } from '../../../nodes/LocalSeo/client/http/limits';
import { deniesSuccess, recordIn } from '../../../nodes/LocalSeo/client/http/records';
import { stepFor } from '../../../nodes/LocalSeo/client/http/rules';
import { beginningOf, wordsOf } from '../../../nodes/LocalSeo/client/http/words';
import { isAheadOf } from '../../../nodes/LocalSeo/client/same/key';
import { createNew, MATCHING, POSTS, serviceOfPosts } from '../../support/creation';
import { oddBodies, oddJson } from '../../support/oddJson';
import { VirtualClock } from '../../support/virtualClock';
import { fc, RUNS, SEED, seededRandom } from '../../support/random';

const KEY = 'seo_live_8kJ2+vQ/x41=z';
const sent = { title: 'Summer offer, all of July', content: 'Two for one.', tags: ['a'] };
const post = { id: 'post_1', created_at: '2026-01-01T00:00:00Z', ...sent };

const LIST = { data: [post, { ...post, id: 'post_2' }], meta: { current_page: 1, total: 2 } };
const ORDINARY = {
	'a list': LIST,
	'a list with more': { ...LIST, links: { next: '/posts?page=2' }, has_more: true },
	'a record': { data: post },
	'a rejection': { message: 'Invalid', errors: [{ field: 'title', message: 'Too long' }] },
	'a rejection by field': { errors: { title: ['Too long'], content: [{ message: 'No' }] } },
	'a rejection in error': { error: { message: 'No', details: [{ loc: ['body', 0], msg: 'No' }] } },
};
const bodies = fc.oneof(...Object.values(ORDINARY).map(oddBodies));
const odd = (value: unknown) => value as never;

/** Each is given what a service may have sent. */
const READERS: Record<string, (value: unknown, other: unknown) => unknown> = {
	idOf,
	instantOfIso: (value) => (typeof value === 'string' ? instantOfIso(value) : undefined),
	deniesSuccess,
	wordsOf,
	beginningOf,
	keyOf: (value) => [keyOf(value), keyOf(value, true)],
	looseKeyOf,
	folded: (value) => (typeof value === 'string' ? folded(value) : undefined),
	isAheadOf: (value) => isAheadOf(value, 0),
	withoutKey: (body) => withoutKey({ status: 200, headers: {}, body }, KEY),
	'withoutKey, headers': (headers) =>
		withoutKey({ status: 200, headers: odd(headers), body: '' }, KEY),
	recordIn: (body) => recordIn({ status: 201, headers: {}, body }),
	matchKeyOf: (title, created_at) =>
		matchKeyOf({ title, created_at }, { fields: ['title', 'created_at', 'toString'] }),
	ListLedger: (one, other) => {
		const records = [one, other, post, { ...post, title: one, publish_at: other }];
		const known = records.filter((record) => typeof record === 'object' && record !== null);
		const list = new ListLedger();
		const entry = {
			...{ matching: MATCHING, key: matchKeyOf(sent, MATCHING), isAhead: true },
			...{ before: versionsOf([one, { id: other }], MATCHING), doubtSince: 0 },
			...{ isOwnError: false, wasResent: false },
		};
		list.done(entry, { id: one, title: other });
		list.done(entry, odd(known[0]));
		const reading = {
			isComplete: true,
			startedAt: 1,
			asOf: 1,
			fresh: new WeakMap(),
			landed: Promise.resolve(),
		};
		return list.judge({ records: known as JsonObject[], ...reading }, entry, 1);
	},
	rules: (body, header) => {
		const names = [
			'retry-after',
			'ratelimit',
			'x-ratelimit-remaining',
			'date',
			'location',
			'server',
		];
		const headers = odd(Object.fromEntries(names.map((name) => [name, header])));
		const address = 'https://seo.example.com/api/v1/locations';
		return [200, 202, 302, 307, 403, 429, 500, 503].map((status) => {
			const response = { status, headers, body, address };
			const steps = (['GET', 'POST', 'PATCH', 'DELETE'] as const).map((method) =>
				stepFor(method, response),
			);
			const facts = factsOf(get, response, 0);
			return [steps, facts, retryAfter(headers, 0), quotaIn(headers, 0)];
		});
	},
};

test.each(Object.keys(READERS))('%s reads whatever comes', (name) => {
	const property = fc.property(fc.oneof(bodies, oddJson), oddJson, (one, other) => {
		READERS[name](one, other);
	});
	fc.assert(property, { numRuns: 3 * RUNS, seed: SEED });
});

const list = {
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};
const get = { ...list, method: 'GET' as const };
const row = { ...list, method: 'POST' as const, body: sent };
const keyword = {
	path: '/keywords/{keywordId}',
	ids: { keywordId: 'kw_1' },
	query: {},
	noun: 'keyword',
};

const CALLS: Record<string, (connection: Connection) => Promise<unknown>> = {
	'a list': async (connection) => await readList(connection, get, DEFAULT_PAGING),
	'a page': async (connection) => await readPage(connection, get, DEFAULT_PAGING, 2),
	'data of any shape': async (connection) => await readData(connection, get, DEFAULT_PAGING),
	'what exists': async (connection) =>
		await readExisting(connection, row, DEFAULT_PAGING, MATCHING),
	'a create': async (connection) => await createNew(connection, row),
	'an update': async (connection) =>
		await change(connection, { ...keyword, method: 'PATCH', body: sent }),
	'a deletion': async (connection) => await change(connection, { ...keyword, method: 'DELETE' }),
};

const ordinary = ({ method }: HttpRequest): HttpResponse => ({
	status: method === 'POST' ? 201 : 200,
	headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
	body: method === 'GET' ? { data: [], meta: { current_page: 1, total: 0 } } : { data: post },
});

/** Requests of a key are answered so, one after the other; then the service is well again. */
const answers = fc.array(
	fc.record({
		status: fc.constantFrom(200, 201, 202, 303, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503),
		headers: fc.oneof(
			fc.constant({}),
			fc.dictionary(
				fc.constantFrom(
					'date',
					'retry-after',
					'ratelimit',
					'x-ratelimit-remaining',
					'location',
					'content-type',
				),
				oddJson,
			),
		),
		body: bodies,
	}),
	{ minLength: 1, maxLength: 8 },
);

describe('whatever a service answers', () => {
	const unheard: unknown[] = [];
	const note = (reason: unknown) => unheard.push(reason);
	beforeAll(() => void process.on('unhandledRejection', note));
	afterAll(() => void process.off('unhandledRejection', note));

	test.each(Object.keys(CALLS))(
		'%s ends in a result or in an error of the client, and the next one works',
		async (name) => {
			const property = fc.asyncProperty(answers, async (drawn) => {
				const clock = new VirtualClock();
				const account = new Account(clock, seededRandom());
				const left = [...drawn];
				const connection: Connection = {
					account,
					patienceMs: 100_000,
					timeoutMs: 10_000,
					transport: async (request) => {
						await clock.sleep(20);
						return withoutKey((left.shift() ?? ordinary(request)) as HttpResponse, KEY);
					},
				};
				const rows = await clock.run(
					Promise.allSettled([1, 2, 3, 4].map(async () => await CALLS[name](connection))),
				);
				const reasons = rows.flatMap((one) =>
					one.status === 'rejected' ? [one.reason as Error] : [],
				);
				expect(
					reasons.filter((one) => !(one instanceof ServiceError) || one.kind === 'other'),
				).toEqual([]);
				expect(account.isIdle).toBe(true);
				left.length = 0;
				const next = { ...keyword, ids: { keywordId: 'kw_2' }, method: 'DELETE' as const };
				const patient = { ...connection, patienceMs: 3_600_000 };
				expect((await clock.run(send(patient, next))).status).toBe(200);
			});
			await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
			expect(unheard).toEqual([]);
		},
	);
});

test('permits come back: the key is of use after more mistakes than may be in flight', async () => {
	const fail = () => {
		throw new TypeError('A mistake of our own');
	};
	/** Stands for whatever no reader was prepared for. */
	const unreadable = new Proxy(
		{},
		{ get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail },
	);
	// Each reading is sent six times.
	const { connection, run } = serviceOfPosts((response, _, count) =>
		count > 120 ? response : { ...response, status: 503, body: unreadable },
	);
	const read = async () =>
		await readCompleteList(connection, { ...POSTS, method: 'GET' }, DEFAULT_PAGING);
	const ends = await run(Promise.allSettled(Array.from({ length: 20 }, read)));
	const reason = { kind: 'other', mayHaveActed: false };
	for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason });
	expect(connection.account.isIdle).toBe(true);
	expect(await run(read())).toEqual([]);
});
