import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareHome } from '../../demo/home';
import { startHost, type Host } from '../../demo/host';
import { installPackage } from '../../demo/package';
import { freePort } from '../../demo/port';
import { logIn, type Rest } from '../../demo/rest';
import { startSandbox, type Sandbox } from '../../sandbox';

jest.setTimeout(240_000);

interface Verdict {
	status: 'OK' | 'Error';
	message: string;
}

describe('the credential in n8n', () => {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-credential-'));
	let sandbox: Sandbox;
	let website: Server;
	let host: Host;
	let rest: Rest;

	beforeAll(async () => {
		const home = prepareHome(folder);
		await installPackage(home);
		sandbox = await startSandbox();
		website = createServer((request, response) => {
			const redirects = request.url!.startsWith('/moved');
			response.writeHead(redirects ? 301 : 200, { location: `${sandbox.baseUrl}/locations` });
			response.end('<html><title>Welcome</title></html>');
		});
		await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
		host = await startHost(home, await freePort());
		rest = await logIn(host.url, folder);
	});
	afterAll(async () => {
		await host?.stop();
		website?.close();
		await sandbox?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const site = () => `http://127.0.0.1:${(website.address() as AddressInfo).port}`;

	test.each([
		['a key with the scope read', () => ({}), 'OK', /success/],
		['an address without /api/v1', () => ({ baseUrl: sandbox.origin }), 'OK', /success/],
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
			() => ({ baseUrl: `${sandbox.baseUrl}/more` }),
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
		const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.read, ...change() };
		const body = { name, type: 'localSeoApi', data };
		const { id } = await rest.post<{ id: string }>('/credentials', body);
		const verdict = await rest.post<Verdict>('/credentials/test', { credentials: { id, ...body } });
		expect(verdict).toEqual({ status, message: expect.stringMatching(message) });
		expect(verdict.message).not.toContain('sk_');
	});
});
