const API_PATH = '/api/v1';
/**
 * This machine, as URL writes it (`127.1` and `0x7f000001` become `127.0.0.1`). Names below `localhost`
 * are not in it: a DNS server may send them anywhere.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why a base URL, an address or the way to it can't be used. */
export type AddressFlaw =
	| 'not-an-address'
	| 'not-https'
	| 'more-than-a-path'
	| 'other-origin'
	| 'plain-http-proxy'
	| 'unverified-proxy';

/** How a request would get to its address. */
export interface Route {
	isProxied: boolean;
	/** Whether the certificate of the service is accepted without a check. */
	isUnverified: boolean;
}

export class AddressError extends Error {
	constructor(
		readonly flaw: AddressFlaw,
		/** The only origin that requests may go to, where that is known. */
		readonly origin?: string,
	) {
		super(flaw);
	}
}

/**
 * The root of the API, without a trailing slash: `https://seo.example.com/api/v1`.
 * The base URL may come with or without a trailing slash and with or without `/api/v1`.
 *
 * @throws AddressError when it is no https address; plain http is for loopback addresses alone
 */
export function apiRoot(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!URL.canParse(text)) throw new AddressError('not-an-address');
	const root = new URL(text);
	const isSecure = root.protocol === 'https:';
	if (!isSecure && !(root.protocol === 'http:' && LOOPBACK.test(root.hostname))) {
		throw new AddressError('not-https');
	}
	if (root.username || root.password || root.search || root.hash) {
		throw new AddressError('more-than-a-path');
	}
	const path = root.pathname.replace(/\/+$/, '');
	root.pathname = path.endsWith(API_PATH) ? path : path + API_PATH;
	return root;
}

/**
 * The absolute address of a request: an absolute `url` stays, a relative one is appended to the
 * API root (appended, not resolved: a path such as `//host` must not choose a host).
 *
 * @throws AddressError when the address is not on the API root's origin; the key stays there
 */
export function addressWithin(root: URL, url: string): string {
	const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
	const address = isAbsolute ? url : `${root.href}/${url.replace(/^\//, '')}`;
	if (!URL.canParse(address) || new URL(address).origin !== root.origin) {
		throw new AddressError('other-origin', root.origin);
	}
	return address;
}

/**
 * @throws AddressError when a proxy could read the key: over plain http it sees all of a request, and
 * without a check of certificates it can answer in the service's place
 */
export function assertPrivate(address: string, { isProxied, isUnverified }: Route): void {
	if (!isProxied) return;
	if (isPlainHttp(address)) throw new AddressError('plain-http-proxy');
	if (isUnverified) throw new AddressError('unverified-proxy');
}

export function isPlainHttp(address: string): boolean {
	return new URL(address).protocol === 'http:';
}
