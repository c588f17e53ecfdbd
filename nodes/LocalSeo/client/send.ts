import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { fillPath } from './path';
import { faultError } from './fault';
import { refusal } from './refusal';
import { type ApiAnswer, type ApiRequest, CREDENTIAL, type Host } from './request';

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/**
 * Sends one request through n8n's own helper, with the credential's key, and gives the answer of a
 * success. The one place where a request leaves the node.
 *
 * @throws NodeOperationError before anything is sent: an id or a credential that can't be used
 * @throws NodeApiError for every answer that is no success, and where none came
 */
export async function send(host: Host, request: ApiRequest): Promise<ApiAnswer> {
	const options = requestOptions(host, request);
	let answer: ApiAnswer;
	try {
		answer = await exchange(host, options);
	} catch (error) {
		throw faultError(host.getNode(), request, error);
	}
	if (answer.status >= 200 && answer.status < 300) return answer;
	throw refusal(host.getNode(), request, await withoutKey(host, answer));
}

function requestOptions(host: Host, request: ApiRequest): IHttpRequestOptions {
	const { method, template, ids, query, body, settings } = request;
	return {
		...settings,
		method,
		url: fillPath(host.getNode(), template, ids),
		qs: { ...query },
		arrayFormat: 'repeat',
		headers: { ...HEADERS },
		body: typeof body === 'object' ? JSON.stringify(body) : body,
		returnFullResponse: true,
		// Also switches off the host's own second try on 401, which would send a POST twice.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

async function exchange(host: Host, options: IHttpRequestOptions): Promise<ApiAnswer> {
	const { helpers } = host;
	const response = await helpers.httpRequestWithAuthentication.call(host, CREDENTIAL, options);
	return {
		status: response.statusCode as number,
		headers: response.headers as IDataObject,
		body: response.body as unknown,
	};
}

/** A service may repeat the key when it refuses it; the node's reports must not. */
async function withoutKey(host: Host, answer: ApiAnswer): Promise<ApiAnswer> {
	const { apiKey } = await host.getCredentials(CREDENTIAL);
	const key = JSON.stringify(String(apiKey).trim()).slice(1, -1);
	const clean = (value: unknown) => JSON.parse(JSON.stringify(value ?? null).replaceAll(key, '…'));
	return { ...answer, headers: clean(answer.headers), body: clean(answer.body) };
}
