import { createServer, type Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';

import { runNode } from '../../support/engine';
import { byId, columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Call, type Service, type Switches, useBackend } from './backend';
import { READS_OF_NEW_ACCOUNT, rowsFor, saidIn, sentOf } from './rows';

// What frameworks and gateways do on the way, without any fault.

const backend = useBackend();

describe('redirects on the same origin', () => {
	/** Django's APPEND_SLASH and its kin: every path ends with a slash. */
	const withSlash = (status: number, location: (call: Call, base: string) => string) => {
		const service: Service = backend({
			instead: (call) => {
				if (call.path.endsWith('/')) return undefined;
				return { status, headers: { Location: location(call, service.credential.baseUrl) } };
			},
		});
		return service;
	};
	const withQuery = ({ path, query }: Call) =>
		`${path}/?${new URLSearchParams(query as Record<string, string>)}`.replace(/\?$/, '');
	const absolute = (call: Call, base: string) => `${base}${withQuery(call)}`;
	const relative = (call: Call, base: string) => `${new URL(base).pathname}${withQuery(call)}`;
	const list = { resource: 'post', operation: 'getAll', returnAll: true };

	test.each(
		[301, 302, 307, 308].flatMap((status) => [absolute, relative].map((to) => [status, to])),
	)('%p %p: a list', async (status, to) => {
		const service = withSlash(status as number, to as typeof absolute);
		const posts = service.addPosts(20);
		const { locationId } = postSheet;
		const { json, ...said } = await service.run({ ...list, locationId }, rowsFor(service, 1));
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual(posts);
	});

	test.each([307, 308])('%i: a create, an update, a deletion', async (status) => {
		const service = withSlash(status, relative);
		const { json, error } = await service.run(createPosts, rowsFor(service));
		expect([json, error]).toEqual([service.records.posts, undefined]);
		const location = { resource: 'location', operation: 'update' };
		const update = { ...location, locationId: byId(service.location()) };
		const fields = columns({ city: 'York' });
		const updated = await service.run({ ...update, fields });
		expect(updated.json).toEqual([service.records.locations[0]]);
		const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
		const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(id) };
		expect((await service.run(remove)).json).toEqual([{ id, deleted: true }]);
		expect(service.records.keywords).toEqual([]);
		// Each of the five twice, and what shows the fields.
		expect(service.writes).toHaveLength(10);
		expect(service.requests).toHaveLength(10 + 2 * (READS_OF_NEW_ACCOUNT + 1));
	});

	test.each([301, 302])('%i: a create is refused, and told apart from a fault', async (status) => {
		const service = withSlash(status, relative);
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expect(`${error?.message} ${error?.description}`).toMatch(/redirect.*Base URL/is);
		expect(service.requests).toHaveLength(1 + 2 * READS_OF_NEW_ACCOUNT);
	});

	test.each([301, 307, 308])('%i to another origin: the key stays here', async (status) => {
		const other = backend();
		const elsewhere = other.credential.baseUrl.replace('127.0.0.1', 'localhost');
		const service = backend({
			instead: ({ path }) => ({ status, headers: { Location: `${elsewhere}${path}` } }),
		});
		for (const parameters of [createPosts, postSheet]) {
			const { error } = await service.run(parameters, rowsFor(service, 1));
			expect(`${error?.message} ${error?.description}`).toMatch(/redirect/i);
		}
		expect(other.requests).toEqual([]);
	});

	test('a login in the address does not take the place of the key', async () => {
		const service = withSlash(307, (call, base) =>
			absolute(call, base).replace('//', '//user:pw@'),
		);
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expect(error).toBeUndefined();
		const keys = service.calls.map(({ headers }) => headers?.authorization);
		// Each request twice.
		expect(keys).toEqual(
			Array(2 * (1 + READS_OF_NEW_ACCOUNT)).fill(`Bearer ${service.credential.apiKey}`),
		);
	});

	test('a circle comes to an end', async () => {
		const service: Service = backend({
			instead: ({ path }) => ({
				status: 307,
				headers: { Location: `${service.credential.baseUrl}${path}` },
			}),
		});
		const { error } = await service.run(postSheet, rowsFor(service, 1));
		expect(error?.message).toMatch(/redirect/i);
		expect(service.requests.length).toBeLessThan(25);
	});
});

/** How the same bodies are sent. */
const FORMS: Record<string, (json: string) => Answer> = {
	'application/json; charset=utf-8': (body) => typed(body, 'application/json; charset=utf-8'),
	'application/vnd.api+json': (body) => typed(body, 'application/vnd.api+json'),
	'application/hal+json': (body) => typed(body, 'application/hal+json'),
	'text/json': (body) => typed(body, 'text/json'),
	'text/plain': (body) => typed(body, 'text/plain; charset=UTF-8'),
	'text/html (PHP)': (body) => typed(body, 'text/html; charset=UTF-8'),
	'application/octet-stream': (body) => typed(body, 'application/octet-stream'),
	'no type': (body) => typed(body, ''),
	'a byte order mark': (body) => ({ body: `\uFEFF${body}` }),
	'white space around': (body) => ({ body: `\r\n\n  ${body}\n\n` }),
	pretty: (body) => ({ body: JSON.stringify(JSON.parse(body), null, 4) }),
	gzip: (body) => packed(gzipSync(body), 'gzip'),
	deflate: (body) => packed(deflateSync(body), 'deflate'),
	br: (body) => packed(brotliCompressSync(body), 'br'),
	'close after each': (body) => ({ body, headers: { Connection: 'close' } }),
};
const typed = (body: string, type: string): Answer => ({ body, headers: { 'Content-Type': type } });
const packed = (body: Buffer, encoding: string): Answer => ({
	body,
	headers: { 'Content-Encoding': encoding },
});

test.each(Object.keys(FORMS))('%s', async (name) => {
	const send = FORMS[name];
	const created: Switches['created'] = (data) => ({
		...send(JSON.stringify({ data })),
		status: 201,
	});
	const service = backend({
		created,
		updated: (data) => send(JSON.stringify({ data })),
		page: ({ data }) => send(JSON.stringify({ data, meta: { total: data.length } })),
	});
	const [old] = service.addPosts(1);
	const { json, ...said } = await service.run(postSheet, rowsFor(service));
	expect(saidIn(said)).toEqual([]);
	expect(json).toEqual(service.records.posts.slice(1));
	expect(service.records.posts[0]).toBe(old);
	expect(service.requests).toHaveLength(4);
	const update = { resource: 'location', operation: 'update' };
	const fields = columns({ city: 'Zürich 🏔' });
	const parameters = { ...update, fields, locationId: byId(service.location()) };
	expect((await service.run(parameters)).json).toEqual([service.records.locations[0]]);
});

test('Fastify with its defaults: creates, an update, a deletion', async () => {
	const server = Fastify();
	const post = { id: 'post_1', title: 'A', content: 'B' };
	const requests: string[] = [];
	server.addHook('onRequest', async ({ method }) => void requests.push(method));
	server.post(
		'/api/v1/locations/:id/posts',
		async (_, reply) => await reply.code(201).send({ data: post }),
	);
	server.get('/api/v1/locations', async () => ({ data: [] }));
	server.patch('/api/v1/locations/:id', async () => ({ data: { id: 'loc_1', city: 'York' } }));
	server.delete('/api/v1/keywords/:id', async (_, reply) => await reply.code(204).send());
	const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
	const run = async (parameters: Parameters<typeof runNode>[0]['parameters']) =>
		await runNode({
			credential: { baseUrl, apiKey: 'key-for-fastify' },
			parameters,
			rows: [{ location_id: 'loc_1', title: 'A', content: 'B' }],
		});
	try {
		const created = await run(createPosts);
		const item = { ...post, goes_live: 'at once', outcome: 'created' };
		expect([created.json, created.error]).toEqual([[item], undefined]);
		const location = { resource: 'location', operation: 'update', locationId: byId('loc_1') };
		const updated = await run({ ...location, fields: columns({ city: 'York' }) });
		expect(updated.json).toEqual([{ id: 'loc_1', city: 'York', outcome: 'updated' }]);
		const remove = { resource: 'keyword', operation: 'delete', keywordId: byId('kw_1') };
		expect((await run(remove)).json).toEqual([{ id: 'kw_1', deleted: true, outcome: 'deleted' }]);
		expect(requests).toEqual(['GET', 'GET', 'POST', 'GET', 'PATCH', 'DELETE']);
	} finally {
		await server.close();
	}
});

describe('a server that speaks HTTP/1.0', () => {
	let server: Server;
	let posts = 0;
	const record = { id: 'post_1', title: 'A', content: 'B' };
	beforeAll(async () => {
		server = createServer((socket) => {
			socket.once('data', (request) => {
				const isRead = request.toString().startsWith('GET');
				if (!isRead) posts++;
				const body = JSON.stringify({ data: isRead ? [record] : record });
				socket.end(
					`HTTP/1.0 ${isRead ? '200 OK' : '201 Created'}\r\nContent-Type: application/json\r\n\r\n${body}`,
				);
			});
			socket.on('error', () => {});
		});
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	});
	afterAll(() => server.close());

	test('creates', async () => {
		const { port } = server.address() as { port: number };
		const credential = { baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: 'key-for-http-1.0' };
		const rows = [
			{ location_id: 'loc_1', ...sentOf({ location_id: '', title: 'A', content: 'B' }) },
		];
		const { json, error } = await runNode({ credential, parameters: createPosts, rows });
		const item = { ...record, goes_live: 'at once', outcome: 'created' };
		expect([json, error, posts]).toEqual([[item], undefined, 1]);
	});
});
