import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { editorWait } from '../../nodes/LocalSeo/host/connect';
import { useSandbox } from '../support/fixture';

const fixture = useSandbox();

/** Tests a credential as n8n does: with the method that a node names. */
async function verdictOn(change: { baseUrl?: string; apiKey?: string }) {
	const { baseUrl, keys } = fixture.sandbox;
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	return await new LocalSeo().methods.credentialTest.testCredential.call(
		context as unknown as ICredentialTestFunctions,
		{
			id: '1',
			name: 'Local SEO',
			type: 'localSeoApi',
			data: { baseUrl, apiKey: keys.read, ...change },
		},
	);
}

/** Tests a credential with the address of a server that answers so. */
async function verdictAt(answer: RequestListener, path = '') {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const verdict = await verdictOn({ baseUrl: `http://127.0.0.1:${port}${path}` });
	await new Promise((resolve) => server.close(resolve));
	return verdict;
}

test('n8n asks a node to test the credential, whichever it meets first', () => {
	expect(new LocalSeoApi()).not.toHaveProperty('test');
	for (const node of [new LocalSeo(), new LocalSeoTrigger()]) {
		const [{ testedBy }] = node.description.credentials!;
		expect(node.methods.credentialTest).toHaveProperty(String(testedBy));
	}
});

test.each([
	['a key with the read scope', () => ({})],
	['an address without /api/v1', () => ({ baseUrl: fixture.sandbox.origin })],
	['a key as a request shows it', () => ({ apiKey: `Bearer ${fixture.sandbox.keys.read}` })],
])('%s is accepted', async (_, change) => {
	expect(await verdictOn(change())).toEqual({ status: 'OK', message: 'Connection successful!' });
	expect(fixture.requests()).toEqual(['GET /locations']);
});

test.each([
	[
		'a wrong key',
		{ apiKey: 'sk_wrong' },
		/^The service does not accept this API key\. .*Settings, API Keys/,
	],
	['no key', { apiKey: ' ' }, /^The API key of the credential is empty/],
	[
		'a key with a line break in place of a |',
		{ apiKey: 'sk_1\nabcdef' },
		/^The API key of the credential has a line break inside\. .*\| .*expression/,
	],
	['a key of two lines', { apiKey: 'sk_1\r\n sk_2' }, /has a line break inside/],
	[
		'no address',
		{ baseUrl: 'seo.example.com' },
		/^The 'Base URL' .* is not a valid URL\. Enter it/,
	],
	['plain http', { baseUrl: 'http://seo.example.com' }, /must start with https/],
	[
		'a port where no one listens',
		{ baseUrl: 'http://127.0.0.1:9' },
		/^Could not connect to the service\. No service is listening .* Check the 'Base URL'/,
	],
	[
		'an unknown host',
		{ baseUrl: 'https://seo.invalid' },
		/^The host name of the service was not found\. Check the 'Base URL'/,
	],
])('%s is explained', async (_, change, message) => {
	const verdict = await verdictOn(change);
	expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(verdict.message).not.toMatch(/sk_|ECONN|ENOTFOUND|EAI_/);
});

test.each<[string, RequestListener, RegExp]>([
	[
		'a website',
		(_, response) => response.end('<html><title>Welcome</title></html>'),
		/^Unexpected response: this does not look like the Local SEO API\. Check the 'Base URL'/,
	],
	[
		'a text',
		(_, response) => response.end('OK'),
		/^The response has no list in 'data', but: OK\. Check the 'Base URL'/,
	],
	[
		'JSON of another kind',
		(_, response) =>
			response.setHeader('Content-Type', 'application/json').end('{"hello":"world"}'),
		/^The response has no list in 'data', but: \{"hello":"world"\}\. Check the 'Base URL'/,
	],
	[
		'a success that denies itself',
		({ headers }, response) =>
			response
				.setHeader('Content-Type', 'application/json')
				.end(
					JSON.stringify({ success: false, data: [], message: `No key: ${headers.authorization}` }),
				),
		/^The service rejected the request to get the locations\. .*"No key: Bearer …"/,
	],
	[
		'a success with an error in its data',
		(_, response) =>
			response
				.setHeader('Content-Type', 'application/json')
				.end(JSON.stringify({ data: { error: 'Invalid API key' } })),
		/^The response has no list in 'data', but: .*Invalid API key/,
	],
	[
		'a success with an error in place of its data',
		(_, response) =>
			response
				.setHeader('Content-Type', 'application/json')
				.end(JSON.stringify({ error: 'Invalid API key' })),
		/^The service rejected the request to get the locations\. .*"Invalid API key"/,
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
	['a service in trouble', (_, response) => response.writeHead(503).end(), /Try again later/],
	[
		'a connection that is lost',
		({ socket }) => socket.destroy(),
		/^Connection lost before the response was complete\. Try again later\.$/,
	],
])('%s is explained', async (_, answer, message) => {
	const asked: Array<string | undefined> = [];
	const verdict = await verdictAt((request, response) => {
		asked.push(request.url);
		answer(request, response);
	});
	expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(asked).toEqual(['/api/v1/locations']);
});

test('a redirect to a trailing slash on the same origin is followed', async () => {
	const asked: Array<string | undefined> = [];
	const verdict = await verdictAt(({ url }, response) => {
		asked.push(url);
		if (url?.endsWith('/')) response.end('{"data":[],"meta":{"total":0}}');
		else response.writeHead(301, { location: `${url}/` }).end();
	});
	expect(verdict.status).toBe('OK');
	expect(asked).toEqual(['/api/v1/locations', '/api/v1/locations/']);
});

test.each([
	['/dashboard/settings', '/dashboard/settings'],
	['/locations/', '/locations'],
	['/api/v1/locations', '/locations'],
	['/api/v2', '/api/v2'],
])('a path too many is named as it was typed: %s', async (typed, named) => {
	const { origin } = fixture.sandbox;
	const { status, message } = await verdictOn({ baseUrl: `${origin}${typed}` });
	expect(status).toBe('Error');
	expect(message).toBe(
		`There is no Local SEO service at this address. The 'Base URL' of the credential contains ${named}. Leave it out, as in ${origin}/api/v1.`,
	);
});

test('a page of a website at such a path, too', async () => {
	const { message } = await verdictAt(
		(_, response) => response.end('<html><title>Settings</title></html>'),
		'/dashboard/settings',
	);
	expect(message).toMatch(
		/^Unexpected response: .* contains \/dashboard\/settings\. Leave it out, as in http:\/\/127/,
	);
});

test('what the service says is shown without control characters, and not as tags', async () => {
	const said = '\u001b[31mNo\u202e such\u0000 <b>key</b>\r\n!';
	const { message } = await verdictAt((_, response) =>
		response
			.writeHead(403, { 'Content-Type': 'application/json' })
			.end(JSON.stringify({ message: said })),
	);
	expect(message).toContain('"[31mNo such ‹b›key‹/b› !"');
});

describe('a response that drips', () => {
	const { longestMs } = editorWait;
	beforeEach(() => void (editorWait.longestMs = 300));
	afterEach(() => void (editorWait.longestMs = longestMs));

	test('ends with the time of the test, and so does its connection', async () => {
		// The server is closed only when all of its connections have ended.
		const { message } = await verdictAt((_, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 20);
			response.on('close', () => clearInterval(drip));
		});
		expect(message).toMatch(/did not respond in time/);
	});
});
