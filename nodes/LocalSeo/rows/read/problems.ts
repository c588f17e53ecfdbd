import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';
import { Question } from '../outcome';

/** All that is wrong with a row: it is said at once. */
export class Problems {
	/** To be settled for all rows of the run before any is sent. */
	question?: Question;
	/** Messages with their advice. */
	private readonly found = new Map<string, string | undefined>();
	/** An expression that fails, say: n8n has its own words for it. */
	private failure?: Error;

	/** Does a part of the work; whatever is wrong with it is noted, and nothing is returned. */
	noting<T>(work: () => T): T | undefined {
		try {
			return work();
		} catch (thrown) {
			this.note(thrown as Error);
			return undefined;
		}
	}

	note(problem: Error): void {
		if (problem instanceof Question) this.question ??= problem;
		else if (problem instanceof InputError) this.found.set(problem.message, problem.description);
		else this.failure ??= problem;
	}

	/** All of them in one error; undefined if nothing is wrong. */
	get error(): Error | undefined {
		const messages = [...this.found.keys()];
		if (messages.length === 0) return this.failure;
		const message = messages.length === 1 ? messages[0] : sentences(...messages);
		return new InputError(message, sentences(...new Set(this.found.values())));
	}
}
