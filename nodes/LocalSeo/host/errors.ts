import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError } from '../client';
import { InputError } from '../text/inputError';
import { wordsFor } from '../text/errorWords';
import { isRateLimitError } from '../text/messages';
import { asHtml, asTextOrHtml, onOneLine } from '../text/words';
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
	const words = wordsFor(thrown, isOperation(context));
	if (!(thrown instanceof ServiceError)) return words;
	const { status } = thrown;
	const httpCode = thrown.kind === 'rate-limited' ? '429' : status ? String(status) : undefined;
	return { ...words, httpCode, failure: failureOf(thrown.facts) };
}

function failureOf(facts: ErrorFacts): Report['failure'] {
	const { kind } = facts;
	const wait = 'retryAfterMs' in facts ? facts.retryAfterMs : undefined;
	const retryAfterMs = wait && 1_000 * Math.ceil(wait / 1_000);
	if (['other', 'refused-here', 'invalid-id', 'incomplete-list'].includes(kind)) return undefined;
	if (isRateLimitError(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (kind !== 'rejected' || facts.status >= 500) {
		return { cause: 'temporarily-unavailable', retryAfterMs };
	}
	return { cause: facts.status === 401 ? 'credential-invalid' : 'configuration-invalid' };
}
