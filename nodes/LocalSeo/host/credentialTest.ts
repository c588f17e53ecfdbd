import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	deniesSuccess,
	isNoAnswer,
	isRecord,
	readServiceMessage,
	ServiceError,
	type ServiceRequest,
	unexpectedResponse,
	withoutKey,
} from '../client';
import { apiKeyOf } from './accounts';
import { authenticate } from './authenticate';
import { reportOf } from './errors';
import { faultFrom } from './faultFrom';
import { sentences } from './words';

/** Every key may send it. */
const REQUEST: ServiceRequest = {
	method: 'GET',
	path: '/locations',
	ids: {},
	query: {},
	noun: 'location',
};

/** A service that speaks plain http drops a connection that begins with https. */
const CHECK_SCHEME =
	'If it happens again, check the Base URL of the credential: it may have to begin with http:// in place of https://, or the other way round';

/** Milliseconds; someone is waiting. */
const TIMEOUT = 30_000;

/**
 * Tests a credential with one request. n8n offers a declared test as well, but reports a network error
 * there as its bare code, `ECONNREFUSED` (docs/n8n-facts.md, section 6).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const failure = await failureWith(this, data);
	if (!failure) return { status: 'OK', message: 'Connection successful!' };
	const { message, description } = reportOf(this, failure);
	const scheme = failure.facts.kind === 'connection-lost' && CHECK_SCHEME;
	return { status: 'Error', message: sentences(message, description, scheme) };
}

/** Why the service can't be used with a credential; undefined if it can. */
async function failureWith(
	{ helpers }: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): Promise<ServiceError | undefined> {
	try {
		const options = await authenticate(credential, { url: REQUEST.path, timeout: TIMEOUT });
		// n8n gives credential tests its older helper alone.
		const { statusCode: status, body } = (await helpers.request({
			...options,
			json: true,
			simple: false,
			resolveWithFullResponse: true,
		})) as { statusCode: number; body: unknown };
		if (status < 200 || status > 299) {
			return new ServiceError({ kind: 'rejected', request: REQUEST, status });
		}
		const response = withoutKey({ status, headers: {}, body }, apiKeyOf(credential));
		// Some services refuse a key with a success that says otherwise.
		if (deniesSuccess(body)) {
			const said = readServiceMessage(response.body);
			return new ServiceError({ kind: 'rejected', request: REQUEST, status, said });
		}
		const isForeign = isRecord(body) && body.data === undefined && Object.keys(body).length > 0;
		return isForeign || isNoAnswer(response) ? unexpectedResponse(REQUEST, response) : undefined;
	} catch (thrown) {
		const { fault, cause } = faultFrom(thrown, apiKeyOf(credential));
		return new ServiceError({ kind: fault, request: REQUEST, cause });
	}
}
