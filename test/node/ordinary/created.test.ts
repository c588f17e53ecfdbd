import { createPosts, postSheet } from '../../support/sheet';
import { type Fields, type Switches, useBackend } from './backend';
import { IDS, receiptIn, RECEIPTS, WHOLE } from './forms';
import { rowsFor, SAME_ID, saidIn, sentOf } from './rows';

// A create that the service calls a success is done: one POST a row, no list is read after it, and the
// item is the record, or what was sent with all that the service says of it.

const backend = useBackend();

const receipts = RECEIPTS.map((says) => [JSON.stringify(says('ID')) ?? 'nothing', says] as const);
const LOCATIONS: Record<string, (id: string) => string> = {
	'a path': (id) => `/api/v1/posts/${id}`,
	'an address': (id) => `http://backend.example/posts/${id}/`,
	'a relative path': (id) => `posts/${id}?v=1`,
};

const STATUSES = [200, 201, 202];
const product = <A, B>(first: A[], second: B[]) =>
	first.flatMap((a) => second.map((b): [A, B] => [a, b]));
const WAYS = [
	['Create Another One', createPosts, 0],
	['Skip the Row', postSheet, 1],
] as const;

describe.each(WAYS)('%s', (_way, parameters, lists) => {
	test.each(product(STATUSES, Object.keys(WHOLE)))('%i, %s: the record', async (status, name) => {
		const service = backend({ created: (record) => ({ status, body: WHOLE[name](record) }) });
		const { json, ...said } = await service.run(parameters, rowsFor(service));
		expect(json).toEqual(service.records.posts);
		expect([saidIn(said), service.countOf('POST'), service.requests.length]).toEqual([
			...[[], 3, 3 + lists],
		]);
	});

	test.each(
		product(STATUSES, receipts).map(([status, [name, says]]) => [status, name, says] as const),
	)('%i, %s: what was sent, and what came', async (status, _, says) => {
		const created: Switches['created'] = ({ id }) => ({ status, body: says(id) });
		const service = backend({ created });
		const rows = rowsFor(service);
		const { json, ...said } = await service.run(parameters, rows);
		expect([said.error, saidIn(said)]).toEqual([undefined, []]);
		const shown = service.records.posts.map(({ id }) => receiptIn(says(id)));
		expect(json).toMatchObject(rows.map((row, at) => ({ ...sentOf(row), ...shown[at] })));
		expect([service.countOf('POST'), service.requests.length]).toEqual([3, 3 + lists]);
	});

	test.each(product([201, 202], Object.keys(LOCATIONS)))(
		'%i, Location: %s',
		async (status, name) => {
			const service = backend({
				created: ({ id }) => ({ status, headers: { Location: LOCATIONS[name](String(id)) } }),
			});
			const rows = rowsFor(service);
			const { json, ...said } = await service.run(parameters, rows);
			expect(saidIn(said)).toEqual([]);
			const { posts } = service.records;
			expect(json).toEqual(rows.map((row, at) => ({ ...sentOf(row), id: posts[at].id })));
			expect(service.requests).toHaveLength(3 + lists);
		},
	);

	test.each([
		'/login',
		'/',
		'http://backend.example/',
		'/api/v1/locations/loc_1/posts',
		'/api/v1/locations/loc_1/posts/?page=1',
		'/api/v1/jobs/job_7',
		'',
	])('201, Location: %s is no ID', async (Location) => {
		const service = backend({ created: () => ({ status: 201, headers: { Location } }) });
		const rows = rowsFor(service);
		const { json, ...said } = await service.run(parameters, rows);
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual(rows.map(sentOf));
	});

	test('an ID is below the request itself', async () => {
		const created: Switches['created'] = ({ id }, { path }) => ({
			status: 201,
			headers: { Location: `/api/v1${path}/${String(id)}` },
		});
		const service = backend({ created });
		const rows = rowsFor(service);
		const { json } = await service.run(parameters, rows);
		const { posts } = service.records;
		expect(json).toEqual(rows.map((row, at) => ({ ...sentOf(row), id: posts[at].id })));
	});

	test.each(product([201, 202], Object.keys(IDS)))('%i, ID: %s', async (status, name) => {
		const created: Switches['created'] = (data) => ({ status, body: { data } });
		const service = backend({ id: IDS[name], created });
		const { json, ...said } = await service.run(parameters, rowsFor(service));
		expect(json).toEqual(service.records.posts);
		expect(saidIn(said)).toEqual([]);
		expect(service.requests).toHaveLength(3 + lists);
	});
});

/** Express labels every text as HTML: `response.status(201).send('Created')`. */
const LABELS = ['text/plain', 'text/html; charset=utf-8'];
test.each(product([200, 201], LABELS))(
	'%i, Created, as %s: what was sent',
	async (status, type) => {
		const headers = { 'Content-Type': type };
		const service = backend({ created: () => ({ status, body: 'Created', headers }) });
		const rows = rowsFor(service);
		const { json, ...said } = await service.run(createPosts, rows);
		expect([saidIn(said), json]).toEqual([[], rows.map(sentOf)]);
		expect(service.requests).toHaveLength(3);
	},
);

test.each(STATUSES)('%i, JSON:API: its record, as it comes', async (status) => {
	const service = backend({
		created: ({ id, ...attributes }) => ({
			status,
			body: { data: { type: 'posts', id, attributes } },
			headers: { 'Content-Type': 'application/vnd.api+json' },
		}),
	});
	const { json, ...said } = await service.run(createPosts, rowsFor(service));
	expect([saidIn(said), service.requests.length]).toEqual([[], 3]);
	expect(json).toMatchObject(
		service.records.posts.map(({ id, ...attributes }) => ({ id, attributes })),
	);
});

test.each([204, 205])('%i: what was sent', async (status) => {
	const service = backend({ created: () => ({ status }) });
	const rows = rowsFor(service);
	const { json, ...said } = await service.run(createPosts, rows);
	expect(json).toEqual(rows.map(sentOf));
	expect([saidIn(said), service.requests.length]).toEqual([[], 3]);
});

test('a receipt with the status of the job does not replace the status that was sent', async () => {
	const body = { data: { id: 'job_1', status: 'queued' } };
	const service = backend({ created: () => ({ status: 202, body }) });
	const rows = rowsFor(service, 1).map((row) => ({ ...row, publish_at: '2999-01-05T09:00:00Z' }));
	const { json } = await service.run(createPosts, rows);
	expect(json).toMatchObject([{ ...sentOf(rows[0]), status: 'queued' }]);
});

test('303 is a success; the page that it points to is not fetched', async () => {
	const created: Switches['created'] = ({ id }) => ({
		status: 303,
		headers: { Location: `/posts/${String(id)}` },
	});
	const service = backend({ created });
	const rows = rowsFor(service);
	const { json, error } = await service.run(createPosts, rows);
	expect(error).toBeUndefined();
	// The page is about what was done, not where it is.
	expect(json).toEqual(rows.map(sentOf));
	expect(service.requests).toHaveLength(3);
});

describe('IDs come again', () => {
	/** The rows of two executions, with something done to the account between them. */
	async function twice(between: (posts: Fields[]) => void) {
		const service = backend({ id: (_number, _kind, records) => ({ id: nextOf(records) }) });
		const first = await service.run(postSheet, rowsFor(service));
		between(service.account.list('posts', service.location()));
		const second = await service.run(postSheet, rowsFor(service, 3, 'Event'));
		return { service, first, second };
	}
	const nextOf = (records: Fields[]) =>
		1 + records.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);

	test.each<[string, (posts: Fields[]) => void]>([
		['the last row was deleted (SQLite)', (posts) => posts.pop()],
		['the service was reset', (posts) => posts.splice(0)],
		['a backup was restored', (posts) => posts.splice(1)],
	])('%s', async (_, between) => {
		const { service, first, second } = await twice(between);
		expect([...saidIn(first), ...saidIn(second)]).toEqual([]);
		expect(second.json).toEqual(service.records.posts.slice(-3));
		expect([service.countOf('POST'), service.requests.length]).toEqual([6, 8]);
	});

	test.each([1, '1', 'post_1'])('each post is given the ID %p: a hint says so', async (id) => {
		const service = backend({ id: (_, kind) => (kind === 'posts' ? { id } : {}) });
		const { json, hints, error } = await service.run(createPosts, rowsFor(service));
		expect([json, error]).toEqual([service.records.posts, undefined]);
		expect(hints.join().match(SAME_ID)?.[1]).toBe('3');
		expect(service.requests).toHaveLength(3);
	});
});

describe.each([200, 201])('a POST of what is there returns it (%d)', (status) => {
	const idempotent = (): ReturnType<typeof backend> => {
		const service = backend({
			instead: ({ method, fields }) => {
				const there = service.records.posts.find(({ title }) => title === fields.title);
				return method === 'POST' && there ? { status, body: { data: there } } : undefined;
			},
		});
		return service;
	};

	test('the same rows again', async () => {
		const service = idempotent();
		const rows = rowsFor(service);
		const first = await service.run(createPosts, rows);
		const second = await service.run(createPosts, rows);
		expect(second.json).toEqual(first.json);
		expect([...saidIn(first), ...saidIn(second)]).toEqual([]);
		expect(service.requests).toHaveLength(6);
	});

	test('twice the same row', async () => {
		const service = idempotent();
		const [row] = rowsFor(service, 1);
		const { json, hints, error } = await service.run(createPosts, [row, row]);
		expect(error).toBeUndefined();
		expect(json).toEqual([service.records.posts[0], service.records.posts[0]]);
		expect(hints.join().match(SAME_ID)?.[1]).toBe('2');
		expect(service.requests).toHaveLength(2);
	});
});

test('what is due tomorrow is sent, although the clock of the service is three days ahead', async () => {
	const service = backend({ offset: 3 * 86_400_000 });
	const [first, second] = rowsFor(service);
	await service.run(createPosts, [first]); // shows the clock
	const publish_at = new Date(Date.now() + 86_400_000).toISOString();
	const { error } = await service.run(createPosts, [{ ...second, publish_at }]);
	expect(error).toBeUndefined();
	expect(service.countOf('POST')).toBe(2);
});
