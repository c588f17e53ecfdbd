import type { INode } from 'n8n-workflow';
import { NodeApiError, UserError } from 'n8n-workflow';

import { faultFrom } from '../../nodes/LocalSeo/host/faultFrom';

const KEY = 'seo_live_8kJ2';
const NODE = { name: 'Local SEO', type: 'localSeo', typeVersion: 1 } as INode;

/** An error of Node.js or its HTTP parser, as axios hands it on. */
const networkError = (message: string, code: string, facts: object = {}) =>
	Object.assign(new Error(message), { isAxiosError: true, code, ...facts });
const connect = { syscall: 'connect' };

/** axios' own class, by whose name n8n recognizes it: the response had begun. */
class AxiosError extends Error {
	isAxiosError = true;
	code = 'ERR_BAD_RESPONSE';
	response = { status: 200, data: undefined };
}

/** As n8n wraps what the request threw, from 2.34 on. */
const withCause = (error: Error) => new NodeApiError(NODE, error as never);

/** Before 2.34, a field of n8n's error class erased the cause. */
const withoutCause = (error: Error) =>
	Object.defineProperty(withCause(error), 'cause', { value: undefined });

/** The package has brought an n8n-workflow of its own, as a manual `npm install` does. */
const ofAnotherCopy = (error: Error) => {
	const { message, messages, httpCode, description } = withoutCause(error);
	return Object.assign(new Error(message), { messages, httpCode, description });
};

const FORMS = [
	['thrown as it is', (error: Error) => error],
	['wrapped', withCause],
	['wrapped without its cause', withoutCause],
	['wrapped without its cause by another copy', ofAnotherCopy],
] as const;

const FAULTS: Array<[string, Error]> = [
	['unreachable', networkError('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED', connect)],
	['unreachable', networkError('connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH', connect)],
	['unknown-host', networkError('getaddrinfo ENOTFOUND seo.invalid', 'ENOTFOUND')],
	['insecure', networkError('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
	['timeout', networkError('timeout of 600ms exceeded', 'ECONNABORTED')],
	['connection-lost', networkError('socket hang up', 'ECONNRESET')],
	// The connection was there: the service may have acted.
	['connection-lost', networkError('read EHOSTUNREACH', 'EHOSTUNREACH', { syscall: 'read' })],
	['connection-lost', networkError('write ETIMEDOUT', 'ETIMEDOUT', { syscall: 'write' })],
	['connection-lost', networkError('Parse Error', 'HPE_INVALID_CHUNK_SIZE')],
	['connection-lost', new AxiosError('stream has been aborted')],
	['cancelled', networkError('canceled', 'ERR_CANCELED', { name: 'CanceledError' })],
	['other', new UserError('The address is not allowed: EPERM', { description: 'Ask someone.' })],
];

describe.each(FORMS)('an error that is %s', (_, inForm) => {
	test.each(FAULTS)('is known as %s: %s', (fault, error) => {
		expect(faultFrom(inForm(error), KEY)).toMatchObject({
			fault,
			cause: { message: error.message },
		});
	});

	test('keeps the advice of the host', () => {
		const { cause } = faultFrom(inForm(FAULTS.at(-1)![1]), KEY);
		expect(cause).toMatchObject({ description: 'Ask someone.' });
	});

	test('has no key, and nothing that may hold it', () => {
		const error = networkError(`${KEY} is not allowed`, 'EPERM', {
			description: `Not ${KEY}`,
			config: { headers: { Authorization: `Bearer ${KEY}` } },
		});
		const { cause } = faultFrom(inForm(error), KEY);
		expect(JSON.stringify([cause.message, cause, { ...cause }])).not.toContain(KEY);
		expect(Object.keys(cause).sort()).toEqual(['code', 'description', 'name', 'syscall']);
	});
});

test('what is no error is told as text', () => {
	expect(faultFrom('no', KEY)).toMatchObject({ fault: 'other', cause: { message: 'no' } });
});
