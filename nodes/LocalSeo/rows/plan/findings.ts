import { idNames, ServiceError } from '../../client';
import { InputError } from '../../text/inputError';
import { onOneLine, sentences } from '../../text/words';
import type { Explained } from '../item';
import type { Row } from '../read/row';

/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/** Some texts about a row, each once, and what to do about them. */
class Remarks {
	private readonly advice = new Map<string, string | undefined>();

	constructor(remarks: Explained[] = []) {
		for (const { message, description } of remarks) this.add(message, description);
	}

	add(message: string, advice?: string): void {
		if (!this.advice.has(message)) this.advice.set(message, advice);
	}

	get isEmpty(): boolean {
		return this.advice.size === 0;
	}

	/** Their words: a few, where there is one; undefined without any. */
	get short(): string | undefined {
		const [first, ...others] = this.advice.keys();
		if (first === undefined) return undefined;
		return onOneLine(others.length > 0 ? sentences(first, ...others) : first);
	}

	/** The advice; undefined where there is nothing to add. */
	get long(): string | undefined {
		return onOneLine(sentences(...this.advice.values())) || undefined;
	}
}

/** The findings of a dry run about a row. */
export class Findings {
	/** Why the row can't be sent, or would be refused. */
	readonly problems: Remarks;
	/** Remarks that are worth a look, although the row would be sent. */
	readonly warnings = new Remarks();

	constructor(private readonly row: Pick<Row, 'problems' | 'explain'>) {
		this.problems = new Remarks(row.problems);
	}

	/**
	 * Makes a check.
	 *
	 * @returns what it gives; undefined if it found something wrong with the row
	 * @throws whatever says nothing about the row: the key is refused, the service is down
	 */
	async check<T>(make: () => Promise<T>): Promise<T | undefined> {
		return await make().catch((thrown: unknown) => {
			if (!isOfRow(thrown)) throw thrown;
			const { message, description } = this.row.explain(thrown);
			this.problems.add(message, description);
			return undefined;
		});
	}
}

/** Whether an error is about the row: what it holds, or an ID that does not exist. */
function isOfRow(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError)) return thrown instanceof InputError;
	const { kind, status, request } = thrown;
	if (kind === 'invalid-id') return true;
	return kind === 'rejected' && ABOUT_ID.includes(status) && idNames(request.path).length > 0;
}
