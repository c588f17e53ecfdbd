import { type Connection, withOwnSignal } from '../account';
import { type ErrorFacts, ServiceError } from '../errors';
import type { HttpResponse } from '../ports';
import { withinTime } from '../withinTime';
import { fillPath } from './path';
import { deniesSuccess, isTooDeep } from './records';
import type { ServiceRequest } from './request';
import { quotaOf } from './quota';
import { retryAfter } from './retryAfter';
import type { Ending, GivenUp, Permit } from '../governor/governor';
import {
	isRateLimit,
	isUnavailable,
	isUnfinished,
	type Outcome,
	ruleFor,
	stepFor,
} from './retryRules';
import { readServiceMessage } from './serviceMessage';

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** How often a request is sent if the service does not say when to retry. */
export const MAX_ATTEMPTS = 6;
/** Milliseconds for one exchange where the caller says nothing. */
const DEFAULT_TIMEOUT = 300_000;
/** Milliseconds that the transport has to report its own timeout, which says more. */
const GRACE = 500;
/** Milliseconds; doubles with each attempt, with full jitter. */
const FIRST_BACKOFF = 300;

/**
 * Sends a request until it succeeds, as the retry rules and the governor of the key allow.
 *
 * @throws ServiceError for every response other than 2xx, for a reading that the service never
 * finishes (202), and if there is no response
 */
export async function send(connection: Connection, request: ServiceRequest): Promise<HttpResponse> {
	const result = await attempt(connection, request);
	if (result instanceof ServiceError) throw result;
	return result;
}

/**
 * A success: since when the service had been busy or had not responded, and when the request that
 * it answers was sent; milliseconds since 1970.
 */
export type Success = HttpResponse & { stalledSince: number; sentAt: number };

/** As `send`, with the error as a value: a write checks first what may have been done. */
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
	let mayHaveActed = false;

	try {
		const path = fillPath(request);
		for (let attempts = 1; ; attempts++) {
			const permit = await governor.acquire({
				kind: `${request.method} ${request.path}`,
				patienceMs,
				urgency: connection.urgency ?? (attempts > 1 ? 'repeat' : 'row'),
				since: failedAt ?? calledAt,
				signal,
			});
			if (!('startedAt' in permit)) {
				return notSent(request, permit, mayHaveActed, governor.pauseMs);
			}

			const { startedAt } = permit;
			const stalledSince = Math.max(calledAt, permit.stalledSince);
			const outcome = await exchange(own, request, path, permit);
			const status = 'status' in outcome ? outcome.status : 0;
			// A deletion whose first response was lost finds nothing left to delete.
			const isDeleted = request.method === 'DELETE' && mayHaveActed && status === 404;
			if (isDeleted) return { status: 204, headers: {}, body: '', stalledSince, sentAt: startedAt };
			const isPending = request.method === 'GET' && isUnfinished(outcome);
			if ('status' in outcome && isSuccess(outcome) && !isPending)
				return { ...outcome, stalledSince: failedAt ?? stalledSince, sentAt: startedAt };

			const rule = ruleFor(outcome);
			const step = stepFor(request.method, rule);
			failedAt ??= stalledSince;
			const facts = { ...factsOf(request, outcome, clock.now()), failedAt, sentAt: startedAt };
			mayHaveActed ||= request.method !== 'GET' && rule.create === 'look';
			if (step !== 'repeat') return new ServiceError({ ...facts, mayHaveActed });

			const isLimited = 'status' in outcome && isRateLimit(outcome);
			const asked = isLimited || isPending ? (facts.retryAfterMs ?? 0) : 0;
			const least = isLimited ? governor.pauseMs : random() * FIRST_BACKOFF * 2 ** ++faults;
			const wait = Math.max(least, asked);
			const waitedMs = clock.now() - failedAt;
			if (waitedMs + wait > patienceMs || faults >= MAX_ATTEMPTS) {
				return new ServiceError({ ...facts, mayHaveActed, attempts, waitedMs });
			}
			if (!isLimited) await clock.sleep(wait, signal);
		}
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown;
		const kind = signal?.aborted ? 'cancelled' : 'other';
		return new ServiceError({ kind, request, mayHaveActed, cause: thrown });
	}
}

/** One request and what it came to; the one place where a request leaves the client. */
async function exchange(
	{ account, transport, timeoutMs, signal }: Connection,
	request: ServiceRequest,
	path: string,
	permit: Permit,
): Promise<Outcome> {
	const { clock, governor } = account;
	const { method, query, body } = request;
	const text = typeof body === 'object' ? JSON.stringify(body) : body;
	const headers = { ...HEADERS };
	// A response that drips, or none at all, may outlive the transport's own timeout.
	const outcome: Outcome = (await withinTime(
		clock,
		(timeoutMs ?? DEFAULT_TIMEOUT) + GRACE,
		async (ended) =>
			await transport({ method, path, query, headers, body: text, timeoutMs }, ended),
		signal,
	).catch((cause: Error) => ({ fault: 'cancelled' as const, cause }))) ?? {
		fault: 'timeout',
		cause: new Error('The response took too long'),
	};
	if ('status' in outcome) {
		// What can't be written as JSON again is no record, and would end the process's stack.
		if (isTooDeep(outcome.body)) outcome.body = '';
		account.noteServiceTime(Date.parse(String(outcome.headers.date)), permit.startedAt);
	}
	governor.ended(permit, endingOf(request, outcome, permit, clock.now()));
	return outcome;
}

/** What a response says about what the service can bear. */
function endingOf(
	request: ServiceRequest,
	outcome: Outcome,
	{ startedAt }: Permit,
	now: number,
): Ending<ErrorFacts> {
	if ('status' in outcome && isRateLimit(outcome)) {
		const { headers } = outcome;
		return { kind: 'limited', retryAfterMs: retryAfter(headers, now), quota: quotaOf(headers) };
	}
	const failure = () => factsOf(request, outcome, now);
	if ('fault' in outcome && ['cancelled', 'other'].includes(outcome.fault)) {
		return { kind: 'cancelled' };
	}
	if ('fault' in outcome || isUnavailable(outcome)) return { kind: 'failed', failure: failure() };
	if (outcome.status === 401) return { kind: 'key-refused', failure: failure() };
	const tookMs = isSuccess(outcome) ? now - startedAt : undefined;
	if (outcome.status >= 500) return { kind: 'broken' };
	return { kind: 'answered', tookMs, quota: quotaOf(outcome.headers) };
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

function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

function factsOf(request: ServiceRequest, outcome: Outcome, now: number): ErrorFacts {
	if ('fault' in outcome) return { kind: outcome.fault, request, cause: outcome.cause };
	const { status, headers, body } = outcome;
	return {
		kind: isSuccess(outcome) ? 'unexpected-response' : 'rejected',
		request,
		status,
		said: readServiceMessage(body),
		redirectOrigin: originOf(headers.location),
		retryAfterMs: retryAfter(headers, now),
		isBusy: isRateLimit(outcome),
	};
}

/** Of a redirect only the origin is kept: the rest of the address may contain secrets. */
function originOf(location: unknown): string | undefined {
	return URL.canParse(String(location)) ? new URL(String(location)).origin : undefined;
}

/** A success that is not in the form that the interface shows. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
	mayHaveActed = request.method !== 'GET',
): ServiceError {
	const isDenied = deniesSuccess(body);
	const said = isDenied || typeof body === 'string' ? readServiceMessage(body) : undefined;
	const facts = { status, said, isDenied, mayHaveActed };
	return new ServiceError({ kind: 'unexpected-response', request, ...facts });
}
