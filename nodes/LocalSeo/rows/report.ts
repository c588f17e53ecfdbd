import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { idOf, type Method } from '../client';
import { asHtml, sentences } from '../host/words';
import { type Operation, type Resource, upsertsRecord } from '../service';
import type { Action } from './dryRun';
import { messageOf, type NodeFailure, numbersOf } from './items';
import type { Options } from './row';

/**
 * What became of a row. `done` is what its operation does: it was posted, deleted, read. With Create or
 * Update it was created, updated or left unchanged, with Skip the Row it may be skipped; a dry run has
 * only looked at it.
 */
export type Outcome = 'done' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'dry run';

/**
 * What a user should know of a row's result:
 *
 * - `late`: what it has created was to happen at a time that is over
 * - `partly-compared`: not all records that exist could be compared with it
 * - `first-page`: the service shows no other page than the first
 */
export type Note = 'late' | 'partly-compared' | 'first-page';

/** What a row came to. */
export interface RowResult {
	/** One item per record, each paired with its input item. */
	items: INodeExecutionData[];
	/** Whether the row's own columns come with them. */
	includesInput: boolean;
	outcome: Outcome;
	notes: Note[];
}

export type RowEnd = RowResult | { failure: NodeFailure };

/** A run of a node over its rows, and what each of them came to. */
export interface Run {
	resource: Resource;
	operation: Operation;
	rows: INodeExecutionData[];
	/** In the order of the rows. */
	ends: RowEnd[];
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
const WOULD_BE: Array<[Action, string]> = [
	['create', 'created'],
	['update', 'updated'],
	['delete', 'deleted'],
	['skip', 'skipped'],
];
const WHY_FILTERED = 'The query parameters may have filtered them out.';

/**
 * The error with which the node stops: the first one, whose message is about all rows. n8n shows no
 * other, and its own "[item 0]" would be a second number for the row. Undefined if no row failed.
 */
export function stoppedBy(run: Run): NodeFailure | undefined {
	const { rows } = run;
	const [failure] = failuresIn(run);
	if (!failure) return undefined;
	delete failure.context.itemIndex;
	if (rows.length === 1) {
		failure.message = messageOf(rows[0].json, 0, 1, failure.message);
		return failure;
	}
	failure.description = sentences(failure.description, rerunAdvice(run), keepAdvice(run));
	failure.message = summaryOf(run);
	return failure;
}

/**
 * What the user should know about the results.
 *
 * @param pace what held the run up, if anything did
 */
export function hintsOf(context: IExecuteFunctions, run: Run, pace?: string): NodeExecutionHint[] {
	// Read unresolved: an expression that fails here must not lose the results.
	const node = context.getNode();
	const { resource, ends } = run;
	const records = ends
		.flatMap((end) => ('items' in end ? end.items : []))
		.map(({ json }) => json)
		.filter(({ error }) => !error);
	return [
		nothingFound(run, node.parameters.options as Options),
		resource.notice?.(records, node.parameters),
		failuresHint(run, node.onError === 'continueErrorOutput') ??
			plannedHint(run) ??
			outcomesHint(run),
		lateHint(run),
		...notesHints(run),
		run.operation.routing.request.method === 'POST' ? sameIdHint(records) : undefined,
		pace,
	]
		.filter((message) => message !== undefined)
		.map((message) => ({ message: asHtml(message), location: 'outputPane' }));
}

function failuresIn({ ends }: Run): NodeFailure[] {
	return ends.flatMap((end) => ('failure' in end ? [end.failure] : []));
}

/** The indexes of the rows of which something is true. */
function rowsThat({ ends }: Run, applies: (end: RowEnd) => boolean): number[] {
	return ends.flatMap((end, index) => (applies(end) ? [index] : []));
}

function countOf(run: Run, outcome: Outcome): number {
	return rowsThat(run, (end) => 'outcome' in end && end.outcome === outcome).length;
}

function keepAdvice(run: Run): string | undefined {
	const failures = failuresIn(run);
	if (failures.length < run.rows.length) {
		return `To keep the results of the other rows, and the reason for each row that failed, ${CONTINUE}`;
	}
	return areAlike(failures) ? undefined : `To see the reason for each row, ${CONTINUE}`;
}

/** Whether the rows can be run again, where some of them have created something. */
function rerunAdvice(run: Run): string | undefined {
	const { resource, operation, rows, isRepeatable } = run;
	const isNoneSent = failuresIn(run).length + countOf(run, 'dry run') === rows.length;
	if (operation.routing.request.method !== 'POST' || isNoneSent) return undefined;
	if (upsertsRecord(operation)) {
		return 'You can safely run all rows again: those that succeeded come out as unchanged.';
	}
	if (isRepeatable) {
		return `You can safely run all rows again: those whose ${resource.noun} already exists are skipped.`;
	}
	return `Do not run all rows again: those that succeeded would be ${resource.created ?? 'created'} twice. Run only the rows that failed, or set If It Already Exists to Skip the Row.`;
}

/** "4 of 6 rows failed (3, 4, 5, 6); 2 were posted. First problem: …" */
function summaryOf(run: Run): string {
	const { rows } = run;
	const failures = failuresIn(run);
	const [{ message }] = failures;
	const isSame = areAlike(failures);
	if (failures.length === rows.length) {
		const all = `All ${rows.length} rows failed`;
		return `${all}${isSame ? ' for the same reason' : '. First problem'}: ${message}`;
	}
	const numbers = numbersOf(
		rows,
		rowsThat(run, (end) => 'failure' in end),
	);
	const label =
		failures.length === 1 ? 'Problem' : isSame ? 'The same problem in each' : 'First problem';
	return `${failures.length} of ${rows.length} rows failed (${numbers}); ${successesOf(run)}. ${label}: ${message}`;
}

function areAlike(failures: NodeFailure[]): boolean {
	return failures.every(({ message }) => message === failures[0].message);
}

/** "2 were posted, 1 was skipped because it already exists"; short: "2 posted, 1 skipped …" */
function successesOf(run: Run, { isShort = false } = {}): string {
	const skipped = countOf(run, 'skipped');
	const because = skipped === 1 ? 'it already exists' : 'they already exist';
	const counts: Array<[number, string]> = [
		[countOf(run, 'done'), doneTo(run)],
		[countOf(run, 'created'), 'created'],
		[countOf(run, 'updated'), 'updated'],
		[countOf(run, 'unchanged'), 'unchanged'],
		[skipped, `skipped because ${because}`],
	];
	const parts = counts
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} ${isShort ? '' : count === 1 ? 'was ' : 'were '}${what}`);
	return [...parts, plannedIn(run)].filter((part) => part !== '').join(', ');
}

/** "posted", "updated" */
function doneTo({ resource: { created }, operation }: Run): string {
	if (upsertsRecord(operation)) return 'created or updated';
	const { method } = operation.routing.request;
	return (method === 'POST' && created) || DONE[method];
}

/** What a run with several rows says about those that failed, where the node goes on. */
function failuresHint(run: Run, isErrorOutput: boolean): string | undefined {
	if (failuresIn(run).length === 0 || run.rows.length === 1) return undefined;
	const where = isErrorOutput
		? 'The failed rows are on the error output, each with its reason.'
		: 'Each failed row has its reason in the field "error".';
	return sentences(summaryOf(run), where);
}

/** What a run says about rows that were not all created, where none failed. */
function outcomesHint(run: Run): string | undefined {
	const isNoted = run.ends.some((end) => 'outcome' in end && end.outcome !== 'done');
	return isNoted && failuresIn(run).length === 0
		? `${successesOf(run, { isShort: true })}.`
		: undefined;
}

/** What a dry run says of a row. */
function plansIn({ ends }: Run): Array<{ index: number; plan: IDataObject }> {
	return ends.flatMap((end, index) =>
		'outcome' in end && end.outcome === 'dry run' ? [{ index, plan: end.items[0].json }] : [],
	);
}

/** What a run says about rows that were only looked at, where none failed. */
function plannedHint(run: Run): string | undefined {
	const plans = plansIn(run);
	if (plans.length === 0 || failuresIn(run).length > 0) return undefined;
	const warned = plans
		.filter(({ plan: { action, warnings } }) => action !== 'skip' && (warnings as []).length > 0)
		.map(({ index }) => index);
	const count = warned.length === 1 ? '1 row has' : `${warned.length} rows have`;
	const note = warned.length > 0 ? ` ${count} a warning (${numbersOf(run.rows, warned)}).` : '';
	return `Dry run, nothing was changed: ${plannedIn(run)}.${note}`;
}

/** "37 would be created, 2 skipped, 1 invalid (7)" */
function plannedIn(run: Run): string {
	const indexesOf = (action: Action) =>
		plansIn(run)
			.filter(({ plan }) => plan.action === action)
			.map(({ index }) => index);
	const counts = WOULD_BE.map(([action, done]) => ({ count: indexesOf(action).length, done }))
		.filter(({ count }) => count > 0)
		.map(({ count, done }, index) => `${count} ${index === 0 ? 'would be ' : ''}${done}`);
	const invalid = indexesOf('invalid');
	if (invalid.length > 0)
		counts.push(`${invalid.length} invalid (${numbersOf(run.rows, invalid)})`);
	return counts.join(', ');
}

/** What a run says about rows that were to be published at a time that is over. */
function lateHint(run: Run): string | undefined {
	const late = rowsThat(run, (end) => 'notes' in end && end.notes.includes('late'));
	if (late.length === 0) return undefined;
	const numbers = numbersOf(run.rows, late);
	const which = late.length === 1 ? `Row ${numbers} has` : `${late.length} rows have`;
	const where = late.length === 1 ? '' : ` (${numbers})`;
	return `${which} a date in the past${where}: the post may already be live.`;
}

function notesHints(run: Run): Array<string | undefined> {
	const { noun } = run.resource;
	const isNoted = (note: Note) =>
		run.ends.some((end) => 'notes' in end && end.notes.includes(note));
	return [
		isNoted('partly-compared')
			? `The list of ${noun}s is incomplete: not all of them could be compared with your rows.`
			: undefined,
		isNoted('first-page')
			? `The service refused the second page, so these are the ${noun}s of the first. If there are more, set the option Technical: Page Parameter.`
			: undefined,
	];
}

/** Records of their own have IDs of their own; a mock, or a service that was reset, gives them again. */
function sameIdHint(records: IDataObject[]): string | undefined {
	const counts = new Map<string, number>();
	for (const record of records) {
		const { skipped, updated, unchanged } = record;
		const id = skipped || updated || unchanged ? undefined : idOf(record);
		if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	const [most = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
	const [id, count] = most;
	if (count < 2) return undefined;
	return `${count} items came back with the same ID (${id}). Is this a mock, or was the service reset?`;
}

function nothingFound(run: Run, { queryParameters }: Options): string | undefined {
	const { resource, rows } = run;
	const why = queryParameters ? WHY_FILTERED : resource.whyEmpty;
	const empty = rowsThat(run, (end) => 'items' in end && end.items.length === 0);
	if (empty.length === 0) return undefined;
	const where =
		rows.length > 1
			? ` for ${empty.length} of ${rows.length} rows (${numbersOf(rows, empty)})`
			: '';
	return `No ${resource.noun}s were found${where}. ${why ?? ''}`.trim();
}
