import { faultOf, type HttpFault, textOf, textWithoutKey } from '../client';

/** An error of the network, or n8n's NodeApiError around one. */
interface HostError extends Error {
	code?: string;
	syscall?: string;
	/** n8n's own advice. */
	description?: unknown;
	/** Of a wrapper: the error's own text comes first. */
	messages?: unknown;
	/** Of a wrapper: the error's code; if a response had begun, its status. */
	httpCode?: string | null;
}

/**
 * What was thrown instead of a response. Only what is needed is kept of it: n8n's errors hold the whole
 * request, the key included.
 *
 * @param address of the service
 */
export function faultFrom(thrown: unknown, key: string, address = ''): HttpFault {
	const original = originalOf(thrown instanceof Error ? thrown : new Error(textOf(thrown)));
	const { description, code, name, syscall } = original;
	const message = ownText(original);
	const cause = Object.assign(new Error(textWithoutKey(message, key)), {
		name,
		code,
		syscall,
		description: typeof description === 'string' ? textWithoutKey(description, key) : undefined,
		proxy: proxyIn(message, address),
	});
	return { fault: faultOf(original), cause };
}

/** Where several addresses of a host were tried, each has an error of its own, and the whole has no text. */
function ownText(error: HostError): string {
	const { errors } = (error.cause ?? error) as { errors?: unknown };
	const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
	return error.message || (first instanceof Error ? first.message : '');
}

/**
 * The proxy that could not be reached, as far as an error names it: nothing else stands between n8n and
 * the service at another address than the service's. Undefined where it was none.
 */
function proxyIn(message: string, address: string): string | undefined {
	if (/^Proxy connection ended/.test(message)) return '';
	const [, unknown] = /^getaddrinfo E\w+ (\S+)/.exec(message) ?? [];
	const [, host, port] = /^connect E\w+ (\S+):(\d+)/.exec(message) ?? [];
	if (!URL.canParse(address)) return undefined;
	const service = new URL(address);
	if (unknown !== undefined) {
		return unknown === service.hostname.replace(/[[\]]/g, '') ? undefined : unknown;
	}
	const ownPort = service.port || (service.protocol === 'https:' ? '443' : '80');
	return port === undefined || port === ownPort ? undefined : `${host}:${port}`;
}

/**
 * The error that has the code; n8n wraps it. Before n8n 2.34 the wrapper lost its cause, but not the
 * cause's code and text (docs/dev/n8n-facts.md, section 11). It is known by its form: an installation may
 * have several copies of n8n's classes.
 */
function originalOf(error: HostError): HostError {
	if (error.cause instanceof Error) return error.cause;
	const { messages, httpCode, description } = error;
	if (!Array.isArray(messages)) return error;
	const message = textOf(messages[0] ?? error.message);
	const [, syscall] = /^(\w+) E[A-Z]/.exec(message) ?? [];
	return Object.assign(new Error(message), { code: httpCode ?? undefined, syscall, description });
}
