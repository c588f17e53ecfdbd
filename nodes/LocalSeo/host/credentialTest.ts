import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	Account,
	isRecord,
	send,
	type ServiceRequest,
	systemClock,
	type Transport,
	unexpectedResponse,
	withoutKey,
} from '../client';
import { asTextOrHtml, sentences } from '../text/words';
import { apiKeyOf } from './accounts';
import { authenticate } from './authenticate';
import { atTheScreen } from './connect';
import { reportOf } from './errors';
import { faultFrom } from './faultFrom';

/** Every key may send it. */
const REQUEST: ServiceRequest = {
	method: 'GET',
	path: '/locations',
	ids: {},
	query: {},
	noun: 'location',
};

/**
 * Tests a credential with one request. n8n offers a declared test as well, but reports a network error
 * there as its bare code, `ECONNREFUSED` (docs/dev/n8n-facts.md, section 6).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data: credential = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const key = apiKeyOf(credential);
	const transport: Transport = async ({ path: url, timeoutMs: timeout }, signal) => {
		let address: string | undefined;
		try {
			// n8n's older helper takes no signal, but its sockets do: a response may drip for good.
			const agentOptions = { signal } as IHttpRequestOptions['agentOptions'];
			const options = await authenticate(credential, { url, timeout, agentOptions });
			address = options.url;
			return withoutKey(await request(this, options), key);
		} catch (thrown) {
			return faultFrom(thrown, key, address);
		}
	};
	try {
		// An account of its own: a person does not wait for the pace of rows, or for a repeat.
		const account = new Account(systemClock, Math.random);
		const connection = { account, transport, patienceMs: 0, timeoutMs: atTheScreen.longestMs };
		const response = await send(connection, REQUEST);
		const { body } = response;
		const isForeign = isRecord(body) && body.data === undefined && Object.keys(body).length > 0;
		if (isForeign) throw unexpectedResponse(REQUEST, response);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { message, description } = reportOf(this, error);
		return { status: 'Error', message: asTextOrHtml(sentences(message, description)) };
	}
}

/** n8n gives credential tests its older helper alone. */
async function request({ helpers }: ICredentialTestFunctions, options: IHttpRequestOptions) {
	const more = { json: true, simple: false, resolveWithFullResponse: true };
	const response = (await helpers.request({ ...options, ...more })) as IN8nHttpFullResponse;
	return { status: response.statusCode, headers: response.headers, body: response.body as unknown };
}
