import { DEFAULT_PAGING } from '../../nodes/LocalSeo/client';
import { pagingOf, readRequestOptions } from '../../nodes/LocalSeo/host/requestSettings';

const withOptions = (requestOptions: object) => {
	const node = { name: 'Local SEO' };
	return { getNodeParameter: () => requestOptions, getNode: () => node } as never;
};
const read = (options: object) => readRequestOptions(withOptions(options));
const own = { pageParameter: ' seite ', pageSizeParameter: 'anzahl', pageSize: 200 };
const pagingWith = (fields: object) => pagingOf({ ...own, hasOwnPaging: true, ...fields });

const secure = { protocol: 'https', host: 'p.e', port: 443 };
const plain = { protocol: 'http', host: 'p.e', port: 80 };
const login = { auth: { username: 'ann', password: 'secret' } };

test.each<[object, object]>([
	// n8n gives a request five minutes.
	[{}, {}],
	[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
	// Certificates are checked unless the user turns it off.
	[{ allowUnauthorizedCerts: 'false' }, {}],
	[{ proxy: 'http://p.e:3128' }, { proxy: { ...plain, port: 3128 } }],
	[{ proxy: 'https://p.e' }, { proxy: secure }],
	[{ proxy: 'http://ann:secret@p.e:80' }, { proxy: { ...plain, ...login } }],
])('Request Options with %j are %j', (options, expected) => {
	expect(read(options)).toEqual(expected);
});

function refusalOf(readIt: () => unknown): string {
	try {
		return `read as ${JSON.stringify(readIt())}`;
	} catch (error) {
		const { message, description, stack } = error as Error & { description: string };
		return `${message}. ${description} ${stack}`;
	}
}

test.each<[unknown, string, (value: unknown) => unknown]>([
	[-1, "'Timeout' must be a number", (timeout) => read({ timeout })],
	[2.5, "'Page Size' of the credential must be", (pageSize) => pagingWith({ pageSize })],
])('%p is refused: %s', (value, message, readIt) => {
	const refusal = refusalOf(() => readIt(value));
	expect(refusal).toContain(message);
	expect(refusal).toContain(`The current value is ${JSON.stringify(value)}.`);
});

test.each([
	...['socks5://ann:s3cret@p.e:1080', 'p.e:3128', 's3cret', 'ftp://ann:s3cret@p.e', 'http://'],
	...['http://:s3cret@p.e', 'http://ann:s3cret%@p.e', 'http://p.e:99999', 3128],
])('the proxy %p is refused, in words without its password', (proxy) => {
	const refusal = refusalOf(() => read({ proxy }));
	expect(refusal).toMatch(/^The proxy is not a valid URL\. Enter it as http:\/\/host:port/);
	expect(refusal).not.toContain('s3cret');
});

test('page parameters of the credential count under their switch alone; an empty one means one page', () => {
	expect(pagingWith({})).toEqual({ ...own, pageParameter: 'seite' });
	const usual = { ...DEFAULT_PAGING, pageSize: undefined };
	expect(pagingWith({ pageParameter: 'page', pageSizeParameter: '', pageSize: 0 })).toEqual(usual);
	expect(pagingOf({ hasOwnPaging: true })).toEqual(usual);
	expect(pagingWith({ pageParameter: ' ' })).toEqual({ ...own, pageParameter: '' });
	for (const hasOwnPaging of [undefined, false, 'false', '']) {
		expect(pagingWith({ hasOwnPaging })).toEqual(DEFAULT_PAGING);
		expect(pagingWith({ hasOwnPaging, pageSize: 'many' })).toEqual(DEFAULT_PAGING);
	}
});
