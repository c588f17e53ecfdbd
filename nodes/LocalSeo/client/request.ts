import type { FaultKind, JsonObject, Method } from './ports';

/** A request to the service, before IDs are filled in. */
export interface ServiceRequest {
	method: Method;
	/** Relative to the API root, with `{name}` for the IDs: `/locations/{locationId}/posts` */
	path: string;
	/** IDs by their names in the path. */
	ids: Record<string, string>;
	/** The names of the records with these IDs, where they are known. */
	names?: Record<string, string>;
	/** A list is sent as a repeated name. */
	query: JsonObject;
	/** A record to send as JSON, or JSON text that is sent unchanged. */
	body?: JsonObject | string;
	/** Names the subject of the request in the service's words: "content post" */
	noun: string;
	/** Whether the response may have any shape, as that of insights; else it is a list, or a record. */
	isOfAnyShape?: boolean;
}

/** The body of a write as a record, even if it was given as JSON text. */
export function fieldsOf({ body }: ServiceRequest): JsonObject {
	return typeof body === 'string' ? (JSON.parse(body) as JsonObject) : { ...body };
}

/** The request for the whole list that a create adds to, without its query, which might filter the list. */
export function requestForList(create: ServiceRequest): ServiceRequest {
	return { ...create, method: 'GET', query: {}, body: undefined };
}

const ID_NAME = /\{(\w+)\}/g;

/** The names of the IDs in a path: `locationId` in `/locations/{locationId}/posts`. */
export function idNames(path: string): string[] {
	return [...path.matchAll(ID_NAME)].map(([, name]) => name);
}

/** The noun for an ID in the service's words: `location` for `locationId`. */
export function nounOfId(name: string): string {
	return name.replace(/Id$/, '');
}

/** True if the path ends with an ID, as `/locations/{locationId}` does: it names a location itself. */
export function endsWithId(path: string): boolean {
	return path.endsWith('}');
}

/**
 * The path with its IDs filled in and encoded.
 *
 * @throws ServiceError `invalid-id` for an ID that is empty or that a URL parser would read as a path
 * segment of its own: encoding leaves `.` and `..` unchanged
 */
export function fillPath(request: ServiceRequest): string {
	return request.path.replace(ID_NAME, (_, name: string) => {
		const id = request.ids[name] ?? '';
		if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
			throw new ServiceError({ kind: 'invalid-id', request, idName: name });
		}
		return encodeURIComponent(id);
	});
}

/** The service's own message about a rejection. */
export interface ServiceMessage {
	text?: string;
	/** Messages by field of the request, ten at most: `title: The title field is required` */
	fields: string[];
	/** The number of further messages. */
	more?: number;
}

/**
 * - `invalid-id`: nothing was sent, because the ID can't stand in a path
 * - `rejected`: a response with a status other than 2xx, or a success that denies itself
 * - `rate-limited`: not sent (again), because the service asks to wait longer than the patience
 * - `not-sent`: not sent (again), because the service has accepted nothing for as long as the patience;
 *   `cause` is the failure of other requests, if there was one
 * - `unexpected-response`: a success with a web page, or with JSON that is cut off
 * - `incomplete-list`: a list with fewer records than its total, or with different ones each time
 * - `unconfirmed`: a create that may or may not have taken effect
 * - a kind of fault: there was no response
 */
export type ErrorKind =
	| 'invalid-id'
	| 'rejected'
	| 'rate-limited'
	| 'not-sent'
	| 'unexpected-response'
	| 'incomplete-list'
	| 'unconfirmed'
	| FaultKind;

/** The facts about a request that did not succeed; times in milliseconds. */
export interface ErrorFacts {
	kind: ErrorKind;
	request: ServiceRequest;
	/** True if the request may have taken effect despite the error. */
	mayHaveActed?: boolean;
	/** HTTP status of the response; absent if there was none. */
	status?: number;
	/** The service's own message. */
	said?: ServiceMessage;
	/** Possible causes that the caller knows of, as sentences. */
	advice?: string[];
	/** The origin that a redirect points to; `undefined` for another path of the same origin. */
	redirectOrigin?: string;
	retryAfterMs?: number;
	/** True if the service, or a gateway in front of it, refuses because of a limit, and may accept later. */
	isBusy?: boolean;
	/** True if nothing was sent, because the service has rejected the key of another request. */
	isUnsent?: boolean;
	/** The time since which the service has been busy or has not responded, by the account's clock. */
	failedAt?: number;
	/**
	 * True if the service itself reports an internal error (500 or 503 in JSON): it has finished acting by then.
	 */
	isOwnError?: boolean;
	/** True if the list was read to compare a row with it. */
	isComparison?: boolean;
	/** The time of the last sending, which is when the request may have acted; absent: it was not sent. */
	sentAt?: number;
	/** The number of times that the request was sent, and the time since the service began to fail (ms). */
	attempts?: number;
	waitedMs?: number;
	/** `invalid-id`: the ID's name in the path, e.g. `locationId`. */
	idName?: string;
	/** `incomplete-list`: the number of records received, and the service's total. */
	received?: number;
	total?: number;
	/** `incomplete-list`: the query parameter for the page number, if the service ignores it. */
	pageParameter?: string;
	/** `incomplete-list`: the number of pages read of a list that never ended. */
	pages?: number;
	cause?: unknown;
}

/** A request that did not succeed: facts in fields, without words for users. */
export class ServiceError extends Error {
	readonly kind: ErrorKind;
	readonly request: ServiceRequest;
	readonly mayHaveActed: boolean;

	constructor(readonly facts: ErrorFacts) {
		const { kind, request, status, cause } = facts;
		const code = status === undefined ? '' : ` (${status})`;
		super(`${kind}: ${request.method} ${request.path}${code}`, { cause });
		this.name = 'ServiceError';
		this.kind = kind;
		this.request = request;
		this.mayHaveActed = facts.mayHaveActed ?? false;
	}
}
