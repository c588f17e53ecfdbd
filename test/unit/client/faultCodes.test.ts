import { faultOf } from '../../../nodes/LocalSeo/client';

// Why there was no response is read from codes, never from texts, which can come from anywhere.

const errorWith = (facts: object, message = '') => Object.assign(new Error(message), facts);

test.each([
	['CERT_HAS_EXPIRED'],
	['CERT_NOT_YET_VALID'],
	['DEPTH_ZERO_SELF_SIGNED_CERT'],
	['ERR_TLS_CERT_ALTNAME_INVALID'],
	['HOSTNAME_MISMATCH'],
	['SELF_SIGNED_CERT_IN_CHAIN'],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])('a certificate that is refused means that nothing was sent: %s', (code) => {
	expect(faultOf(errorWith({ code }))).toBe('insecure');
});

test.each([
	[{ code: 'ECONNREFUSED' }, 'unreachable'],
	[{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'unreachable'],
	[{ code: 'ETIMEDOUT', syscall: 'connect' }, 'unreachable'],
	[{ code: 'EPERM', syscall: 'connect' }, 'unreachable'],
	[{ code: 'ENOTFOUND' }, 'unknown-host'],
	[{ code: 'EAI_FAIL', syscall: 'getaddrinfo' }, 'unknown-host'],
])('so does a connection that was not made: %j', (facts, fault) => {
	expect(faultOf(errorWith(facts))).toBe(fault);
});

test.each([
	[{ code: 'EPROTO' }],
	[{ code: 'EPROTO', syscall: 'write' }],
	[{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
	[{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
	[{ code: 'ECONNRESET' }],
	[{ code: 'EHOSTUNREACH', syscall: 'read' }],
	[{ code: 'ETIMEDOUT', syscall: 'write' }],
	[{ code: 'HPE_INVALID_CHUNK_SIZE' }],
	[{ code: 'Z_DATA_ERROR' }],
])('after any other fault of a connection, the service may have acted: %j', (facts) => {
	expect(faultOf(errorWith(facts))).toBe('connection-lost');
});

test.each([
	'HTTP request failed with unknown protocol',
	'self-signed certificate',
	'connect ECONNREFUSED 127.0.0.1:9',
	'getaddrinfo ENOTFOUND seo.invalid',
	'timeout of 600ms exceeded',
])('a text alone says nothing: %s', (message) => {
	expect(faultOf(new Error(message))).toBe('other');
	expect(faultOf(errorWith({ code: 'ECONNRESET' }, message))).toBe('connection-lost');
});
