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

/** A refusal: a status other than 2xx, or a success that denies itself. */
export interface Rejection {
	kind: 'rejected';
	status: number;
	said: ServiceMessage;
	/** The address that a redirect names, without query and fragment. */
	redirectTo?: string;
	retryAfterMs?: number;
	/** Of a later page of a list: how many records came before it, the total that was stated, and the page parameter. */
	received?: number;
	total?: number;
	pageParameter?: string;
	/** True if a limit is why it was refused, so that it may be accepted later. */
	isBusy: boolean;
	/** True if the service itself, and no gateway before it, reports that it failed (500 in JSON). */
	isOwnError?: boolean;
	/** True for the service's own 500 to a create whose record the list does not show so far. */
	isUnseen?: boolean;
}

/**
 * - `invalid-id`: nothing was sent, because the ID of this name can't stand in a path
 * - `rejected`: see Rejection
 * - `unexpected-response`: a success that breaks the interface; what `data` should hold (absent if it is
 *   no JSON), and the beginning of what came
 * - `rate-limited`, `not-sent`: not sent (again), since the service asks to wait longer than the patience,
 *   or has accepted nothing for as long; the cause is a failure of other requests
 * - `incomplete-list`: another number of different records than the total; the page parameter if a page
 *   brought nothing new, or if it is empty, so that one page was read; the most pages that are read, if
 *   there are more
 * - `unconfirmed`: a create that may or may not have taken effect
 * - a kind of fault: there was no response
 */
type KindFacts =
	| Rejection
	| { kind: 'invalid-id'; idName: string }
	| {
			kind: 'unexpected-response';
			status: number;
			expected?: 'list' | 'record' | 'data';
			came: string;
	  }
	| { kind: 'rate-limited'; retryAfterMs?: number; cause?: ServiceError }
	| { kind: 'not-sent'; retryAfterMs?: number; cause?: ServiceError }
	| {
			kind: 'incomplete-list';
			received: number;
			total?: number;
			pageParameter?: string;
			pages?: number;
	  }
	| { kind: 'unconfirmed'; status?: number; cause?: unknown }
	| { kind: FaultKind; cause: unknown };

/** The facts about a request that did not succeed; times in milliseconds. */
export type ErrorFacts = KindFacts & {
	request: ServiceRequest;
	/** True if the request may have taken effect despite the error. */
	mayHaveActed?: boolean;
	/** True if the list was read to compare a row with it. */
	isComparison?: boolean;
	/** True if nothing less than the whole list would do. */
	isNeededWhole?: boolean;
	/** The number of times that the request was sent, and the time since the service began to fail. */
	attempts?: number;
	waitedMs?: number;
};

type ErrorKind = ErrorFacts['kind'];

/** A request that did not succeed: facts in fields, without words for users. */
export class ServiceError extends Error {
	readonly facts: ErrorFacts;

	constructor(given: ErrorFacts) {
		// An error may be kept for long: it leaves out the body, which may be large.
		const request = { ...given.request, body: undefined };
		const cause = 'cause' in given ? given.cause : undefined;
		super(`${given.kind}: ${request.method} ${request.path}${statusIn(given)}`, { cause });
		this.name = 'ServiceError';
		this.facts = { ...given, request };
		// A stack that was never read keeps all that its functions hold, rows among it.
		for (const error of [this, cause]) if (error instanceof Error) void error.stack;
	}

	get kind(): ErrorKind {
		return this.facts.kind;
	}

	get request(): ServiceRequest {
		return this.facts.request;
	}

	get mayHaveActed(): boolean {
		return this.facts.mayHaveActed === true;
	}

	/** HTTP status of the response; 0 if there was none. */
	get status(): number {
		return ('status' in this.facts && this.facts.status) || 0;
	}
}

function statusIn(facts: ErrorFacts): string {
	return 'status' in facts && facts.status ? ` (${facts.status})` : '';
}
