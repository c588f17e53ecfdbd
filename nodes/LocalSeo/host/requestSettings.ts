import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

import type { HttpSettings } from './connect';
import { CREDENTIAL } from './context';
import { InputError } from './errors';

/** Milliseconds, the same as in n8n's routing. */
const DEFAULT_TIMEOUT = 300_000;

/** n8n's own options of a declarative node, as its routing reads them. */
interface RequestOptions {
	allowUnauthorizedCerts?: boolean;
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	proxy?: string;
	timeout?: number;
}

type Settings = Pick<HttpSettings, 'proxy' | 'skipSslCertificateValidation'> &
	Pick<IHttpRequestOptions, 'timeout'>;

/**
 * Timeout, Proxy and Ignore SSL Issues of one row.
 *
 * @throws InputError for a proxy that is not a valid URL
 */
export function readRequestOptions(context: IExecutePaginationFunctions): Settings {
	const { timeout, proxy, allowUnauthorizedCerts } = context.getNodeParameter(
		'requestOptions',
		{},
	) as RequestOptions;
	return {
		timeout: timeout || DEFAULT_TIMEOUT,
		...(proxy ? { proxy: readProxy(proxy) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

function readProxy(text: string): HttpSettings['proxy'] {
	if (!URL.canParse(text)) {
		throw new InputError(
			'The proxy is not a valid URL',
			'Enter it as http://host:port in the settings of this node.',
		);
	}
	const { protocol, hostname, port, username, password } = new URL(text);
	return {
		protocol: protocol.replace(':', ''),
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username ? { auth: { username, password } } : {}),
	};
}

/** Batching: how many milliseconds after the first row each row may start, by its index. */
export function readBatchDelay(context: IExecuteFunctions): (index: number) => number {
	const { batching } = context.getNodeParameter('requestOptions', 0, {}) as RequestOptions;
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	const size = batchSize > 0 ? batchSize : 1;
	return (index) => Math.floor(index / size) * Math.max(0, batchInterval);
}

/**
 * The domains to which n8n restricts the credential, read once per run. Older versions of n8n have no
 * such restriction.
 *
 * @returns a function that throws n8n's own error where the restriction allows no domain at all
 */
export async function readAllowedDomains(
	context: IExecuteFunctions,
): Promise<() => string | undefined> {
	if (!('getCredentialAllowedDomains' in n8n)) return () => undefined;
	// Without a credential, each row reports that itself.
	const credentialData = await context.getCredentials(CREDENTIAL, 0).catch(() => undefined);
	if (credentialData === undefined) return () => undefined;
	const node = context.getNode();
	return () =>
		n8n.getCredentialAllowedDomains({ node, credentialData, credentialOwnedSurface: true });
}
