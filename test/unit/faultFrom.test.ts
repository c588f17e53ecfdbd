import type { INode } from 'n8n-workflow';
import { NodeApiError, UserError } from 'n8n-workflow';

import { faultFrom } from '../../nodes/LocalSeo/host/faultFrom';

const KEY = 'seo_live_8kJ2';
const NODE = { name: 'Local SEO', type: 'localSeo', typeVersion: 1 } as INode;

/** An error of Node.js or its HTTP parser, as axios hands it on; the code stands in its message. */
function networkError(message: string, facts: object = {}) {
	const [, code] = /\b(E[A-Z_]{4,})/.exec(message) ?? [];
	return Object.assign(new Error(message), { isAxiosError: true, code, ...facts });
}
const refusedAt = (address: string) =>
	networkError(`connect ECONNREFUSED ${address}`, { syscall: 'connect' });

/** axios' own class, by whose name n8n recognizes it: the response had begun. */
class AxiosError extends Error {
	isAxiosError = true;
	code = 'ERR_BAD_RESPONSE';
	response = { status: 200, data: undefined };
}

/** As axios wraps an error of Node.js: without its system call. */
function inAxios(cause: Error) {
	const { message, code } = cause as Error & { code: string };
	return Object.assign(new Error(message, { cause }), { isAxiosError: true, code });
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

const WRAPPED = [withCause, withoutCause, ofAnotherCopy];
const FORMS = [(error: Error) => error, ...WRAPPED];

// test/unit/client/responses.test.ts has every code.
test.each<[string, Error]>([
	['unreachable', refusedAt('127.0.0.1:9')],
	['unreachable', inAxios(networkError('connect EINVAL 192.0.2.1:80', { syscall: 'connect' }))],
	['unreachable', new Error('Proxy connection ended before receiving CONNECT response')],
	['insecure', networkError('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
	['connection-lost', networkError('socket hang up', { code: 'ECONNRESET' })],
	// The connection was there: the service may have acted.
	['connection-lost', networkError('read EHOSTUNREACH', { syscall: 'read' })],
	['connection-lost', new AxiosError('stream has been aborted')],
	['other', new Error('HTTP request to an unknown protocol')],
	['other', new UserError('The address is not allowed: EPERM', { description: 'Ask someone.' })],
])('%s is known in each form in which n8n hands it on: %s', (fault, error) => {
	for (const inForm of FORMS) {
		const known = faultFrom(inForm(error), KEY);
		expect(known).toMatchObject({ fault, cause: { message: error.message } });
		const { description } = error as { description?: string };
		// The advice of the host stays.
		if (description) expect(known.cause).toMatchObject({ description });
	}
});

test('it has no key, and nothing that may hold it', () => {
	const error = networkError(`${KEY} is not allowed`, {
		...{ code: 'EPERM', description: `Not ${KEY}` },
		config: { headers: { Authorization: `Bearer ${KEY}` } },
	});
	for (const inForm of FORMS) {
		const { cause } = faultFrom(inForm(error), KEY);
		expect(JSON.stringify([cause.message, cause, { ...cause }])).not.toContain(KEY);
		expect(Object.keys(cause).sort()).toEqual(['code', 'description', 'name', 'syscall']);
	}
});

test('of several addresses that were tried, the first one is named', () => {
	const errors = ['10.0.0.1:3128', '10.0.0.2:3128'].map(refusedAt);
	const all = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });
	const error = Object.assign(new Error('', { cause: all }), { code: 'ECONNREFUSED' });
	const cause = { message: 'connect ECONNREFUSED 10.0.0.1:3128' };
	for (const inForm of WRAPPED)
		expect(faultFrom(inForm(error), KEY)).toMatchObject({ fault: 'unreachable', cause });
	const none = Object.assign(new AggregateError([]), { code: 'ECONNRESET' });
	expect(faultFrom(none, KEY)).toMatchObject({ fault: 'connection-lost', cause: { message: '' } });
	// What is no error is told as text.
	expect(faultFrom('no', KEY)).toMatchObject({ fault: 'other', cause: { message: 'no' } });
});
