import type { IPollFunctions } from 'n8n-workflow';

import type { Clock } from '../client';
import { InputError } from '../text/inputError';

/** The longest that a poll takes (ms), also if n8n gives it more: the next one goes on. */
const LONGEST = 45_000;
/** Fractions of the time until which requests begin, and until which responses are awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
/** Time for timed-out requests to end (ms). */
const TO_END = 1_000;
/** Every poll may begin as many requests, so that each makes progress. */
const ALWAYS = 8;

const TOO_SLOW =
	"The service took too long to respond. Nothing is lost: the next poll tries again. If this keeps happening, set 'Page Size' in the credential to get more records per request, or select fewer locations.";

/** Divides the time of a poll. */
export class PollBudget {
	/** The longest that a request waits for an unavailable service, and that the poll takes (ms). */
	readonly patienceMs: number;
	private readonly beginUntil: number;
	private begun = 0;

	constructor(
		context: IPollFunctions,
		private readonly clock: Clock,
	) {
		// Older versions of n8n state no time.
		const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
		const budget = Math.min(LONGEST, getPollBudgetMs?.call(context) ?? LONGEST);
		this.patienceMs = WAIT_UNTIL * budget;
		this.beginUntil = clock.now() + BEGIN_UNTIL * budget;
	}

	/** True if there is time to begin another request. Ask once for each. */
	begins(): boolean {
		const { mayBegin } = this;
		this.begun++;
		return mayBegin;
	}

	get mayBegin(): boolean {
		return this.begun < ALWAYS || this.clock.now() < this.beginUntil;
	}

	/**
	 * Runs a poll. Once the time is up, its requests are canceled, in flight or waiting, which ends it:
	 * n8n itself would wait forever.
	 *
	 * @throws InputError if the poll ran out of time, and any error of the poll
	 */
	async run<T>(poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const ended = new AbortController();
		const { signal } = ended;
		const end = () => ended.abort();
		void this.clock.sleep(this.patienceMs + TO_END, signal).then(end, end);
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
