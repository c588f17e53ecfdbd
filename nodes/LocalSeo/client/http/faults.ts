import type { FaultKind } from '../ports';

/** Codes and names of errors of Node.js, its HTTP parser, its fetch and axios, by what they mean. */
const FAULT_CODES: Partial<Record<FaultKind, string[]>> = {
	unreachable: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN'],
	'unknown-host': ['ENOTFOUND', 'EAI_AGAIN'],
	insecure: [
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'EPROTO',
	],
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

/** The kind of fault behind an error that a transport caught, by its code or its name. */
export function faultOf({
	code,
	name,
	syscall,
}: Error & { code?: string; syscall?: string }): FaultKind {
	// A connection that was there and died, whatever the system calls it.
	if (syscall === 'read' || syscall === 'write') return 'connection-lost';
	const known = Object.entries(FAULT_CODES).find(
		([, codes]) => codes.includes(code ?? '') || codes.includes(name),
	);
	if (known) return known[0] as FaultKind;
	// Whatever else has a code happened on the way: resets, malformed responses (`HPE_…`, `Z_…`), say.
	return code ? 'connection-lost' : 'other';
}
