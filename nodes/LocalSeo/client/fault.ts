import { NodeOperationError } from 'n8n-workflow';

import { apiError } from './refusal';
import { type Host, withOption } from './request';

interface Fault {
	codes: string[];
	happened: string;
	advice: string;
	/** What else may be done where the node has options. */
	option?: string;
}

const CHECK_ADDRESS = 'Check the Base URL of the credential, and that n8n can reach it.';

/** Faults by the codes of Node.js and axios. */
export const FAULTS = {
	notReached: {
		codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN'],
		happened: 'No service answers at the address of the credential',
		advice: CHECK_ADDRESS,
	},
	notFound: {
		codes: ['ENOTFOUND', 'EAI_AGAIN'],
		happened: 'The address of the credential is not known to the network',
		advice: CHECK_ADDRESS,
	},
	certificate: {
		codes: [
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'EPROTO',
		],
		happened: 'No secure connection to the service could be made',
		advice: 'Its certificate was not accepted. Check the Base URL of the credential.',
	},
	timeout: {
		codes: ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'],
		happened: 'The service did not answer in time',
		advice: 'Try again later.',
		option: 'Or give it more time under Options, Timeout.',
	},
	broken: {
		codes: [
			'ECONNRESET',
			'EPIPE',
			'ERR_BAD_RESPONSE',
			'ERR_NETWORK',
			'ERR_STREAM_PREMATURE_CLOSE',
			'HPE_INVALID_CONSTANT',
		],
		happened: 'The connection to the service broke before the whole answer was here',
		advice: 'Try again later.',
	},
	stopped: {
		codes: ['ERR_CANCELED', 'AbortError'],
		happened: 'The execution was stopped before the answer was here',
		advice: '',
	},
} satisfies Record<string, Fault>;

/** What was thrown in place of an answer: below n8n's wrapping, with its code if it has one. */
export function causeOf(thrown: unknown): Error & { code?: string; description?: string } {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	return error.cause instanceof Error ? error.cause : error;
}

/**
 * The node's report of a request without an answer. What is no fault of the network (the
 * credential's own refusal, a host's rule) keeps its words.
 */
export function faultError(host: Host, thrown: unknown) {
	if (thrown instanceof NodeOperationError) return thrown;
	const node = host.getNode();
	const { code, name, message, description } = causeOf(thrown);
	const faults: Fault[] = Object.values(FAULTS);
	const fault = faults.find(({ codes }) => codes.includes(code ?? '') || codes.includes(name));
	if (!fault) return new NodeOperationError(node, message, { description });
	return apiError(node, {
		message: fault.happened,
		description: withOption(host, fault.advice, fault.option),
		failure: { cause: 'temporarily-unavailable' },
	});
}
