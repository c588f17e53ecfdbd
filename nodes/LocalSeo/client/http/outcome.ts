import { type ErrorFacts, ServiceError } from '../errors';
import type { Ending } from '../pace/pace';
import type { HttpFault, HttpResponse, JsonObject, Method } from '../ports';
import type { ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { deniesSuccess, isIdentified, isRecord, recordIn } from './records';
import { beginningOf, wordsOf } from './words';

/** A response, or the fault that took its place. */
export type HttpOutcome = HttpResponse | HttpFault;

/** No connection to the service was made: kinds of faults, and the statuses by which Cloudflare says so. */
const NOT_SENT = {
	faults: ['unreachable', 'unknown-host', 'insecure'],
	statuses: [521, 523, 525, 526],
};
/** The service cannot do this, now or later. */
const NEVER = [501, 505];
/**
 * Pages of gateways (503) that have passed nothing on; test/support/gatewayPages.ts has them as the real programs
 * send them.
 */
const REFUSALS = [
	// nginx: limit_req, limit_conn; an AWS application load balancer without a target.
	/<center><h1>503 Service Temporarily Unavailable<\/h1><\/center>/,
	// HAProxy: maxconn with timeout queue, no server (configuration manual, section 1.3).
	/No server is available to handle this request\./,
	// Envoy: overload manager, circuit breaker, no healthy host (response flags UO, UF and UH).
	/^\s*(no healthy upstream\s*$|upstream connect error .*reset reason: (overflow|(remote )?connection failure))/s,
];

/**
 * What an outcome means for a request of this method: it is `done`; `refused` for good; `repeat`: nothing was done,
 * and it may be accepted later; `lost`: it may have been done, so that reads and changes are sent again, and
 * creates are looked for in their list.
 */
export function effectOf(
	method: Method,
	outcome: HttpOutcome,
): 'done' | 'refused' | 'repeat' | 'lost' {
	if ('fault' in outcome) {
		if (outcome.fault === 'refused-here') return 'refused';
		return NOT_SENT.faults.includes(outcome.fault) ? 'repeat' : 'lost';
	}
	const { status, body } = outcome;
	if (isSuccess(outcome)) {
		// A record with an ID was created, whatever failed besides.
		const isCreated = method === 'POST' && isIdentified(recordIn(outcome));
		if (deniesSuccess(body)) return isCreated ? 'done' : 'refused';
		// A web page, or JSON that was cut off; frameworks label a short text as HTML, too.
		return typeof body === 'string' && /^\s*[<{[]/.test(body) ? 'lost' : 'done';
	}
	if (isLimit(outcome) || NOT_SENT.statuses.includes(status)) return 'repeat';
	return status === 408 || (status >= 500 && !NEVER.includes(status)) ? 'lost' : 'refused';
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

/** True if a limit is why a request was refused: nothing was done, and it may be accepted later. */
function isLimit({ status, headers, body }: HttpResponse): boolean {
	if (status === 429 || status === 425) return true;
	const text = typeof body === 'string' ? body : '';
	// Varnish says when to come back of a backend that may have acted.
	const isVarnish = /varnish/i.test(headerText(headers.server)) || /guru medit?ation/i.test(text);
	if (status !== 403 && status !== 503) return false;
	if (headers['retry-after'] && !isVarnish) return true;
	const isRefusal =
		headers['x-envoy-overloaded'] !== undefined || REFUSALS.some((one) => one.test(text));
	return status === 503 && isRefusal;
}

/** True if the service itself, and no gateway before it, reports that it failed. */
const isOwnError = (outcome: HttpOutcome): boolean =>
	'status' in outcome && outcome.status === 500 && isRecord(outcome.body);

/** A longer wait (ms) is a time in another unit. */
const LONGEST = 365 * 86_400_000;

/**
 * The wait that `Retry-After` asks for (ms): seconds, or a date (RFC 9110, 10.2.3), which is measured against the
 * response's own `Date`, so that a wrong clock does no harm. Undefined if it states none.
 */
export function retryAfter(headers: JsonObject, now: number): number | undefined {
	const text = headerText(headers['retry-after']);
	const wait = /^\d+(\.\d+)?$/.test(text)
		? 1_000 * Number(text)
		: Date.parse(text) - (Date.parse(headerText(headers.date)) || now);
	return wait >= 0 && wait < LONGEST ? wait : undefined;
}

/** Translates an outcome for the pace: what it says about the load that the service can take. */
export function endingOf(
	request: ServiceRequest,
	outcome: HttpOutcome,
	now: number,
): Ending<ErrorFacts> {
	if ('fault' in outcome) {
		const isOurs = ['cancelled', 'other', 'refused-here'].includes(outcome.fault);
		return isOurs
			? { kind: 'cancelled' }
			: { kind: 'failed', failure: factsOf(request, outcome, now) };
	}
	const { status, headers } = outcome;
	if (isLimit(outcome)) return { kind: 'limited', retryAfterMs: retryAfter(headers, now) };
	if ([500, 501, 505].includes(status)) return { kind: 'cancelled' };
	if (status < 500) return { kind: 'answered' };
	return { kind: 'failed', failure: factsOf(request, outcome, now) };
}

/** The facts about an outcome that is no success. */
export function factsOf(request: ServiceRequest, outcome: HttpOutcome, now: number): ErrorFacts {
	if ('fault' in outcome) return { kind: outcome.fault, request, cause: outcome.cause };
	const { status, headers, body } = outcome;
	if (isSuccess(outcome) && !deniesSuccess(body)) return unexpectedResponse(request, outcome).facts;
	return {
		kind: 'rejected',
		request,
		status,
		said: wordsOf(body),
		redirectTo: redirectIn(outcome),
		retryAfterMs: retryAfter(headers, now),
		isBusy: isLimit(outcome),
		isOwnError: isOwnError(outcome),
	};
}

/** The error for a success that breaks the interface. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
	expected?: 'list' | 'record' | 'data',
): ServiceError {
	const came = beginningOf(body) ?? '';
	return new ServiceError({ kind: 'unexpected-response', request, status, expected, came });
}

/** The address that a redirect names, without what may be secret: a login, a query. */
function redirectIn({ headers, address }: HttpResponse): string | undefined {
	const location = headerText(headers.location);
	if (location === '' || !URL.canParse(location, address)) return undefined;
	const { origin, pathname } = new URL(location, address);
	return origin + pathname;
}
