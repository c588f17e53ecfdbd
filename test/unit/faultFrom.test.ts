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

const OPENSSL = '80EC88D6EE7F0000:error:0A00010B:SSL routines:ssl3_get_record:';
const WRONG_VERSION = `${OPENSSL}wrong version number:../deps/openssl/ssl3_record.c:350:\n`;
const BEFORE_TLS =
	'Client network socket disconnected before secure TLS connection was established';

const FAULTS: Array<[string, Error]> = [
	['unreachable', networkError('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED', connect)],
	['unreachable', networkError('connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH', connect)],
	['unreachable', networkError('connect ETIMEDOUT 10.0.0.1:443', 'ETIMEDOUT', connect)],
	['unreachable', networkError('connect EPERM 10.0.0.1:443', 'EPERM', connect)],
	['unknown-host', networkError('getaddrinfo ENOTFOUND seo.invalid', 'ENOTFOUND')],
	[
		'unknown-host',
		networkError('getaddrinfo EAI_FAIL seo.invalid', 'EAI_FAIL', { syscall: 'getaddrinfo' }),
	],
	['insecure', networkError('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
	['insecure', networkError('certificate is not yet valid', 'CERT_NOT_YET_VALID')],
	// A text is not read, and these may also come after the request was sent.
	[
		'connection-lost',
		networkError(`write EPROTO ${WRONG_VERSION}`, 'EPROTO', { syscall: 'write' }),
	],
	[
		'connection-lost',
		networkError(
			`${OPENSSL}tlsv13 alert certificate required:a.c:1:SSL alert number 116`,
			'ERR_SSL_X',
		),
	],
	['connection-lost', networkError(BEFORE_TLS, 'ECONNRESET')],
	['unreachable', new Error('Proxy connection ended before receiving CONNECT response')],
	['timeout', networkError('timeout of 600ms exceeded', 'ECONNABORTED')],
	['connection-lost', networkError('socket hang up', 'ECONNRESET')],
	// The connection was there: the service may have acted.
	['connection-lost', networkError('read EHOSTUNREACH', 'EHOSTUNREACH', { syscall: 'read' })],
	['connection-lost', networkError('write ETIMEDOUT', 'ETIMEDOUT', { syscall: 'write' })],
	['connection-lost', networkError(`write EPROTO ${OPENSSL}bad record mac:a.c:1:`, 'EPROTO')],
	['connection-lost', networkError('Parse Error', 'HPE_INVALID_CHUNK_SIZE')],
	['connection-lost', new AxiosError('stream has been aborted')],
	['cancelled', networkError('canceled', 'ERR_CANCELED', { name: 'CanceledError' })],
	['other', new Error('HTTP request to an unknown protocol')],
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
		expect(Object.keys(cause).sort()).toEqual(['code', 'description', 'name', 'proxy', 'syscall']);
	});
});

describe('what can not be reached is a proxy where its address is not that of the service', () => {
	const SERVICE = 'https://seo.example.com/api/v1/locations';
	const refusedAt = (address: string) =>
		networkError(`connect ECONNREFUSED ${address}`, 'ECONNREFUSED', connect);
	const unknown = (host: string) => networkError(`getaddrinfo ENOTFOUND ${host}`, 'ENOTFOUND');

	test.each([
		[SERVICE, refusedAt('10.0.0.1:3128'), '10.0.0.1:3128'],
		[SERVICE, refusedAt('10.0.0.1:443'), undefined],
		['https://seo.example.com:8443', refusedAt('10.0.0.1:8443'), undefined],
		['https://seo.example.com:8443', refusedAt('10.0.0.1:443'), '10.0.0.1:443'],
		['http://[::1]:3000', refusedAt('::1:3000'), undefined],
		['http://127.0.0.1', refusedAt('127.0.0.1:80'), undefined],
		[SERVICE, refusedAt('::1:3128'), '::1:3128'],
		[SERVICE, unknown('seo.example.com'), undefined],
		[SERVICE, unknown('proxy.example.com'), 'proxy.example.com'],
		[SERVICE, networkError('socket hang up', 'ECONNRESET'), undefined],
		['', refusedAt('10.0.0.1:3128'), undefined],
	])('the service is at %p: %s', (address, error, proxy) => {
		for (const [, inForm] of FORMS) {
			expect(faultFrom(inForm(error), KEY, address).cause).toMatchObject({ proxy });
		}
	});

	test('of several addresses that were tried, the first one is named', () => {
		const errors = ['10.0.0.1:3128', '10.0.0.2:3128'].map(refusedAt);
		const all = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });
		const error = Object.assign(new Error('', { cause: all }), { code: 'ECONNREFUSED' });
		for (const inForm of [withCause, withoutCause, ofAnotherCopy]) {
			expect(faultFrom(inForm(error), KEY, SERVICE)).toMatchObject({
				fault: 'unreachable',
				cause: { message: 'connect ECONNREFUSED 10.0.0.1:3128', proxy: '10.0.0.1:3128' },
			});
		}
	});
});

test('what is no error is told as text', () => {
	expect(faultFrom('no', KEY)).toMatchObject({ fault: 'other', cause: { message: 'no' } });
});
