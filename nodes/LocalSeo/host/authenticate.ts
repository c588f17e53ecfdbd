import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { addressWithin, apiRoot, assertPrivate, isPlainHttp } from '../client';
import { apiKeyOf } from './accounts';
import { asUserError } from './errors';

/** The HTTP Request node and credential tests hand over the options of n8n's older request helper. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/** What the credential tells the node about one request. */
export interface Exchange {
	/** Where the request went. */
	address?: string;
	/** The key that was sent with it, which may not come back. */
	key?: string;
}

/** Requests of this node, by the options that n8n hands on to the credential's `authenticate`. */
export const exchanges = new WeakMap<object, Exchange>();

/** n8n 2.8 and some later versions save a line break in place of a `|` (docs/dev/n8n-facts.md, section 6). */
const LINE_BREAK =
	'The API key of the credential has a line break inside. If it has a | there, your version of n8n has replaced it: paste the key again after an update of n8n, or enter it as an expression, such as {{ "1|abc" }}.';

/** Headers that decide who gets the key, take its place, or are for a proxy and not for the service. */
const REFUSED_HEADERS = ['host', 'authorization', 'proxy-authorization'];

/**
 * Completes the address, adds the key and keeps both on the base URL's origin: other origins are
 * refused, redirects are not followed (n8n would send the key along: docs/dev/n8n-facts.md, section 5).
 *
 * @throws UserError when the base URL, the key, the request's address or the way to it can't be used
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { uri, baseURL, url, ...options } = requestOptions as AnyRequestOptions;
	const path = uri ?? url ?? '';
	const requested = baseURL ? baseURL.replace(/\/$/, '') + path : path;
	const exchange = exchanges.get(requestOptions);
	const address = addressOf(credentials.baseUrl, requested, options);
	const key = apiKeyOf(credentials);
	if (/[\r\n]/.test(key)) throw new UserError(LINE_BREAK);
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UserError(
			'The API key of the credential is empty or contains invalid characters. Copy it again from the dashboard (Settings, API Keys).',
		);
	}
	if (exchange) Object.assign(exchange, { key, address });
	const authenticated: AnyRequestOptions & Record<string, unknown> = {
		...options,
		url: address,
		headers: { ...allowed(options.headers), Authorization: `Bearer ${key}` },
		// A login would take the place of the key.
		auth: undefined,
		agentOptions: { ...options.agentOptions, ...boundTo(address) },
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		// The same for the older helper, which also reads `uri` first:
		...(uri === undefined ? {} : { uri: address }),
		followRedirect: false,
		followAllRedirects: false,
	};
	return authenticated;
}

/** @throws UserError, whose message n8n shows unchanged */
function addressOf(
	baseUrl: unknown,
	requested: string,
	options: Partial<AnyRequestOptions>,
): string {
	const { proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions } = options;
	try {
		const address = addressWithin(apiRoot(baseUrl), requested);
		assertPrivate(address, {
			isProxied: Boolean(proxy),
			isUnverified:
				skipSslCertificateValidation === true ||
				rejectUnauthorized === false ||
				agentOptions?.rejectUnauthorized === false,
		});
		return address;
	} catch (error) {
		throw asUserError(error);
	}
}

/** A name with white space around it is sent without it. */
function allowed(headers: IHttpRequestOptions['headers'] = {}): IHttpRequestOptions['headers'] {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !REFUSED_HEADERS.includes(name.trim().toLowerCase()),
		),
	);
}

/**
 * Over plain http, connections begin at the loopback address: from there no proxy on another machine
 * can be reached, and one in n8n's environment can't be seen from here. What `localhost` stands for is
 * up to the system, so it is left alone.
 */
function boundTo(address: string): { localAddress?: string } {
	const { hostname } = new URL(address);
	if (!isPlainHttp(address) || hostname === 'localhost') return {};
	return { localAddress: hostname === '[::1]' ? '::1' : '127.0.0.1' };
}
