import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../client';

/** Milliseconds for a poll if n8n does not say (older versions). */
const DEFAULT_BUDGET = 300_000;
/** Fractions of the budget after which nothing new is started, and after which nothing is awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Milliseconds that what timed out has to end. */
const TO_END = 1_000;

/** The time that n8n gives a poll. */
export class PollBudget {
	/** Milliseconds that a request of this poll may wait. */
	readonly waitMs: number;
	private readonly beginUntil: number;
	private readonly waitUntil: number;
	private readonly ended = new AbortController();

	constructor(
		private readonly context: IPollFunctions,
		private readonly clock: Clock,
	) {
		const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
		const budget = getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET;
		this.waitMs = WAIT_UNTIL * budget;
		this.beginUntil = clock.now() + BEGIN_UNTIL * budget;
		this.waitUntil = clock.now() + this.waitMs;
	}

	/** Whether there is time to begin something new. */
	get mayBegin(): boolean {
		return this.clock.now() < this.beginUntil;
	}

	/** Whether the time is up: what was still under way has timed out, or is cancelled. */
	get isOver(): boolean {
		return this.clock.now() >= this.waitUntil;
	}

	/**
	 * Runs a poll. Once the time is up, its requests are cancelled, wherever they wait, which ends it:
	 * n8n itself would wait for ever.
	 *
	 * @throws NodeOperationError if there was no time for the poll, and whatever it throws
	 */
	async run<T>(poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const { signal } = this.ended;
		const end = () => this.ended.abort();
		void this.clock.sleep(this.waitMs + TO_END, signal).then(end, end);
		try {
			return await poll(signal);
		} catch (error) {
			throw signal.aborted ? this.tooSlow() : error;
		} finally {
			// Ends what is still under way after a failure.
			end();
		}
	}

	private tooSlow(): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), 'The poll ran out of time', {
			description:
				"The service took too long to respond. Nothing is lost: the next poll tries again. If this keeps happening, set 'Page Size' under Options to get more records per request, or select fewer locations.",
		});
	}
}
