import type { Account, Connection } from '../account';
import type { ErrorFacts } from '../errors';
import type { Ending, Permit } from '../pace/permit';
import type { HttpFault, HttpResponse } from '../ports';
import type { ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { withinTime } from '../time';
import { factsOf } from './facts';
import { isGatewayRefusal } from './gateways';
import { quotaIn, retryAfter } from './limits';
import { type HttpOutcome, isRateLimit, isSuccess } from './rules';

/** The content of a request and its address: below the API root, or absolute after a redirect. */
export interface Target {
	path: string;
	query: ServiceRequest['query'];
	/** JSON text. */
	body?: string;
}

/** Time for the transport to report its own timeout, which has more details (ms). */
const GRACE = 500;

/** The fault when no response came within the timeout. */
export const TOO_SLOW: HttpFault = {
	fault: 'timeout',
	cause: new Error('The response took too long'),
};

/**
 * Sends one request and reports its outcome to the governor. Every request leaves the client here. A
 * mistake of ours is an outcome, too.
 */
export async function exchange(
	{ account, transport, signal, noCache }: Connection,
	request: ServiceRequest,
	{ path, query, body }: Target,
	permit: Permit,
	timeoutMs: number,
): Promise<HttpOutcome> {
	const { clock, governor } = account;
	const { method } = request;
	const headers: Record<string, string> = { Accept: 'application/json' };
	// Some frameworks reject a content type without content.
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	if (noCache) headers['Cache-Control'] = 'no-cache';
	let ending: Ending<ErrorFacts> = { kind: 'cancelled' };
	try {
		// A dripping response, or none at all, may outlive the transport's own timeout.
		const response = await withinTime(
			clock,
			timeoutMs + GRACE,
			async (ended) => await transport({ method, path, query, headers, body, timeoutMs }, ended),
			signal,
		);
		const outcome = response ?? TOO_SLOW;
		if ('status' in outcome) noteServiceTime(account, outcome);
		ending = endingOf(request, outcome, clock.wall());
		return outcome;
	} catch (cause) {
		return { fault: signal?.aborted ? 'cancelled' : 'other', cause: cause as Error };
	} finally {
		// A permit that is not returned would hold up the key until n8n is restarted.
		governor.ended(permit, ending);
	}
}

/** A response out of a cache has the time at which it was made. */
function noteServiceTime(account: Account, { headers }: HttpResponse): void {
	const time = Date.parse(headerText(headers.date));
	if (!Number.isNaN(time) && !headers.age) account.serviceClockOffset = time - account.clock.wall();
}

/** Translates an outcome for the governor: what it says about the load that the service can take. */
function endingOf(request: ServiceRequest, outcome: HttpOutcome, now: number): Ending<ErrorFacts> {
	const failed = () => ({ kind: 'failed' as const, failure: factsOf(request, outcome, now) });
	if ('fault' in outcome) {
		const isOurs = ['cancelled', 'other', 'refused-here'].includes(outcome.fault);
		return isOurs ? { kind: 'cancelled' } : failed();
	}
	const { status, headers } = outcome;
	const retryAfterMs = retryAfter(headers, now);
	if (isRateLimit(outcome)) return { kind: 'limited', retryAfterMs };
	if (isGatewayRefusal(outcome)) return { kind: 'shed', retryAfterMs };
	if ([500, 501, 505].includes(status)) return { kind: 'broken' };
	if (status >= 500) return failed();
	return { kind: 'answered', isDone: isSuccess(outcome), quota: quotaIn(headers, now) };
}
