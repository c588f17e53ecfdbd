/**
 * What the client needs from outside: network, time and randomness. In production the host provides
 * them, in tests a simulation.
 */

/** An object as JSON holds it. */
export type JsonObject = Record<string, unknown>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One HTTP request, ready to be sent except for the API root and the key, which the transport adds. */
export interface HttpRequest {
	method: Method;
	/** Below the API root, IDs filled in and encoded: `/locations/loc_1/posts`; absolute after a redirect. */
	path: string;
	/** A list as a value is sent as the name repeated. */
	query: JsonObject;
	headers: Record<string, string>;
	/** JSON text. */
	body?: string;
	/** Milliseconds until the transport gives up. */
	timeoutMs: number;
}

/** A response of any status; `body` is parsed JSON, or text if it is not JSON. */
export interface HttpResponse {
	status: number;
	/** The absolute address that responded, where it is known: redirects are followed on its origin. */
	address?: string;
	/** By lower-case name. */
	headers: JsonObject;
	body: unknown;
}

/** Why there was no response. `other`: not because of the network, but of a rule of the host, say. */
export type FaultKind =
	| 'unreachable'
	| 'unknown-host'
	| 'insecure'
	| 'timeout'
	| 'connection-lost'
	| 'cancelled'
	| 'other';

export interface HttpFault {
	fault: FaultKind;
	cause: Error;
}

/**
 * One exchange: sends a request to the service and nowhere else, follows no redirect, does not retry,
 * and removes the API key if the service repeats it in its response, and what is nested too deeply to be
 * written as JSON again (`withoutKey`). Never rejects.
 */
export type Transport = (
	request: HttpRequest,
	signal?: AbortSignal,
) => Promise<HttpResponse | HttpFault>;

export interface Clock {
	/** Milliseconds since 1970, as they were when the process started: it is never set back. */
	now(): number;
	/** Resolves after so many milliseconds; rejects with the signal's reason as soon as it aborts. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 up to 1. */
export type Random = () => number;
