import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';

/** All that is wrong with a row: it is said at once. */
export class Problems {
	private readonly found = new Map<string, string | undefined>();
	private readonly fields = new Set<string>();
	/** An expression that fails, say: n8n has its own words for it. */
	private failure?: Error;

	/** @param outcome what became of the row, as the beginning of the advice; empty: nothing to say */
	constructor(private readonly outcome: string) {}

	/**
	 * Does a part of the work; whatever is wrong with it is noted, and nothing is returned.
	 *
	 * @param field that the work is about
	 */
	noting<T>(work: () => T, field?: string): T | undefined {
		try {
			return work();
		} catch (thrown) {
			if (thrown instanceof InputError) this.add(thrown, field);
			else this.failure ??= thrown as Error;
			return undefined;
		}
	}

	/** Notes a failure that has words of its own. */
	fail(error: Error): void {
		this.failure ??= error;
	}

	/** @param field that is wrong, where the problem does not say so itself */
	add(problem: InputError, field?: string): void {
		this.found.set(problem.message, problem.description);
		for (const one of problem.about.fields ?? [field]) if (one !== undefined) this.fields.add(one);
	}

	/** All of them in one error; undefined if nothing is wrong. */
	get error(): Error | undefined {
		if (this.failure) return this.failure;
		if (this.found.size === 0) return undefined;
		const messages = [...this.found.keys()];
		const message = messages.length === 1 ? messages[0] : sentences(...messages);
		const advice = new Set(this.found.values());
		const about = { fields: [...this.fields] };
		return new InputError(message, sentences(this.outcome, ...advice), about);
	}
}
