import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { idNames, nounOfId } from './path';
import { type ApiAnswer, type ApiRequest, inWords } from './request';
import { readServiceMessage } from './serviceMessage';
import { toldWait } from './toldWait';

type Words = (request: ApiRequest) => string;

/** What a refusal means to the user. The interface shows no status codes: these are HTTP's own. */
interface Meaning {
	happened: Words;
	advice: Words;
	/** Why, in the words that newer hosts read to decide on a wait (n8n-workflow, `Failure`). */
	cause?:
		| 'credential-invalid'
		| 'configuration-invalid'
		| 'rate-limited'
		| 'temporarily-unavailable';
}

const isWrite = ({ method }: ApiRequest) => method !== 'GET';

const MEANINGS: Record<string, Meaning> = {
	'3xx': {
		happened: () => 'The service answered with a redirect, which was not followed',
		advice: () =>
			'The API key is sent to the address in the credential only. If the service has moved, change the Base URL of the credential.',
		cause: 'configuration-invalid',
	},
	'401': {
		happened: () => 'The service does not accept this API key',
		advice: () =>
			'It may be mistyped, expired or revoked. Check it in the dashboard under Settings, API Keys, and enter it in the credential again.',
		cause: 'credential-invalid',
	},
	'403': {
		happened: (request) => `This API key may not ${inWords(request)}`,
		advice: (request) =>
			isWrite(request)
				? 'A key with the scope read only gets data. Use a key with the scope write in the credential (dashboard: Settings, API Keys).'
				: 'Check that the key belongs to the organisation of this record, and its scope (dashboard: Settings, API Keys).',
		cause: 'configuration-invalid',
	},
	'404': {
		happened: ({ template, ids }) => {
			const [name] = idNames(template);
			return name
				? `There is no ${nounOfId(name)} with the ID "${ids[name]}"`
				: 'There is no Local SEO service at this address';
		},
		advice: ({ template }) =>
			idNames(template).length > 0
				? 'Check the ID, or pick from the list. If every ID is refused, check the Base URL of the credential.'
				: 'Check the Base URL of the credential.',
		cause: 'configuration-invalid',
	},
	'422': {
		happened: (request) => `The service did not accept the data to ${inWords(request)}`,
		advice: () => 'Change the fields that it names, then run this again. Nothing was saved.',
		cause: 'configuration-invalid',
	},
	'429': {
		happened: (request) => `The service asked to wait before it would ${inWords(request)}`,
		advice: () => 'The rate limit of the API key was reached; this request had no effect.',
		cause: 'rate-limited',
	},
	'4xx': {
		happened: (request) => `The service did not agree to ${inWords(request)}`,
		advice: () => 'Check the parameters of this node against what the service says.',
		cause: 'configuration-invalid',
	},
	'5xx': {
		happened: (request) => `The service was not able to ${inWords(request)}`,
		advice: () => 'Try again later.',
		cause: 'temporarily-unavailable',
	},
};

const SAME_MEANING: Record<string, string> = { '400': '422', '410': '404', '503': '5xx' };

/**
 * The node's report of an answer that is no success: what happened, what to do and what the service
 * says, `httpCode` with the status, `failure` for newer hosts.
 */
export function refusal(node: INode, request: ApiRequest, answer: ApiAnswer): NodeApiError {
	const status = String(answer.status);
	const meaning =
		MEANINGS[SAME_MEANING[status] ?? status] ?? MEANINGS[`${status[0]}xx`] ?? MEANINGS['4xx'];
	const said = readServiceMessage(answer.body);
	const fields = said.fields.length > 0 ? ` (${said.fields.join('; ')})` : '';
	const target = answer.headers.location
		? ` It points to ${originOf(answer.headers.location)}.`
		: '';
	const quote = said.text ? ` The service said: "${said.text}"` : '';
	return apiError(node, {
		message: meaning.happened(request) + fields,
		description: meaning.advice(request) + target + quote,
		httpCode: status,
		failure: meaning.cause && { cause: meaning.cause, retryAfterMs: toldWait(answer.headers) },
	});
}

/** An answer that says success but is not in the form that the interface shows. */
export function unreadable(node: INode, request: ApiRequest, answer: ApiAnswer): NodeApiError {
	const advice =
		request.method === 'GET'
			? 'Check the Base URL of the credential: it may lead to a website, or to another service.'
			: `It is not known whether the service did ${inWords(request)}: look there before you run this again, and check the Base URL of the credential.`;
	const said = typeof answer.body === 'string' ? readServiceMessage(answer.body).text : undefined;
	return apiError(node, {
		message: 'The answer could not be read: it is not in the form of the Local SEO service',
		description: said ? `${advice} It begins: "${said.slice(0, 100)}"` : advice,
		httpCode: String(answer.status),
	});
}

export interface Report {
	message: string;
	description: string;
	httpCode?: string;
	failure?: { cause: NonNullable<Meaning['cause']>; retryAfterMs?: number };
}

/** A NodeApiError with these words: NodeApiError itself replaces messages that it thinks it knows. */
export function apiError(node: INode, { message, description, httpCode, failure }: Report) {
	const error = new NodeApiError(node, {}, { message, description, httpCode, failure } as object);
	error.message = message;
	return error;
}

/** Of a redirect only the origin is told: the rest of the address may hold what is secret. */
function originOf(location: unknown): string {
	const text = String(location);
	return URL.canParse(text) ? new URL(text).origin : 'another path of the same address';
}
