import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useN8n } from '../support/n8n';

jest.setTimeout(240_000);

interface Verdict {
	status: 'OK' | 'Error';
	message: string;
}

describe('the credential in n8n', () => {
	const n8n = useN8n();
	let website: Server;

	beforeAll(async () => {
		website = createServer((request, response) => {
			const redirects = request.url!.startsWith('/moved');
			response.writeHead(redirects ? 301 : 200, { location: `${n8n.sandbox.baseUrl}/locations` });
			response.end('<html><title>Welcome</title></html>');
		});
		await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
	});
	afterAll(() => website.close());

	const site = () => `http://127.0.0.1:${(website.address() as AddressInfo).port}`;

	test.each([
		['a key with the scope read', () => ({}), 'OK', /success/],
		['an address without /api/v1', () => ({ baseUrl: n8n.sandbox.origin }), 'OK', /success/],
		['a wrong key', () => ({ apiKey: 'sk_wrong' }), 'Error', /does not accept this API key/],
		['no key', () => ({ apiKey: ' ' }), 'Error', /API key of the credential is empty/],
		[
			'a website',
			() => ({ baseUrl: site() }),
			'Error',
			/answers, but not as the Local SEO service/,
		],
		['an address that redirects', () => ({ baseUrl: `${site()}/moved` }), 'Error', /redirects/],
		[
			'a path too many',
			() => ({ baseUrl: `${n8n.sandbox.baseUrl}/more` }),
			'Error',
			/no Local SEO service at this address/,
		],
		[
			'plain http',
			() => ({ baseUrl: 'http://seo.example.com' }),
			'Error',
			/has to start with https/,
		],
		['no address', () => ({ baseUrl: 'seo.example.com' }), 'Error', /is not an address/],
		['a port where no one listens', () => ({ baseUrl: 'http://127.0.0.1:9' }), 'Error', /./],
	])('is tested with %s', async (name, change, status, message) => {
		const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: n8n.sandbox.keys.read, ...change() };
		const body = { name, type: 'localSeoApi', data };
		const { id } = await n8n.rest.post<{ id: string }>('/credentials', body);
		const verdict = await n8n.rest.post<Verdict>('/credentials/test', {
			credentials: { id, ...body },
		});
		expect(verdict).toEqual({ status, message: expect.stringMatching(message) });
		expect(verdict.message).not.toContain('sk_');
	});
});
