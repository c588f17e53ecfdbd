/** Who goes first. A `look` settles whether a create was done. */
export type Urgency = 'person' | 'look' | 'repeat' | 'row';

export type Kind = 'read' | 'write';

/** The permission to send one request; it has to be returned with `ended`. Times by the clock. */
export interface Permit {
	startedAt: number;
	/** When the service last answered a request of its kind. */
	stalledSince: number;
	kind: Kind;
	/** How many requests are in flight with this one. */
	inFlight: number;
}

/** A wait that was given up; milliseconds. */
export interface GivenUp<Failure> {
	waitedMs: number;
	/** How other requests failed meanwhile, if that is why. */
	failure?: Failure;
}

/** What a request came to, as far as it says what the service can bear. */
export type Ending<Failure> =
	/**
	 * `tookMs`: how long it took to do it; absent for a refusal. `usedUpForMs`: how long nothing is left of
	 * what the service allows, where it says so.
	 */
	| { kind: 'answered'; tookMs?: number; usedUpForMs?: number }
	/** Refused because of the rate limit, with the wait that the service asked for, if it did. */
	| { kind: 'limited'; retryAfterMs?: number }
	/** Refused by a gateway that passed nothing on, because of a limit of the rate or of the number in flight. */
	| { kind: 'shed'; retryAfterMs?: number }
	/** Too busy, gone, or silent. */
	| { kind: 'failed'; failure: Failure }
	/** An error of the service itself: too much for it, perhaps, but it is there. */
	| { kind: 'broken' }
	| { kind: 'key-refused'; failure: Failure }
	| { kind: 'cancelled' };
