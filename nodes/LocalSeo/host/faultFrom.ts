import { faultOf, type HttpFault, textWithoutKey } from '../client';

interface FaultFacts {
	code: string;
	syscall: string;
	/** n8n's own advice. */
	description: string | null;
}

/** What n8n's NodeApiError says about the error that it wraps. */
interface Wrapper {
	/** The error's own text comes first. */
	messages: string[];
	/** The error's code; if a response had begun, its status. */
	httpCode: string | null;
}

/**
 * What was thrown instead of a response. Only what is needed is kept of it: n8n's errors hold the whole
 * request, the key included.
 */
export function faultFrom(thrown: unknown, key: string): HttpFault {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const original = originalOf(error);
	const { message, description, code, name, syscall } = original;
	const plain = new Error(textWithoutKey(message, key));
	return {
		fault: faultOf(original),
		cause: Object.assign(plain, {
			name,
			code,
			syscall,
			description: typeof description === 'string' ? textWithoutKey(description, key) : undefined,
		}),
	};
}

/**
 * The error that has the code; n8n wraps it. Before n8n 2.34 the wrapper lost its cause, but not the
 * cause's code and text (docs/n8n-facts.md, section 11).
 */
function originalOf(error: Error): Error & Partial<FaultFacts> {
	if (error.cause instanceof Error) return error.cause;
	if (!isWrapper(error)) return error;
	const { messages, httpCode, description } = error;
	const message = messages[0] ?? error.message;
	const [, syscall] = /^(\w+) E[A-Z]/.exec(message) ?? [];
	return Object.assign(new Error(message), { code: httpCode ?? undefined, syscall, description });
}

/** By its form: an installation may have several copies of n8n's classes. */
function isWrapper(error: Error): error is Error & Wrapper & Partial<FaultFacts> {
	return 'httpCode' in error && 'messages' in error && Array.isArray(error.messages);
}
