import type { Answer } from '../../dev/sandbox/account';
import type { Clock, HttpFault } from '../../nodes/LocalSeo/client';

/** What happens to one request; times in milliseconds. */
export type Outcome<Body = unknown> =
	| { kind: 'answered' }
	/** The service acts, or does not, and a fault comes in place of its response. */
	| { kind: 'fault'; acts?: boolean; fault: HttpFault['fault']; code?: string }
	| { kind: 'status'; acts?: boolean; status: number }
	/** Too busy: nothing was done, and it says when to come back. */
	| { kind: 'busy' }
	| { kind: 'body'; acts?: boolean; status?: number; body: Body }
	/** The response comes at once; the backend acts that much later. */
	| { kind: 'late'; status: number; after: number }
	/** Answered after so long, within the timeout or not. */
	| { kind: 'slow'; after: number }
	| { kind: 'silent'; acts?: boolean }
	| { kind: 'limited'; retryAfter?: string };

interface Meeting {
	/** What the service does where it acts. */
	act: () => Answer;
	clock: Clock;
	timeout: number;
	signal?: AbortSignal;
}

/** What a request gets with this outcome. */
export async function meet(
	outcome: Outcome,
	{ act, clock, timeout, signal }: Meeting,
): Promise<Answer | HttpFault> {
	if ('acts' in outcome && outcome.acts) act();
	switch (outcome.kind) {
		case 'answered':
			return act();
		case 'limited': {
			const headers = outcome.retryAfter ? { 'retry-after': outcome.retryAfter } : undefined;
			return { status: 429, headers, body: { message: 'Too many' } };
		}
		case 'fault': {
			if (outcome.fault === 'timeout') await clock.sleep(timeout, signal);
			const cause = Object.assign(new Error(outcome.code), { code: outcome.code });
			return { fault: outcome.fault, cause };
		}
		case 'status':
			return { status: outcome.status, body: { message: 'Something is off' } };
		case 'busy': {
			const headers = { 'retry-after': '5' };
			return { status: 503, headers, body: '<html><title>Busy</title></html>' };
		}
		case 'body':
			return { status: outcome.status, body: outcome.body };
		case 'late':
			void clock.sleep(outcome.after).then(act);
			return { status: outcome.status, body: '<html><title>Gateway</title></html>' };
		case 'slow': {
			const late = act();
			await clock.sleep(Math.min(outcome.after, timeout), signal);
			return outcome.after > timeout ? { fault: 'timeout', cause: new Error('slow') } : late;
		}
		case 'silent':
			// Not even the transport's own timeout ends it.
			await clock.sleep(10 * timeout, signal);
			return { fault: 'timeout', cause: new Error('silent') };
	}
}
