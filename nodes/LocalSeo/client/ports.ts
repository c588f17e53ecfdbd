/**
 * The client reaches network, time and randomness only through these ports. In production the host
 * provides them, in tests a simulation.
 */

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One HTTP request, complete except for the API root and the key, which the transport adds. */
export interface HttpRequest {
	method: Method;
	/** Relative to the API root, IDs filled in and encoded: `/locations/loc_1/posts` */
	path: string;
	/** A list is sent as a repeated name. */
	query: JsonObject;
	headers: Record<string, string>;
	/** JSON text. */
	body?: string;
	/** Timeout of the transport (ms). */
	timeoutMs: number;
}

/** A response of any status; `body` is parsed JSON, or text if it is not JSON. */
export interface HttpResponse {
	status: number;
	/** The absolute address that the request was sent to, if known: a relative `Location` starts from it. */
	address?: string;
	/** Names are in lower case. */
	headers: JsonObject;
	body: unknown;
}

/**
 * Why there was no response. Nothing was sent with:
 *
 * - `refused-here`: the program does not send the request, e.g. because of a rule of the host
 * - `unreachable`, `unknown-host`: no connection was made
 * - `insecure`: the certificate of the service was refused
 *
 * Nobody knows what became of the request with `timeout`, `connection-lost`, `cancelled` and `other`, a
 * mistake of the program while it sent the request or read the response.
 */
export type FaultKind =
	| 'refused-here'
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
 * One exchange: sends a request to the service and nowhere else, follows no redirect and does not
 * retry. It removes the API key if the service repeats it in its response, and a body that is nested too
 * deeply to be written as JSON again (`withoutKey`). Never rejects.
 */
export type Transport = (
	request: HttpRequest,
	signal?: AbortSignal,
) => Promise<HttpResponse | HttpFault>;

export interface Clock {
	/**
	 * Milliseconds, for waits and how long something took: they pass evenly, and are never set back. They count
	 * from 1970 by the clock at the start of the process.
	 */
	now(): number;
	/** Milliseconds since 1970 by the clock on the wall, for days and times of day: it may be set. */
	wall(): number;
	/**
	 * Resolves after this long (ms); rejects with the signal's reason as soon as it aborts. It listens to the
	 * signal, and Node.js warns of more than ten listeners: whoever waits beside others needs one of its own.
	 */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number;
