import type { IPollFunctions } from 'n8n-workflow';

import type { Clock } from '../client';
import { InputError } from '../text/inputError';

/** Time for a poll if n8n states none, as older versions do (ms). */
const DEFAULT_BUDGET = 300_000;
/** Fractions of the budget until which new work begins, and until which responses are awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Time for timed-out requests to end (ms). */
const TO_END = 1_000;
/** The longest that a request waits for an unavailable service while a person waits for the poll (ms). */
const PATIENCE_OF_A_PERSON = 18_000;

const TOO_SLOW =
	"The service took too long to respond. Nothing is lost: the next poll tries again. If this keeps happening, set 'Page Size' in the credential to get more records per request, or select fewer locations.";

/** Time that n8n gives a poll (ms). */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
	return getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET;
}

/**
 * True if n8n's durable scheduler polls: it makes a context for each poll, says that the workflow was
 * updated, and gives less time (docs/dev/n8n-facts.md, section 7).
 */
export function isScheduled(context: IPollFunctions): boolean {
	return context.getActivationMode?.() === 'update' && budgetOf(context) < DEFAULT_BUDGET;
}

/** Divides the time that n8n gives a poll. */
export class PollBudget {
	/** The longest that a request of this poll may wait for an unavailable service (ms). */
	readonly patienceMs: number;
	/** The longest that the poll may take (ms). */
	private readonly waitMs: number;
	private readonly beginUntil: number;
	private readonly waitUntil: number;
	private readonly ended = new AbortController();

	/** @param isAwaited true if a person waits for the poll: it activates the workflow, or is a test */
	constructor(
		context: IPollFunctions,
		private readonly clock: Clock,
		readonly isAwaited = false,
	) {
		const budget = budgetOf(context);
		this.waitMs = WAIT_UNTIL * budget;
		this.patienceMs = isAwaited ? Math.min(PATIENCE_OF_A_PERSON, this.waitMs) : this.waitMs;
		this.beginUntil = clock.now() + BEGIN_UNTIL * budget;
		this.waitUntil = clock.now() + this.waitMs;
	}

	/** True if there is time to begin something new. */
	get mayBegin(): boolean {
		return this.clock.now() < this.beginUntil;
	}

	/** True if the time is up: requests in flight have timed out, or are canceled. */
	get isOver(): boolean {
		return this.clock.now() >= this.waitUntil;
	}

	/**
	 * Runs a poll. Once the time is up, its requests are canceled, in flight or waiting, which ends it:
	 * n8n itself would wait forever.
	 *
	 * @throws InputError if the poll ran out of time, and any error of the poll
	 */
	async run<T>(poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const { signal } = this.ended;
		const end = () => this.ended.abort();
		void this.clock.sleep(this.waitMs + TO_END, signal).then(end, end);
		try {
			return await poll(signal);
		} catch (error) {
			throw signal.aborted ? new InputError('The poll ran out of time', TOO_SLOW) : error;
		} finally {
			// Ends the requests that are still in flight after a failure.
			end();
		}
	}
}
