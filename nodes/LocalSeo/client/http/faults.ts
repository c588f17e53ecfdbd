import type { FaultKind } from '../ports';

/** Codes and names of errors of Node.js, its fetch and axios, by kind of fault. */
const KINDS: Partial<Record<FaultKind, string[]>> = {
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

/** System calls of Node.js that fail before a request can be sent, or after. */
const SYSCALLS: Record<string, FaultKind | undefined> = {
	connect: 'unreachable',
	getaddrinfo: 'unknown-host',
	read: 'connection-lost',
	write: 'connection-lost',
};

/** Codes of a certificate that was refused (Node.js, tls: X509 certificate error codes). */
const CERTIFICATE =
	/^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * The kind of fault behind an error that a transport caught, by its code, its system call or its name. A
 * text is not read: it can come from anywhere.
 */
export function faultOf({
	code = '',
	name,
	syscall = '',
}: Error & { code?: string; syscall?: string }): FaultKind {
	if (CERTIFICATE.test(code)) return 'insecure';
	const known = Object.entries(KINDS).find(
		([, codes]) => codes.includes(code) || codes.includes(name),
	);
	// Any other code comes from an exchange under way, e.g. resets and malformed responses (`HPE_…`, `Z_…`).
	const byCode = (known?.[0] as FaultKind | undefined) ?? (code ? 'connection-lost' : 'other');
	return SYSCALLS[syscall] ?? byCode;
}
