import type { IPollFunctions } from 'n8n-workflow';

import type { Clock, Connection } from '../client';

/** Milliseconds for a poll if n8n does not say (older versions). */
const DEFAULT_BUDGET = 300_000;
/** Fractions of the budget after which nothing new is started, and after which nothing is awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Milliseconds that a request gets in any case. */
const LEAST_TIME = 1_000;

/** The time that n8n gives a poll. */
export class PollBudget {
	private readonly beginUntil: number;
	private readonly waitUntil: number;

	constructor(
		context: IPollFunctions,
		private readonly clock: Clock,
	) {
		const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
		const budget = getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET;
		this.beginUntil = clock.now() + BEGIN_UNTIL * budget;
		this.waitUntil = clock.now() + WAIT_UNTIL * budget;
	}

	/** Whether there is time to begin something new. */
	get mayBegin(): boolean {
		return this.clock.now() < this.beginUntil;
	}

	get isOver(): boolean {
		return this.clock.now() >= this.waitUntil;
	}

	/** Milliseconds that a request may still wait. */
	get leftMs(): number {
		return Math.max(LEAST_TIME, this.waitUntil - this.clock.now());
	}

	/** A connection whose requests wait no longer than the poll may. */
	within(connection: Connection): Connection {
		const { account, transport, signal } = connection;
		const leftMs = () => this.leftMs;
		return {
			account,
			transport,
			signal,
			get patienceMs() {
				return leftMs();
			},
			get timeoutMs() {
				return leftMs();
			},
		};
	}

	/** The same for what can wait for the next poll: once the time is up, nothing more is sent. */
	upTo(connection: Connection): Connection {
		const { transport } = connection;
		return this.within({
			...connection,
			transport: async (request, signal) =>
				this.isOver
					? { fault: 'other', cause: new Error('The time for this poll is up') }
					: await transport(request, signal),
		});
	}
}
