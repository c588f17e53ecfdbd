import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { AddressError, type AddressFlaw, ServiceError } from '../client';
import type { HostContext } from './context';
import { reportOf } from './messages';
import type { Report } from './report';
import { asHtml, asText, asTextOrHtml } from './words';

/** Input that can't be used: what is wrong with it, and what to do. Nothing was sent. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** `IExecuteFunctions`: all rows together. */
type Context = HostContext | IExecuteFunctions;

/**
 * The only place that turns what was thrown into one of n8n's errors. Each call creates a new one, so
 * that rows that fail for the same reason can each get their own number. What the service or a row has
 * put into the words is shown and logged as text, wherever n8n does so.
 */
export function toNodeError(context: Context, thrown: unknown): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const node = context.getNode();
	const report = reportOf(context, thrown);
	const message = asTextOrHtml(report.message);
	const description = report.description && shownDescription(context, report.description);
	if (report.isNodeOperation) {
		// An error that no one expected keeps where it came from.
		const isExpected = thrown instanceof InputError || thrown instanceof ServiceError;
		const error = isExpected || !(thrown instanceof Error) ? message : thrown;
		return new NodeOperationError(node, error, { message, description });
	}
	return apiError(node, { ...report, message, description });
}

/** Pickers show a description as text, and the item of a row that failed is data. */
function shownDescription(context: Context, description: string): string {
	const isPicker = 'getCurrentNodeParameter' in context;
	const isItem = 'continueOnFail' in context && context.continueOnFail();
	return isPicker || isItem ? asText(description) : asHtml(description);
}

/** NodeApiError replaces messages that it recognizes, so ours is set again (docs/n8n-facts.md, section 5). */
function apiError(node: INode, { message, description, httpCode, failure }: Report): NodeApiError {
	const error = new NodeApiError(node, {}, { message, description, httpCode, failure } as object);
	error.message = message;
	return error;
}

/** What to do about a base URL, an address or a way to it that can't be used. */
const ADDRESS_FLAWS: Record<AddressFlaw, string> = {
	'not-an-address':
		'The Base URL of the credential is not a valid URL. Enter it with https://, e.g. https://seo.example.com/api/v1',
	'not-https':
		'The Base URL of the credential must start with https://, so that the API key is not sent in plain text. Plain http is only accepted for localhost, 127.0.0.1 and [::1].',
	'more-than-a-path':
		'The Base URL of the credential must not contain a user name, password, query or fragment. Enter only scheme, host and path, e.g. https://seo.example.com/api/v1',
	'other-origin':
		'The API key of this credential is only sent to {origin}. Change the Base URL of the credential if the service has moved.',
	'plain-http-proxy':
		'The request was not sent: over plain http, a proxy could read the API key. Use https in the Base URL of the credential, or let n8n connect directly: remove the Proxy from the Request Options, or add the host to the environment variable NO_PROXY of n8n.',
	'unverified-proxy':
		'The request was not sent: with Ignore SSL Issues turned on, a proxy could read the API key. Turn off Ignore SSL Issues, or let n8n connect directly: remove the Proxy from the Request Options, or add the host to the environment variable NO_PROXY of n8n.',
};

/** An address error in words that n8n shows unchanged; any other error as it is. */
export function asUserError(error: unknown): unknown {
	if (!(error instanceof AddressError)) return error;
	return new UserError(ADDRESS_FLAWS[error.flaw].replace('{origin}', error.origin ?? ''));
}
