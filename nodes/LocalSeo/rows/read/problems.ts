import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';
import type { Explained } from '../item';

/** All that is wrong with a row: it is said at once. */
export class Problems {
	private readonly found = new Map<string, string | undefined>();
	/** An expression that fails, say: n8n has its own words for it. */
	private failure?: Error;

	/** @param outcome what became of the row, as the beginning of the advice; empty: nothing to say */
	constructor(private readonly outcome: string) {}

	/** Does a part of the work; whatever is wrong with it is noted, and nothing is returned. */
	noting<T>(work: () => T): T | undefined {
		try {
			return work();
		} catch (thrown) {
			if (thrown instanceof InputError) this.add(thrown);
			else this.failure ??= thrown as Error;
			return undefined;
		}
	}

	/**
	 * Does the last part of the work.
	 *
	 * @throws all that is wrong with the row
	 */
	must<T>(work: () => T): T {
		const result = this.noting(work);
		if (this.error) throw this.error;
		return result as T;
	}

	/** As `noting`, of work that asks the service: its errors are thrown. */
	async notingAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((thrown: unknown) => {
			if (!(thrown instanceof InputError)) throw thrown;
			this.add(thrown);
			return undefined;
		});
	}

	/** Notes a failure that has words of its own. */
	fail(error: Error): void {
		this.failure ??= error;
	}

	add({ message, description }: Explained): void {
		this.found.set(message, description);
	}

	/** All of them in one error; undefined if nothing is wrong. */
	get error(): Error | undefined {
		if (this.failure) return this.failure;
		if (this.found.size === 0) return undefined;
		const messages = [...this.found.keys()];
		const message = messages.length === 1 ? messages[0] : sentences(...messages);
		const advice = new Set(this.found.values());
		return new InputError(message, sentences(this.outcome, ...advice));
	}
}
