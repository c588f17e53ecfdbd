const API_PATH = '/api/v1';
/**
 * This machine, as URL writes it (`127.1` and `0x7f000001` become `127.0.0.1`). Names below `localhost`
 * are left out, because a DNS server may resolve them to any address.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why a base URL or an address can't be used. */
export type AddressFlaw = 'not-an-address' | 'not-https' | 'more-than-a-path' | 'other-origin';

export class AddressError extends Error {
	constructor(
		readonly flaw: AddressFlaw,
		/** The only origin that requests may go to; absent if the base URL has none. */
		readonly origin?: string,
	) {
		super(flaw);
	}
}

/**
 * The root of the API, without a trailing slash: `https://seo.example.com/api/v1`. The base URL may
 * come with or without a trailing slash and with or without `/api/v1`.
 *
 * @throws AddressError when it is not an https address; plain http is only for loopback addresses
 */
export function apiRoot(baseUrl: unknown): Readonly<URL> {
	if (latest === undefined || latest.baseUrl !== baseUrl) {
		latest = { baseUrl, root: readRoot(baseUrl) };
	}
	return latest.root;
}

/** Kept, since each request asks for it several times. */
let latest: { baseUrl: unknown; root: URL } | undefined;

function readRoot(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	const root = URL.canParse(text) ? new URL(text) : undefined;
	if (!root) throw new AddressError('not-an-address');
	const isSecure = root.protocol === 'https:';
	if (!isSecure && !(root.protocol === 'http:' && LOOPBACK.test(root.hostname))) {
		throw new AddressError('not-https');
	}
	if (root.username || root.password || root.search || root.hash) {
		throw new AddressError('more-than-a-path');
	}
	// Both may be present and empty: behind a bare `#`, as browsers show addresses, all paths would be lost.
	root.search = root.hash = '';
	const path = root.pathname.replace(/\/+$/, '');
	root.pathname = path.endsWith(API_PATH) ? path : path + API_PATH;
	return root;
}

/**
 * The absolute address of a request. An absolute `url` stays as it is, except for a login, which would
 * replace the key. A relative one is appended to the API root (appended, not resolved: a path such as
 * `//host` must not choose a host).
 *
 * @throws AddressError when the address is not on the API root's origin, where the key has to stay
 */
export function addressWithin(root: Readonly<URL>, url: string): string {
	const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
	if (!isAbsolute) return `${root.href}/${url.replace(/^\//, '')}`;
	const target = URL.canParse(url) ? new URL(url) : undefined;
	if (target?.origin !== root.origin) throw new AddressError('other-origin', root.origin);
	if (!target.username && !target.password) return url;
	target.username = target.password = '';
	return target.href;
}
