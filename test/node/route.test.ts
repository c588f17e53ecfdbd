import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { columns, useSandbox } from '../support/fixture';

const service = useSandbox({ locations: 3 });

/** Whatever arrives at a machine that the key is not for. */
const overheard: string[] = [];
let proxy: Server;
let proxyUrl: string;
beforeEach(async () => {
	overheard.length = 0;
	proxy = createServer((request, response) => {
		overheard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		response.end('{"data":[]}');
	});
	proxy.on('connect', (request, socket) => {
		overheard.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
		socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	proxyUrl = `http://user:s3cret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
	name,
	name.toLowerCase(),
]);
afterEach(() => {
	proxy.close();
	for (const name of NAMES) delete process.env[name];
});

const list = { resource: 'location', operation: 'getAll', options: { maxWait: 0 } };
const create = {
	resource: 'location',
	operation: 'create',
	options: { maxWait: 0 },
	fields: columns({ name: 'A' }),
};
const https = { baseUrl: 'https://seo.example.com', apiKey: 'sk_live_123456' };

/** Runs in a workflow and as a tool; both have to end alike. */
async function bothWays(parameters: INodeParameters, credential?: typeof https) {
	const errors = [];
	for (const isRoutedByHost of [false, true]) {
		const more = { isRoutedByHost, ...(credential && { credential }) };
		const { error } = await service.run(parameters, more);
		errors.push(error as { message: string; description?: string } | undefined);
	}
	expect(errors[1]?.message).toBe(errors[0]?.message);
	expect(wordsOf(errors)).not.toMatch(/s3cret|sk_live/);
	return errors[0];
}

/** All of the errors but the settings of the node, which n8n adds to each. */
function wordsOf(errors: unknown[]): string {
	return errors
		.flatMap((error) => Object.entries(error ?? {}).filter(([name]) => name !== 'node'))
		.map((entry) => JSON.stringify(entry))
		.join('\n');
}

describe('plain http never goes through a proxy', () => {
	test.each([
		['list', list],
		['create', create],
	])('of the Request Options: %s', async (_, parameters) => {
		const error = await bothWays({ ...parameters, requestOptions: { proxy: proxyUrl } });
		expect(error?.message).toMatch(/not sent: over plain http, a proxy could read the API key/);
		expect([overheard, service.requests()]).toEqual([[], []]);
	});

	test.each(['HTTP_PROXY', 'all_proxy'])('of the environment: %s', async (name) => {
		process.env[name] = proxyUrl;
		const error = await bothWays(create);
		expect(error?.message).toMatch(/over plain http, a proxy could read the API key.*NO_PROXY/);
		expect([overheard, service.requests()]).toEqual([[], []]);
	});

	test('unless the environment makes an exception of the host', async () => {
		Object.assign(process.env, { HTTP_PROXY: proxyUrl, NO_PROXY: 'example.com,127.0.0.1' });
		expect(await bothWays(list)).toBeUndefined();
		expect(overheard).toEqual([]);
		expect(service.requests()).toHaveLength(2);
	});

	test('pickers and the trigger refuse it as well', async () => {
		process.env.HTTP_PROXY = proxyUrl;
		const words = /over plain http, a proxy could read/;
		await expect(searchLocations.call(service.editor(list))).rejects.toThrow(words);
		await expect(service.poller({ events: ['locationAdded'] }).poll()).rejects.toThrow(words);
		expect([overheard, service.requests()]).toEqual([[], []]);
	});

	// A proxy of its own settings: test/unit/credential.test.ts.
	test('the HTTP Request node reaches none of the environment that is on another machine', async () => {
		// An address for documentation: nothing is there.
		process.env.HTTP_PROXY = 'http://192.0.2.1:3128';
		const credential = { baseUrl: service.sandbox.baseUrl, apiKey: service.sandbox.keys.read };
		const sent = requestWith(credential, { url: '/locations' });
		await expect(sent).rejects.toThrow();
		delete process.env.HTTP_PROXY;
		await expect(requestWith(credential, { url: '/locations' })).resolves.toHaveProperty('data');
	});
});

/** A request as n8n's own parts send it with this credential. */
async function requestWith(credential: typeof https, options: IHttpRequestOptions) {
	const context = service.editor(list, credential);
	return await context.helpers.httpRequestWithAuthentication.call(context, 'localSeoApi', options);
}

describe('certificates that are not checked and a proxy', () => {
	const ignore = { allowUnauthorizedCerts: true };

	test('of the Request Options are refused together', async () => {
		const requestOptions = { ...ignore, proxy: proxyUrl };
		const error = await bothWays({ ...create, requestOptions }, https);
		expect(error?.message).toMatch(
			/not sent: with 'Ignore SSL Issues' turned on, a proxy could read/,
		);
		expect(overheard).toEqual([]);
	});

	test.each(['HTTPS_PROXY', 'all_proxy'])('of the environment as well: %s', async (name) => {
		process.env[name] = proxyUrl;
		const error = await bothWays({ ...create, requestOptions: ignore }, https);
		expect(error?.message).toMatch(/with 'Ignore SSL Issues' turned on, a proxy could read/);
		expect(overheard).toEqual([]);
	});

	test('each by itself is used', async () => {
		await bothWays({ ...list, requestOptions: { proxy: proxyUrl } }, https);
		const login = `"proxy-authorization":"Basic ${btoa('user:s3cret')}"`;
		expect(overheard).toHaveLength(2);
		for (const line of overheard) {
			expect(line).toMatch(/^CONNECT seo\.example\.com:443 /);
			expect(line).toContain(login);
			expect(line).not.toContain('sk_live');
		}
	});
});

describe('a proxy that n8n would ignore or trip over is refused', () => {
	test.each([
		'socks5://user:s3cret@127.0.0.1:1080',
		'ftp://user:s3cret@127.0.0.1:21',
		'http://:s3cret@127.0.0.1:3128',
	])('%s', async (address) => {
		const error = await bothWays({ ...list, requestOptions: { proxy: address } }, https);
		expect(error?.message).toBe('The proxy is not a valid URL');
		expect(error?.description).toMatch(/http:\/\/host:port.*SOCKS proxies are not supported/);
	});
});

describe('lists in the editor keep the settings of the node', () => {
	const search = async (requestOptions: INodeParameters) =>
		await searchLocations.call(service.editor({ ...list, requestOptions }, https));

	test('Proxy', async () => {
		await expect(search({ proxy: proxyUrl })).rejects.toThrow();
		expect(overheard[0]).toMatch(/^CONNECT seo\.example\.com:443 /);
	});

	test.each([
		[{ proxy: 'socks5://127.0.0.1:1080' }, /The proxy is not a valid URL/],
		[{ timeout: -1 }, /'Timeout' must be a number/],
	])('%p is refused', async (requestOptions, message) => {
		await expect(search(requestOptions)).rejects.toThrow(message);
	});

	test('Ignore SSL Issues, but not beside a proxy', async () => {
		await expect(search({ allowUnauthorizedCerts: true, proxy: proxyUrl })).rejects.toThrow(
			/with 'Ignore SSL Issues' turned on/,
		);
		expect(overheard).toEqual([]);
	});

	test('Timeout, unless it is an expression', async () => {
		service.sandbox.faults.add({ delayMs: 400 });
		const editor = (timeout: unknown) =>
			service.editor({ ...list, requestOptions: { timeout } } as INodeParameters);
		await expect(searchLocations.call(editor(20))).rejects.toThrow(/did not respond in time/);
		await expect(searchLocations.call(editor('={{ 1 }}'))).resolves.toHaveProperty('results');
	});
});

describe('headers that the user sets', () => {
	let server: Server;
	const received: string[][] = [];
	beforeEach(async () => {
		received.length = 0;
		server = createServer((request, response) => {
			received.push(request.rawHeaders);
			response.end('{"data":[]}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => server.close());

	test('can not send the key to another host, nor take its place', async () => {
		const { port } = server.address() as AddressInfo;
		const credential = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_live_123456' };
		await requestWith(credential, {
			url: '/locations',
			headers: {
				Host: 'evil.example',
				hOST: 'evil.example',
				...Object.fromEntries(
					['Host ', ' host', '\tHost', 'Host\u00a0', '\ufeffHOST'].map((name) => [
						name,
						'evil.example',
					]),
				),
				'X-Mine': '1',
				Cookie: 'a=b',
				authorization: 'Bearer other',
				'Proxy-Authorization': 'Basic eDp5',
				'Proxy-Authorization ': 'Basic eDp5',
				' Authorization': 'Bearer other',
			},
			auth: { username: 'other', password: 'login' },
		});
		const [headers] = received;
		const valuesOf = (name: string) =>
			headers.filter((_, index) => index % 2 === 1 && headers[index - 1].toLowerCase() === name);
		expect(valuesOf('host')).toEqual([`127.0.0.1:${port}`]);
		expect(valuesOf('authorization')).toEqual(['Bearer sk_live_123456']);
		expect(valuesOf('proxy-authorization')).toEqual([]);
		expect([valuesOf('x-mine'), valuesOf('cookie')]).toEqual([['1'], ['a=b']]);
	});

	test('can not take its place by a login in the address', async () => {
		const { port } = server.address() as AddressInfo;
		const credential = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_live_123456' };
		await requestWith(credential, { url: `http://user:pw@127.0.0.1:${port}/api/v1/locations` });
		const [headers] = received;
		expect(headers[headers.indexOf('Authorization') + 1]).toBe('Bearer sk_live_123456');
	});
});
