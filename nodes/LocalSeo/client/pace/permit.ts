import type { Random } from '../ports';

/** The order in which requests start. A `look` finds out what became of a create. */
export type Urgency = 'person' | 'look' | 'repeat' | 'row';

/** The permission to send one request; it has to be returned with `ended`. Times by the clock. */
export interface Permit {
	kind: string;
	startedAt: number;
	/** The time at which the service last accepted a request. */
	stalledSince: number;
	/** The number of requests in flight, with this one. */
	inFlight: number;
}

/** A wait that was given up (ms), and the failure of other requests, if that is why. */
export type GivenUp<Failure> = { waitedMs: number; failure?: Failure };

/** The number of requests that the service says are left of its limit, and the time until it is reset (ms). */
export type Quota = { left: number; forMs: number };

/**
 * The end of a request: `answered`, be it a refusal for good; `limited` because of the rate limit; `shed`
 * by a gateway that passed nothing on; `failed`: too busy, gone or silent; `broken`: the service's own error.
 */
export type Ending<Failure> =
	| { kind: 'answered'; isDone: boolean; quota?: Quota }
	| { kind: 'limited' | 'shed'; retryAfterMs?: number }
	| { kind: 'failed'; failure: Failure }
	| { kind: 'broken' | 'cancelled' };

/** A request that has ended: what each policy learns from. */
export interface Sample<Failure = unknown> {
	now: number;
	permit: Permit;
	ending: Ending<Failure>;
	/** The number of refusals in a row before it; absent if it started before the first one of all. */
	refusals?: number;
	/** Varies pauses, so that several processes do not act in step. */
	random: Random;
}
