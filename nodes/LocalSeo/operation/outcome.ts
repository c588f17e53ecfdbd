import type { INodeExecutionData } from 'n8n-workflow';

import type { Method } from '../client';
import type { Operation, Resource } from '../resources';
import { type NodeFailure, numberOf } from './failedItem';

/** A row that failed, by its index in the input. */
export interface RowFailure {
	index: number;
	failure: NodeFailure;
}

/** What became of all rows. */
export interface Outcome {
	rows: INodeExecutionData[];
	/** The items of each row. */
	results: INodeExecutionData[][];
	/** In the order of the rows. */
	failures: RowFailure[];
}

/** How many numbers of rows a message lists. */
const MAX_LISTED = 10;
const CONTINUE = 'set On Error to Continue (using error output) in the settings of this node.';
const DONE: Record<Method, string> = {
	GET: 'read',
	POST: 'created',
	PATCH: 'updated',
	DELETE: 'deleted',
};

/**
 * The error with which the node stops: the first one, whose message is about all rows. n8n shows no
 * other, and its own "[item 0]" would be a second number for the row.
 */
export function stoppedBy(outcome: Outcome, resource: Resource, operation: Operation): NodeFailure {
	const { rows, failures } = outcome;
	const [{ failure }] = failures;
	delete failure.context.itemIndex;
	if (rows.length === 1) return failure;
	failure.description = `${failure.description ?? ''} ${adviceFor(outcome)}`.trim();
	failure.message = summaryOf(outcome, resource, operation);
	return failure;
}

function adviceFor({ rows, failures }: Outcome): string {
	if (failures.length < rows.length) {
		return `To keep the results of the other rows, and the reason for each row that failed, ${CONTINUE}`;
	}
	return areAlike(failures) ? '' : `To see the reason for each row, ${CONTINUE}`;
}

/** What a run with several rows says about those that failed, where the node goes on. */
export function failuresHint(
	outcome: Outcome,
	resource: Resource,
	operation: Operation,
	isErrorOutput: boolean,
): string | undefined {
	if (outcome.failures.length === 0 || outcome.rows.length === 1) return undefined;
	const where = isErrorOutput
		? 'The failed rows leave through the second output, each with its reason.'
		: 'Each failed row has its reason in the field "error".';
	return `${summaryOf(outcome, resource, operation)}. ${where}`;
}

/** "4 of 6 rows failed (3, 4, 5, 6); 2 were posted. First problem: …" */
function summaryOf(outcome: Outcome, resource: Resource, operation: Operation): string {
	const { rows, failures } = outcome;
	const [{ failure }] = failures;
	const isSame = areAlike(failures);
	if (failures.length === rows.length) {
		const all = `All ${rows.length} rows failed`;
		return `${all}${isSame ? ' for the same reason' : '. First problem'}: ${failure.message}`;
	}
	const numbers = failures.map(({ index }) => numberOf(rows[index].json, index));
	const listed = numbers.slice(0, MAX_LISTED).join(', ');
	const more = numbers.length > MAX_LISTED ? ` and ${numbers.length - MAX_LISTED} more` : '';
	const label =
		failures.length === 1 ? 'Problem' : isSame ? 'The same problem in each' : 'First problem';
	return `${failures.length} of ${rows.length} rows failed (${listed}${more}); ${successesOf(outcome, resource, operation)}. ${label}: ${failure.message}`;
}

function areAlike(failures: RowFailure[]): boolean {
	return failures.every(({ failure }) => failure.message === failures[0].failure.message);
}

/** "2 were posted, 1 was skipped" */
function successesOf(
	{ rows, results, failures }: Outcome,
	{ created }: Resource,
	{ routing: { request } }: Operation,
): string {
	const isCreate = request.method === 'POST';
	const skipped = isCreate ? results.filter(([item]) => item?.json.skipped === true).length : 0;
	const done = rows.length - failures.length - skipped;
	const counts: Array<[number, string]> = [
		[done, (isCreate && created) || DONE[request.method]],
		[skipped, 'skipped'],
	];
	return counts
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} ${count === 1 ? 'was' : 'were'} ${what}`)
		.join(', ');
}
