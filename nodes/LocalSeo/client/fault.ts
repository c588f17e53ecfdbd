import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ApiRequest, inWords } from './request';
import { apiError } from './refusal';

interface Fault {
	codes: string[];
	happened: string;
	advice: string;
	/** Whether the request can have reached the service. */
	mayHaveActed: boolean;
}

const CHECK_ADDRESS = 'Check the Base URL of the credential, and that n8n can reach it.';

/** Faults by the codes of Node.js and axios. */
const FAULTS: Fault[] = [
	{
		codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
		happened: 'No service answers at the address of the credential',
		advice: CHECK_ADDRESS,
		mayHaveActed: false,
	},
	{
		codes: ['ENOTFOUND', 'EAI_AGAIN', 'ERR_INVALID_URL'],
		happened: 'The address of the credential is not known to the network',
		advice: CHECK_ADDRESS,
		mayHaveActed: false,
	},
	{
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
		mayHaveActed: false,
	},
	{
		codes: ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'],
		happened: 'The service did not answer in time',
		advice: 'Try again later, or give it more time under Options, Timeout.',
		mayHaveActed: true,
	},
	{
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
		mayHaveActed: true,
	},
	{
		codes: ['ERR_CANCELED'],
		happened: 'The execution was stopped before the answer was here',
		advice: '',
		mayHaveActed: true,
	},
];

/**
 * The node's report of a request without an answer. What is no fault of the network (the
 * credential's own refusal, a host's rule) keeps its words.
 */
export function faultError(node: INode, request: ApiRequest, thrown: unknown) {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const cause = error.cause instanceof Error ? error.cause : error;
	const { code } = cause as { code?: string };
	const fault = FAULTS.find(({ codes }) => code !== undefined && codes.includes(code));
	if (!fault) {
		const { description } = cause as { description?: string };
		return new NodeOperationError(node, cause.message, { description });
	}
	const doubt =
		fault.mayHaveActed && request.method === 'POST'
			? ` It is not known whether the service did ${inWords(request)}: look there before you run this again.`
			: '';
	return apiError(node, {
		message: fault.happened,
		description: (fault.advice + doubt).trim(),
		failure: { cause: 'temporarily-unavailable' },
	});
}
