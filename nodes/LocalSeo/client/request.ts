import type { FaultKind, JsonObject, Method } from './ports';

/** A request to the service, before IDs are filled in. */
export interface ServiceRequest {
	method: Method;
	/** Below the API root, with `{name}` for the IDs: `/locations/{locationId}/posts` */
	path: string;
	/** IDs by their names in the path. */
	ids: Record<string, string>;
	/** A list as a value is sent as the name repeated. */
	query: JsonObject;
	/** A record to be sent as JSON, or JSON text that is sent unchanged. */
	body?: JsonObject | string;
	/** What the request is about, in the service's words: "content post" */
	noun: string;
}

/** The body of a write as a record, also where it is given as JSON text. */
export function fieldsOf({ body }: ServiceRequest): JsonObject {
	return typeof body === 'string' ? (JSON.parse(body) as JsonObject) : { ...body };
}

/** The whole list that a create adds to, without the query of the create, which might filter it. */
export function listOf(create: ServiceRequest): ServiceRequest {
	return { ...create, method: 'GET', query: {}, body: undefined };
}

/** The names of the IDs in a path: `locationId` in `/locations/{locationId}/posts`. */
export function idNames(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** What an ID names, in the service's words: `location` for `locationId`. */
export function nounOfId(name: string): string {
	return name.replace(/Id$/, '');
}

/** Whether the path ends with its ID: `/locations/{locationId}` names a location itself. */
export function endsWithId(path: string): boolean {
	return path.endsWith('}');
}

/**
 * The path with its IDs filled in, encoded.
 *
 * @throws ServiceError `invalid-id` for an ID that is empty, or that a URL parser would take as a path
 * segment of its own: encoding leaves `.` and `..` unchanged
 */
export function fillPath(request: ServiceRequest): string {
	return idNames(request.path).reduce((path, name) => {
		const id = request.ids[name] ?? '';
		if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
			throw new ServiceError({ kind: 'invalid-id', request, idName: name });
		}
		return path.replace(`{${name}}`, () => encodeURIComponent(id));
	}, request.path);
}

/** The service's own message about a rejection. */
export interface ServiceMessage {
	text?: string;
	/** Per field of the request, ten at most: `title: The title field is required` */
	fields: string[];
	/** How many more there are. */
	more?: number;
}

/**
 * - `invalid-id`: nothing was sent, the ID can't stand in a path
 * - `rejected`: a response with a status other than 2xx, or a success that denies itself
 * - `rate-limited`: not sent (again), because the service asks to wait longer than the patience
 * - `not-sent`: not sent (again), because the service has accepted nothing for as long as the patience;
 *   `cause` is how it failed others, where it did
 * - `unexpected-response`: a success with a web page, or with JSON that is cut off
 * - `incomplete-list`: a list that has fewer records than the service says, or others each time
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

/** What is known about a request that did not succeed; times in milliseconds. */
export interface ErrorFacts {
	kind: ErrorKind;
	request: ServiceRequest;
	/** Whether it may have taken effect nevertheless. */
	mayHaveActed?: boolean;
	/** HTTP status of the response, where there was one. */
	status?: number;
	/** The service's own message. */
	said?: ServiceMessage;
	/** What the caller knows that may be the cause, as sentences. */
	advice?: string[];
	/** The origin that a redirect points to; `undefined` for another path of the same origin. */
	redirectOrigin?: string;
	retryAfterMs?: number;
	/** Whether the service, or a cache before it, says that it accepts nothing now. */
	isBusy?: boolean;
	/** Whether nothing was sent, since the service has refused the key of another request. */
	isUnsent?: boolean;
	/** Since when the service has been busy or has not responded; by the account's clock. */
	failedAt?: number;
	/** Whether the service itself reports an error of its own: what it does, it has done by then. */
	isOwnError?: boolean;
	/** Whether a list was read to compare a row with it. */
	isComparison?: boolean;
	/** When it was last sent, which is when it may have acted; absent: it was not sent. */
	sentAt?: number;
	/** How often the request was sent, and for how long since then. */
	attempts?: number;
	waitedMs?: number;
	/** `invalid-id`: its name in the path, e.g. `locationId`. */
	idName?: string;
	/** `incomplete-list`: records received, and the service's total. */
	received?: number;
	total?: number;
	/** The query parameter that asks for a page, where the service ignores it. */
	pageParameter?: string;
	/** How many pages were read of a list that has no end. */
	pages?: number;
	cause?: unknown;
}

/** A request to the service that did not succeed: facts in fields, no words for users. */
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
