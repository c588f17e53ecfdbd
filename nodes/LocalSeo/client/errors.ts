import type { FaultKind } from './ports';
import type { ServiceRequest } from './request';

/** The service's own words about a refusal. */
export interface ServiceMessage {
	text?: string;
	/** Messages by field of the request, ten at most: `title: The title field is required` */
	fields: string[];
	/** The number of further messages. */
	more?: number;
}

/** Facts that any error may have; times in milliseconds. */
interface CommonFacts {
	request: ServiceRequest;
	/** True if the request may have taken effect despite the error. */
	mayHaveActed?: boolean;
	/** True if the list was read to compare a row with it. */
	isComparison?: boolean;
	/** The number of times that the request was sent, and the time since the service began to fail. */
	attempts?: number;
	waitedMs?: number;
}

/** Nothing was sent, because the ID can't stand in a path. */
interface InvalidId {
	kind: 'invalid-id';
	/** The ID's name in the path, e.g. `locationId`. */
	idName: string;
}

/** A refusal: a status other than 2xx, or a success that denies itself. */
export interface Rejection {
	kind: 'rejected';
	/** HTTP status. */
	status: number;
	said: ServiceMessage;
	/** The origin that a redirect points to; absent for another path of the same origin. */
	redirectOrigin?: string;
	retryAfterMs?: number;
	/** True if a limit is why it was refused, so that it may be accepted later. */
	isBusy: boolean;
	/** True if nothing was sent, because the service has rejected the key of another request. */
	isUnsent?: boolean;
	/** True if the service itself, and no gateway before it, reports that it failed (500 in JSON). */
	isOwnError?: boolean;
	/** True for the service's own 500 to a create whose record the list does not show so far. */
	isUnseen?: boolean;
}

/** A success that breaks the interface: a web page, JSON that is cut off, or no `data`. */
interface UnexpectedResponse {
	kind: 'unexpected-response';
	status: number;
	/** What `data` should hold; absent if the response is not JSON. */
	expected?: 'list' | 'record' | 'data';
	/** The beginning of the response. */
	came: string;
}

/**
 * Not sent (again): `rate-limited` if the service asks to wait longer than the patience, `not-sent` if
 * it has accepted nothing for as long as the patience.
 */
interface GivenUpFacts<Kind> {
	kind: Kind;
	retryAfterMs?: number;
	/** The failure of other requests, if that is why. */
	cause?: ServiceError;
}

/** A list with another number of different records than its total, or one that came otherwise each time. */
interface IncompleteList {
	kind: 'incomplete-list';
	received: number;
	total?: number;
	/** The query parameter for the page number, if the service ignores it. */
	pageParameter?: string;
	/** The number of pages read of a list that never ended. */
	pages?: number;
}

/** A create that may or may not have taken effect. */
interface Unconfirmed {
	kind: 'unconfirmed';
	/** HTTP status of its last response, if there was one. */
	status?: number;
	cause?: unknown;
}

/** There was no response. */
interface NoResponse {
	kind: FaultKind;
	cause: unknown;
}

/** The facts about a request that did not succeed. */
export type ErrorFacts = CommonFacts &
	(
		| InvalidId
		| Rejection
		| UnexpectedResponse
		| GivenUpFacts<'rate-limited'>
		| GivenUpFacts<'not-sent'>
		| IncompleteList
		| Unconfirmed
		| NoResponse
	);

export type ErrorKind = ErrorFacts['kind'];

/** A request that did not succeed: facts in fields, without words for users. */
export class ServiceError extends Error {
	readonly kind: ErrorKind;
	readonly request: ServiceRequest;
	readonly mayHaveActed: boolean;
	/** HTTP status of the response; 0 if there was none. */
	readonly status: number;

	readonly facts: ErrorFacts;

	constructor(given: ErrorFacts) {
		// An error may be kept for long: it leaves out the body, which may be large.
		const request = { ...given.request, body: undefined };
		const facts = { ...given, request };
		const { kind } = facts;
		const status = 'status' in facts ? (facts.status ?? 0) : 0;
		const cause = 'cause' in facts ? facts.cause : undefined;
		super(`${kind}: ${request.method} ${request.path}${status > 0 ? ` (${status})` : ''}`, {
			cause,
		});
		this.name = 'ServiceError';
		this.facts = facts;
		// A stack that was never read keeps all that its functions hold, rows among it.
		for (const error of [this, cause]) if (error instanceof Error) void error.stack;
		this.kind = kind;
		this.request = request;
		this.mayHaveActed = facts.mayHaveActed ?? false;
		this.status = status;
	}
}
