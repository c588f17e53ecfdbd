import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { CONTRACT_FILE, withFormats } from '../../sandbox/contract';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	sandbox.setRateLimit();
});
afterAll(async () => await sandbox.close());

type Scope = 'read' | 'write' | 'admin';

async function ask(
	method: string,
	path: string,
	{ scope = 'write' as Scope, body = undefined as unknown, key = '' } = {},
) {
	const response = await fetch(`${sandbox.baseUrl}${path}`, {
		method,
		redirect: 'manual',
		headers: {
			Authorization: `Bearer ${key || sandbox.keys[scope]}`,
			'Content-Type': 'application/json',
		},
		body: body === undefined || typeof body === 'string' ? (body as string) : JSON.stringify(body),
	});
	const text = await response.text();
	const json = text.startsWith('{')
		? (JSON.parse(text) as { data: never; meta: object; message: string; errors: object })
		: undefined;
	return { status: response.status, headers: response.headers, text, json };
}

const first = () => sandbox.account.locations[0].id;
const posts = () => `/locations/${first()}/posts`;
const newPost = { title: 'Open on Sunday', content: 'From 8 to 12.' };

describe('the interface', () => {
	const definition = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document;

	test('is described in valid OpenAPI 3.1', async () => {
		expect(definition.openapi).toMatch(/^3\.1/);
		const api = new OpenAPIBackend({ definition, strict: true, customizeAjv: withFormats });
		await expect(api.init()).resolves.toBeDefined();
	});

	test('has the eleven endpoints of the specification, and no others', () => {
		const endpoints = Object.entries(definition.paths ?? {}).flatMap(([path, item]) =>
			Object.keys(item ?? {})
				.filter((key) => ['get', 'post', 'patch', 'put', 'delete'].includes(key))
				.map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '{id}')}`),
		);
		expect(endpoints.sort()).toEqual(
			[
				'GET /api/v1/locations',
				'GET /api/v1/locations/{id}',
				'POST /api/v1/locations',
				'PATCH /api/v1/locations/{id}',
				'GET /api/v1/locations/{id}/keywords',
				'POST /api/v1/locations/{id}/keywords',
				'DELETE /api/v1/keywords/{id}',
				'GET /api/v1/keywords/{id}/scans',
				'GET /api/v1/locations/{id}/posts',
				'POST /api/v1/locations/{id}/posts',
				'GET /api/v1/locations/{id}/insights',
			].sort(),
		);
	});
});

describe('keys', () => {
	test.each([
		['read', 'GET', '/locations', undefined, 200],
		['read', 'POST', '/locations', { name: 'A' }, 403],
		['write', 'GET', '/locations', undefined, 200],
		['write', 'POST', '/locations', { name: 'A' }, 201],
		['admin', 'POST', '/locations', { name: 'A' }, 201],
	])('scope %s, %s %s: %i', async (scope, method, path, body, status) => {
		expect((await ask(method, path, { scope: scope as Scope, body })).status).toBe(status);
	});

	test('an unknown key is refused', async () => {
		expect((await ask('GET', '/locations', { key: 'sk_wrong' })).status).toBe(401);
	});

	test('are not recorded', async () => {
		await ask('GET', '/locations');
		expect(JSON.stringify(sandbox.requests)).not.toContain(sandbox.keys.write);
	});
});

describe('pages', () => {
	test.each([
		['', 15, 1],
		['?page=2', 15, 2],
		['?page=5', 4, 5],
		['?page=6', 0, 6],
		['?per_page=50&page=2', 14, 2],
	])('/locations%s holds %i records', async (query, count, page) => {
		const { json } = await ask('GET', `/locations${query}`);
		expect(json?.data).toHaveLength(count);
		expect(json?.meta).toMatchObject({ current_page: page, total: 64 });
	});

	test.each(['?page=0', '?page=one', '?per_page=0', '?per_page=101'])(
		'%s is refused',
		async (query) => {
			expect((await ask('GET', `/locations${query}`)).status).toBe(422);
		},
	);
});

describe('bad requests', () => {
	test.each([
		['a body that is no JSON', 'POST', () => posts(), '{"title"', 400],
		['a body without what is needed', 'POST', () => posts(), { title: 'A' }, 422],
		['an empty update', 'PATCH', () => `/locations/${first()}`, {}, 422],
		['an unknown location', 'POST', () => '/locations/loc_nowhere/posts', newPost, 404],
		['an unknown keyword', 'DELETE', () => '/keywords/kw_nowhere', undefined, 404],
		['an unknown path', 'GET', () => '/reports', undefined, 404],
	])('%s: %#', async (_, method, path, body, status) => {
		const response = await ask(method, path(), { body });
		expect(response.status).toBe(status);
		expect(response.json?.message).toMatch(/\w/);
	});
});

describe('sample data', () => {
	test('is the same at every start, and enough', async () => {
		const now = () => new Date('2026-06-01T08:00:00Z');
		const [one, two] = [await startSandbox({ now }), await startSandbox({ now })];
		const everything = ({ account }: Sandbox) =>
			account.locations
				.slice(0, 5)
				.map(({ id }) => [
					account.keywordsOf(id).map((keyword) => [keyword, account.scansOf(keyword.id)]),
					account.postsOf(id),
					account.insightOf(id),
				]);
		expect(one.account.locations).toEqual(two.account.locations);
		expect(everything(one)).toEqual(everything(two));
		expect(one.account.locations.length).toBeGreaterThanOrEqual(60);
		expect(new Set(one.account.locations.map(({ country }) => country)).size).toBeGreaterThan(4);
		await one.close();
		await two.close();
	});

	test('what was created is listed, and gone after a reset', async () => {
		const before = sandbox.account.postsOf(first()).length;
		const { json } = await ask('POST', posts(), { body: { ...newPost, mood: 'sunny' } });
		expect(json?.data).toMatchObject({ ...newPost, mood: 'sunny', location_id: first() });
		expect(sandbox.account.postsOf(first())).toHaveLength(before + 1);
		sandbox.reset();
		expect(sandbox.account.postsOf(first())).toHaveLength(before);
	});

	test('no ID is used twice, neither after a reset nor by another sandbox', async () => {
		const create = async () =>
			(await ask('POST', posts(), { body: newPost })).json?.data as unknown as { id: string };
		const ids = [(await create()).id];
		sandbox.reset();
		ids.push((await create()).id);
		await sandbox.close();
		sandbox = await startSandbox();
		ids.push((await create()).id);
		expect(new Set(ids).size).toBe(3);
	});
});

test('a key above the rate limit is refused, with the time to wait', async () => {
	sandbox.setRateLimit(2);
	const responses = await Promise.all(
		Array.from({ length: 12 }, async () => await ask('GET', '/locations')),
	);
	const refused = responses.filter(({ status }) => status === 429);
	expect(refused.length).toBeGreaterThan(0);
	expect(Number(refused[0].headers.get('retry-after'))).toBeGreaterThan(0);
	expect(refused[0].headers.get('x-ratelimit-limit')).toBe('2');
	expect((await ask('GET', '/locations', { scope: 'read' })).status).toBe(200);
});

describe('faults', () => {
	const created = () =>
		sandbox.account.postsOf(first()).filter(({ title }) => title === newPost.title).length;
	const post = async () => await ask('POST', posts(), { body: newPost });

	test.each([
		['a status of its own', { response: { status: 503, body: { message: 'x' } } }, 503, 0],
		['the same after acting', { actFirst: true, response: { status: 503 } }, 503, 1],
		['HTML', { response: { status: 502, body: '<html>' } }, 502, 0],
		['an empty success', { actFirst: true, response: { status: 200 } }, 200, 1],
		[
			'a redirect',
			{ response: { status: 302, headers: { location: 'http://127.0.0.1:9' } } },
			302,
			0,
		],
		['a delay', { delayMs: 20 }, 201, 1],
	] satisfies Array<[string, Fault, number, number]>)('%s', async (_, fault, status, posted) => {
		sandbox.faults.add({ ...fault, times: 1 });
		expect((await post()).status).toBe(status);
		expect(created()).toBe(posted);
		expect((await post()).status).toBe(201);
	});

	test('can be set from another process', async () => {
		const address = `${sandbox.origin}/sandbox/faults`;
		await fetch(address, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ response: { status: 418 } }),
		});
		expect((await ask('GET', '/locations')).status).toBe(418);
		await fetch(address, { method: 'DELETE' });
		expect((await ask('GET', '/locations')).status).toBe(200);
	});
});

describe('as other services do it', () => {
	const turn = async (habits: object) =>
		await fetch(`${sandbox.origin}/sandbox/habits`, {
			method: 'PUT',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(habits),
		});
	const listed = async () =>
		((await ask('GET', `${posts()}?per_page=100`)).json as { data: Array<{ title: string }> }).data
			.map(({ title }) => title)
			.includes(newPost.title);
	const isCreated = () =>
		sandbox.account.postsOf(first()).some(({ title }) => title === newPost.title);

	test('a create is accepted with an ID', async () => {
		await turn({ answers202: true });
		const { status, json } = await ask('POST', posts(), { body: newPost });
		expect([status, json]).toEqual([202, { data: { id: expect.any(String), status: 'queued' } }]);
		expect(isCreated()).toBe(true);
	});

	test('a create is answered without a body', async () => {
		await turn({ withoutBody: true });
		const { status, text } = await ask('POST', posts(), { body: newPost });
		expect([status, text, isCreated()]).toEqual([201, '', true]);
		expect((await ask('POST', posts(), { body: {} })).json?.message).toMatch(/required/);
	});

	test('what is created has yet to be approved', async () => {
		await turn({ hidesDrafts: true });
		await ask('POST', posts(), { body: newPost });
		expect([isCreated(), await listed()]).toEqual([true, false]);
		await turn({ hidesDrafts: false });
		expect(await listed()).toBe(true);
	});

	test('all of it ends with a reset', async () => {
		await turn({ answers202: true, withoutBody: true, unknown: true });
		sandbox.reset();
		expect(sandbox.habits).toEqual({ answers202: false, withoutBody: false, hidesDrafts: false });
		expect((await ask('POST', posts(), { body: newPost })).status).toBe(201);
	});
});
