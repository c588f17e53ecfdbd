import type { FaultKind } from '../ports';

/** Codes and names of errors of Node.js, its HTTP parser, its fetch and axios, by kind of fault. */
const FAULT_CODES: Partial<Record<FaultKind, string[]>> = {
	unreachable: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN'],
	'unknown-host': ['ENOTFOUND', 'EAI_AGAIN'],
	timeout: [
		'ECONNABORTED',
		'ETIMEDOUT',
		'ESOCKETTIMEDOUT',
		'TimeoutError',
		'UND_ERR_BODY_TIMEOUT',
		'UND_ERR_HEADERS_TIMEOUT',
	],
	cancelled: ['ERR_CANCELED', 'AbortError'],
};

/** Codes of a rejected certificate. */
const CERTIFICATE =
	/^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;
/** OpenSSL's messages, and TLS alerts, for a failed handshake. */
const NO_HANDSHAKE =
	/wrong version number|packet length too long|record layer failure|unknown protocol|http request|unsupported protocol|SSL alert number (4\d|70|71|86|112|116|120)\b/i;
/** Messages of Node.js and n8n for a connection that failed before a request could be sent. */
const BEFORE_REQUEST = /before secure TLS connection was established|^Proxy connection ended/;

/** The kind of fault behind an error that a transport caught, by its code, its name or its text. */
export function faultOf({
	code = '',
	name,
	message,
	syscall,
}: Error & { code?: string; syscall?: string }): FaultKind {
	if (CERTIFICATE.test(code) || NO_HANDSHAKE.test(message)) return 'insecure';
	if (BEFORE_REQUEST.test(message)) return 'unreachable';
	// An established connection died, whatever the system calls it.
	if (syscall === 'read' || syscall === 'write') return 'connection-lost';
	// None was made: a request is sent after that.
	if (syscall === 'connect') return 'unreachable';
	if (syscall === 'getaddrinfo') return 'unknown-host';
	const known = Object.entries(FAULT_CODES).find(
		([, codes]) => codes.includes(code) || codes.includes(name),
	);
	if (known) return known[0] as FaultKind;
	// Any other code comes from an exchange under way, e.g. resets and malformed responses (`HPE_…`, `Z_…`).
	return code ? 'connection-lost' : 'other';
}
