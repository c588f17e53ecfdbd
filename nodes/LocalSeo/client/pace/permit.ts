/** The order in which requests go. A `look` finds out whether a create was done. */
export type Urgency = 'person' | 'look' | 'repeat' | 'row';

/** The permission to send one request; it has to be returned with `ended`. Times by the clock. */
export interface Permit {
	kind: string;
	startedAt: number;
	/** When the service last accepted a request of its kind. */
	stalledSince: number;
	/** How many requests are in flight with this one. */
	inFlight: number;
}

/** A wait that was given up (ms), and how other requests failed meanwhile, if that is why. */
export type GivenUp<Failure> = { waitedMs: number; failure?: Failure };

/** How many requests the service says are left of its limit, and for how long (ms) if it says that. */
export type Quota = { left: number; forMs?: number };

/**
 * The end of a request: `answered`, be it a refusal for good; `limited` because of the rate limit; `shed`
 * by a gateway that passed nothing on; `failed`: too busy, gone or silent; `broken`: the service's own error.
 */
export type Ending<Failure> =
	| { kind: 'answered'; isDone: boolean; quota?: Quota }
	| { kind: 'limited' | 'shed'; retryAfterMs?: number }
	| { kind: 'failed' | 'key-refused'; failure: Failure }
	| { kind: 'broken' | 'cancelled' };
