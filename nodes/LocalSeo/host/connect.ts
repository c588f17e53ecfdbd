import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import isEqual from 'lodash/isEqual';

import {
	type Account,
	addressWithin,
	apiRoot,
	type Connection,
	type JsonObject,
	type Paging,
	type Transport,
	withoutKey,
} from '../client';
import { InputError } from '../text/inputError';
import { accounts, apiKeyOf, CREDENTIAL, type HostContext, isOperation } from './accounts';
import { authenticated } from './authenticate';
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

/** A credential as it was read, and its account. */
export interface Credential {
	data: ICredentialDataDecryptedObject;
	account: Account;
}

/**
 * The credential of a run. It is read for two rows at most, because reading and decrypting one takes
 * longer than sending a request.
 *
 * @param first the context of the first row
 * @param last of the last row, if there is another one: a credential may have expressions
 * @throws InputError if they differ: what one account shows says nothing about another one
 */
export async function credentialOf(
	first: Pick<HostContext, 'getCredentials'>,
	last?: Pick<HostContext, 'getCredentials'>,
): Promise<Credential> {
	const data = await first.getCredentials(CREDENTIAL);
	if (last && !isEqual(await last.getCredentials(CREDENTIAL), data)) {
		throw new InputError(
			'The rows of this run have different credentials',
			'The credential has an expression that reads the row. Put this node into a loop that runs it for one row at a time.',
		);
	}
	return { data, account: accounts.of(data) };
}

/** Connects a node, a picker or the trigger to the service, with the current key of the credential. */
export async function connect(
	context: HostContext,
	settings: ConnectionSettings,
): Promise<Connected> {
	return connectWith(await credentialOf(context), context, settings);
}

/** Connects with a credential that was read. */
export function connectWith(
	{ data, account }: Credential,
	context: HostContext,
	{ patienceMs, timeoutMs, ...settings }: ConnectionSettings,
): Connected {
	return {
		account,
		paging: pagingOf(data),
		transport: transportOf(context, data, settings),
		patienceMs,
		timeoutMs,
		signal: isOperation(context) ? context.getExecutionCancelSignal() : undefined,
		continuesOnFail: isOperation(context) && context.continueOnFail(),
	};
}

/** All requests go through n8n's request helper here; it adds the API root and the key. */
function transportOf(
	context: HostContext,
	data: ICredentialDataDecryptedObject,
	settings: HttpSettings,
): Transport {
	const key = apiKeyOf(data);
	// Otherwise n8n would read the credential for each request.
	const more = { credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data } };
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
		try {
			const { httpRequestWithAuthentication } = context.helpers;
			const caller = withRequestSignal(context, signal);
			const full = await httpRequestWithAuthentication.call(caller, CREDENTIAL, options, more);
			const response = {
				status: full.statusCode as number,
				address: addressWithin(apiRoot(data.baseUrl), path),
				headers: { ...full.headers } as JsonObject,
				body: full.body as unknown,
			};
			return withoutKey(response, key);
		} catch (thrown) {
			const fault = faultFrom(thrown, key);
			return authenticated.has(options) ? fault : { ...fault, fault: 'refused-here' };
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
