import { isRecord, type JsonObject, type Method } from '../../client';
import { type Note, type Operation, type Resource, isUpsert } from '../../resources';
import { capitalized } from '../../text/words';
import type { Item } from '../item';
import { type Action, withSameColumns, type Forecast } from '../plan/forecast';
import { type Failure, labelOf, unitOf } from './items';

/**
 * The outcome of a row. `done` is what its operation does: it was posted, deleted, read. With Create or
 * Update it was created, updated or left unchanged, with Skip the Row it may be skipped; a dry run has
 * only looked at it.
 */
export type Outcome =
	| 'done'
	| 'created'
	| 'updated'
	| 'unchanged'
	| 'skipped'
	| 'dry run'
	| 'failed';

/** The result of a row. */
export interface RowResult {
	/** One item per record, each paired with its input item. */
	items: Item[];
	/** Whether the row's own columns come with them. */
	includesInput: boolean;
	outcome: Outcome;
	/** Why it failed, if it did: then its item says so. */
	failure?: Failure;
	/** The words of a dry run about it. */
	forecast?: Forecast;
	/** Whether it failed, and may have been done all the same. */
	isUnclear?: boolean;
	/** Notes for the user about the result. */
	notes: Note[];
	/** Names of locations without data; absent: what was read is not about locations. */
	empty?: string[];
	/** How many records there are, where the limit has left some of them out; Infinity: not all were counted. */
	total?: number;
}

/** The result of a row before its records become items. */
export type Performed = Omit<RowResult, 'items' | 'includesInput'> & { records: unknown[] };

/** A record as an item holds it. */
export function asJson(record: unknown): JsonObject {
	return isRecord(record) ? record : { value: record };
}

/** A run of a node over its rows, and what each of them came to. */
export interface Run {
	resource: Resource;
	operation: Operation;
	rows: Item[];
	/** In the order of the rows. */
	ends: RowResult[];
	/** Whether what exists is not created again, so that all rows can be run again. */
	isRepeatable: boolean;
	/** Whether query parameters may have left something out. */
	isFiltered: boolean;
	/** Whether rows that fail leave through an output of their own. */
	hasErrorOutput: boolean;
}

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

export function failuresIn({ ends }: Run): Failure[] {
	return ends.flatMap(({ failure }) => failure ?? []);
}

/** The indexes of the rows of which something is true. */
export function rowsThat({ ends }: Run, applies: (end: RowResult) => boolean): number[] {
	return ends.flatMap((end, index) => (applies(end) ? [index] : []));
}

export function countOf(run: Run, outcome: Outcome): number {
	return rowsThat(run, (end) => end.outcome === outcome).length;
}

/** How many different reasons an error lists. */
export const MAX_REASONS = 3;

/** Rows that failed for the same reason, in the order of the first of each. */
interface Reason {
	message: string;
	description?: string | null;
	indexes: number[];
}

export function reasonsIn({ ends }: Run): Reason[] {
	const reasons = new Map<string, Reason>();
	for (const [index, { failure }] of ends.entries()) {
		if (!failure) continue;
		const { message, description } = failure;
		const reason = reasons.get(message) ?? { message, description, indexes: [] };
		reason.indexes.push(index);
		reasons.set(message, reason);
	}
	return [...reasons.values()];
}

/** "4 of 6 items failed; 2 were posted. Items 3, 5: …; item 4: …" */
export function summaryOf(run: Run): string {
	const { rows } = run;
	const count = failuresIn(run).length;
	const unit = unitOf(rows);
	const reasons = reasonsIn(run);
	const isAll = count === rows.length;
	if (isAll && reasons.length === 1) {
		return `All ${count} ${unit}s failed for the same reason: ${reasons[0].message}`;
	}
	const failed = isAll
		? `All ${count} ${unit}s failed`
		: `${count} of ${rows.length} ${unit}s failed; ${successesOf(run)}`;
	const shown = reasons
		.slice(0, MAX_REASONS)
		.map(({ indexes, message }) => `${labelOf(rows, indexes)}: ${message}`);
	const others = reasons.length - shown.length;
	const more = others > 0 ? `; ${others} more reason${others === 1 ? '' : 's'}` : '';
	return `${failed}. ${capitalized(shown.join('; ') + more)}`;
}

/** "2 were posted, 1 was skipped because it already exists"; short: "2 posted, 1 skipped …" */
export function successesOf(run: Run, { isShort = false } = {}): string {
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
	if (isUpsert(operation)) return 'created or updated';
	const { method } = operation.routing.request;
	return (method === 'POST' && created) || DONE[method];
}

/** Rows of a dry run with the same columns; those that are invalid may leave through an output of their own. */
export function inTable(ends: RowResult[], hasErrorOutput: boolean): RowResult[] {
	const isApart = ({ action }: Forecast) => action === 'invalid' && hasErrorOutput;
	const isShown = ({ forecast }: RowResult) => forecast && !isApart(forecast);
	const shown = ends.filter(isShown);
	if (shown.length === 0) return ends;
	const rows = withSameColumns(shown.map(({ forecast }) => forecast!));
	const rowOf = new Map(shown.map((end, at) => [end, rows[at]]));
	return ends.map((end) => {
		const json = rowOf.get(end);
		return json ? { ...end, items: end.items.map((item) => ({ ...item, json })) } : end;
	});
}

/** The forecasts of a dry run, with the places of their rows. */
export function forecastsIn({ ends }: Run): Array<{ index: number; forecast: Forecast }> {
	return ends.flatMap(({ forecast }, index) => (forecast ? [{ index, forecast }] : []));
}

/** "37 would be created (1 with a warning: item 4), 2 skipped, 1 invalid (item 7)" */
export function plannedIn(run: Run): string {
	const of = (action: Action) =>
		forecastsIn(run).filter(({ forecast }) => forecast.action === action);
	const counts = WOULD_BE.map(([action, done]) => ({ found: of(action), action, done }))
		.filter(({ found }) => found.length > 0)
		.map(({ found, action, done }, at) => {
			const warned = action === 'skip' ? [] : found.filter(({ forecast }) => forecast.warning);
			return `${found.length} ${at === 0 ? 'would be ' : ''}${done}${warningsOf(run, warned)}`;
		});
	const invalid = of('invalid').map(({ index }) => index);
	if (invalid.length > 0) {
		counts.push(`${invalid.length} invalid (${labelOf(run.rows, invalid)})`);
	}
	return counts.join(', ');
}

function warningsOf({ rows }: Run, warned: Array<{ index: number }>): string {
	if (warned.length === 0) return '';
	const indexes = warned.map(({ index }) => index);
	return ` (${warned.length} with a warning: ${labelOf(rows, indexes)})`;
}
