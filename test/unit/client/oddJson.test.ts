import fc from 'fast-check';

import {
	Account,
	change,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	idOf,
	instantOf,
	isDate,
	keyTextOf,
	matchKeyOf,
	readExisting,
	readList,
	readPage,
	RecordIndex,
	send,
	ServiceError,
	timeOf,
	withoutKey,
} from '../../../nodes/LocalSeo/client';
import { compareNew } from '../../../nodes/LocalSeo/client/same/compareNew';
import { changedItem, createdItem, deletedItem } from '../../../nodes/LocalSeo/client/http/records';
import {
	isNoAnswer,
	retryAfter,
	stepFor,
	quotaIn,
} from '../../../nodes/LocalSeo/client/http/rules';
import { readServiceMessage } from '../../../nodes/LocalSeo/client/http/serviceMessage';
import { readMeta } from '../../../nodes/LocalSeo/client/list/meta';
import { Collection } from '../../../nodes/LocalSeo/client/list/readOnce';
import { compareValues } from '../../../nodes/LocalSeo/client/same/compare';
import { comparable } from '../../../nodes/LocalSeo/client/same/text';
import { oddBodies, oddJson } from '../../support/oddJson';
import { RUNS, SEED } from '../../support/property';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

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
	isDate,
	timeOf,
	instantOf,
	keyTextOf,
	readServiceMessage,
	readMeta: (body) => readMeta(body, {}),
	withoutKey: (body) => withoutKey({ status: 200, headers: {}, body }, KEY),
	'withoutKey, headers': (headers) =>
		withoutKey({ status: 200, headers: odd(headers), body: '' }, KEY),
	createdItem: (body, headers) =>
		createdItem(sent, { status: 201, headers: odd({ location: headers }), body }, row),
	changedItem: (body) => changedItem('post_1', sent, { status: 200, headers: {}, body }),
	deletedItem: (body) => deletedItem('post_1', { status: 200, headers: {}, body }),
	compareValues: (stored, other) => [
		compareValues(stored, other),
		compareValues(stored, sent.title, { isNew: true }),
		compareValues(stored, sent.title, { isSearchTerm: true }),
		compareValues(stored, sent.tags),
	],
	compareNew: (stored, other) => [
		compareNew(odd({ title: stored, created_at: other }), sent),
		compareNew(odd(sent), { title: stored }),
	],
	RecordIndex: (one, other) => {
		const records = [{ id: 'a', title: one, content: other }, post, odd({ title: other })];
		const index = new RecordIndex(records, ['title', 'content'], { dates: ['created_at'] });
		return [sent, { title: one }, { title: 'a', content: other }].map((row) => index.find(row));
	},
	matchKeyOf: (title, created_at) =>
		matchKeyOf({ title, created_at }, ['title', 'created_at', 'toString']),
	comparable: (title) => comparable({ title }),
	Collection: (one, other) => new Collection().add([one, other, { id: one }, { id: other }]),
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
			return [steps, isNoAnswer(response), retryAfter(headers, 0), quotaIn(headers, 0)];
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
	'what exists': async (connection) => await readExisting(connection, row, DEFAULT_PAGING),
	'a create': async (connection) => await create(connection, row, DEFAULT_PAGING),
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
