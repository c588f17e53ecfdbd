import { faultOf, type HttpFault, textOf, textWithoutKey } from '../client';

/** An error of the network, or n8n's NodeApiError around one. */
interface HostError extends Error {
	code?: string;
	syscall?: string;
	/** n8n's own advice. */
	description?: unknown;
	/** Only in a wrapper: the first one is the original error's message. */
	messages?: unknown;
	/** Only in a wrapper: the original error's code or, if a response had begun, its status. */
	httpCode?: string | null;
}

/**
 * The fault behind an error that was thrown in place of a response. Only the necessary parts are kept,
 * because n8n's errors hold the whole request with the key.
 */
export function faultFrom(thrown: unknown, key: string): HttpFault {
	const original = originalOf(thrown instanceof Error ? thrown : new Error(textOf(thrown)));
	const { description, code, name } = original;
	const message = messageOfError(original);
	// axios keeps the code of Node.js's error, and leaves its system call to the cause.
	const { syscall } = original.syscall ? original : (Object(original.cause) as HostError);
	const cause = Object.assign(new Error(textWithoutKey(message, key)), {
		name,
		code,
		syscall,
		description: typeof description === 'string' ? textWithoutKey(description, key) : undefined,
	});
	// n8n's proxy agent gives it no code.
	const isOfProxy = PROXY_ENDED.test(message);
	return { fault: isOfProxy ? 'unreachable' : faultOf(cause), cause };
}

/** No connection to the service was made through the proxy. */
const PROXY_ENDED = /^Proxy connection ended/;

/** If several addresses of a host were tried, each has its own error; the one around them has no message. */
function messageOfError(error: HostError): string {
	const { errors } = (error.cause ?? error) as { errors?: unknown };
	const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
	return error.message || (first instanceof Error ? first.message : '');
}

/**
 * The error with the code, inside n8n's wrapper. Before n8n 2.34 the wrapper lost its cause, but kept
 * its code and text (docs/dev/n8n-facts.md, section 11). It is recognized by its members, because an
 * installation may have several copies of n8n's classes.
 */
function originalOf(error: HostError): HostError {
	if (error.cause instanceof Error) return error.cause;
	const { messages, httpCode, description } = error;
	if (!Array.isArray(messages)) return error;
	// The messages of several addresses are one, with bars between them.
	const [message] = textOf(messages[0] ?? error.message).split(' | ');
	const [, syscall] = /^(\w+) E[A-Z]/.exec(message) ?? [];
	return Object.assign(new Error(message), { code: httpCode ?? undefined, syscall, description });
}
