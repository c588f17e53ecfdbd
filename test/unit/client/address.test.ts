import {
	AddressError,
	addressWithin,
	apiRoot,
	assertPrivate,
	isPlainHttp,
} from '../../../nodes/LocalSeo/client';

/** What is wrong with it, or nothing. */
function flawOf(use: () => unknown) {
	try {
		use();
		return undefined;
	} catch (error) {
		return error instanceof AddressError ? error.flaw : error;
	}
}

describe('the root of the API', () => {
	test.each([
		['https://seo.example.com', 'https://seo.example.com/api/v1'],
		['  https://seo.example.com/  ', 'https://seo.example.com/api/v1'],
		['https://seo.example.com/api/v1', 'https://seo.example.com/api/v1'],
		['https://seo.example.com/api/v1//', 'https://seo.example.com/api/v1'],
		['https://seo.example.com/api/v1/more', 'https://seo.example.com/api/v1/more/api/v1'],
		['https://seo.example.com//a//b/', 'https://seo.example.com//a//b/api/v1'],
		['HTTPS://SEO.example.com:8443/Base', 'https://seo.example.com:8443/Base/api/v1'],
		['http://localhost:5678', 'http://localhost:5678/api/v1'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v1'],
		['http://127.12.255.254', 'http://127.12.255.254/api/v1'],
		['http://127.1', 'http://127.0.0.1/api/v1'],
		['http://[::1]:3000', 'http://[::1]:3000/api/v1'],
		// As copied from a page: what comes behind it would be no path.
		['https://seo.example.com/#', 'https://seo.example.com/api/v1'],
		['https://seo.example.com/api/v1?', 'https://seo.example.com/api/v1'],
		['https://seo.example.com/?#', 'https://seo.example.com/api/v1'],
	])('of %s is %s', (baseUrl, root) => expect(apiRoot(baseUrl).href).toBe(root));

	test.each([
		['', 'not-an-address'],
		['seo.example.com', 'not-an-address'],
		[undefined, 'not-an-address'],
		[{ href: 'https://seo.example.com' }, 'not-an-address'],
		['http://seo.example.com', 'not-https'],
		['http://localhost.example.com', 'not-https'],
		['http://my-localhost', 'not-https'],
		['http://a.localhost', 'not-https'],
		['http://127.0.0.1.example.com', 'not-https'],
		['http://x127.0.0.1', 'not-an-address'],
		['http://[::2]', 'not-https'],
		['ftp://localhost', 'not-https'],
		['file:///etc', 'not-https'],
		['https://ann@seo.example.com', 'more-than-a-path'],
		['https://:secret@seo.example.com', 'more-than-a-path'],
		['https://seo.example.com?key=1', 'more-than-a-path'],
		['https://seo.example.com#top', 'more-than-a-path'],
	])('can not be made of %p: %s', (baseUrl, flaw) => {
		expect(flawOf(() => apiRoot(baseUrl))).toBe(flaw);
	});
});

describe('the address of a request', () => {
	const root = apiRoot('https://seo.example.com/base');
	const at = (path: string) => `https://seo.example.com/base/api/v1/${path}`;

	test.each([
		['/locations', at('locations')],
		['locations', at('locations')],
		['//evil.example/a', at('/evil.example/a')],
		['locations/https://evil.example', at('locations/https://evil.example')],
		['1http://evil.example', at('1http://evil.example')],
		['https://seo.example.com/elsewhere', 'https://seo.example.com/elsewhere'],
		['HTTPS://SEO.EXAMPLE.COM/elsewhere', 'HTTPS://SEO.EXAMPLE.COM/elsewhere'],
		['https://user:pw@seo.example.com/elsewhere', 'https://seo.example.com/elsewhere'],
		['https://user@seo.example.com', 'https://seo.example.com/'],
		['https://:pw@seo.example.com/a?b=c', 'https://seo.example.com/a?b=c'],
	])('%s becomes %s', (url, address) => expect(addressWithin(root, url)).toBe(address));

	test.each([
		'https://evil.example/locations',
		'http://seo.example.com/locations',
		'https://seo.example.com:8443/locations',
		'https://seo.example.com.evil.example',
		'https://seo.example.com@evil.example',
		'https://',
		'data:text/plain,a',
		'x+y.z-1://seo.example.com',
	])('is not on another origin: %s', (url) => {
		let caught: unknown;
		try {
			addressWithin(root, url);
		} catch (error) {
			caught = error;
		}
		expect(caught).toMatchObject({ flaw: 'other-origin', origin: 'https://seo.example.com' });
	});
});

describe('the way to it', () => {
	const [plain, secure] = ['http://localhost/a', 'https://seo.example.com/a'];
	test.each([
		[plain, false, true, undefined],
		[secure, false, true, undefined],
		[secure, true, false, undefined],
		[secure, true, true, 'unverified-proxy'],
		[plain, true, false, 'plain-http-proxy'],
		[plain, true, true, 'plain-http-proxy'],
	])('to %s with a proxy: %p, without a check: %p', (address, isProxied, isUnverified, flaw) => {
		expect(flawOf(() => assertPrivate(address, { isProxied, isUnverified }))).toBe(flaw);
	});

	test('is plain http or not', () => {
		expect([plain, secure].map(isPlainHttp)).toEqual([true, false]);
	});
});
