import { UserError } from 'n8n-workflow';

const API_PATH = '/api/v1';
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The root of the API, without a trailing slash: `https://seo.example.com/api/v1`.
 * The base URL may come with or without a trailing slash and with or without `/api/v1`.
 *
 * @throws UserError when it is no https address; plain http is for loopback addresses alone
 */
export function apiRoot(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!URL.canParse(text)) {
		throw new UserError(
			'The Base URL of the credential is not an address. Enter it with https://, e.g. https://seo.example.com/api/v1',
		);
	}
	const root = new URL(text);
	const isSecure = root.protocol === 'https:';
	if (!isSecure && !(root.protocol === 'http:' && LOOPBACK.test(root.hostname))) {
		throw new UserError(
			'The Base URL of the credential has to start with https://, so that the API key is not sent in the clear',
		);
	}
	if (root.username || root.password || root.search || root.hash) {
		throw new UserError(
			'The Base URL of the credential may hold only scheme, host and path, e.g. https://seo.example.com/api/v1',
		);
	}
	const path = root.pathname.replace(/\/+$/, '');
	root.pathname = path.endsWith(API_PATH) ? path : path + API_PATH;
	return root;
}

/**
 * The absolute address of a request: an absolute `url` stays, a relative one is appended to the
 * API root (appended, not resolved: a path such as `//host` must not choose a host).
 *
 * @throws UserError when the address is not on the API root's origin; the key stays there
 */
export function addressWithin(root: URL, url: string): string {
	const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
	const address = isAbsolute ? url : `${root.href}/${url.replace(/^\//, '')}`;
	if (!URL.canParse(address) || new URL(address).origin !== root.origin) {
		throw new UserError(
			`The API key of this credential is sent to ${root.origin} only. Change the Base URL of the credential if the service has moved.`,
		);
	}
	return address;
}
