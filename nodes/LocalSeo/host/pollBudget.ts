import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Clock, Connection } from '../client';

/** Milliseconds for a poll if n8n does not say (older versions). */
const DEFAULT_BUDGET = 300_000;
/** Fractions of the budget after which nothing new is started, and after which nothing is awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Milliseconds that a request gets in any case, and that what timed out has to end. */
const LEAST_TIME = 1_000;

/** The time that n8n gives a poll. */
export class PollBudget {
	private readonly beginUntil: number;
	private readonly waitUntil: number;
	private readonly ended = new AbortController();

	constructor(
		private readonly context: IPollFunctions,
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

	/** Whether the time is up: what was still under way has timed out, or is cancelled. */
	get isOver(): boolean {
		return this.clock.now() >= this.waitUntil;
	}

	/** Milliseconds that a request may still wait. */
	get leftMs(): number {
		return Math.max(LEAST_TIME, this.waitUntil - this.clock.now());
	}

	/**
	 * Runs a poll. Once the time is up, its requests are cancelled, wherever they wait, which ends it:
	 * n8n itself would wait for ever.
	 *
	 * @throws NodeOperationError if there was no time for the poll, and whatever it throws
	 */
	async run<T>(poll: () => Promise<T>): Promise<T> {
		const { ended } = this;
		const end = () => ended.abort();
		void this.clock.sleep(this.leftMs + LEAST_TIME, ended.signal).then(end, end);
		try {
			return await poll();
		} catch (error) {
			throw ended.signal.aborted ? this.tooSlow() : error;
		} finally {
			// Ends what is still under way after a failure.
			end();
		}
	}

	/** A connection whose requests wait no longer than the poll may. */
	within({ account, transport }: Connection): Connection {
		const leftMs = () => this.leftMs;
		return {
			account,
			transport,
			signal: this.ended.signal,
			get patienceMs() {
				return leftMs();
			},
			get timeoutMs() {
				return leftMs();
			},
		};
	}

	private tooSlow(): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), 'The poll ran out of time', {
			description:
				'The service took too long to respond. Nothing is lost: the next poll tries again. If this keeps happening, set Technical: Page Size under Options to get more records per request, or select fewer locations.',
		});
	}
}
