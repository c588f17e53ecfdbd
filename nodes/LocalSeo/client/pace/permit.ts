/** The order in which requests start. A `look` finds out what became of a create. */
export type Urgency = 'person' | 'look' | 'repeat' | 'row';

/** A request that is to be sent. */
export interface Wish {
	/** The method and the path template of the request. */
	kind: string;
	patienceMs: number;
	urgency?: Urgency;
	/** When it was first asked for, if that is not now. */
	since?: number;
	signal?: AbortSignal;
}

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

/**
 * The end of a request: `answered`, be it a refusal for good; `limited`: to come back later; `failed`: too
 * busy, gone or silent; `cancelled`, which says nothing about the load, as the service's own error does not.
 */
export type Ending<Failure> =
	| { kind: 'answered' | 'cancelled' }
	| { kind: 'limited'; retryAfterMs?: number }
	| { kind: 'failed'; failure: Failure };
