import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { accounts } from '../../nodes/LocalSeo/host/accounts';
import { columns, useSandbox } from '../support/fixture';
import {
	authority,
	closeAll,
	listening,
	startOther,
	startProxy,
	startSecureService,
	trusting,
	verdictOn,
} from '../support/secureService';

// The way of a request: proxies, certificates and headers. The key reaches nobody but the service.

// All that failed is sent again: here at once, because these tests wait in real time.
Object.assign(accounts, { random: () => 0 });
const service = useSandbox({ locations: 3 });
let undo = () => {};
/** What proxies were asked for, with the headers that they saw. */
const overheard: string[] = [];
let proxy: string;
beforeEach(async () => {
	overheard.length = 0;
	undo = trusting(authority);
	const server = createServer((request, response) => {
		overheard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		response.end('{"data":[]}');
	});
	server.on('connect', (request, socket) => {
		overheard.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
		socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	});
	proxy = `http://user:s3cret@127.0.0.1:${await listening(server)}`;
});
const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
afterEach(() => {
	undo();
	closeAll();
	for (const name of NAMES) for (const one of [name, name.toLowerCase()]) delete process.env[one];
});

const options = { maxWait: 0 };
const list = { resource: 'location', operation: 'getAll', options };
const create = {
	...{ resource: 'location', operation: 'create', ifExists: 'create', options },
	fields: columns({ name: 'A' }),
};
/** Each with a key of its own: what others met says nothing. */
let keys = 0;
const at = (port: number) => ({
	baseUrl: `https://localhost:${port}`,
	apiKey: `sk_live_${keys++}_0123456789`,
});
const elsewhere = { baseUrl: 'https://seo.example.com', apiKey: 'sk_live_123456' };

/** Runs in a workflow and as a tool; both have to end alike, and without a secret. */
async function bothWays(parameters: INodeParameters, credential?: typeof elsewhere) {
	const [own, byHost] = await Promise.all(
		[false, true].map(async (isRoutedByHost) => {
			const more = { isRoutedByHost, ...(credential && { credential }) };
			return (await service.run(parameters, more)).error;
		}),
	);
	expect(byHost?.message).toBe(own?.message);
	expect([own?.message, own?.description, byHost?.description].join()).not.toMatch(
		/s3cret|sk_live/,
	);
	return own;
}
const search = async (requestOptions: INodeParameters = {}, credential?: typeof elsewhere) =>
	await searchLocations.call(service.editor({ ...list, requestOptions }, credential));

test('a proxy of the environment is none for a host that NO_PROXY names', async () => {
	Object.assign(process.env, { HTTP_PROXY: proxy, NO_PROXY: 'example.com,127.0.0.1' });
	expect(await bothWays(list)).toBeUndefined();
	expect(overheard).toEqual([]);
});

/** A request as n8n's own parts send it with this credential. */
async function requestWith(credential: typeof elsewhere, request: IHttpRequestOptions) {
	const context = service.editor(list, credential);
	return await context.helpers.httpRequestWithAuthentication.call(context, 'localSeoApi', request);
}

test('a proxy and certificates that are not checked are used, and over https the proxy does not see the key', async () => {
	await bothWays({ ...list, requestOptions: { proxy } }, elsewhere);
	await expect(search({ proxy }, elsewhere)).rejects.toThrow();
	expect(overheard.length).toBeGreaterThan(2);
	for (const line of overheard) {
		expect(line).toMatch(/^CONNECT seo\.example\.com:443 /);
		expect(line).toContain(`"proxy-authorization":"Basic ${btoa('user:s3cret')}"`);
		expect(line).not.toContain('sk_live');
	}
	const ignore = { allowUnauthorizedCerts: true };
	for (const more of [{}, { until: new Date('2021-01-01') }, { hosts: ['seo.example.com'] }]) {
		const credential = at(await startSecureService(more));
		expect(await bothWays({ ...list, requestOptions: ignore }, credential)).toBeUndefined();
	}
});

test('lists in the editor keep Timeout and Proxy, and read no expressions', async () => {
	service.sandbox.faults.add({ delayMs: 400 });
	await expect(search({ timeout: 20 })).rejects.toThrow(/did not respond in time/);
	await expect(search({ timeout: -1 })).rejects.toThrow(/'Timeout' must be a number/);
	await expect(search({ proxy: 'socks5://a' })).rejects.toThrow('The proxy is not a valid URL');
	const requestOptions = { timeout: '={{ 1 }}', proxy: '={{ $env.PROXY }}' };
	await expect(search(requestOptions)).resolves.toHaveProperty('results');
});

/** Workflows, tools and the test of the credential name what is in the way. */
async function expectNamed(
	port: number,
	message: RegExp,
	description: RegExp,
	more: INodeParameters = {},
) {
	for (const parameters of [list, create]) {
		const error = await bothWays({ ...parameters, ...more }, at(port));
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		// A create that did not reach the service is not looked for.
		expect(error?.description).not.toMatch(/may have taken effect|Check it before|service said/i);
	}
	if (more.requestOptions) return;
	const verdict = await verdictOn(at(port));
	expect(verdict).toMatch(new RegExp(`${message.source.replace('$', '')}\\. `));
	expect(verdict).toMatch(description);
}
const NOT_CONNECTED = /^Could not connect to the service$/;
const known = async (more: Parameters<typeof startSecureService>[0] = {}) =>
	await startSecureService({ issuer: authority, ...more });

describe('a proxy that is in the way', () => {
	const LOGIN = ['HTTP/1.1 407 Proxy Authentication Required', 'Content-Length: 6', '', '<html>'];
	const local = async (...answer: [string?]) =>
		`http://127.0.0.1:${await startProxy(overheard, ...answer)}`;

	test.each<[string, () => Promise<string> | string, RegExp, RegExp]>([
		[
			'wants a login',
			async () => await local(LOGIN.join('\r\n')),
			/^The proxy wants a login$/,
			/http:\/\/user:password@host:port.*HTTPS_PROXY/,
		],
		[
			'is not there',
			() => 'http://ann:s3cret@127.0.0.1:9',
			NOT_CONNECTED,
			/ECONNREFUSED 127\.0\.0\.1:9\. .*that n8n can reach it, directly or through its proxy/,
		],
	])('%s: it is named', async (_, start, message, description) => {
		const [proxy, port] = [await start(), await known()];
		await expectNamed(port, message, description, { requestOptions: { proxy } });
		process.env.HTTPS_PROXY = proxy;
		await expectNamed(port, message, description);
	});

	test('is used where it connects', async () => {
		const [address, port] = [await local(), await known()];
		const requestOptions = { proxy: address };
		expect(await bothWays({ ...list, requestOptions }, at(port))).toBeUndefined();
		process.env.HTTPS_PROXY = address;
		expect(await bothWays(list, at(port))).toBeUndefined();
		expect(await verdictOn(at(port))).toBe('Connection successful!');
		expect(overheard).toEqual(Array(5).fill(`localhost:${port}`));
	});
});

test.each<[string, () => Promise<number>, RegExp, RegExp]>([
	[
		'self-signed',
		async () => await startSecureService(),
		NOT_CONNECTED,
		/self-signed certificate.*NODE_EXTRA_CA_CERTS/,
	],
	[
		'of another host',
		async () => await known({ name: 'a', hosts: ['seo.example.com'] }),
		NOT_CONNECTED,
		/seo\.example\.com.*Check the certificate of the service/,
	],
	[
		'http',
		async () => await startOther('HTTP/1.1 400 Bad Request\r\n\r\n'),
		NOT_CONNECTED,
		/wrong version number.*'Base URL'/,
	],
	[
		'a connection that ends before it is secure',
		async () => await startOther(''),
		/^Connection lost before the response was complete$/,
		/before secure TLS connection was established.*Try again/,
	],
])(
	'%s is named in workflows, tools, lists, by the trigger and the test of the credential',
	async (_, start, message, description) => {
		const port = await start();
		await expectNamed(port, message, description);
		const words = expect.objectContaining({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
		});
		await expect(search({}, at(port))).rejects.toEqual(words);
		const poller = service.poller({ events: ['locationAdded'] }, { credential: at(port) });
		await expect(poller.poll()).rejects.toEqual(words);
	},
);

test('headers and logins of a user neither send the key elsewhere nor take its place', async () => {
	const received: string[][] = [];
	const server = createServer((request, response) => {
		received.push(request.rawHeaders);
		response.end('{"data":[]}');
	});
	await listening(server);
	const { port } = server.address() as AddressInfo;
	const credential = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_live_123456' };
	const hosts = ['Host', 'hOST', 'Host ', ' host', '\tHost', 'Host\u00a0', '\ufeffHOST'];
	await requestWith(credential, {
		url: '/locations',
		headers: {
			...Object.fromEntries(hosts.map((name) => [name, 'evil.example'])),
			'X-Mine': '1',
			Cookie: 'a=b',
			authorization: 'Bearer other',
			' Authorization': 'Bearer other',
		},
		auth: { username: 'other', password: 'login' },
	});
	await requestWith(credential, { url: `http://user:pw@127.0.0.1:${port}/api/v1/locations` });
	for (const [index, own] of [['1', 'a=b'], []].entries()) {
		const valuesOf = (name: string) =>
			received[index].filter((_, nth, all) => nth % 2 === 1 && all[nth - 1].toLowerCase() === name);
		expect(valuesOf('host')).toEqual([`127.0.0.1:${port}`]);
		expect(valuesOf('authorization')).toEqual(['Bearer sk_live_123456']);
		expect([...valuesOf('x-mine'), ...valuesOf('cookie')]).toEqual(own);
	}
});

// Both helpers of n8n: this node uses the newer one, the HTTP Request node the other.
test.each(['httpRequestWithAuthentication', 'requestWithAuthentication'] as const)(
	"the HTTP Request node sends the key to the service, and nowhere else: n8n's %s",
	async (helper) => {
		const asked: unknown[] = [];
		const other = createServer((request, response) => {
			asked.push(request.headers.authorization);
			response.end('{}');
		});
		const elsewhere = `http://127.0.0.1:${await listening(other)}/steal`;
		const { baseUrl } = service.sandbox;
		const context = service.editor(list);
		const ask = async (url: string): Promise<unknown> =>
			await context.helpers[helper].call(context, 'localSeoApi', {
				method: 'GET',
				url,
				json: true,
			});
		expect(await ask(`${baseUrl}/locations?per_page=2`)).toMatchObject({ meta: { per_page: 2 } });
		await expect(ask(elsewhere)).rejects.toThrow('only sent to');
		service.sandbox.faults.add({
			times: 1,
			response: { status: 302, headers: { location: elsewhere } },
		});
		await ask(`${baseUrl}/locations`).catch(() => {});
		expect(asked).toEqual([]);
	},
);
