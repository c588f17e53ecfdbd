import { startSandbox, type Sandbox } from '../../dev/sandbox';
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

test.each(['/', '/sandbox/state', '/api/v1/locations', '/x'])(
	'a request for another host is refused: %s',
	async (path) => {
		const hosts = ['evil.example', `127.0.0.1.evil.example:${port}`, `127.0.0.1:${port + 1}`];
		for (const host of [...hosts, `evil.example:${port}`, '127.0.0.1']) {
			const headers = { authorization: `Bearer ${sandbox.keys.admin}`, host };
			expect((await rawRequest(port, path, { headers })).status).toBe(421);
		}
	},
);

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
		for (const sign of signs()) {
			const headers = { ...json, ...sign };
			const body = method.startsWith('P') ? '{}' : '';
			expect((await rawRequest(port, path, { method, headers, body })).status).toBe(403);
		}
		expect(sandbox.faults.list).toEqual([]);
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
			const added = { method: 'POST', headers: { ...json, ...sign }, body: fault };
			expect((await rawRequest(port, '/sandbox/faults', added)).status).toBe(201);
			const reset = { method: 'POST', headers: sign };
			expect((await rawRequest(port, '/sandbox/reset', reset)).status).toBe(204);
		}
	});
});
