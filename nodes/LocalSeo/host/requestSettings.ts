import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { DEFAULT_PAGING, type Paging, textOf } from '../client';
import { InputError } from '../text/inputError';
import { readSwitch } from '../text/parameterValues';
import { asValue } from '../text/words';

/**
 * n8n's own options of a declarative node. The editor leaves expressions unresolved; they may return anything.
 */
interface RequestOptions {
	allowUnauthorizedCerts?: unknown;
	proxy?: unknown;
	timeout?: unknown;
}

type RequestSettings = Pick<
	IHttpRequestOptions,
	'proxy' | 'skipSslCertificateValidation' | 'timeout'
>;

/**
 * Timeout, Proxy and Ignore SSL Issues of one row.
 *
 * @throws InputError for a value that n8n would ignore or fail on
 */
export function readRequestOptions(context: IExecutePaginationFunctions): RequestSettings {
	return settingsOf(context.getNodeParameter('requestOptions', {}) as RequestOptions);
}

/**
 * Timeout, Proxy and Ignore SSL Issues for a list in the editor, where an expression counts as not set.
 *
 * @throws InputError as for a row
 */
export function readEditorRequestOptions(context: ILoadOptionsFunctions): RequestSettings {
	const options = (context.getCurrentNodeParameter('requestOptions') ?? {}) as RequestOptions;
	const resolved = Object.entries(options).filter(([, value]) => !String(value).startsWith('='));
	return settingsOf(Object.fromEntries(resolved));
}

function settingsOf({ proxy, allowUnauthorizedCerts, timeout }: RequestOptions): RequestSettings {
	return {
		...(proxy ? { proxy: readProxy(String(proxy)) } : {}),
		...(readSwitch(allowUnauthorizedCerts) ? { skipSslCertificateValidation: true } : {}),
		timeout: readTimeout(timeout),
	};
}

/**
 * Rejects an address that n8n does not understand, because n8n would send the request directly
 * (docs/dev/n8n-facts.md, section 5). The message does not repeat it, because it may contain a
 * password.
 */
function readProxy(text: string): RequestSettings['proxy'] {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const { protocol = '', hostname, port, username = '', password = '' } = url ?? {};
	const isHttp = ['http:', 'https:'].includes(protocol) && Boolean(hostname);
	// n8n would ignore a password alone, and decodes a login only when the request is under way.
	const isLogin = (username || !password) && !/%(?![\da-f]{2})/i.test(username + password);
	if (!isHttp || !isLogin) {
		throw new InputError(
			'The proxy is not a valid URL',
			'Enter it as http://host:port, or http://user:password@host:port with special characters percent-encoded, under Request Options in the settings of this node. SOCKS proxies are not supported.',
		);
	}
	return {
		protocol: protocol.replace(':', ''),
		host: hostname!,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username ? { auth: { username, password } } : {}),
	};
}

/** The timeout of a request (ms); undefined if none is set, as with 0. */
function readTimeout(value: unknown): number | undefined {
	const timeout = Number(value ?? 0);
	if (Number.isFinite(timeout) && timeout >= 0) return timeout || undefined;
	throw new InputError(
		"'Timeout' must be a number of milliseconds",
		`The current value is ${asValue(value)}. Change it under Request Options in the settings of this node.`,
	);
}

/**
 * How the service is asked for pages, as the credential says. An empty page parameter means that one page
 * is all; other values that are empty count as not set.
 *
 * @throws InputError for what is no page size
 */
export function pagingOf(credential: ICredentialDataDecryptedObject): Paging {
	if (!readSwitch(credential.hasOwnPaging)) return DEFAULT_PAGING;
	const size = Number(credential.pageSize ?? 0);
	if (!Number.isInteger(size) || size < 0) {
		throw new InputError(
			"'Page Size' of the credential must be a whole number",
			`The current value is ${asValue(credential.pageSize)}. With 0, the service decides.`,
		);
	}
	const { pageParameter, pageSizeParameter } = credential;
	return {
		pageSize: size >= 1 ? size : undefined,
		pageParameter: textOf(pageParameter ?? DEFAULT_PAGING.pageParameter).trim(),
		pageSizeParameter: textOf(pageSizeParameter ?? '').trim() || DEFAULT_PAGING.pageSizeParameter,
	};
}
