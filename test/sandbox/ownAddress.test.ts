import { startSandbox, type Sandbox } from '../../sandbox';
import { rawRequest } from '../support/rawRequest';

let sandbox: Sandbox;
let port: number;
beforeAll(async () => {
	sandbox = await startSandbox();
	port = Number(new URL(sandbox.origin).port);
});
afterAll(async () => await sandbox.close());

const fault = JSON.stringify({ response: { status: 418 } });
const json = { 'content-type': 'application/json' };

describe('a request for another host is refused', () => {
	test.each([
		'/',
		'/sandbox/state',
		'/sandbox/requests',
		'/sandbox/faults',
		'/api/v1/locations',
		'/x',
	])('%s', async (path) => {
		const headers = { authorization: `Bearer ${sandbox.keys.admin}` };
		for (const host of [
			'evil.example',
			`evil.example:${port}`,
			`127.0.0.1.evil.example:${port}`,
			`127.0.0.1:${port + 1}`,
			'127.0.0.1',
		]) {
			const { status, text } = await rawRequest(port, path, { headers: { ...headers, host } });
			expect([status, text]).toEqual([
				421,
				`This sandbox answers only to http://127.0.0.1:${port}\n`,
			]);
		}
	});
});

test.each(['127.0.0.1', 'localhost'])('a request for %s is answered', async (name) => {
	const { status } = await rawRequest(port, '/', { headers: { host: `${name}:${port}` } });
	expect(status).toBe(200);
});

describe('the controls refuse other websites', () => {
	const requests: Array<[string, string]> = [
		['GET', '/sandbox/state'],
		['GET', '/sandbox/requests'],
		['GET', '/sandbox/events'],
		['POST', '/sandbox/faults'],
		['DELETE', '/sandbox/faults'],
		['PUT', '/sandbox/rate-limit'],
		['POST', '/sandbox/reset'],
		['POST', '/%73andbox/reset'],
	];
	const signs = (): object[] => [
		{ origin: 'https://evil.example' },
		{ origin: 'null' },
		{ origin: `http://127.0.0.1:${port + 1}` },
		{ origin: `https://127.0.0.1:${port}` },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
	];

	test.each(requests)('%s %s', async (method, path) => {
		sandbox.faults.add({ response: { status: 418 } });
		const { list } = sandbox.faults;
		for (const sign of signs()) {
			const headers = { ...json, ...sign };
			const body = method.startsWith('P') ? '{}' : '';
			const { status, text } = await rawRequest(port, path, { method, headers, body });
			expect([status, text]).toEqual([
				403,
				'The controls of the sandbox are not open to other websites.\n',
			]);
		}
		expect(sandbox.faults.list).toEqual(list);
		sandbox.faults.clear();
	});

	test.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
		'a body as %s, which any form can send, is refused',
		async (type) => {
			for (const [method, path] of requests.filter(([name]) => /P/.test(name))) {
				const headers = type === undefined ? {} : { 'content-type': type };
				const { status } = await rawRequest(port, path, { method, headers, body: fault });
				expect(status).toBe(415);
			}
			expect(sandbox.faults.list).toEqual([]);
		},
	);

	test("the sandbox's own page and other programs may use them", async () => {
		for (const sign of [
			{},
			{ origin: sandbox.origin, 'sec-fetch-site': 'same-origin' },
			{ 'sec-fetch-site': 'none' },
		]) {
			const headers = { ...json, ...sign };
			const added = await rawRequest(port, '/sandbox/faults', {
				method: 'POST',
				headers,
				body: fault,
			});
			expect(added.status).toBe(201);
			const reset = await rawRequest(port, '/sandbox/reset', { method: 'POST', headers: sign });
			expect(reset.status).toBe(204);
		}
	});
});
