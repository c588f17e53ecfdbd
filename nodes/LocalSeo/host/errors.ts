import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError, textOf } from '../client';
import { InputError } from '../text/inputError';
import { isRateLimitError, meaningOf, STOPPED } from '../text/messages';
import { asHtml, asTextOrHtml, onOneLine, seconds, sentences } from '../text/words';
import { type HostContext, isOperation } from './accounts';

/** The words and codes of an error, before it becomes one of n8n's errors. */
interface Report {
	message: string;
	description?: string;
	/** HTTP status. */
	httpCode?: string;
	/**
	 * Newer versions of n8n read it to decide how long to back off (docs/dev/n8n-facts.md, section 7).
	 * Absent if no request failed: the cause is the input, a rule of n8n, or a list.
	 */
	failure?: { cause: string; retryAfterMs?: number };
}

/** `IExecuteFunctions` is the context of all rows together. */
type AnyContext = HostContext | IExecuteFunctions;

/**
 * Turns anything that was thrown into one of n8n's errors; no other code does. Each call creates a new
 * error, so that rows that fail for the same reason can each get their own number. Words of the service
 * or of a row are shown and logged as text, wherever n8n does so.
 */
export function toNodeError(
	context: AnyContext,
	thrown: unknown,
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const node = context.getNode();
	const report = reportOf(context, thrown);
	const message = asTextOrHtml(report.message);
	const description = report.description && shownDescription(context, report.description);
	if (report.failure) {
		const error = new NodeApiError(node, {}, { ...report, message, description } as object);
		// NodeApiError replaces messages that it recognizes (docs/dev/n8n-facts.md, section 5).
		error.message = message;
		return error;
	}
	// An unexpected error keeps its stack.
	const isExpected = thrown instanceof InputError || thrown instanceof ServiceError;
	const error = isExpected || !(thrown instanceof Error) ? message : thrown;
	return new NodeOperationError(node, error, { message, description });
}

/** Pickers show a description as text, and in the item of a failed row it is data. */
function shownDescription(context: AnyContext, description: string): string {
	const isPicker = 'getCurrentNodeParameter' in context;
	const isItem = 'continueOnFail' in context && context.continueOnFail();
	return isPicker || isItem ? onOneLine(description) : asHtml(description);
}

/**
 * The words for anything that was thrown.
 *
 * @param context n8n's, of the code that sent the request
 */
export function reportOf(context: object, thrown: unknown): Report {
	if (thrown instanceof ServiceError) {
		const { facts } = thrown;
		// n8n, the credential or our own mistake has written the message.
		const isOurs = facts.kind === 'other' || facts.kind === 'refused-here';
		return isOurs ? reportOf(context, facts.cause) : reportOfFacts(context, facts);
	}
	const error = thrown instanceof Error ? thrown : new Error(textOf(thrown));
	if (error.name === 'AbortError') return { message: STOPPED };
	const { message, description } = error as Error & { description?: unknown };
	return { message, description: typeof description === 'string' ? description : undefined };
}

function reportOfFacts(context: object, facts: ErrorFacts): Report {
	const { kind, request, attempts = 1, waitedMs, mayHaveActed } = facts;
	const { message, advice } = meaningOf(facts);
	const rejection = kind === 'rejected' ? facts : undefined;
	const { status, isUnseen } = rejection ?? {};
	const { text, fields = [], more = 0 } = rejection?.said ?? {};
	const cause = 'cause' in facts ? facts.cause : undefined;
	const earlier = cause instanceof ServiceError ? reportOf(context, cause) : undefined;
	// Many services repeat the message of the first field. A 407 comes from a proxy, not from the service.
	const isQuoted = text && !fields.some((field) => field.endsWith(text)) && status !== 407;
	const isAnswered = rejection !== undefined || kind === 'unexpected-response';
	const mayHaveChanged = mayHaveActed && request.method !== 'GET';
	return {
		message: message + (fields.length > 0 ? ` (${inParentheses(fields, more)})` : ''),
		description: sentences(
			isQuoted && `The service said: "${text}"`,
			earlier && sentences(earlier.message, earlier.description),
			advice,
			settingFor(context, facts),
			facts.isComparison && isAnswered && status !== 401 && WITHOUT_COMPARING,
			isUnseen && UNSEEN_SO_FAR,
			attempts > 1 && `This request was sent ${attempts} times in ${seconds(waitedMs)}`,
			mayHaveChanged && !isUnseen && kind !== 'unconfirmed' && 'An attempt may have taken effect',
		),
		httpCode:
			kind === 'rate-limited' ? '429' : 'status' in facts ? facts.status?.toString() : undefined,
		failure: failureOf(facts),
	};
}

/** A service may have made a record before it failed, and its list may lag. */
const UNSEEN_SO_FAR = 'The list does not show it so far; a repeat looks first';

/** "title: …; content: … and 3 more" */
function inParentheses(fields: string[], more: number): string {
	return fields.join('; ') + (more > 0 ? ` and ${more} more` : '');
}

/** Advice for a list that was read only to skip rows that already exist. */
const WITHOUT_COMPARING =
	"The list is read to find rows that exist already. To create without comparing, set 'If It Already Exists' to 'Create Another One'";

/** The setting of an operation that helps against the error; pickers and the trigger have no such options. */
function settingFor(context: object, facts: ErrorFacts): string | undefined {
	const { kind } = facts;
	if (!isOperation(context)) return undefined;
	if (kind === 'rate-limited' || (kind === 'rejected' && facts.isBusy)) {
		return "You can also increase the option 'Max Wait'";
	}
	if (kind === 'timeout') {
		return "You can also increase 'Timeout' under Request Options, in the settings of this node";
	}
	if (kind !== 'incomplete-list' || facts.isNeededWhole) return undefined;
	return "To take what came, add the option 'Accept Incomplete Lists'";
}

function failureOf(facts: ErrorFacts): Report['failure'] {
	const { kind } = facts;
	const wait = 'retryAfterMs' in facts ? facts.retryAfterMs : undefined;
	const retryAfterMs = wait && 1_000 * Math.ceil(wait / 1_000);
	if (kind === 'invalid-id' || kind === 'incomplete-list') return undefined;
	if (isRateLimitError(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (kind !== 'rejected' || facts.status >= 500) {
		return { cause: 'temporarily-unavailable', retryAfterMs };
	}
	return { cause: facts.status === 401 ? 'credential-invalid' : 'configuration-invalid' };
}
