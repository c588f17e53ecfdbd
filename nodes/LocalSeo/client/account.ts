import type { ErrorFacts } from './errors';
import { Governor } from './pace/governor';
import type { Urgency } from './pace/permit';
import type { Clock, Random, Transport } from './ports';

/**
 * Knowledge of one account of the service, shared by all who use it: its pace and, in other rooms, what
 * became of its creates.
 */
export class Account {
	/** The time of the last use, by the account's clock. */
	usedAt: number;
	/** How far the service's clock is ahead of the account's (ms), for the trigger; absent until a response states its time. */
	serviceClockOffset?: number;
	/** How many runs of nodes are going on. */
	runs = 0;
	/** The reasons that keep posts from being sent: an account with any is kept until n8n restarts. */
	readonly stops = new Set<object>();

	/** @param governor the pace of the API key, which other accounts may have, too */
	constructor(
		readonly clock: Clock,
		readonly random: Random,
		public governor = new Governor<ErrorFacts>(clock, random),
	) {
		this.usedAt = clock.now();
	}

	/** True if no run is going on, and no request is in flight or waiting. */
	get isIdle(): boolean {
		return this.runs === 0 && this.stops.size === 0 && this.governor.isIdle;
	}
}

/** One caller's connection to the service. */
export interface Connection {
	account: Account;
	transport: Transport;
	/** The longest that a request may wait in total (ms) while the service is busy or does not respond. */
	patienceMs: number;
	/** The time at which the caller began to wait, by the account's clock; absent: when the request is made. */
	since?: number;
	/** Decides which waiting request starts first; absent: `row`. */
	urgency?: Urgency;
	/** Timeout of one attempt (ms); absent: five minutes. */
	timeoutMs?: number;
	/** Aborts when the caller is stopped. */
	signal?: AbortSignal;
	/** True to ask caches for a list as it is now. */
	noCache?: boolean;
	/** Is told of each request. */
	flight?: Flight;
}

/** Follows the requests of one call. */
export interface Flight {
	/** A request is sent. */
	begins(): void;
	/** Nothing came of it: it is sent again, later or to another address. */
	ends(): void;
}

/** Gives a caller a signal of its own, because Node.js warns of more than ten listeners at one. */
export function withOwnSignal<T extends Pick<Connection, 'signal'>>(caller: T): T {
	const { signal } = caller;
	return signal ? { ...caller, signal: AbortSignal.any([signal]) } : caller;
}

/** Makes the connection read-only: every request but a GET fails before it is sent. */
export function readOnly<C extends Connection>(connection: C): Omit<C, 'transport'> & Connection {
	return {
		...connection,
		transport: async (request, signal) => {
			if (request.method === 'GET') return await connection.transport(request, signal);
			return { fault: 'refused-here', cause: new Error('Nothing but reads can be sent here') };
		},
	};
}
