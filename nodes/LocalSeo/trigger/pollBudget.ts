import type { IPollFunctions } from 'n8n-workflow';

import type { Clock } from '../client';
import { InputError } from '../host/errors';

/** Milliseconds for a poll if n8n does not say (older versions). */
const DEFAULT_BUDGET = 300_000;
/** Fractions of the budget after which nothing new is started, and after which nothing is awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Milliseconds that what timed out has to end. */
const TO_END = 1_000;
/** The longest that a request waits on a service that does not serve, where a person waits for the poll. */
const PATIENCE_OF_A_PERSON = 18_000;

const TOO_SLOW =
	"The service took too long to respond. Nothing is lost: the next poll tries again. If this keeps happening, set 'Page Size' under Options to get more records per request, or select fewer locations.";

/** Milliseconds that n8n gives a poll. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
	return getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET;
}

/**
 * Whether n8n's durable scheduler polls: it makes a context for each poll, says that the workflow was
 * updated, and gives less time (docs/dev/n8n-facts.md, section 7).
 */
export function isScheduled(context: IPollFunctions): boolean {
	return context.getActivationMode?.() === 'update' && budgetOf(context) < DEFAULT_BUDGET;
}

/** The time that n8n gives a poll. */
export class PollBudget {
	/** Milliseconds that a request of this poll may wait for a service that does not serve. */
	readonly patienceMs: number;
	/** Milliseconds that the poll may take. */
	private readonly waitMs: number;
	private readonly beginUntil: number;
	private readonly waitUntil: number;
	private readonly ended = new AbortController();

	/** @param isAwaited whether a person waits for the poll: it activates the workflow, or is a test */
	constructor(
		context: IPollFunctions,
		private readonly clock: Clock,
		isAwaited = false,
	) {
		const budget = budgetOf(context);
		this.waitMs = WAIT_UNTIL * budget;
		this.patienceMs = isAwaited ? Math.min(PATIENCE_OF_A_PERSON, this.waitMs) : this.waitMs;
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
	 * @throws InputError if there was no time for the poll, and whatever it throws
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
			// Ends what is still under way after a failure.
			end();
		}
	}
}
