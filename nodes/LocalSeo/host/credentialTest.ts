import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	Account,
	DEFAULT_PAGING,
	readPage,
	type ServiceRequest,
	systemClock,
	type Transport,
	withoutKey,
} from '../client';
import { asTextOrHtml, sentences } from '../text/words';
import { apiKeyOf } from './accounts';
import { authenticate } from './authenticate';
import { editorWait } from './connect';
import { reportOf } from './errors';
import { faultFrom } from './faultFrom';

/** A request that every key is allowed to send. */
const REQUEST: ServiceRequest = {
	method: 'GET',
	path: '/locations',
	ids: {},
	query: {},
	noun: 'location',
};

/**
 * Tests a credential with one request. n8n offers a declared test as well, but that reports a network
 * error as its bare code, `ECONNREFUSED` (docs/dev/n8n-facts.md, section 6).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data: credential = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const key = apiKeyOf(credential);
	const transport: Transport = async ({ path: url, timeoutMs: timeout }, signal) => {
		try {
			// n8n's older helper takes no signal, but its sockets do, which also ends a response that drips forever.
			const agentOptions = { signal } as IHttpRequestOptions['agentOptions'];
			const options = await authenticate(credential, { url, timeout, agentOptions });
			const { statusCode: status, headers, body } = await request(this, options);
			return withoutKey({ status, address: options.url, headers, body: body as unknown }, key);
		} catch (thrown) {
			return faultFrom(thrown, key);
		}
	};
	try {
		// A separate account, so that a person does not wait for the pace of rows, or for a retry.
		const account = new Account(systemClock, Math.random);
		const connection = { account, transport, patienceMs: 0, timeoutMs: editorWait.longestMs };
		await readPage(connection, REQUEST, DEFAULT_PAGING);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { message, description } = reportOf(this, error);
		return { status: 'Error', message: asTextOrHtml(sentences(message, description)) };
	}
}

/** n8n only gives credential tests its older helper. */
async function request({ helpers }: ICredentialTestFunctions, options: IHttpRequestOptions) {
	const more = { json: true, simple: false, resolveWithFullResponse: true };
	return (await helpers.request({ ...options, ...more })) as IN8nHttpFullResponse;
}
