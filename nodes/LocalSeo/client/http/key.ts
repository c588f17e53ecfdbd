import type { HttpResponse, JsonObject } from '../ports';
import { isRecord, isTooDeep } from './records';

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
interface Route {
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
	// Both may be there and empty: behind a bare `#`, as browsers show addresses, all paths would be lost.
	root.search = root.hash = '';
	const path = root.pathname.replace(/\/+$/, '');
	root.pathname = path.endsWith(API_PATH) ? path : path + API_PATH;
	return root;
}

/**
 * The absolute address of a request: an absolute `url` stays, but for a login in it, which would take
 * the place of the key; a relative one is appended to the API root (appended, not resolved: a path such
 * as `//host` must not choose a host).
 *
 * @throws AddressError when the address is not on the API root's origin; the key stays there
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

/** What stands in place of the key. */
const REMOVED = '…';
/**
 * Shorter keys are words and numbers that occur in any text: removing them would damage records, and
 * with them what is written back. Whoever can guess them needs no response for that.
 */
const SHORTEST = 6;
/** Stands for a body that can't be read to its end, or be written as JSON again. */
const CUT_OFF = '[';

/**
 * A response without the API key, names and numbers included: error messages, logs and items must not
 * contain it. Records are searched as well.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const headers = valueWithoutKey(response.headers, key) as JsonObject;
	const body = isTooDeep(response.body) ? CUT_OFF : valueWithoutKey(response.body, key);
	return { ...response, headers, body };
}

function valueWithoutKey(value: unknown, key: string): unknown {
	if (key.length < SHORTEST) return value;
	const pattern = patternOf(key);
	const clean = (inner: unknown): unknown => {
		if (typeof inner === 'string') return inner.replace(pattern, REMOVED);
		if (Array.isArray(inner)) return inner.map(clean);
		if (isRecord(inner)) {
			const members = Object.entries(inner);
			return Object.fromEntries(members.map((member) => member.map(clean) as [string, unknown]));
		}
		const text = String(inner);
		const left = text.replace(pattern, REMOVED);
		return left === text ? inner : left;
	};
	return clean(value);
}

/** A text without the key; keys that are words like others stay. */
export function textWithoutKey(text: string, key: string): string {
	return valueWithoutKey(text, key) as string;
}

/** What is taken out of a text before it is shown, and would leave the key: control characters and the like. */
const GAP =
	'[\\0-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]*';

/**
 * The key as programs write it. Letters and digits look the same everywhere; the signs that a key may
 * hold (RFC 6750, 2.1) are encoded in addresses, some JSON has a backslash before them, or `\u002B` in
 * their place, and JSON may stand in JSON.
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
