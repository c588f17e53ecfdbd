import type { ErrorFacts } from '../errors';
import type { ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { retryAfter } from './limits';
import { deniesSuccess } from './records';
import { type HttpOutcome, isLimitRefusal, isOwnError, isSuccess } from './rules';
import { beginningOf, wordsOf } from './words';

/** The facts of a request that was sent, and got a response or a fault. */
export type OutcomeFacts = Exclude<ErrorFacts, { kind: 'incomplete-list' | 'invalid-id' }>;

/** The facts about an outcome that is no success. */
export function factsOf(request: ServiceRequest, outcome: HttpOutcome, now: number): OutcomeFacts {
	if ('fault' in outcome) return { kind: outcome.fault, request, cause: outcome.cause };
	const { status, headers, body } = outcome;
	if (isSuccess(outcome) && !deniesSuccess(body)) {
		return { kind: 'unexpected-response', request, status, came: beginningOf(body) ?? '' };
	}
	return {
		kind: 'rejected',
		request,
		status,
		said: wordsOf(body),
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
