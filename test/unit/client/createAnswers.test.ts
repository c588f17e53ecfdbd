import { create, type HttpFault, type HttpResponse } from '../../../nodes/LocalSeo/client';
import { createNew, postOf, serviceOfPosts, UNREAD } from '../../support/creation';

// What a service answers to a create decides whether it is done, refused, or looked for: never more
// than one post, and none that is called refused although it is there.

const sent = { title: 'Summer offer', content: 'All of July' };
const row = postOf(sent);

/** A service that makes the post, and answers the first create so. */
const madeBut = (answer: HttpFault | Partial<HttpResponse>) => {
	let isFirst = true;
	return serviceOfPosts((response, { method }) => {
		if (method !== 'POST' || !isFirst) return response;
		isFirst = false;
		return 'fault' in answer ? answer : { ...response, ...answer };
	});
};

/** A service that refuses the first create so, without making anything. */
const notMadeBut = (status: number, body: unknown) =>
	serviceOfPosts(undefined, {
		instead: ({ method, earlier }) =>
			method === 'POST' && earlier === 0 ? { status, body } : undefined,
	});

test('a 503 without Retry-After, as of a gateway whose backend runs on, is looked for until 95 s', async () => {
	const busy = { status: 503, body: { message: 'Service Unavailable' } };
	const made = madeBut(busy);
	await expect(made.run(createNew(made.connection, row))).resolves.toMatchObject(sent);
	expect(made.posts).toHaveLength(1);

	// The function behind the gateway ends a minute after it: a second post would be one too many.
	const late = serviceOfPosts(undefined, {
		instead: ({ method, earlier }) => (method === 'POST' && earlier === 0 ? busy : undefined),
	});
	const work = createNew(late.connection, row);
	void late.clock.sleep(70_000).then(() => late.service.add('posts', sent, 'loc_1'));
	await expect(late.run(work)).resolves.toMatchObject(sent);
	expect(late.posts).toHaveLength(1);

	const notMade = notMadeBut(503, busy.body);
	const startedAt = notMade.clock.now();
	await notMade.run(createNew(notMade.connection, row));
	expect(notMade.posts).toHaveLength(1);
	expect(notMade.clock.now() - startedAt).toBeGreaterThanOrEqual(95_000);
});

test('a mistake of ours after sending is looked for: the post is found, and not called refused', async () => {
	const service = madeBut({ fault: 'other', cause: new TypeError('A mistake of our own') });
	await expect(service.run(createNew(service.connection, row))).resolves.toMatchObject(sent);
	expect(service.posts).toHaveLength(1);
	const unread = madeBut({ fault: 'other', cause: new TypeError('A mistake of our own') });
	await expect(unread.run(create(unread.connection, row, UNREAD))).rejects.toMatchObject({
		kind: 'unconfirmed',
		mayHaveActed: true,
	});
	expect(unread.posts).toHaveLength(1);
});

test.each<[string, HttpFault | Partial<HttpResponse>]>([
	['522, which comes after a connection was made', { status: 522, body: '' }],
	['a failure of TLS', { fault: 'connection-lost', cause: new Error('EPROTO') }],
])('%s: the post is looked for, and not sent again', async (_, answer) => {
	const service = madeBut(answer);
	await expect(service.run(createNew(service.connection, row))).resolves.toMatchObject(sent);
	expect(service.posts).toHaveLength(1);
	expect(service.methods).toEqual(['GET', 'POST', 'GET']);
});

test.each([409, 422])(
	'after a fault, %i to the second sending may be said of what the first one made: not a refusal',
	async (status) => {
		const service = serviceOfPosts(undefined, {
			instead: ({ method, earlier }) =>
				method === 'POST'
					? { status: earlier === 0 ? 502 : status, body: { message: 'Title is taken' } }
					: undefined,
		});
		await expect(service.run(createNew(service.connection, row))).rejects.toMatchObject({
			...{ kind: 'unconfirmed', status, mayHaveActed: true },
		});
		expect(service.methods.filter((method) => method === 'POST')).toHaveLength(2);
	},
);

test.each([409, 422])('%i to the first sending is a refusal', async (status) => {
	const service = notMadeBut(status, { message: 'Title is taken' });
	await expect(service.run(createNew(service.connection, row))).rejects.toMatchObject({
		...{ kind: 'rejected', status, mayHaveActed: false },
		facts: { said: { text: 'Title is taken' } },
	});
});

test.each([
	{ success: false, data: [] },
	{ success: false, message: 'The quota is used up' },
	{ error: 'The quota is used up' },
	{ errors: { title: ['Too long'] }, data: null },
])('200 without data that reports a failure is a refusal, sent once: %j', async (body) => {
	const service = notMadeBut(200, body);
	await expect(service.run(createNew(service.connection, row))).rejects.toMatchObject({
		...{ kind: 'rejected', status: 200, mayHaveActed: false },
	});
	expect(service.methods).toEqual(['GET', 'POST']);
	expect(service.posts).toEqual([]);
});

test.each([
	{ status: 'failed' },
	{ errors: ['The image is too small'] },
	{ error: 'The image is too small' },
	{ code: 45_012 },
	{ success: false },
])('a record that came back is created, whatever its own fields say: %j', async (own) => {
	const service = serviceOfPosts(undefined, {
		created: (record) => ({ status: 201, body: { data: { ...record, ...own } } }),
	});
	const record = await service.run(createNew(service.connection, row));
	expect(record).toEqual({ ...service.posts[0], ...own });
	expect(service.posts).toHaveLength(1);
	expect(service.methods).toEqual(['GET', 'POST']);
});
