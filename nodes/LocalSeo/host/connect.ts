import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	type Connection,
	type HttpResponse,
	type JsonObject,
	type Paging,
	type Transport,
	withoutKey,
} from '../client';
import { accounts, apiKeyOf, CREDENTIAL, type HostContext, isOperation } from './accounts';
import { type Exchange, exchanges } from './authenticate';
import { asUserError } from './errors';
import { faultFrom } from './faultFrom';
import { pagingOf } from './requestSettings';

/** The user's settings for the requests of a node (docs/dev/n8n-facts.md, section 6). */
type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

interface ConnectionSettings extends HttpSettings {
	/** The longest that a request may wait in total (ms) while the service is busy or does not respond. */
	patienceMs: number;
	/** Timeout of one attempt (ms); absent: five minutes, as in n8n's routing. */
	timeoutMs?: number;
}

/** A connection, and how the service is asked for the pages of a list. */
export interface Connected extends Connection {
	paging: Paging;
	/** True if the setting On Error of the node lets the workflow go on; absent: it has no such setting. */
	continuesOnFail?: boolean;
}

/** The longest that a person waits in the editor (ms); tests in real time shorten it. */
export const editorWait = { longestMs: 30_000 };

/** Connects a node, a picker or the trigger to the service, with the current key of the credential. */
export async function connect(
	context: HostContext,
	{ patienceMs, timeoutMs, ...settings }: ConnectionSettings,
): Promise<Connected> {
	const credential = await context.getCredentials(CREDENTIAL);
	return {
		account: accounts.of(credential),
		paging: pagingOf(credential),
		transport: transportOf(context, credential, settings),
		patienceMs,
		timeoutMs,
		signal: isOperation(context) ? context.getExecutionCancelSignal() : undefined,
		continuesOnFail: isOperation(context) && context.continueOnFail(),
	};
}

/** All requests go through n8n's request helper here; it adds the API root and the key. */
function transportOf(
	context: HostContext,
	credential: ICredentialDataDecryptedObject,
	settings: HttpSettings,
): Transport {
	return async ({ method, path, query, headers, body, timeoutMs }, signal) => {
		const options: IHttpRequestOptions = {
			...settings,
			method,
			url: path,
			qs: { ...query } as IHttpRequestOptions['qs'],
			arrayFormat: 'repeat',
			headers,
			body,
			timeout: timeoutMs,
			abortSignal: signal,
			returnFullResponse: true,
			// Also turns off n8n's own retry after a 401, which would send a POST twice.
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		const exchange: Exchange = {};
		exchanges.set(options, exchange);
		// n8n reads the credential again for each request, so it may send a newer key.
		const key = () => exchange.key ?? apiKeyOf(credential);
		try {
			const caller = withRequestSignal(context, signal);
			const { helpers } = context;
			const full = await helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, options);
			const response: HttpResponse = {
				status: full.statusCode as number,
				address: exchange.address,
				headers: { ...full.headers } as JsonObject,
				body: full.body as unknown,
			};
			return withoutKey(response, key());
		} catch (thrown) {
			const fault = faultFrom(asUserError(thrown), key());
			// The credential reports the address just before a request is sent.
			return exchange.address === undefined ? { ...fault, fault: 'refused-here' } : fault;
		}
	};
}

/**
 * Gives an operation's context the signal of one request, which is where n8n takes it from. With the
 * execution's signal alone, a connection whose response never ends would stay open.
 */
function withRequestSignal(context: HostContext, signal?: AbortSignal): HostContext {
	if (!signal || !isOperation(context)) return context;
	const own = { getExecutionCancelSignal: () => signal };
	return Object.assign(Object.create(context) as typeof context, own);
}
