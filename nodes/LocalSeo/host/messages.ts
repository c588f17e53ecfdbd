import { type ErrorFacts, nounOfId, ServiceError } from '../client';
import { isOperation } from './context';
import { describeOwner, describeRequest } from './describeRequest';
import { quoteOf, rejection } from './rejection';
import type { Report } from './report';
import { sentences } from './words';

/** What to say about anything that was thrown; `context` is n8n's, of whatever sent the request. */
export function reportOf(context: object, thrown: unknown): Report {
	if (thrown instanceof ServiceError) return reportOfService(context, thrown.facts);
	const { name, message, description } = (
		thrown instanceof Error ? thrown : new Error(String(thrown))
	) as Error & { description?: unknown };
	if (name === 'AbortError') return { message: STOPPED, isNodeOperation: true };
	return {
		message,
		description: typeof description === 'string' ? description : undefined,
		isNodeOperation: true,
	};
}

const STOPPED = 'The execution was stopped before the service responded';
const CHECK_ADDRESS = 'Check the Base URL of the credential, and that n8n can reach it.';

function reportOfService(context: object, facts: ErrorFacts): Report {
	switch (facts.kind) {
		case 'invalid-id':
			return invalidId(facts);
		case 'incomplete-list':
			return incompleteList(context, facts);
		case 'rejected':
			return withAttempts(rejection(facts), facts);
		case 'other':
			// Thrown by n8n or by the credential, with words of its own.
			return reportOf(context, facts.cause);
		default:
			return withAttempts(failureOf(context, facts), facts);
	}
}

function invalidId({ request, idName = '' }: ErrorFacts): Report {
	const noun = nounOfId(idName);
	const id = request.ids[idName] ?? '';
	return {
		message: id === '' ? `The ${noun} ID is empty` : `"${id}" is not a valid ${noun} ID`,
		description: `Pick a ${noun} from the list, or check the expression for its ID.`,
		isNodeOperation: true,
	};
}

function incompleteList(context: object, facts: ErrorFacts): Report {
	const { request, received = 0, total, readings, pageParameter } = facts;
	const isShort = total !== undefined && received < total;
	const what = isShort
		? `the service returned ${received} of ${total} ${request.noun}s`
		: total === undefined
			? `the service returned ${received} ${request.noun}s and says that there are more`
			: `the ${request.noun}s changed each time they were read`;
	const times = readings === 1 ? 'once' : `${readings} times`;
	const why =
		pageParameter === undefined
			? `The list was read ${times}. It may be changing right now, so run this again.`
			: `The service ignored the query parameter "${pageParameter}". If it uses different names, set them in the options Technical: Page Parameter and Technical: Page Size Parameter.`;
	const isGetMany = isOperation(context) && context.getNode().parameters.operation === 'getAll';
	const advice = isGetMany
		? ` If that does not help, turn off Return All and set Limit to ${received}.`
		: '';
	return {
		message: `Incomplete list: ${what}`,
		description: `${why}${advice}`,
		isNodeOperation: true,
	};
}

function failureOf(context: object, facts: ErrorFacts): Report {
	const { kind, request, status } = facts;
	const quote = quoteOf(facts.said);
	const httpCode = status === undefined ? undefined : String(status);
	const unavailable = { cause: 'temporarily-unavailable' } as const;
	const option = (advice: string) => (isOperation(context) ? ` ${advice}` : '');
	switch (kind) {
		case 'rate-limited':
			return {
				message: `Rate limit reached: the service asks to wait another ${seconds(facts.retryAfterMs)}`,
				description: `Could not ${describeRequest(request)}. This request waited ${seconds(facts.waitedMs)}${facts.mayHaveActed ? '' : ' and had no effect'}. Run it again later.${option('You can also increase the option Max Wait.')}`,
				httpCode: '429',
				failure: { cause: 'rate-limited', retryAfterMs: facts.retryAfterMs },
			};
		case 'not-sent':
			return {
				message: 'The service does not respond',
				description: `${because(context, facts.cause)}Could not ${describeRequest(request)}. This request waited ${seconds(facts.waitedMs)} for others that failed, and was not sent${facts.mayHaveActed ? ' again' : ''}. Run it again later.`,
				failure: unavailable,
			};
		case 'unexpected-response':
			return status === 202 ? unfinished(facts) : unexpected(facts);
		case 'unconfirmed':
			return {
				message: `Could not confirm whether the ${request.noun} was created`,
				description: `${because(context, facts.cause)}The list could not be read, or doesn't show clearly whether it exists. Check ${describeOwner(request) ?? 'it'} before you run this row again.${quote && ` ${quote}.`}`,
				httpCode,
				failure: unavailable,
			};
		case 'unreachable':
			return {
				message: 'Could not connect to the service',
				description: `No service is listening at the address in the credential. ${CHECK_ADDRESS}`,
				failure: unavailable,
			};
		case 'unknown-host':
			return {
				message: 'The host name of the service was not found',
				description: CHECK_ADDRESS,
				failure: unavailable,
			};
		case 'insecure':
			return {
				message: 'Could not connect to the service securely',
				description:
					'The certificate of the service was not accepted. Check the Base URL of the credential.',
				failure: unavailable,
			};
		case 'timeout':
			return {
				message: 'The service did not respond in time',
				description: `Try again later.${option('You can also increase Timeout under Request Options, in the settings of this node.')}`,
				failure: unavailable,
			};
		case 'cancelled':
			return { message: STOPPED, description: '', failure: unavailable };
		default:
			return {
				message: 'Connection lost before the response was complete',
				description: 'Try again later.',
				failure: unavailable,
			};
	}
}

/** A reading whose result the service announces for later. */
function unfinished({ request }: ErrorFacts): Report {
	return {
		message: `The service has not finished preparing the ${request.noun}s`,
		description: `Could not ${describeRequest(request)}: the service is still working on this (202). Run this again in a few minutes.`,
		httpCode: '202',
		failure: { cause: 'temporarily-unavailable' },
	};
}

/** A web page, or JSON that was cut off. */
function unexpected(facts: ErrorFacts): Report {
	const { request, status, said } = facts;
	const isRead = request.method === 'GET';
	return {
		message: 'Unexpected response: this does not look like the Local SEO API',
		description: sentences(
			effectOf(facts),
			`Check the Base URL of the credential${isRead ? ': it may point to a website or to a different service' : ''}`,
			said?.text && `The response begins: "${said.text.slice(0, 100)}"`,
		),
		httpCode: String(status),
	};
}

/** What is known of the effect of a write whose response tells nothing of it. */
function effectOf({ request, mayHaveActed }: ErrorFacts): string | undefined {
	if (request.method === 'GET') return undefined;
	if (!mayHaveActed) return undefined;
	return `The request to ${describeRequest(request)} may or may not have taken effect. Check this before you run this row again`;
}

/** How another request, or an earlier one, failed. */
function because(context: object, cause: unknown): string {
	if (!(cause instanceof ServiceError)) return '';
	const { message, description } = reportOfService(context, cause.facts);
	return `${sentences(message, description)} `;
}

/** What was done for a request that did not succeed. */
function withAttempts(report: Report, facts: ErrorFacts): Report {
	const { attempts = 1, waitedMs } = facts;
	const sent = `This request was sent ${attempts} times in ${seconds(waitedMs)}.`;
	const effect = mayHaveChanged(facts) ? 'An attempt may have taken effect.' : '';
	return {
		...report,
		description: sentences(report.description, attempts > 1 ? sent : '', effect),
	};
}

/** Whether an update or a deletion may have been done; of a create, its own kind of error says so. */
function mayHaveChanged({ kind, request, mayHaveActed }: ErrorFacts): boolean {
	const saysItself = kind === 'unconfirmed' || kind === 'unexpected-response';
	return Boolean(mayHaveActed) && request.method !== 'GET' && !saysItself;
}

function seconds(milliseconds = 0): string {
	return `${Math.round(milliseconds / 100) / 10} s`;
}
