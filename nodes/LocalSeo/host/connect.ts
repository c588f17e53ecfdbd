import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	type Connection,
	faultOf,
	type HttpFault,
	type HttpResponse,
	type JsonObject,
	type Transport,
	withoutKey,
} from '../client';
import { accounts } from './accounts';
import { CREDENTIAL, type HostContext, isOperation } from './context';

/** What the user or n8n has set for the requests of a node (docs/n8n-facts.md, section 6). */
export type HttpSettings = Pick<
	IHttpRequestOptions,
	'proxy' | 'allowedDomains' | 'skipSslCertificateValidation'
>;

export interface ConnectionSettings extends HttpSettings {
	/** Milliseconds that a request may wait in total while the service is busy or does not respond. */
	patienceMs: number;
	/** Milliseconds for one attempt; absent: n8n's own. */
	timeoutMs?: number;
}

/** Connects a node, a picker or the trigger to the service. */
export async function connect(
	context: HostContext,
	{ patienceMs, timeoutMs, ...settings }: ConnectionSettings,
): Promise<Connection> {
	return {
		account: await accounts.of(context),
		transport: transportOf(context, settings),
		patienceMs,
		timeoutMs,
		signal: isOperation(context) ? context.getExecutionCancelSignal() : undefined,
	};
}

/** The only place that calls n8n's request helper, which adds the API root and the key. */
function transportOf(context: HostContext, settings: HttpSettings): Transport {
	return async ({ method, path, query, headers, body, timeoutMs }) => {
		const options: IHttpRequestOptions = {
			...settings,
			method,
			url: path,
			qs: { ...query } as IHttpRequestOptions['qs'],
			arrayFormat: 'repeat',
			headers,
			body,
			timeout: timeoutMs,
			returnFullResponse: true,
			// Also turns off n8n's own retry on 401, which would send a POST twice.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		try {
			const { helpers } = context;
			const full = await helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
			return await withoutKeyOf(context, {
				status: full.statusCode as number,
				headers: full.headers as JsonObject,
				body: full.body as unknown,
			});
		} catch (thrown) {
			return faultFrom(thrown);
		}
	};
}

/** Reads the credential only if there may be a key to remove: that costs about as much as a request. */
async function withoutKeyOf(context: HostContext, response: HttpResponse): Promise<HttpResponse> {
	const isParsed = typeof response.body !== 'string' || response.body === '';
	if (isParsed && response.status >= 200 && response.status < 300) return response;
	try {
		const { apiKey } = await context.getCredentials(CREDENTIAL);
		return withoutKey(response, String(apiKey).trim());
	} catch {
		// Without the key nothing can be removed: the status says what matters.
		return { status: response.status, headers: {}, body: '' };
	}
}

/** What was thrown instead of a response. n8n wraps the error that has the code. */
function faultFrom(thrown: unknown): HttpFault {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const cause = error.cause instanceof Error ? error.cause : error;
	return { fault: faultOf(cause), cause };
}
