import countBy from 'lodash/countBy';
import maxBy from 'lodash/maxBy';

import type { Method } from '../../client';
import { type Operation, type Resource, isUpsert } from '../../resources';
import { capitalized } from '../../text/words';
import type { Item } from '../item';
import { labelOf, unitOf } from '../labels';
import type { Action, Failure, Forecast, Outcome, Performed } from '../outcome';

/** The result of a row. */
export interface RowResult extends Omit<Performed, 'record' | 'records'> {
	/** One item per record, each paired with its input item. */
	items: Item[];
	/** True if the row's own columns come with them. */
	includesInput: boolean;
	/** Why it failed, if it did: then its item says so. */
	failure?: Failure;
	/** True if it failed, and may have been done all the same. */
	isUnclear?: boolean;
	/** True if it failed because of a question about the whole run. */
	isAsked?: boolean;
}

/** A run of a node over its rows, and what each of them came to. */
export interface Run {
	resource: Resource;
	operation: Operation;
	rows: Item[];
	/** In the order of the rows. */
	ends: RowResult[];
	/** True if what exists is not created again, so that all rows can be run again. */
	isRepeatable: boolean;
	/** True if query parameters may have left something out. */
	isFiltered: boolean;
	/** True if rows that fail leave through an output of their own. */
	hasErrorOutput: boolean;
	/** The workflow's time zone. */
	zone: string;
	/** Remarks about the run. */
	notes: string[];
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
		const key = JSON.stringify([message, description]);
		const reason = reasons.get(key) ?? { message, description, indexes: [] };
		reason.indexes.push(index);
		reasons.set(key, reason);
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
	const isCreate = run.operation.routing.request.method === 'POST';
	const exists = skipped === 1 ? 'it already exists' : 'they already exist';
	const because = isCreate ? exists : `another ${unitOf(run.rows)} says the same`;
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
export function doneTo({ resource: { created }, operation }: Run): string {
	if (isUpsert(operation)) return 'created or updated';
	const { method } = operation.routing.request;
	return (method === 'POST' && created) || DONE[method];
}

/** The forecasts of a dry run, with the places of their rows. */
export function forecastsIn({ ends }: Run): Array<{ index: number; forecast: Forecast }> {
	return ends.flatMap(({ forecast }, index) => (forecast ? [{ index, forecast }] : []));
}

/** "37 would be created (1 with a warning: item 4), 2 skipped, 1 invalid: item 7 ("Open on Sunday")" */
export function plannedIn(run: Run): string {
	const of = (action: Action) =>
		forecastsIn(run).filter(({ forecast }) => forecast.action === action);
	const counts = WOULD_BE.map(([action, done]) => ({ found: of(action), action, done }))
		.filter(({ found }) => found.length > 0)
		.map(({ found, action, done }, at) => {
			const warned = action === 'skip' ? [] : found.filter(({ forecast }) => forecast.warning);
			return `${found.length} ${at === 0 ? 'would be ' : ''}${done}${warningsOf(run, warned)}`;
		});
	const invalid = of('invalid');
	const places = labelOf(
		run.rows,
		invalid.map(({ index }) => index),
	);
	if (invalid.length > 0) counts.push(`${invalid.length} invalid: ${places}${reasonOf(invalid)}`);
	return counts.join(', ');
}

/** The commonest problem of rows that are invalid: the table has room for one column of them. */
function reasonOf(invalid: Array<{ forecast: Forecast }>): string {
	const counts = countBy(invalid, ({ forecast }) => forecast.problem);
	const [reason, count] = maxBy(Object.entries(counts), ([, many]) => many)!;
	return `${count === invalid.length ? '' : '; most often'}: ${reason}`;
}

function warningsOf({ rows }: Run, warned: Array<{ index: number }>): string {
	if (warned.length === 0) return '';
	const indexes = warned.map(({ index }) => index);
	return ` (${warned.length} with a warning: ${labelOf(rows, indexes)})`;
}

const LEADING = [
	...['action', 'problem', 'advice', 'problem_fields', 'warning', 'goes_live'],
	...['id', 'location_name'],
];
const TECHNICAL = ['location_id', 'request'];

/**
 * Gives rows of a dry run the same columns: n8n's table shows `undefined` where a row lacks one, and orders
 * them as the first row does. Those that are invalid may leave through an output of their own.
 */
export function inTable(ends: RowResult[], hasErrorOutput: boolean): (end: RowResult) => RowResult {
	const isApart = ({ action }: Forecast) => action === 'invalid' && hasErrorOutput;
	const names = new Set<string>();
	for (const { forecast } of ends) {
		if (forecast && !isApart(forecast)) for (const name in forecast) names.add(name);
	}
	const fields = [...names].filter((name) => ![...LEADING, ...TECHNICAL].includes(name));
	const columns = [...LEADING, ...fields, ...TECHNICAL].filter((name) => names.has(name));
	const inColumns = (forecast: Forecast) =>
		Object.fromEntries(columns.map((name) => [name, forecast[name] ?? '']));
	return (end) => {
		const { forecast, items } = end;
		if (!forecast || isApart(forecast)) return end;
		return { ...end, items: items.map((item) => ({ ...item, json: inColumns(forecast) })) };
	};
}
