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
	type Step,
	stepFor,
} from './rules';
import { readServiceMessage } from './serviceMessage';

/** The most attempts of a request if the service does not say when to retry. */
export const MAX_ATTEMPTS = 6;
/** The most redirects that one request follows. */
const MAX_REDIRECTS = 5;
/** Timeout of one exchange if the caller sets none (ms): as in n8n's routing. */
const DEFAULT_TIMEOUT = 300_000;
/** Time for the transport to report its own timeout, which has more details (ms). */
const GRACE = 500;
/** The first backoff (ms): it doubles with each attempt, with full jitter. */
const FIRST_BACKOFF = 300;

/** A success, with the time at which its request was sent, by the account's clock. */
export type Success = HttpResponse & { sentAt: number };

/**
 * Sends a request until it succeeds, as the rules and the pace of the key allow.
 *
 * @throws ServiceError for every outcome that the rules do not call done
 */
export async function send(connection: Connection, request: ServiceRequest): Promise<Success> {
	const result = await trySend(connection, request);
	if (result instanceof ServiceError) throw result;
	return result;
}

/** Does the same as `send`, but returns the error as a value: a create looks at the list before it fails. */
export async function trySend(
	connection: Connection,
	request: ServiceRequest,
): Promise<Success | ServiceError> {
	const own = withOwnSignal(connection);
	const { account, patienceMs, signal } = own;
	const { clock, governor, random } = account;
	const calledAt = connection.since ?? clock.now();
	/**
	 * The time since which the service is busy or does not respond; waiting behind accepted requests is not
	 * counted.
	 */
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
				// The refusal of the last attempt says more than that the request was not sent again.
				if (last && !failure) {
					return new ServiceError({ ...last, mayHaveActed, attempts: attempts - 1, waitedMs });
				}
				return notSent(request, tried, mayHaveActed, governor.statedPauseMs);
			}

			target = tried.target;
			const { outcome, permit, step } = tried;
			const { startedAt: sentAt, stalledSince } = permit;
			const status = 'status' in outcome ? outcome.status : 0;
			// An earlier attempt deleted the record, and its response was lost.
			if (request.method === 'DELETE' && mayHaveActed && status === 404) {
				return { status: 204, headers: {}, body: '', sentAt };
			}
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
			// A slowed-down request waits for its next permit instead, behind the pause of its key.
			if (!isSlowedDown) await clock.sleep(wait, signal);
		}
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown;
		const kind = signal?.aborted ? 'cancelled' : 'other';
		// After an unexpected error of our own, it is unknown whether the request was sent.
		mayHaveActed ||= kind === 'other' && isStarted && request.method !== 'GET';
		return new ServiceError({ kind, request, mayHaveActed, cause: thrown });
	}
}

/** The content of a request and its address: below the API root, or absolute after a redirect. */
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

/** The result of one attempt: the outcome of its last request, what follows, and where that was sent. */
interface Tried {
	permit: Permit;
	outcome: HttpOutcome;
	step: Step;
	target: Target;
}

/**
 * One attempt: a request and the redirects that it follows, all within one timeout. The rules have
 * checked that these stay on the same origin; the transport checks it, too.
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
		const step = stepFor(request.method, outcome);
		if (step !== 'follow' || redirects === MAX_REDIRECTS) return { permit, outcome, step, target };
		const { headers, address } = outcome as HttpResponse;
		const { href: path } = new URL(headerText(headers.location), address);
		target = { ...target, path, query: {} };
		timeLeftMs -= clock.now() - permit.startedAt;
		if (timeLeftMs > 0) continue;
		return { permit, outcome: TOO_SLOW, step: stepFor(request.method, TOO_SLOW), target };
	}
}

/** True if a request that changes something may have done so. */
function mayHaveDone({ method }: ServiceRequest, outcome: HttpOutcome): boolean {
	return method !== 'GET' && stepFor('POST', outcome) === 'look';
}

/** True if a limit is why the request was refused: it costs a wait, and says nothing against the service. */
function isLimitRefusal(response: HttpResponse): boolean {
	return isRateLimit(response) || isGatewayRefusal(response);
}

/** The fault when no response came within the timeout. */
const TOO_SLOW: HttpFault = { fault: 'timeout', cause: new Error('The response took too long') };

/** Sends one request and reports its outcome to the governor. Every request leaves the client here. */
async function exchange(
	{ account, transport, signal }: Connection,
	{ method, ...request }: ServiceRequest,
	{ path, query, body }: Target,
	permit: Permit,
	timeoutMs: number,
): Promise<HttpOutcome> {
	const { clock, governor } = account;
	// Some frameworks reject a content type without content.
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	let ending: Ending<ErrorFacts> = { kind: 'cancelled' };
	try {
		// A dripping response, or none at all, may outlive the transport's own timeout.
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

/** Translates an outcome for the governor: what it says about the load that the service can take. */
function endingOf(request: ServiceRequest, outcome: HttpOutcome, now: number): Ending<ErrorFacts> {
	const failed = () => ({ kind: 'failed' as const, failure: factsOf(request, outcome, now) });
	if ('fault' in outcome) {
		return ['cancelled', 'other'].includes(outcome.fault) ? { kind: 'cancelled' } : failed();
	}
	const { status, headers } = outcome;
	const isDone = isSuccess(outcome);
	const answered = () => ({ kind: 'answered' as const, isDone, quota: quotaIn(headers, now) });
	if (isDone) return answered();
	const retryAfterMs = retryAfter(headers, now);
	if (isRateLimit(outcome)) return { kind: 'limited', retryAfterMs };
	if (isGatewayRefusal(outcome)) return { kind: 'shed', retryAfterMs };
	if (status === 401) return { ...failed(), kind: 'key-refused' };
	if ([500, 501, 505].includes(status)) return { kind: 'broken' };
	if (status >= 500) return failed();
	return answered();
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
	const effect = effectOf(request.method);
	return {
		kind: isSuccess(outcome) && !isDenied(outcome, effect) ? 'unexpected-response' : 'rejected',
		request,
		status,
		said: readServiceMessage(body),
		redirectOrigin: originOf(headers.location),
		retryAfterMs: retryAfter(headers, now),
		isBusy: isLimitRefusal(outcome),
		isOwnError: isOwnError(outcome),
	};
}

/** Only the origin of a redirect is kept: the rest of the address may contain secrets. */
function originOf(location: unknown): string | undefined {
	const target = headerText(location);
	return URL.canParse(target) ? new URL(target).origin : undefined;
}

/** The error for a success that is not in the form of the interface. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
): ServiceError {
	const said = typeof body === 'string' ? readServiceMessage(body) : undefined;
	return new ServiceError({ kind: 'unexpected-response', request, status, said });
}
