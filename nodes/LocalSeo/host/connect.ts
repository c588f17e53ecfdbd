import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	type Account,
	type Connection,
	type HttpResponse,
	type JsonObject,
	type Paging,
	type Transport,
	withoutKey,
} from '../client';
import { InputError } from '../text/inputError';
import { accounts, apiKeyOf, CREDENTIAL, type HostContext, isOperation, rootOf } from './accounts';
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

/** A credential that many requests share, since reading and decrypting one takes longer than sending a request. */
export class SharedCredential {
	readonly account: Account;
	private renewal?: Promise<void>;

	private constructor(
		private readonly read: () => Promise<ICredentialDataDecryptedObject>,
		public data: ICredentialDataDecryptedObject,
		private readonly id?: string,
	) {
		this.account = accounts.of(data, id);
	}

	static async of(context: CredentialContext): Promise<SharedCredential> {
		const read = async () => await context.getCredentials(CREDENTIAL);
		return new SharedCredential(
			read,
			await read(),
			context.getNode().credentials?.[CREDENTIAL]?.id ?? undefined,
		);
	}

	/**
	 * The credential of a run.
	 *
	 * @param contexts of some of its rows
	 * @throws InputError if they differ: what one account shows says nothing about another one
	 */
	static async ofAll([first, ...others]: CredentialContext[]): Promise<SharedCredential> {
		const shared = await SharedCredential.of(first);
		for (const context of others) {
			const own = await context.getCredentials(CREDENTIAL);
			if (JSON.stringify(own) === JSON.stringify(shared.data)) continue;
			throw new InputError(
				'The rows of this run have different credentials',
				'The credential has an expression that reads the row. Use one node for each account, or a loop that runs this node for one row at a time.',
			);
		}
		return shared;
	}

	/**
	 * Reads it again, after the service has refused its key.
	 *
	 * @returns true if the key is another one by now
	 */
	async renewed(refused: string): Promise<boolean> {
		if (apiKeyOf(this.data) === refused) {
			this.renewal ??= this.read().then((data) => {
				// Data of one address says nothing about another one.
				if (rootOf(data.baseUrl) !== rootOf(this.data.baseUrl)) return;
				this.data = data;
				// Another key may have another pace.
				accounts.of(data, this.id);
			});
			await this.renewal.finally(() => (this.renewal = undefined));
		}
		return apiKeyOf(this.data) !== refused;
	}
}

type CredentialContext = Pick<HostContext, 'getCredentials' | 'getNode'>;

/** Connects a node, a picker or the trigger to the service, with the current key of the credential. */
export async function connect(
	context: HostContext,
	settings: ConnectionSettings,
): Promise<Connected> {
	return connectWith(await SharedCredential.of(context), context, settings);
}

/** Connects with a credential that was read. */
export function connectWith(
	credential: SharedCredential,
	context: HostContext,
	{ patienceMs, timeoutMs, ...settings }: ConnectionSettings,
): Connected {
	return {
		account: credential.account,
		paging: pagingOf(credential.data),
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
	credential: SharedCredential,
	settings: HttpSettings,
): Transport {
	const send: Transport = async ({ method, path, query, headers, body, timeoutMs }, signal) => {
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
		const { data } = credential;
		const key = apiKeyOf(data);
		try {
			const caller = withRequestSignal(context, signal);
			const { helpers } = context;
			// Otherwise n8n would read the credential for each request.
			const more = { credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data } };
			const full = await helpers.httpRequestWithAuthentication.call(
				caller,
				CREDENTIAL,
				options,
				more,
			);
			const response: HttpResponse = {
				status: full.statusCode as number,
				address: exchange.address,
				headers: { ...full.headers } as JsonObject,
				body: full.body as unknown,
			};
			return withoutKey(response, key);
		} catch (thrown) {
			const fault = faultFrom(asUserError(thrown), key);
			// The credential reports the address just before a request is sent.
			return exchange.address === undefined ? { ...fault, fault: 'refused-here' } : fault;
		}
	};
	return async (request, signal) => {
		const key = apiKeyOf(credential.data);
		const response = await send(request, signal);
		const isRefused = 'status' in response && response.status === 401;
		// The key may have been replaced since it was read.
		if (!isRefused || !(await credential.renewed(key).catch(() => false))) return response;
		return await send(request, signal);
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
