import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { useSandbox } from '../support/fixture';
import { verdictOn } from '../support/secureService';

// The test of the credential: what is wrong is explained. Certificates and proxies: route.test.ts.

const service = useSandbox();
const OK = 'Connection successful!';
const verdict = async (change: { baseUrl?: string; apiKey?: string }) => {
	const { baseUrl, keys } = service.sandbox;
	return await verdictOn({ baseUrl, apiKey: keys.read, ...change });
};

/** Tests a credential with the address of a server that answers so; `asked` gets the paths. */
async function verdictAt(answer: RequestListener, asked: unknown[] = [], path = '') {
	const server = createServer((request, response) => {
		asked.push(request.url);
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const said = await verdict({ baseUrl: `http://127.0.0.1:${port}${path}` });
	await new Promise((resolve) => server.close(resolve));
	return said;
}
const json =
	(body: object, status = 200): RequestListener =>
	(_, response) =>
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

test('n8n asks a node to test the credential, whichever it meets first', () => {
	expect(new LocalSeoApi()).not.toHaveProperty('test');
	for (const node of [new LocalSeo(), new LocalSeoTrigger()]) {
		const [{ testedBy }] = node.description.credentials!;
		expect(node.methods.credentialTest).toHaveProperty(String(testedBy));
	}
});

test.each([
	['a key with the read scope', () => ({})],
	['an address without /api/v1', () => ({ baseUrl: service.sandbox.origin })],
	['a key as a request shows it', () => ({ apiKey: `Bearer ${service.sandbox.keys.read}` })],
])('%s is accepted', async (_, change) => {
	expect(await verdict(change())).toBe(OK);
	expect(service.requests()).toEqual(['GET /locations']);
});

const BREAK = /^The API key of the credential has a line break inside\. .*\| .*expression/;
test.each([
	[{ apiKey: 'sk_wrong' }, /^The service does not accept this API key\. .*Settings, API Keys/],
	[{ apiKey: ' ' }, /^The API key of the credential is empty/],
	[{ apiKey: 'sk_1\nabcdef' }, BREAK],
	[{ baseUrl: 'seo.example.com' }, /^The 'Base URL' .* is not a valid URL\. Enter it/],
	[{ baseUrl: 'http://seo.example.com' }, /must start with https/],
	[
		{ baseUrl: 'http://127.0.0.1:9' },
		/^Could not connect to the service\. .*ECONNREFUSED 127\.0\.0\.1:9\. Check the 'Base URL'/,
	],
	[
		{ baseUrl: 'https://seo.invalid' },
		/^The host name was not found\. .*seo\.invalid\. Check the 'Base URL'/,
	],
])('%j is explained', async (change, message) => {
	const said = await verdict(change);
	expect(said).toMatch(message);
	expect(said).not.toMatch(/sk_/);
});

test.each<[string, RequestListener, RegExp]>([
	[
		'a website',
		(_, response) => response.end('<html><title>Welcome</title></html>'),
		/^Unexpected response: this does not look like the Local SEO API\. Check the 'Base URL'/,
	],
	[
		'an error in the data',
		json({ data: { error: 'Invalid API key' } }),
		/^The response has no list in 'data', but: .*Invalid API key/,
	],
	[
		'a service of another kind',
		(_, response) => response.writeHead(404).end(),
		/^There is no Local SEO service at this address\. Check the 'Base URL' of the credential: nothing follows \/api\/v1/,
	],
	[
		'a redirect to another origin',
		(_, response) => response.writeHead(301, { location: 'https://b.example/x' }).end(),
		/redirect, which was not followed\. .* change the 'Base URL'/,
	],
])('%s is explained', async (_, answer, message) => {
	const asked: unknown[] = [];
	expect(await verdictAt(answer, asked)).toMatch(message);
	expect(asked).toEqual(['/api/v1/locations']);
});

test('a redirect to a trailing slash on the same origin is followed', async () => {
	const asked: unknown[] = [];
	const said = await verdictAt(({ url }, response) => {
		if (url?.endsWith('/')) response.end('{"data":[],"meta":{"total":0}}');
		else response.writeHead(301, { location: `${url}/` }).end();
	}, asked);
	expect(said).toBe(OK);
	expect(asked).toEqual(['/api/v1/locations', '/api/v1/locations/']);
});

test.each(['/dashboard/settings', '/api/v1/locations'])(
	'a path too many: %s: the message says that nothing follows /api/v1',
	async (typed) => {
		const says = /^There is no Local SEO service at this address\. .*nothing follows \/api\/v1/;
		expect(await verdict({ baseUrl: `${service.sandbox.origin}${typed}` })).toMatch(says);
	},
);
