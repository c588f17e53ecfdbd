import { createServer, type RequestListener } from 'node:http';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { useSandbox } from '../support/fixture';
import { closeAll, listening, verdictOn } from '../support/secureService';

// The test of the credential: what is wrong is explained. Certificates and proxies: route.test.ts.

const service = useSandbox();
const OK = 'Connection successful!';
const verdict = async (change: { baseUrl?: string; apiKey?: string }) => {
	const { baseUrl, keys } = service.sandbox;
	return await verdictOn({ baseUrl, apiKey: keys.read, ...change });
};

afterEach(closeAll);
const json =
	(body: object): RequestListener =>
	(_, response) =>
		response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

test('n8n asks a node to test the credential, whichever it meets first', () => {
	expect(new LocalSeoApi()).not.toHaveProperty('test');
	for (const node of [new LocalSeo(), new LocalSeoTrigger()]) {
		const [{ testedBy }] = node.description.credentials!;
		expect(node.methods.credentialTest).toHaveProperty(String(testedBy));
	}
});

// How addresses and keys may be written: unit/credential.
test('a key with the read scope is accepted', async () => {
	expect(await verdict({})).toBe(OK);
	expect(service.requests()).toEqual(['GET /locations']);
});

test.each([
	[{ apiKey: 'sk_wrong' }, /^The service does not accept this API key\. .*Settings, API Keys/],
	[{ apiKey: 'sk_1 abcdef' }, /^The API key of the credential is empty or contains invalid char/],
])('%j is explained', async (change, message) => {
	const said = await verdict(change);
	expect(said).toMatch(message);
	expect(said).not.toMatch(/sk_/);
});

test.each<[string, RequestListener, RegExp]>([
	[
		'a website',
		(_, response) => response.end('<html><title>Welcome</title></html>'),
		/^Unexpected response: this does not look like the Local SEO API\. .*Check the 'Base URL'/,
	],
	[
		'an error in the data',
		json({ data: { error: 'Invalid API key' } }),
		/^The response has no list in 'data', but: .*Invalid API key/,
	],
	[
		'a redirect to another origin',
		(_, response) =>
			response.writeHead(301, { location: 'https://b.example/x?token=s3cret#a' }).end(),
		/redirect to https:\/\/b\.example\/x, which was not followed\. .* change the 'Base URL'/,
	],
])('%s is explained', async (_, answer, message) => {
	const server = createServer(answer);
	const asked: unknown[] = [];
	server.on('request', ({ url }) => asked.push(url));
	const baseUrl = `http://127.0.0.1:${await listening(server)}`;
	expect(await verdict({ baseUrl })).toMatch(message);
	expect(asked).toEqual(['/api/v1/locations']);
});
