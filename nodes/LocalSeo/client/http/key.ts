import type { HttpResponse } from '../ports';

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

/** What stands in place of the key. */
const REMOVED = '…';

/**
 * Shorter keys are words and numbers that occur in any text: removing them would damage records, and
 * with them what is written back. They are removed where they stand alone in a text or a rejection,
 * not from records. Whoever can guess them needs no response for that.
 */
const SHORTEST = 6;
/** Numbers below it have fewer digits than that. */
const SMALLEST = 10 ** (SHORTEST - 1);

/**
 * A response without the API key, in the forms that programs write it in: error messages, logs and
 * items must not contain it. Records are searched as well; a body is changed in place.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const { status, address, headers, body } = response;
	if (key === '') return response;
	const isRecords = typeof body === 'object' && status >= 200 && status < 300;
	const redact = redactorOf(key);
	const isSearched = key.length >= SHORTEST || !isRecords;
	return {
		status,
		address,
		headers: redactAll(headers, redact) as HttpResponse['headers'],
		body: isSearched ? redactAll(body, redact) : body,
	};
}

/** A text without the key. */
export function textWithoutKey(text: string, key: string): string {
	return key === '' ? text : redactorOf(key)(text);
}

type Redact = (text: string) => string;

function redactorOf(key: string): Redact {
	const isWord = key.length < SHORTEST;
	const forms = isWord ? [key] : [key, ...escapedForms(key), ...base64Forms(key)];
	// The longest first: one may begin with another.
	const distinct = [...new Set(forms)].sort((a, b) => b.length - a.length);
	const any = distinct.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
	const pattern = new RegExp(isWord ? `(?<![A-Za-z0-9])${any}(?![A-Za-z0-9])` : any, 'g');
	return (text) => text.replace(pattern, REMOVED);
}

/** Signs that stay in addresses beside letters and digits, besides `-`, `.` and `_`. */
const SAFE_IN_ADDRESSES = [
	// RFC 3986; Python's quote; forms; encodeURIComponent; encodeURI
	...['~', '~/', '*', "~!'()*", "~!'()*;,/?:@&=+$#"],
];
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The key as programs escape it in addresses, JSON and HTML; most keys look the same in all of them. */
function escapedForms(key: string): string[] {
	return (['toLowerCase', 'toUpperCase'] as const).flatMap((inCase) => {
		const hex = (sign: string) => Buffer.from(sign).toString('hex')[inCase]();
		const percent = (sign: string) => hex(sign).replace(/../g, '%$&');
		const backslash = (sign: string) => `\\${sign}`;
		const unicode = (sign: string) => `\\u00${hex(sign)}`;
		const entity = (sign: string) => ENTITIES[sign] ?? `&#${sign.charCodeAt(0)};`;
		const hexEntity = (sign: string) => ENTITIES[sign] ?? `&#x${hex(sign)};`;
		return [
			...SAFE_IN_ADDRESSES.map((safe) =>
				key.replace(/[^\w.-]/gu, (sign) => (safe.includes(sign) ? sign : percent(sign))),
			),
			// JSON, as most write it, PHP, Go and .NET
			key.replace(/["\\]/g, backslash),
			key.replace(/["\\/]/g, backslash),
			key.replace(/["\\]/g, backslash).replace(/[<>&]/g, unicode),
			key.replace(/\\/g, backslash).replace(/[<>&"'+`]/g, unicode),
			// HTML: texts, attributes, the apostrophe as PHP writes it, and what OWASP recommends
			key.replace(/[&<>]/g, entity),
			key.replace(/[&<>"]/g, entity),
			key.replace(/[&<>"']/g, entity),
			key.replace(/[&<>"']/g, entity).replaceAll('&#39;', '&#039;'),
			key.replace(/[&<>"'/]/g, hexEntity),
		];
	});
}

/**
 * The part of the key's Base64 that does not depend on what surrounds the key, for each of the three
 * ways in which it can be aligned: so `Bearer <key>` and longer texts are found, too.
 */
function base64Forms(key: string): string[] {
	return [0, 1, 2].flatMap((offset) => {
		const bytes = Buffer.from('\0'.repeat(offset) + key);
		const first = Math.ceil((8 * offset) / 6);
		const last = Math.floor((8 * bytes.length) / 6);
		return (['base64', 'base64url'] as const).map((encoding) =>
			bytes.toString(encoding).slice(first, last),
		);
	});
}

/** Redacts all texts in a JSON value, names included, without recursion: it may be deeper than the stack. */
function redactAll(value: unknown, redact: Redact): unknown {
	const root = [value];
	const containers: object[] = [root];
	for (let container; (container = containers.pop()) !== undefined; ) {
		const members = container as Record<string, unknown>;
		for (const name of Object.keys(members)) {
			const clean = redactValue(members[name], redact);
			const cleanName = Array.isArray(container) ? name : redact(name);
			if (cleanName !== name) delete members[name];
			members[cleanName] = clean;
			if (typeof clean === 'object' && clean !== null) containers.push(clean);
		}
	}
	return root[0];
}

/** A number is searched, too: a key may consist of digits. */
function redactValue(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (typeof value !== 'number' || Math.abs(value) < SMALLEST) return value;
	return redact(String(value)) === String(value) ? value : REMOVED;
}
