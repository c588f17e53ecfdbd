import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { addressWithin, apiRoot, assertPrivate, isPlainHttp } from '../nodes/LocalSeo/client';
import { asUserError } from '../nodes/LocalSeo/host/addressFlaws';
import { exchanges } from '../nodes/LocalSeo/host/exchanges';

/** The HTTP Request node hands over the options of n8n's older request helper. */
type AnyRequestOptions = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/** Headers that decide who gets the key, take its place, or are for a proxy and not for the service. */
const REFUSED_HEADERS = ['host', 'authorization', 'proxy-authorization'];

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
	 * @throws UserError when the base URL, the key, the request's address or the way to it can't be used
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { uri, baseURL, url, ...options } = requestOptions as AnyRequestOptions;
		const path = uri ?? url ?? '';
		const requested = baseURL ? baseURL.replace(/\/$/, '') + path : path;
		const exchange = exchanges.get(requestOptions);
		const address = addressOf(credentials.baseUrl, requested, options);
		const key = String(credentials.apiKey ?? '').trim();
		if (!/^[\x21-\x7e]+$/.test(key)) {
			throw new UserError(
				'The API key of the credential is empty or contains invalid characters. Copy it again from the dashboard (Settings, API Keys).',
			);
		}
		if (exchange) exchange.key = key;
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

function allowed(headers: IHttpRequestOptions['headers'] = {}): IHttpRequestOptions['headers'] {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !REFUSED_HEADERS.includes(name.toLowerCase())),
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
