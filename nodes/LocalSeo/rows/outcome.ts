import type { INodeExecutionData } from 'n8n-workflow';

import type { Method } from '../client';
import { sentences } from '../host/words';
import { type Operation, type Resource, upsertsRecord } from '../service';
import type { Became } from './became';
import type { Action, Plan } from './dryRun';
import { messageOf, type NodeFailure, numbersOf } from './failedItem';

/** A row that failed, by its index in the input. */
export interface RowFailure {
	index: number;
	failure: NodeFailure;
}

/** What became of all rows. */
export interface Outcome {
	rows: INodeExecutionData[];
	/** In the order of the rows. */
	failures: RowFailure[];
	/** What would become of those that were only looked at, by their index. */
	plans: ReadonlyMap<number, Pick<Plan, 'action' | 'warnings'>>;
	/** Of each row whose record may have existed already. */
	became: Became[];
	/** Whether what exists is not created again, so that all rows can be run again. */
	isRepeatable: boolean;
}

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
	if (rows.length === 1) {
		failure.message = messageOf(rows[0].json, 0, 1, failure.message);
		return failure;
	}
	failure.description = sentences(failure.description, ...adviceFor(outcome, resource, operation));
	failure.message = summaryOf(outcome, resource, operation);
	return failure;
}

function adviceFor(outcome: Outcome, resource: Resource, operation: Operation) {
	const { rows, failures } = outcome;
	const keep =
		failures.length < rows.length
			? `To keep the results of the other rows, and the reason for each row that failed, ${CONTINUE}`
			: !areAlike(failures) && `To see the reason for each row, ${CONTINUE}`;
	return [rerunAdvice(outcome, resource, operation), keep];
}

/** Whether the rows can be run again, where some of them have created something. */
function rerunAdvice(
	{ rows, failures, plans, isRepeatable }: Outcome,
	{ noun, created }: Resource,
	operation: Operation,
): string | undefined {
	const isNoneSent = failures.length + plans.size === rows.length;
	if (!isCreate(operation) || isNoneSent) return undefined;
	if (upsertsRecord(operation)) {
		return 'You can safely run all rows again: those that succeeded come out as unchanged.';
	}
	if (isRepeatable) {
		return `You can safely run all rows again: those whose ${noun} already exists are skipped.`;
	}
	return `Do not run all rows again: those that succeeded would be ${created ?? 'created'} twice. Run only the rows that failed, or set If It Already Exists to Skip the Row.`;
}

/** What n8n's log says of an execution that was stopped. */
export function stoppedLine(
	outcome: Outcome,
	resource: Resource,
	operation: Operation,
	node: string,
): string {
	const done =
		successesOf(outcome, resource, operation) || `none was ${doneTo(resource, operation)}`;
	const summary = `${node}: stopped. Of ${outcome.rows.length} rows, ${done}.`;
	return sentences(summary, rerunAdvice(outcome, resource, operation));
}

/** What a run says about rows that were not all created, where none failed. */
export function becameHint(
	outcome: Outcome,
	resource: Resource,
	operation: Operation,
): string | undefined {
	if (outcome.became.length === 0 || outcome.failures.length > 0) return undefined;
	return `${successesOf(outcome, resource, operation, { isShort: true })}.`;
}

/** What a run says about rows that were only looked at, where none failed. */
export function plannedHint(outcome: Outcome): string | undefined {
	const { rows, failures, plans } = outcome;
	if (plans.size === 0 || failures.length > 0) return undefined;
	const warned = [...plans]
		.filter(([, { action, warnings }]) => action !== 'skip' && warnings.length > 0)
		.map(([index]) => index)
		.sort((a, b) => a - b);
	const count = warned.length === 1 ? '1 row has' : `${warned.length} rows have`;
	const note = warned.length > 0 ? ` ${count} a warning (${numbersOf(rows, warned)}).` : '';
	return `Dry run, nothing was changed: ${plannedIn(outcome)}.${note}`;
}

const WOULD_BE: Array<[Action, string]> = [
	['create', 'created'],
	['update', 'updated'],
	['delete', 'deleted'],
	['skip', 'skipped'],
];

/** "37 would be created, 2 skipped, 1 invalid (7)" */
function plannedIn({ rows, plans }: Outcome): string {
	const rowsWith = (action: Action) =>
		[...plans].filter(([, plan]) => plan.action === action).map(([index]) => index);
	const counts = WOULD_BE.map(([action, done]) => ({ count: rowsWith(action).length, done }))
		.filter(({ count }) => count > 0)
		.map(({ count, done }, index) => `${count} ${index === 0 ? 'would be ' : ''}${done}`);
	const invalid = rowsWith('invalid').sort((a, b) => a - b);
	if (invalid.length > 0) counts.push(`${invalid.length} invalid (${numbersOf(rows, invalid)})`);
	return counts.join(', ');
}

/** What a run says about rows that were to be published at a time that is over, by their index. */
export function lateHint({ rows }: Outcome, late: number[]): string | undefined {
	if (late.length === 0) return undefined;
	const numbers = numbersOf(
		rows,
		late.sort((a, b) => a - b),
	);
	const which = late.length === 1 ? `Row ${numbers} has` : `${late.length} rows have`;
	const where = late.length === 1 ? '' : ` (${numbers})`;
	return `${which} a date in the past${where}: what was created may be public already.`;
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
	return sentences(summaryOf(outcome, resource, operation), where);
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
	const numbers = numbersOf(
		rows,
		failures.map(({ index }) => index),
	);
	const label =
		failures.length === 1 ? 'Problem' : isSame ? 'The same problem in each' : 'First problem';
	return `${failures.length} of ${rows.length} rows failed (${numbers}); ${successesOf(outcome, resource, operation)}. ${label}: ${failure.message}`;
}

function areAlike(failures: RowFailure[]): boolean {
	return failures.every(({ failure }) => failure.message === failures[0].failure.message);
}

/** "2 were posted, 1 was skipped because it already exists"; short: "2 posted, 1 skipped …" */
function successesOf(
	outcome: Outcome,
	resource: Resource,
	operation: Operation,
	{ isShort = false } = {},
): string {
	const { rows, failures, became, plans } = outcome;
	const done = rows.length - failures.length - became.length - plans.size;
	const countOf = (what: Became) => became.filter((one) => one === what).length;
	const skipped = countOf('skipped');
	const because = skipped === 1 ? 'it already exists' : 'they already exist';
	const counts: Array<[number, string]> = [
		[done, doneTo(resource, operation)],
		[countOf('created'), 'created'],
		[countOf('updated'), 'updated'],
		[countOf('unchanged'), 'unchanged'],
		[skipped, `skipped because ${because}`],
	];
	const parts = counts
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} ${isShort ? '' : count === 1 ? 'was ' : 'were '}${what}`);
	if (plans.size > 0) parts.push(plannedIn(outcome));
	return parts.join(', ');
}

/** "posted", "updated" */
function doneTo({ created }: Resource, operation: Operation): string {
	if (upsertsRecord(operation)) return 'created or updated';
	return (isCreate(operation) && created) || DONE[operation.routing.request.method];
}

function isCreate({ routing }: Operation): boolean {
	return routing.request.method === 'POST';
}
