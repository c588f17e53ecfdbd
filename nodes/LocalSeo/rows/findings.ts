import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { idNames, ServiceError } from '../client';
import { reportOf } from '../host/errors';
import { InputError } from '../text/inputError';
import { onOneLine, sentences } from '../text/words';

/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/**
 * Reads a part of a request, where a dry run notes what is wrong with it and goes on without; then
 * nothing is returned.
 */
export type Attempt = <T>(read: () => T) => T | undefined;

/** What a dry run finds out about a row, each text once. */
export class Findings {
	/** Why the row can't be sent, or would be refused. */
	readonly problems = new Set<string>();
	/** What is worth a look, although the row would be sent. */
	readonly warnings = new Set<string>();

	constructor(private readonly context: IExecutePaginationFunctions) {}

	/** Reads a part of the row; whatever fails there is wrong with the row. */
	readonly attempt: Attempt = (read) => {
		try {
			return read();
		} catch (thrown) {
			this.problems.add(this.inWords(thrown));
			return undefined;
		}
	};

	/**
	 * Makes a check.
	 *
	 * @returns what it gives; undefined if it found something wrong with the row
	 * @throws whatever says nothing about the row: the key is refused, the service is down
	 */
	async check<T>(make: () => Promise<T>): Promise<T | undefined> {
		return await make().catch((thrown: unknown) => {
			if (!isOfRow(thrown)) throw thrown;
			this.problems.add(this.inWords(thrown));
			return undefined;
		});
	}

	/** An error as one text: what is wrong, and what to do. */
	private inWords(thrown: unknown): string {
		const { message, description } = reportOf(this.context, thrown);
		return onOneLine(description ? sentences(message, description) : message);
	}
}

/** Whether an error is about the row: what it holds, or an ID that does not exist. */
function isOfRow(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError)) return thrown instanceof InputError;
	const { kind, status = 0, request } = thrown.facts;
	if (kind === 'invalid-id') return true;
	return kind === 'rejected' && ABOUT_ID.includes(status) && idNames(request.path).length > 0;
}
