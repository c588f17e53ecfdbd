import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { AddressError, type AddressFlaw, addressWithin, apiRoot } from '../client';
import { apiKeyOf } from './accounts';

/** The HTTP Request node and credential tests pass the options of n8n's older request helper. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string };

/** The options of requests that got the key. Whatever fails before that was certainly not sent. */
export const authenticated = new WeakSet<object>();

/**
 * A network that serves many sites chooses one of them by `Host`, so that another one could get the key.
 * axios sends names without the white space around them, and one `Authorization` of several.
 */
const REFUSED = /^\s*(host|authorization)\s*$/i;

/** Advice for a base URL or an address that can't be used. */
const ADDRESS_FLAWS: Record<AddressFlaw, string> = {
	'not-an-address':
		"The 'Base URL' of the credential is not a valid URL. Enter it with https://, e.g. https://seo.example.com/api/v1, or with http:// for this machine, e.g. http://127.0.0.1:4010",
	'not-https':
		"The 'Base URL' of the credential must start with https://, so that the API key is not sent in plain text. Plain http is only accepted for localhost, 127.0.0.1 and [::1].",
	'more-than-a-path':
		"The 'Base URL' of the credential must not contain a user name, password, query or fragment. Enter only scheme, host and path, e.g. https://seo.example.com/api/v1",
	'other-origin':
		"The API key of this credential is only sent to {origin}. Change the 'Base URL' of the credential if the service has moved.",
};

/**
 * Completes the address, adds the key and keeps both on the base URL's origin: other origins are
 * rejected, and redirects are not followed, because n8n would send the key along
 * (docs/dev/n8n-facts.md, section 5).
 *
 * @throws UserError when the base URL, the key or the request's address can't be used
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const { uri, baseURL, url, ...options } = requestOptions as AnyRequestOptions;
	const path = uri ?? url;
	const requested = baseURL ? baseURL.replace(/\/$/, '') + path : path;
	const address = addressOf(credentials.baseUrl, requested);
	const key = apiKeyOf(credentials);
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UserError(
			'The API key of the credential is empty or contains invalid characters. Copy it again from the dashboard (Settings, API Keys).',
		);
	}
	authenticated.add(requestOptions);
	const others = Object.entries(options.headers ?? {}).filter(([name]) => !REFUSED.test(name));
	const complete: AnyRequestOptions & Record<string, unknown> = {
		...options,
		url: address,
		headers: { ...Object.fromEntries(others), Authorization: `Bearer ${key}` },
		// A login would replace the key.
		auth: undefined,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		// The older helper has its own names for this, and reads `uri` first:
		...(uri === undefined ? {} : { uri: address }),
		followRedirect: false,
		followAllRedirects: false,
	};
	return complete;
}

/** @throws UserError, whose message n8n shows unchanged */
function addressOf(baseUrl: unknown, requested: string): string {
	try {
		return addressWithin(apiRoot(baseUrl), requested);
	} catch (error) {
		throw asUserError(error);
	}
}

function asUserError(error: unknown): unknown {
	if (!(error instanceof AddressError)) return error;
	return new UserError(ADDRESS_FLAWS[error.flaw].replace('{origin}', error.origin ?? ''));
}
