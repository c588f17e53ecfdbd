import type { ErrorFacts } from './errors';
import { Governor, type Urgency } from './governor/governor';
import type { Clock, Random, Transport } from './ports';
import type { Stopwatch } from './stopwatch';

/** Milliseconds without use after which what was learned of the service's pace is out of date. */
const PACE_FORGOTTEN_AFTER = 45_000;

/** Milliseconds by which the time of two responses differs before the clock has been set. */
const CLOCK_STEP = 6_000;

/** What is remembered of one API key, by all who use it: its pace, its clock and, in other rooms, what became of its creates. */
export class Account {
	/** When it was last used; milliseconds since 1970. */
	usedAt: number;
	/** Milliseconds that the service's clock is ahead, once a response has said its time. */
	serviceClockOffset?: number;
	/** When that last turned out to have been set, by this machine's clock. */
	serviceClockSetAt = -Infinity;
	/** Creates that are under way: while there are, the account is not released. */
	creates = 0;
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

	/**
	 * A response may be written long before it arrives, so a slow one shows less.
	 *
	 * @param time of a response, by its header `Date`; NaN where it has none
	 * @param sentAt when its request was sent, by this machine's clock
	 */
	noteServiceTime(time: number, sentAt: number): void {
		if (Number.isNaN(time)) return;
		const now = this.clock.now();
		const [least, most] = [time - now, time - sentAt];
		const known = this.serviceClockOffset;
		const fits = known === undefined || (known >= least - CLOCK_STEP && known <= most + CLOCK_STEP);
		if (!fits) this.serviceClockSetAt = now;
		if (!fits || known === undefined || most - least <= CLOCK_STEP) {
			this.serviceClockOffset = least;
		}
	}

	/** Whether nothing is under way or waiting. */
	get isIdle(): boolean {
		return this.currentGovernor.isIdle && this.creates === 0;
	}
}

/** What creates wait for in a list of the service. */
export interface Waits {
	/** Whether it shows that they worked. */
	proof: Stopwatch;
	/** Until it shows what was created a moment ago. */
	freshList: Stopwatch;
}

/** One caller's connection to the service. */
export interface Connection {
	account: Account;
	transport: Transport;
	/** Milliseconds that a request may wait in all while the service is busy or does not respond. */
	patienceMs: number;
	/** When the caller began to wait, if that was before the request; milliseconds since 1970. */
	since?: number;
	/** Who goes first where requests have to wait; absent: a row. */
	urgency?: Urgency;
	/** Milliseconds for one attempt; absent: the transport's default. */
	timeoutMs?: number;
	/** Measure what the caller waited for, beside its requests. */
	waits?: Waits;
	/** Aborts when the caller is stopped. */
	signal?: AbortSignal;
}

/** The connection with a signal of its own: Node.js warns of more than ten listeners at one. */
export function withOwnSignal(connection: Connection): Connection {
	const { signal } = connection;
	return signal ? { ...connection, signal: AbortSignal.any([signal]) } : connection;
}
