import { UserError } from 'n8n-workflow';

import { AddressError, type AddressFlaw } from '../client';

/** What to do about a base URL, an address or a way to it that can't be used. */
const ADDRESS_FLAWS: Record<AddressFlaw, string> = {
	'not-an-address':
		'The Base URL of the credential is not a valid URL. Enter it with https://, e.g. https://seo.example.com/api/v1',
	'not-https':
		'The Base URL of the credential must start with https://, so that the API key is not sent in plain text. Plain http is only accepted for localhost, 127.0.0.1 and [::1].',
	'more-than-a-path':
		'The Base URL of the credential must not contain a user name, password, query or fragment. Enter only scheme, host and path, e.g. https://seo.example.com/api/v1',
	'other-origin':
		'The API key of this credential is only sent to {origin}. Change the Base URL of the credential if the service has moved.',
	'plain-http-proxy':
		'The request was not sent: over plain http, a proxy could read the API key. Use https in the Base URL of the credential, or let n8n connect directly: remove the Proxy from the Request Options, or add the host to the environment variable NO_PROXY of n8n.',
	'unverified-proxy':
		'The request was not sent: with Ignore SSL Issues turned on, a proxy could read the API key. Turn off Ignore SSL Issues, or let n8n connect directly: remove the Proxy from the Request Options, or add the host to the environment variable NO_PROXY of n8n.',
};

/** An address error in words that n8n shows unchanged; any other error as it is. */
export function asUserError(error: unknown): unknown {
	if (!(error instanceof AddressError)) return error;
	return new UserError(ADDRESS_FLAWS[error.flaw].replace('{origin}', error.origin ?? ''));
}
