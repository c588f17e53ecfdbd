import type { IHttpRequestOptions } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';

const apiKey = 'sk_test_1';
const HOST = 'https://seo.example.com';
const authenticate = async (baseUrl: unknown, options: object, key: unknown = apiKey) =>
	await new LocalSeoApi().authenticate(
		{ baseUrl, apiKey: key } as never,
		options as IHttpRequestOptions,
	);

const localIs = (baseUrl: string) => [baseUrl, 'http://127.0.0.1/api/v1'];
test.each([
	...['', '/api/v1', '/api/v1// '].map((end) => [HOST + end, `${HOST}/api/v1`]),
	[`${HOST}/seo/api/v1`, `${HOST}/seo/api/v1`],
	[`${HOST}:8443`, `${HOST}:8443/api/v1`],
	[` ${HOST}/api/v1/more`, `${HOST}/api/v1/more/api/v1`],
	// As copied from a page: what comes behind it would be no path.
	...['/#', '/api/v1?', '/?#'].map((end) => [HOST + end, `${HOST}/api/v1`]),
	['http://localhost:4010/api/v1', 'http://localhost:4010/api/v1'],
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]/api/v1'],
	...['http://127.1', 'http://0x7f.1', 'http://2130706433', 'http://127.0.0.1.'].map(localIs),
])('the base URL %p leads to %s', async (baseUrl, root) => {
	const options = await authenticate(baseUrl, { url: '/locations', headers: { Accept: 'a/b' } });
	expect(options).toMatchObject({
		url: `${root}/locations`,
		headers: { Accept: 'a/b', Authorization: `Bearer ${apiKey}` },
		// Neither of n8n's request helpers follows a redirect with the key.
		...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
		sendCredentialsOnCrossOriginRedirect: false,
	});
	expect(options.baseURL).toBeUndefined();
});

const PLAIN = /must start with https.*Plain http is only accepted for localhost/;
const MORE = /not contain a user name, password, query or fragment/;
const NO_URL = /not a valid URL.*with http:\/\/ for this machine/;
test.each<[RegExp, unknown[]]>([
	[PLAIN, ['http://seo.example.com', 'http://seo.localhost', 'http://localhost.']],
	[PLAIN, ['http://127.0.0.1@evil.example', 'http://0.0.0.0', 'http://[::]', 'http://[::2]']],
	[PLAIN, ['http://[::ffff:127.0.0.1]', 'http://128.0.0.1', 'ftp://127.0.0.1', 'file:///etc']],
	[NO_URL, ['seo.example.com', '127.0.0.1:4010', '', undefined, { href: HOST }]],
	[MORE, ['https://user:secret@seo.example.com', `${HOST}?key=1`, 'https://a.b#c']],
])('%s: base URLs %j are refused', async (message, baseUrls) => {
	for (const baseUrl of baseUrls)
		await expect(authenticate(baseUrl, { url: '/locations' })).rejects.toThrow(message);
});

describe('the key goes to the origin of the base URL and nowhere else', () => {
	const baseUrl = `${HOST}/api/v1`;

	test.each([
		[{ url: `${HOST}/api/v2/reports` }, `${HOST}/api/v2/reports`],
		[{ uri: `${HOST}/x` }, `${HOST}/x`],
		[{ url: '/x', baseURL: baseUrl }, `${baseUrl}/x`],
		[{ url: 'HTTPS://SEO.EXAMPLE.COM/x' }, 'HTTPS://SEO.EXAMPLE.COM/x'],
		[{ url: 'https://user:pw@seo.example.com/x' }, `${HOST}/x`],
		[{ url: '1http://evil.example' }, `${baseUrl}/1http://evil.example`],
		[{ url: '//evil.example.com/x' }, `${baseUrl}//evil.example.com/x`],
		[{ url: '/\\evil.example.com/x' }, `${baseUrl}/\\evil.example.com/x`],
		[{ url: '@evil.example.com' }, `${baseUrl}/@evil.example.com`],
	])('%p is sent to %s', async (options, address) => {
		const sent = (await authenticate(baseUrl, options)) as { url: string; uri?: string };
		expect(sent.url).toBe(address);
		expect([undefined, address]).toContain(sent.uri);
		expect(new URL(sent.url).origin).toBe(HOST);
	});

	test.each([
		{ url: 'https://evil.example.com/api/v1/locations' },
		{ url: 'http://seo.example.com/api/v1/locations' },
		{ url: `${HOST}:444/api/v1/locations` },
		{ url: `${HOST}@evil.example.com/` },
		{ url: 'https:\\\\evil.example.com' },
		{ uri: 'https://evil.example.com', url: HOST },
		{ url: '/x', baseURL: 'https://evil.example.com' },
		{ url: 'data:text/plain,x' },
		{ url: 'x+y.z-1://seo.example.com' },
		{ url: `${HOST}.evil.example` },
		{ url: 'https://[' },
	])('%p is refused', async (options) => {
		const sent = authenticate(baseUrl, options);
		await expect(sent).rejects.toThrow(/only sent to https:\/\/seo\.example\.com\./);
		await expect(sent).rejects.not.toThrow(apiKey);
	});
});

const BAD_KEYS = ['', '  ', 'Bearer ', 'sk 1', 'sk_1\nX-Evil: 1', 'sk_1\u0007', 'schlüssel', null];
test.each(BAD_KEYS)('the key %p is refused', async (key) => {
	const message = /API key of the credential is empty or contains inval/;
	await expect(authenticate(HOST, { url: '/x' }, key)).rejects.toThrow(message);
});

test.each([
	[` ${apiKey}\n`, apiKey],
	[` bearer  ${apiKey} `, apiKey],
	[`Authorization: Bearer ${apiKey}`, apiKey],
	// A key of Laravel, as it is, and as some versions of n8n save it.
	['1|abcdef', '1|abcdef'],
	['1\nabcdef', '1|abcdef'],
	['Bearer 1\r\nabcdef\n', '1|abcdef'],
])('of %p, only the key is sent: %s', async (pasted, key) => {
	const { headers } = await authenticate(HOST, { url: '/x' }, pasted);
	expect(headers).toEqual({ Authorization: `Bearer ${key}` });
});
