import { type Connection, withOwnSignal } from '../account';
import type { Ending, GivenUp, Permit } from '../pace/permit';
import type { HttpResponse } from '../ports';
import { type ErrorFacts, fillPath, ServiceError, type ServiceRequest } from '../request';
import { withinTime } from '../time';
import { deniesSuccess } from './records';
import {
	isGatewayRefusal,
	isOwnError,
	isRateLimit,
	isSuccess,
	type Outcome,
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
	let redirects = 0;
	let mayHaveActed = false;
	let last: ErrorFacts | undefined;

	try {
		let target: Target = { path: fillPath(request), query: request.query };
		for (let attempts = 1; ; attempts++) {
			const permit = await governor.acquire({
				patienceMs,
				urgency: connection.urgency ?? (attempts > 1 ? 'repeat' : 'row'),
				kind: `${request.method} ${request.path}`,
				since: failedAt ?? calledAt,
				signal,
			});
			if (!('startedAt' in permit)) {
				const { waitedMs, failure } = permit;
				// What it was refused for says more than that it was not sent again.
				if (last && !failure) {
					return new ServiceError({ ...last, mayHaveActed, attempts: attempts - 1, waitedMs });
				}
				return notSent(request, permit, mayHaveActed, governor.pauseMs);
			}

			const { startedAt: sentAt, stalledSince } = permit;
			const outcome = await exchange(own, request, target, permit);
			const status = 'status' in outcome ? outcome.status : 0;
			// A deletion whose first response was lost finds nothing left to delete.
			if (request.method === 'DELETE' && mayHaveActed && status === 404) {
				return { status: 204, headers: {}, body: '', sentAt };
			}
			const step = stepFor(request.method, outcome);
			if (step === 'done') return { ...(outcome as HttpResponse), sentAt };
			if (step === 'follow' && redirects++ < MAX_REDIRECTS) {
				target = targetOf(outcome as HttpResponse);
				continue;
			}
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
		return new ServiceError({ kind, request, mayHaveActed, cause: thrown });
	}
}

/** Where a request goes: below the API root, or the absolute address that a redirect names. */
interface Target {
	path: string;
	query: ServiceRequest['query'];
}

/** The rules have checked that it is on the same origin; the transport does so, too. */
function targetOf({ headers, address }: HttpResponse): Target {
	return { path: new URL(String(headers.location), address).href, query: {} };
}

/** Whether a request that changes something may have done so. */
function mayHaveDone({ method }: ServiceRequest, outcome: Outcome): boolean {
	return method !== 'GET' && stepFor('POST', outcome) === 'look';
}

/** Refused because of a limit: costs a wait, says nothing against the service. */
function isRefusedForNow(response: HttpResponse): boolean {
	return isRateLimit(response) || isGatewayRefusal(response);
}

/** One request and what it came to; the one place where a request leaves the client. */
async function exchange(
	{ account, transport, timeoutMs = DEFAULT_TIMEOUT, signal }: Connection,
	request: ServiceRequest,
	{ path, query }: Target,
	permit: Permit,
): Promise<Outcome> {
	const { clock, governor } = account;
	const { method } = request;
	const body = typeof request.body === 'object' ? JSON.stringify(request.body) : request.body;
	// Some frameworks refuse a content type without content.
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	// A response that drips, or none at all, may outlive the transport's own timeout.
	const outcome: Outcome = (await withinTime(
		clock,
		timeoutMs + GRACE,
		async (ended) => await transport({ method, path, query, headers, body, timeoutMs }, ended),
		signal,
	).catch((cause: Error) => ({ fault: 'cancelled' as const, cause }))) ?? {
		fault: 'timeout',
		cause: new Error('The response took too long'),
	};
	if ('status' in outcome) account.noteServiceTime(Date.parse(String(outcome.headers.date)));
	governor.ended(permit, endingOf(request, outcome, clock.now()));
	return outcome;
}

/** What an outcome says about what the service can bear. */
function endingOf(request: ServiceRequest, outcome: Outcome, now: number): Ending<ErrorFacts> {
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

function factsOf(request: ServiceRequest, outcome: Outcome, now: number): ErrorFacts {
	if ('fault' in outcome) return { kind: outcome.fault, request, cause: outcome.cause };
	const { status, headers, body } = outcome;
	return {
		kind: isSuccess(outcome) && !deniesSuccess(body) ? 'unexpected-response' : 'rejected',
		request,
		status,
		said: readServiceMessage(body),
		redirectOrigin: originOf(headers.location),
		retryAfterMs: retryAfter(headers, now),
		isBusy: isRefusedForNow(outcome),
		isOwnError: isOwnError(outcome),
	};
}

/** Of a redirect only the origin is kept: the rest of the address may contain secrets. */
function originOf(location: unknown): string | undefined {
	return URL.canParse(String(location)) ? new URL(String(location)).origin : undefined;
}

/** A success that is not in the form of the interface. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
): ServiceError {
	const said = typeof body === 'string' ? readServiceMessage(body) : undefined;
	return new ServiceError({ kind: 'unexpected-response', request, status, said });
}
