import type { HttpResponse } from '../ports';
import { isTooDeep } from './records';

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
/** Stands for a body that can't be read to its end, or be written as JSON again. */
const CUT_OFF = '[';

/**
 * A response without the API key, in the forms that programs write it in: error messages, logs and
 * items must not contain it. Records are searched as well.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const { status, headers } = response;
	const body = isTooDeep(response.body) ? CUT_OFF : response.body;
	const isRecords = typeof body === 'object' && status >= 200 && status < 300;
	const isSearched = key.length >= SHORTEST || !isRecords;
	const clean = { headers: jsonWithoutKey(headers, key) as HttpResponse['headers'] };
	return { ...response, ...clean, body: isSearched ? jsonWithoutKey(body, key) : body };
}

/** A JSON value without the key, names and numbers included; one without it stays the same. */
function jsonWithoutKey(value: unknown, key: string): unknown {
	const json = JSON.stringify(value) as string | undefined;
	if (json === undefined) return value;
	const clean = textWithoutKey(json, key);
	if (clean === json) return value;
	// A number that is the key, or has it in it, is none without it.
	return JSON.parse(
		clean.replace(/(?<=[[:,])([\d.e+-]*…[\d.e+-]*)(?=[\]},])/gi, '"$1"'),
	) as unknown;
}

/** A text without the key: as it is, as addresses, JSON and HTML escape it, and in Base64. */
export function textWithoutKey(text: string, key: string): string {
	if (key === '') return text;
	const isWord = key.length < SHORTEST;
	const forms = isWord ? [key] : [key, ...escapedForms(key), ...base64Forms(key)];
	// The longest first: one may begin with another.
	const distinct = [...new Set(forms)].sort((a, b) => b.length - a.length);
	const any = distinct.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
	const pattern = isWord ? `(?<![A-Za-z0-9])${any}(?![A-Za-z0-9])` : any;
	return text.replace(new RegExp(pattern, 'g'), REMOVED);
}

/** Most keys look the same in all of them: they are made to stand in addresses. */
function escapedForms(key: string): string[] {
	const inAddress = encodeURIComponent(key);
	const inHtml = key.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const named = Object.entries({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }).reduce(
		(text, [sign, name]) => text.replaceAll(sign, `&${name};`),
		key,
	);
	const lower = inAddress.replace(/%../g, (hex) => hex.toLowerCase());
	const forms = [key, inAddress, lower, inHtml, named, key.replaceAll('/', '\\/')];
	return forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
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
