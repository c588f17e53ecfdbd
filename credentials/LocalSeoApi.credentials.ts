import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { addressWithin, AddressError, type AddressFlaw, apiRoot } from '../nodes/LocalSeo/client';

/** The HTTP Request node hands over the options of n8n's older request helper. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string };

/** What to do about a base URL that can't be used, or an address that is not on its origin. */
const ADDRESS_FLAWS: Record<AddressFlaw, string> = {
	'not-an-address':
		'The Base URL of the credential is not a valid URL. Enter it with https://, e.g. https://seo.example.com/api/v1',
	'not-https':
		'The Base URL of the credential must start with https://, so that the API key is not sent in plain text',
	'more-than-a-path':
		'The Base URL of the credential must not contain a user name, password, query or fragment. Enter only scheme, host and path, e.g. https://seo.example.com/api/v1',
	'other-origin':
		'The API key of this credential is only sent to {origin}. Change the Base URL of the credential if the service has moved.',
};

export class LocalSeoApi implements ICredentialType {
	name = 'localSeoApi';

	displayName = 'Local SEO API';

	icon: Icon = { light: 'file:../icons/localSeo.svg', dark: 'file:../icons/localSeo.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-local-seo/n8n-nodes-local-seo#credential';

	// `authenticate` refuses every origin but the base URL's, so n8n's list of domains would add nothing.
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://seo.example.com/api/v1',
			description:
				'Address of the service, with or without /api/v1. The API key is only sent there.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Create a key in the dashboard under Settings, API Keys. The read scope is enough to get data; creating, updating and deleting require the write scope.',
		},
	];

	/**
	 * Completes the address, adds the key and keeps both on the base URL's origin: other origins are
	 * refused, redirects are not followed (n8n would send the key along: docs/n8n-facts.md, section 5).
	 *
	 * @throws UserError when the base URL, the key or the request's address can't be used
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { uri, baseURL, url, ...options } = requestOptions as AnyRequestOptions;
		const path = uri ?? url ?? '';
		const requested = baseURL ? baseURL.replace(/\/$/, '') + path : path;
		const address = addressOf(credentials.baseUrl, requested);
		const key = String(credentials.apiKey ?? '').trim();
		if (!/^[\x21-\x7e]+$/.test(key)) {
			throw new UserError(
				'The API key of the credential is empty or contains invalid characters. Copy it again from the dashboard (Settings, API Keys).',
			);
		}
		const authenticated: AnyRequestOptions & Record<string, unknown> = {
			...options,
			url: address,
			headers: { ...options.headers, Authorization: `Bearer ${key}` },
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			// The same for the older helper, which also reads `uri` first:
			...(uri === undefined ? {} : { uri: address }),
			followRedirect: false,
			followAllRedirects: false,
		};
		return authenticated;
	};

	test: ICredentialTestRequest = {
		request: { url: '/locations', headers: { Accept: 'application/json' } },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service does not accept this API key. Check it in the dashboard under Settings, API Keys: it may be mistyped or revoked.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'There is no Local SEO service at this address. Check the Base URL.',
				},
			},
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode' as const,
				properties: {
					value,
					message:
						'This address redirects to another one, and the API key is not sent there. Enter the final address as the Base URL.',
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'data',
					value: undefined,
					message:
						'Unexpected response: this does not look like the Local SEO API. Check the Base URL.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
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
