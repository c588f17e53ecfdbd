import type { HttpResponse, JsonObject } from '../ports';
import { isTooDeep } from './records';

const API_PATH = '/api/v1';
/**
 * This machine, as URL writes it (`127.1` and `0x7f000001` become `127.0.0.1`). Names below `localhost`
 * are left out, because a DNS server may resolve them to any address.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why a base URL, an address or the route to it can't be used. */
export type AddressFlaw =
	| 'not-an-address'
	| 'not-https'
	| 'more-than-a-path'
	| 'other-origin'
	| 'plain-http-proxy'
	| 'unverified-proxy';

/** The properties of a route that decide whether the key stays private on it. */
interface Route {
	isProxied: boolean;
	/** True if the certificate of the service is accepted without a check. */
	isUnverified: boolean;
}

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
export function addressWithin(root: URL, url: string): string {
	const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
	const address = isAbsolute ? url : `${root.href}/${url.replace(/^\//, '')}`;
	if (!URL.canParse(address) || new URL(address).origin !== root.origin) {
		throw new AddressError('other-origin', root.origin);
	}
	const target = new URL(address);
	if (!target.username && !target.password) return address;
	target.username = target.password = '';
	return target.href;
}

/**
 * @throws AddressError when a proxy could read the key: over plain http it sees the whole request, and
 * if certificates are not checked, it can answer in place of the service
 */
export function assertPrivate(address: string, { isProxied, isUnverified }: Route): void {
	if (!isProxied) return;
	if (isPlainHttp(address)) throw new AddressError('plain-http-proxy');
	if (isUnverified) throw new AddressError('unverified-proxy');
}

export function isPlainHttp(address: string): boolean {
	return new URL(address).protocol === 'http:';
}

/** Replaces the key. */
const REMOVED = '…';
/**
 * Shorter keys are left in, because they are words and numbers that occur in any text: removing them
 * would damage records, and whatever is written back from them. Such a key can be guessed without a
 * response.
 */
const SHORTEST = 6;
/** The pattern of the key that was removed last: most responses come for one key. */
let last = { key: '', pattern: /(?!)/g };
/** Replaces a body that is nested too deeply to be written as JSON; reads as JSON that was cut off. */
const CUT_OFF = '[';

/**
 * Removes the API key from a response, names and numbers included: error messages, logs and items must
 * not contain it. Records are searched as well.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const headers = valueWithoutKey(response.headers, key) as JsonObject;
	const body = isTooDeep(response.body) ? CUT_OFF : valueWithoutKey(response.body, key);
	return { ...response, headers, body };
}

function valueWithoutKey(value: unknown, key: string): unknown {
	if (key.length < SHORTEST) return value;
	if (last.key !== key) last = { key, pattern: patternOf(key) };
	return cleaned(value, last.pattern);
}

/** Only a value that holds the key is copied: hardly any does. */
function cleaned(value: unknown, pattern: RegExp): unknown {
	if (typeof value === 'string') return value.replace(pattern, REMOVED);
	if (typeof value !== 'object' || value === null) {
		const text = String(value);
		const left = text.replace(pattern, REMOVED);
		return left === text ? value : left;
	}
	if (Array.isArray(value)) {
		const left = value.map((one) => cleaned(one, pattern));
		return left.every((one, at) => one === value[at]) ? value : left;
	}
	let isClean = true;
	const left = Object.entries(value).map(([name, one]): [string, unknown] => {
		const member: [string, unknown] = [name.replace(pattern, REMOVED), cleaned(one, pattern)];
		isClean &&= member[0] === name && member[1] === one;
		return member;
	});
	return isClean ? value : Object.fromEntries(left);
}

/** Removes the key from a text; keys that are too short stay. */
export function textWithoutKey(text: string, key: string): string {
	return valueWithoutKey(text, key) as string;
}

/**
 * Characters that are stripped before a text is shown, such as control characters: a key that contains
 * them would be shown intact.
 */
const GAP =
	'[\\0-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]*';

/**
 * Matches the key as programs write it. Letters and digits look the same everywhere. The other
 * characters of a key (RFC 6750, 2.1) are percent-encoded in addresses; JSON may escape them with a
 * backslash or as `\u002B`, and may be nested in JSON.
 */
function patternOf(key: string): RegExp {
	const parts = [...key].map((sign) => {
		if (/[A-Za-z\d]/.test(sign)) return sign;
		const hex = Buffer.from(sign).toString('hex');
		const code = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
		const plain = sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
		return `(?:\\\\{0,3}${plain}|\\\\{1,3}u00${code}|%${code})`;
	});
	return new RegExp(parts.join(GAP), 'g');
}
