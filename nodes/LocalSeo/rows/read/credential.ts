import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { SharedCredential } from '../../host/connect';
import { Question } from '../outcome';
import type { Row } from './row';

/**
 * The credential of a run. It is read for the first row of each location and for the last row, since its
 * fields may have expressions, and then shared by all rows.
 *
 * @throws Question if they differ, and n8n's errors
 */
export async function credentialOf(
	rows: Array<Row | Error>,
	contextOf: (index: number) => IExecutePaginationFunctions,
): Promise<SharedCredential> {
	const firsts = new Map<unknown, number>();
	for (const [index, row] of rows.entries()) {
		const location = row instanceof Error ? undefined : row.request.ids.locationId;
		if (!firsts.has(location)) firsts.set(location, index);
	}
	const shared = await SharedCredential.of(contextOf(0));
	for (const index of new Set([...firsts.values(), rows.length - 1])) {
		if (index <= 0) continue;
		const own = await SharedCredential.of(contextOf(index));
		if (JSON.stringify(own.data) === JSON.stringify(shared.data)) continue;
		throw new Question(
			'The rows of this run have different credentials',
			'The credential has an expression that reads the row. Use one node for each account, or a loop that runs this node for one row at a time.',
		);
	}
	return shared;
}
