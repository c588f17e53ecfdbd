import { idNames, ServiceError } from '../../client';
import { InputError } from '../../text/inputError';
import { onOneLineWithAdvice } from '../../text/words';
import type { Row } from '../read/row';

/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/** The findings of a dry run about a row, each text once. */
export class Findings {
	/** Why the row can't be sent, or would be refused. */
	readonly problems: Set<string>;
	/** Remarks that are worth a look, although the row would be sent. */
	readonly warnings = new Set<string>();

	constructor(private readonly row: Pick<Row, 'problems' | 'explain'>) {
		this.problems = new Set(row.problems);
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
			this.problems.add(onOneLineWithAdvice(this.row.explain(thrown)));
			return undefined;
		});
	}
}

/** Whether an error is about the row: what it holds, or an ID that does not exist. */
function isOfRow(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError)) return thrown instanceof InputError;
	const { kind, status = 0, request } = thrown.facts;
	if (kind === 'invalid-id') return true;
	return kind === 'rejected' && ABOUT_ID.includes(status) && idNames(request.path).length > 0;
}
