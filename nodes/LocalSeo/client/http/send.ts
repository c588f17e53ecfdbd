import { type Connection, withOwnSignal } from '../account';
import type { Ending, GivenUp, Permit } from '../pace/permit';
import type { HttpFault, HttpResponse } from '../ports';
import { type ErrorFacts, fillPath, ServiceError, type ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { withinTime } from '../time';
import {
	isDenied,
	isGatewayRefusal,
	isOwnError,
	isRateLimit,
	isSuccess,
	effectOf,
	type HttpOutcome,
	quotaIn,
	retryAfter,
	stepFor,
} from './rules';
import { readServiceMessage } from './serviceMessage';

/** How often a request is sent if the service does not say when to retry. */
export const MAX_ATTEMPTS = 6;
/** How many redirects one request follows. */
const MAX_REDIRECTS = 5;
/** Milliseconds for one exchange where the caller says nothing: as in n8n's routing. */
const DEFAULT_TIMEOUT = 300_000;
/** Milliseconds that the transport has to report its own timeout, which says more. */
const GRACE = 500;
/** Milliseconds; doubles with each attempt, with full jitter. */
const FIRST_BACKOFF = 300;

/** A success, and when the request that it answers was sent; milliseconds by the account's clock. */
export type Success = HttpResponse & { sentAt: number };

/**
 * Sends a request until it succeeds, as the rules and the pace of the key allow.
 *
 * @throws ServiceError for every outcome that the rules do not call done
 */
export async function send(connection: Connection, request: ServiceRequest): Promise<Success> {
	const result = await attempt(connection, request);
	if (result instanceof ServiceError) throw result;
	return result;
}

/** As `send`, with the error as a value: a create looks first what may have been done. */
export async function attempt(
	connection: Connection,
	request: ServiceRequest,
): Promise<Success | ServiceError> {
	const own = withOwnSignal(connection);
	const { account, patienceMs, signal } = own;
	const { clock, governor, random } = account;
	const calledAt = connection.since ?? clock.now();
	/** Since when the service is busy or does not respond; waiting behind requests that it accepts does not count. */
	let failedAt: number | undefined;
	let faults = 0;
	let attempts = 1;
	let isStarted = false;
	let mayHaveActed = false;
	let last: ErrorFacts | undefined;
	const acquire = async () => {
		const permit = await governor.acquire({
			patienceMs,
			urgency: connection.urgency ?? (attempts > 1 ? 'repeat' : 'row'),
			kind: `${request.method} ${request.path}`,
			since: failedAt ?? calledAt,
			signal,
		});
		isStarted ||= 'startedAt' in permit;
		return permit;
	};

	try {
		let target = targetOf(request);
		for (; ; attempts++) {
			const tried = await sendOnce(own, request, target, acquire);
			if (!('outcome' in tried)) {
				const { waitedMs, failure } = tried;
				// What it was refused for says more than that it was not sent again.
				if (last && !failure) {
					return new ServiceError({ ...last, mayHaveActed, attempts: attempts - 1, waitedMs });
				}
				return notSent(request, tried, mayHaveActed, governor.pauseMs);
			}

			target = tried.target;
			const { outcome, permit } = tried;
			const { startedAt: sentAt, stalledSince } = permit;
			const status = 'status' in outcome ? outcome.status : 0;
			// A deletion whose first response was lost finds nothing left to delete.
			if (request.method === 'DELETE' && mayHaveActed && status === 404) {
				return { status: 204, headers: {}, body: '', sentAt };
			}
			const step = stepFor(request.method, outcome);
			if (step === 'done') return { ...(outcome as HttpResponse), sentAt };
			failedAt ??= Math.max(calledAt, stalledSince);
			const facts = { ...factsOf(request, outcome, clock.now()), failedAt, sentAt };
			last = facts;
			mayHaveActed ||= mayHaveDone(request, outcome);
			if (step !== 'repeat') return new ServiceError({ ...facts, mayHaveActed });

			const asked = facts.retryAfterMs ?? 0;
			const isSlowedDown = facts.isBusy === true;
			const wait = isSlowedDown
				? Math.max(governor.pauseMs, asked)
				: Math.max(random() * FIRST_BACKOFF * 2 ** ++faults, status === 202 ? asked : 0);
			const waitedMs = clock.now() - failedAt;
			if (waitedMs + wait > patienceMs || faults >= MAX_ATTEMPTS) {
				return new ServiceError({ ...facts, mayHaveActed, attempts, waitedMs });
			}
			// The pace of the key waits for the others.
			if (!isSlowedDown) await clock.sleep(wait, signal);
		}
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown;
		const kind = signal?.aborted ? 'cancelled' : 'other';
		// After a mistake of our own, nothing is known of what was sent.
		mayHaveActed ||= kind === 'other' && isStarted && request.method !== 'GET';
		return new ServiceError({ kind, request, mayHaveActed, cause: thrown });
	}
}

/** What is sent, and where: below the API root, or to the absolute address that a redirect names. */
interface Target {
	path: string;
	query: ServiceRequest['query'];
	/** JSON text. */
	body?: string;
}

function targetOf(request: ServiceRequest): Target {
	const { query, body } = request;
	const json = typeof body === 'object' ? JSON.stringify(body) : body;
	return { path: fillPath(request), query, body: json };
}

/** One attempt, the last of its requests, and where that went. */
interface Tried {
	permit: Permit;
	outcome: HttpOutcome;
	target: Target;
}

/**
 * One attempt: a request, and those to which redirects lead, all within one timeout. The rules have
 * checked that they stay on the same origin; the transport does so, too.
 */
async function sendOnce(
	connection: Connection,
	request: ServiceRequest,
	first: Target,
	acquire: () => Promise<Permit | GivenUp<ErrorFacts>>,
): Promise<Tried | GivenUp<ErrorFacts>> {
	const { clock } = connection.account;
	let target = first;
	let timeLeftMs = connection.timeoutMs ?? DEFAULT_TIMEOUT;
	for (let redirects = 0; ; redirects++) {
		const permit = await acquire();
		if (!('startedAt' in permit)) return permit;
		const outcome = await exchange(connection, request, target, permit, timeLeftMs);
		const isFollowed = stepFor(request.method, outcome) === 'follow' && redirects < MAX_REDIRECTS;
		if (!isFollowed) return { permit, outcome, target };
		const { headers, address } = outcome as HttpResponse;
		const { href: path } = new URL(headerText(headers.location), address);
		target = { ...target, path, query: {} };
		timeLeftMs -= clock.now() - permit.startedAt;
		if (timeLeftMs <= 0) return { permit, outcome: TOO_SLOW, target };
	}
}

/** Whether a request that changes something may have done so. */
function mayHaveDone({ method }: ServiceRequest, outcome: HttpOutcome): boolean {
	return method !== 'GET' && stepFor('POST', outcome) === 'look';
}

/** Refused because of a limit: costs a wait, says nothing against the service. */
function isLimitRefusal(response: HttpResponse): boolean {
	return isRateLimit(response) || isGatewayRefusal(response);
}

/** Nothing came within the time. */
const TOO_SLOW: HttpFault = { fault: 'timeout', cause: new Error('The response took too long') };

/** One request and what it came to; the one place where a request leaves the client. */
async function exchange(
	{ account, transport, signal }: Connection,
	{ method, ...request }: ServiceRequest,
	{ path, query, body }: Target,
	permit: Permit,
	timeoutMs: number,
): Promise<HttpOutcome> {
	const { clock, governor } = account;
	// Some frameworks refuse a content type without content.
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	let ending: Ending<ErrorFacts> = { kind: 'cancelled' };
	try {
		// A response that drips, or none at all, may outlive the transport's own timeout.
		const outcome: HttpOutcome =
			(await withinTime(
				clock,
				timeoutMs + GRACE,
				async (ended) => await transport({ method, path, query, headers, body, timeoutMs }, ended),
				signal,
			).catch((cause: Error) => ({ fault: 'cancelled' as const, cause }))) ?? TOO_SLOW;
		if ('status' in outcome) account.noteServiceTime(Date.parse(headerText(outcome.headers.date)));
		ending = endingOf({ method, ...request }, outcome, clock.now());
		return outcome;
	} finally {
		// A permit that is not returned would hold up the key until n8n is restarted.
		governor.ended(permit, ending);
	}
}

/** What an outcome says about what the service can bear. */
function endingOf(request: ServiceRequest, outcome: HttpOutcome, now: number): Ending<ErrorFacts> {
	const failed = () => ({ kind: 'failed' as const, failure: factsOf(request, outcome, now) });
	if ('fault' in outcome) {
		return ['cancelled', 'other'].includes(outcome.fault) ? { kind: 'cancelled' } : failed();
	}
	const { status, headers } = outcome;
	const retryAfterMs = retryAfter(headers, now);
	if (isRateLimit(outcome)) return { kind: 'limited', retryAfterMs };
	if (isGatewayRefusal(outcome)) return { kind: 'shed', retryAfterMs };
	if (status === 401) return { ...failed(), kind: 'key-refused' };
	if ([500, 501, 505].includes(status)) return { kind: 'broken' };
	if (status >= 500) return failed();
	return { kind: 'answered', isDone: isSuccess(outcome), quota: quotaIn(headers, now) };
}

/** The error of a request that the governor did not let start. */
function notSent(
	request: ServiceRequest,
	{ waitedMs, failure }: GivenUp<ErrorFacts>,
	mayHaveActed: boolean,
	pauseMs: number,
): ServiceError {
	if (failure?.status === 401) {
		return new ServiceError({ ...failure, request, mayHaveActed, isUnsent: true });
	}
	return new ServiceError({
		kind: pauseMs > 0 ? 'rate-limited' : 'not-sent',
		request,
		mayHaveActed,
		waitedMs,
		retryAfterMs: pauseMs,
		cause: failure && new ServiceError(failure),
	});
}

function factsOf(request: ServiceRequest, outcome: HttpOutcome, now: number): ErrorFacts {
	if ('fault' in outcome) return { kind: outcome.fault, request, cause: outcome.cause };
	const { status, headers, body } = outcome;
	const kind = effectOf(request.method);
	return {
		kind: isSuccess(outcome) && !isDenied(outcome, kind) ? 'unexpected-response' : 'rejected',
		request,
		status,
		said: readServiceMessage(body),
		redirectOrigin: originOf(headers.location),
		retryAfterMs: retryAfter(headers, now),
		isBusy: isLimitRefusal(outcome),
		isOwnError: isOwnError(outcome),
	};
}

/** Of a redirect only the origin is kept: the rest of the address may contain secrets. */
function originOf(location: unknown): string | undefined {
	const target = headerText(location);
	return URL.canParse(target) ? new URL(target).origin : undefined;
}

/** A success that is not in the form of the interface. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
): ServiceError {
	const said = typeof body === 'string' ? readServiceMessage(body) : undefined;
	return new ServiceError({ kind: 'unexpected-response', request, status, said });
}
