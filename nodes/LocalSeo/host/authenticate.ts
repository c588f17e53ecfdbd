import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { addressWithin, apiRoot, assertPrivate, isPlainHttp } from '../client';
import { apiKeyOf } from './accounts';
import { asUserError } from './errors';

/** The HTTP Request node and credential tests pass the options of n8n's older request helper. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/** The credential reports to the node, through this object, how it sent a request. */
export interface Exchange {
	/** The address that the request was sent to. */
	address?: string;
}

/** The node's requests in flight, by the options that n8n passes to the credential's `authenticate`. */
export const exchanges = new WeakMap<object, Exchange>();

/** n8n 2.8 and some later versions save a line break in place of a `|` (docs/dev/n8n-facts.md, section 6). */
const LINE_BREAK =
	'The API key of the credential has a line break inside. If it has a | there, your version of n8n has replaced it: paste the key again after an update of n8n, or enter it as an expression, such as {{ "1|abc" }}.';

/** These headers choose who gets the key, replace it, or address a proxy instead of the service. */
const REFUSED_HEADERS = ['host', 'authorization', 'proxy-authorization'];

/**
 * Completes the address, adds the key and keeps both on the base URL's origin: other origins are
 * rejected, and redirects are not followed, because n8n would send the key along
 * (docs/dev/n8n-facts.md, section 5).
 *
 * @throws UserError when the base URL, the key, the request's address or the route to it can't be used
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { uri, baseURL, url, ...options } = requestOptions as AnyRequestOptions;
	const path = uri ?? url;
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
	if (exchange) exchange.address = address;
	const authenticated: AnyRequestOptions & Record<string, unknown> = {
		...options,
		url: address,
		headers: { ...allowedHeaders(options.headers), Authorization: `Bearer ${key}` },
		// A login would replace the key.
		auth: undefined,
		agentOptions: { ...options.agentOptions, ...loopbackOnly(apiRoot(credentials.baseUrl)) },
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		// The older helper has its own names for this, and reads `uri` first:
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

/** Names are compared without white space around them, because they are sent that way. */
function allowedHeaders(
	headers: IHttpRequestOptions['headers'] = {},
): IHttpRequestOptions['headers'] {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !REFUSED_HEADERS.includes(name.trim().toLowerCase()),
		),
	);
}

/**
 * Over plain http, connections start from the loopback address: a proxy in n8n's environment is invisible
 * here, and no other machine can be reached from there. `localhost` is IPv4 then, because Node.js may
 * take either.
 */
function loopbackOnly({ href, hostname }: Readonly<URL>): { localAddress?: string; family?: 4 } {
	if (!isPlainHttp(href)) return {};
	if (hostname === '[::1]') return { localAddress: '::1' };
	return { localAddress: '127.0.0.1', ...(hostname === 'localhost' && { family: 4 }) };
}
