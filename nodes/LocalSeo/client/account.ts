import { Governor } from './pace/governor';
import type { Urgency } from './pace/permit';
import type { Clock, Random, Transport } from './ports';
import type { ErrorFacts } from './request';

/** Milliseconds without use after which what was learned of the service's pace is out of date. */
const PACE_FORGOTTEN_AFTER = 3_600_000;

/** What is remembered of one API key, by all who use it: its pace, the service's clock and, in other rooms, what became of its creates. */
export class Account {
	/** When it was last used, by its clock. */
	usedAt: number;
	/** Milliseconds that the service's clock is ahead, to the second, once a response has said its time. */
	serviceClockOffset?: number;
	private currentGovernor: Governor<ErrorFacts>;

	constructor(
		readonly clock: Clock,
		readonly random: Random,
	) {
		this.usedAt = clock.now();
		this.currentGovernor = new Governor(clock, random);
	}

	get governor(): Governor<ErrorFacts> {
		const { isIdle, usedAt } = this.currentGovernor;
		if (isIdle && this.clock.now() - usedAt > PACE_FORGOTTEN_AFTER) {
			this.currentGovernor = new Governor(this.clock, this.random);
		}
		return this.currentGovernor;
	}

	/** @param time of a response, by its header `Date`; NaN where it has none */
	noteServiceTime(time: number): void {
		if (!Number.isNaN(time)) this.serviceClockOffset = time - this.clock.now();
	}

	/** Whether nothing is under way or waiting. */
	get isIdle(): boolean {
		return this.currentGovernor.isIdle;
	}
}

/** One caller's connection to the service. */
export interface Connection {
	account: Account;
	transport: Transport;
	/** Milliseconds that a request may wait in all while the service is busy or does not respond. */
	patienceMs: number;
	/** When the caller began to wait, if that was before the request; by the account's clock. */
	since?: number;
	/** Who goes first where requests have to wait; absent: a row. */
	urgency?: Urgency;
	/** Milliseconds for one attempt; absent: five minutes. */
	timeoutMs?: number;
	/** Aborts when the caller is stopped. */
	signal?: AbortSignal;
}

/** The connection with a signal of its own: Node.js warns of more than ten listeners at one. */
export function withOwnSignal(connection: Connection): Connection {
	const { signal } = connection;
	return signal ? { ...connection, signal: AbortSignal.any([signal]) } : connection;
}

/** The connection as one that can't change anything: all but GET ends before it is sent. */
export function readOnly(connection: Connection): Connection {
	return {
		...connection,
		transport: async (request, signal) => {
			if (request.method === 'GET') return await connection.transport(request, signal);
			return { fault: 'other', cause: new Error('Nothing but reads can be sent here') };
		},
	};
}
