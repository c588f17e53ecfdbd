import type { IHttpRequestOptions } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';

const apiKey = 'sk_test_1';
const authenticate = async (baseUrl: unknown, options: object, key: unknown = apiKey) =>
	await new LocalSeoApi().authenticate(
		{ baseUrl, apiKey: key } as never,
		options as IHttpRequestOptions,
	);

test.each([
	['https://seo.example.com', 'https://seo.example.com/api/v1/locations'],
	['https://seo.example.com/api/v1', 'https://seo.example.com/api/v1/locations'],
	[' https://seo.example.com/api/v1// ', 'https://seo.example.com/api/v1/locations'],
	['https://proxy.example.com/seo/api/v1', 'https://proxy.example.com/seo/api/v1/locations'],
	['https://seo.example.com:8443', 'https://seo.example.com:8443/api/v1/locations'],
	['https://seo.example.com/api/v1/more', 'https://seo.example.com/api/v1/more/api/v1/locations'],
	['https://seo.example.com//a//b/', 'https://seo.example.com//a//b/api/v1/locations'],
	['HTTPS://SEO.example.com:8443/Base', 'https://seo.example.com:8443/Base/api/v1/locations'],
	// As copied from a page: what comes behind it would be no path.
	...['/#', '/api/v1?', '/?#'].map((end) => [
		`https://seo.example.com${end}`,
		'https://seo.example.com/api/v1/locations',
	]),
	['http://localhost:4010/api/v1', 'http://localhost:4010/api/v1/locations'],
	['http://[::1]:4010', 'http://[::1]:4010/api/v1/locations'],
	['HTTP://LOCALHOST:4010', 'http://localhost:4010/api/v1/locations'],
	// Other ways to write 127.0.0.1, which the request is sent to.
	...['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '127.0.0.1.'].map((host) => [
		`http://${host}`,
		'http://127.0.0.1/api/v1/locations',
	]),
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]/api/v1/locations'],
])('the base URL %p leads to %s', async (baseUrl, url) => {
	const options = await authenticate(baseUrl, { url: '/locations', headers: { Accept: 'a/b' } });
	expect(options).toMatchObject({
		url,
		headers: { Accept: 'a/b', Authorization: `Bearer ${apiKey}` },
		sendCredentialsOnCrossOriginRedirect: false,
	});
	expect(options.baseURL).toBeUndefined();
});

test.each([
	['http://seo.example.com', /https/],
	['http://127.0.0.1.example.com', /https/],
	['http://localhost.example.com', /https/],
	['http://seo.localhost', /Plain http is only accepted for localhost/],
	['http://localhost.', /https/],
	['http://127.evil.example', /https/],
	['http://127.0.0.1@evil.example', /https/],
	['http://0.0.0.0', /https/],
	['http://[::]', /https/],
	['http://[::ffff:127.0.0.1]', /https/],
	['http://128.0.0.1', /https/],
	['ftp://127.0.0.1', /https/],
	['seo.example.com', /not a valid URL/],
	['127.0.0.1:4010', /with http:\/\/ for this machine, e\.g\. http:\/\/127\.0\.0\.1:4010/],
	['localhost:4010', /Plain http is only accepted for localhost/],
	['', /not a valid URL/],
	[undefined, /not a valid URL/],
	[{ href: 'https://seo.example.com' }, /not a valid URL/],
	['http://x127.0.0.1', /not a valid URL/],
	['http://[::2]', /https/],
	['file:///etc', /https/],
	...['https://user:secret@seo.example.com', 'https://seo.example.com?key=1', 'https://a.b#c'].map(
		(baseUrl): [string, RegExp] => [
			baseUrl,
			/not contain a user name, password, query or fragment/,
		],
	),
])('the base URL %p is refused', async (baseUrl, message) => {
	await expect(authenticate(baseUrl, { url: '/locations' })).rejects.toThrow(message);
});

describe('the key goes to the origin of the base URL and nowhere else', () => {
	const baseUrl = 'https://seo.example.com/api/v1';

	test.each([
		[{ url: 'https://seo.example.com/api/v2/reports' }, 'https://seo.example.com/api/v2/reports'],
		[{ uri: 'https://seo.example.com/x' }, 'https://seo.example.com/x'],
		[{ url: '/x', baseURL: 'https://seo.example.com/api/v1' }, 'https://seo.example.com/api/v1/x'],
		[{ url: 'HTTPS://SEO.EXAMPLE.COM/x' }, 'HTTPS://SEO.EXAMPLE.COM/x'],
		[{ url: 'https://user:pw@seo.example.com/x' }, 'https://seo.example.com/x'],
		[{ url: '1http://evil.example' }, 'https://seo.example.com/api/v1/1http://evil.example'],
		[{ url: '//evil.example.com/x' }, 'https://seo.example.com/api/v1//evil.example.com/x'],
		[{ url: '/\\evil.example.com/x' }, 'https://seo.example.com/api/v1/\\evil.example.com/x'],
		[{ url: '@evil.example.com' }, 'https://seo.example.com/api/v1/@evil.example.com'],
	])('%p is sent to %s', async (options, address) => {
		const sent = (await authenticate(baseUrl, options)) as { url: string; uri?: string };
		expect(sent.url).toBe(address);
		expect([undefined, address]).toContain(sent.uri);
		expect(new URL(sent.url).origin).toBe('https://seo.example.com');
	});

	test.each([
		{ url: 'https://evil.example.com/api/v1/locations' },
		{ url: 'http://seo.example.com/api/v1/locations' },
		{ url: 'https://seo.example.com:444/api/v1/locations' },
		{ url: 'https://seo.example.com@evil.example.com/' },
		{ url: 'https:\\\\evil.example.com' },
		{ uri: 'https://evil.example.com', url: 'https://seo.example.com' },
		{ url: '/x', baseURL: 'https://evil.example.com' },
		{ url: 'data:text/plain,x' },
		{ url: 'x+y.z-1://seo.example.com' },
		{ url: 'https://seo.example.com.evil.example' },
	])('%p is refused', async (options) => {
		const sent = authenticate(baseUrl, options);
		await expect(sent).rejects.toThrow(/only sent to https:\/\/seo\.example\.com\./);
		await expect(sent).rejects.not.toThrow(apiKey);
	});

	test("neither of n8n's request helpers follows a redirect with it", async () => {
		expect(await authenticate(baseUrl, { url: '/x' })).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});
});

test.each(['', '  ', 'Bearer ', 'sk 1', 'sk_1\nX-Evil: 1', 'schlüssel', undefined])(
	'the key %p is refused',
	async (key) => {
		const sent = authenticate('https://seo.example.com', { url: '/x' }, key ?? null);
		await expect(sent).rejects.toThrow(
			/API key of the credential (is empty or contains invalid characters|has a line break)/,
		);
	},
);

describe('over plain http', () => {
	test.each([
		['http://127.0.0.1:4010', '127.0.0.1'],
		['http://127.8.9.10', '127.0.0.1'],
		['http://[::1]:4010', '::1'],
		['http://localhost:4010', undefined],
		['https://127.0.0.1', undefined],
	])('%s: a connection begins at %s', async (baseUrl, localAddress) => {
		const { agentOptions } = await authenticate(baseUrl, { url: '/x', agentOptions: { ca: 'c' } });
		expect(agentOptions).toEqual({ ca: 'c', ...(localAddress && { localAddress }) });
	});

	test.each([{ proxy: { host: '127.0.0.1', port: 3128 } }, { proxy: 'http://127.0.0.1:3128' }])(
		'%p is refused',
		async (options) => {
			const sent = authenticate('http://localhost:4010', { url: '/x', ...options });
			await expect(sent).rejects.toThrow(/over plain http, a proxy could read the API key/);
		},
	);
});

// Each by itself is used: test/node/route.test.ts.
test.each([
	{ skipSslCertificateValidation: true },
	{ rejectUnauthorized: false },
	{ agentOptions: { rejectUnauthorized: false } },
])('over https, no proxy beside %p', async (options) => {
	const proxy = { host: 'proxy.example', port: 3128 };
	const sent = authenticate('https://seo.example.com', { url: '/x', proxy, ...options });
	await expect(sent).rejects.toThrow(/with 'Ignore SSL Issues' turned on, a proxy could read/);
});

test.each([
	` ${apiKey}\n`,
	`Bearer ${apiKey}`,
	` bearer  ${apiKey} `,
	`Authorization: Bearer ${apiKey}`,
])('of %p, only the key is sent', async (pasted) => {
	const { headers } = await authenticate('https://seo.example.com', { url: '/x' }, pasted);
	expect(headers).toEqual({ Authorization: `Bearer ${apiKey}` });
});
