import countBy from 'lodash/countBy';
import groupBy from 'lodash/groupBy';
import maxBy from 'lodash/maxBy';

import type { Operation, Resource } from '../../resources';
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

export function failuresIn({ ends }: Run): Failure[] {
	return ends.flatMap(({ failure }) => failure ?? []);
}

/** The indexes of the rows of which something is true. */
export function rowsThat({ ends }: Run, applies: (end: RowResult) => boolean): number[] {
	return ends.flatMap((end, index) => (applies(end) ? [index] : []));
}

export const countOf = (run: Run, outcome: Outcome): number =>
	rowsThat(run, (end) => end.outcome === outcome).length;

/** How many different reasons an error lists. */
const MAX_REASONS = 3;

/** "4 of 6 items failed; 2 were posted. Items 3, 5: …; item 4: …" */
export function summaryOf(run: Run): string {
	const { rows, ends } = run;
	const failed = rowsThat(run, ({ failure }) => failure !== undefined);
	const reasons = Object.entries(groupBy(failed, (index) => ends[index].failure!.message));
	const units = `${unitOf(rows)}s`;
	const isAll = failed.length === rows.length;
	const all = `${failed.length} ${units} failed`;
	if (isAll && reasons.length === 1) return `All ${all} for the same reason: ${reasons[0][0]}`;
	const counts = isAll
		? `All ${all}`
		: `${failed.length} of ${rows.length} ${units} failed; ${successesOf(run)}`;
	const shown = reasons
		.slice(0, MAX_REASONS)
		.map(([message, indexes]) => `${labelOf(rows, indexes)}: ${message}`);
	const others = reasons.length - shown.length;
	const more = others > 0 ? `; ${others} more reason${others === 1 ? '' : 's'}` : '';
	return `${counts}. ${capitalized(shown.join('; ') + more)}`;
}

/** "2 were posted, 1 was skipped because it already exists"; short: "2 posted, 1 skipped …" */
export function successesOf(run: Run, { isShort = false } = {}): string {
	const skipped = countOf(run, 'skipped');
	const parts = (['created', 'updated', 'deleted', 'read', 'unchanged'] as const)
		.map((outcome) => [countOf(run, outcome), doneTo(run, outcome)] as const)
		.concat([[skipped, `skipped because ${whySkipped(run, skipped)}`]])
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} ${isShort ? '' : count === 1 ? 'was ' : 'were '}${what}`);
	return [...parts, plannedIn(run)].filter((part) => part !== '').join(', ');
}

function whySkipped({ operation, rows }: Run, count: number): string {
	if (operation.routing.request.method !== 'POST') return `another ${unitOf(rows)} says the same`;
	return count === 1 ? 'it already exists' : 'they already exist';
}

/** "posted", "updated" */
export const doneTo = ({ resource }: Run, outcome: Outcome): string =>
	outcome === 'created' ? (resource.created ?? outcome) : outcome;

/** The forecasts of a dry run, with the places of their rows. */
export function forecastsIn({ ends }: Run): Array<{ index: number; forecast: Forecast }> {
	return ends.flatMap(({ forecast }, index) => (forecast ? [{ index, forecast }] : []));
}

const WOULD_BE: Array<[Action, string]> = [
	['create', 'created'],
	['update', 'updated'],
	['delete', 'deleted'],
	['skip', 'skipped'],
	['unchanged', 'unchanged'],
];

/** "37 would be created (1 with a warning: item 4), 2 skipped, 1 invalid: item 7 ("Open on Sunday")" */
export function plannedIn(run: Run): string {
	const all = forecastsIn(run);
	const label = (some: typeof all) =>
		labelOf(
			run.rows,
			some.map(({ index }) => index),
		);
	const of = (action: Action) => all.filter(({ forecast }) => forecast.action === action);
	const counts = WOULD_BE.map(([action, done]) => ({ found: of(action), action, done }))
		.filter(({ found }) => found.length > 0)
		.map(({ found, action, done }, at) => {
			const isSent = action !== 'skip' && action !== 'unchanged';
			const warned = isSent ? found.filter(({ forecast }) => forecast.warning !== '') : [];
			const warnings =
				warned.length > 0 ? ` (${warned.length} with a warning: ${label(warned)})` : '';
			return `${found.length} ${at === 0 ? 'would be ' : ''}${done}${warnings}`;
		});
	const invalid = of('invalid');
	if (invalid.length === 0) return counts.join(', ');
	// The table has room for one column of them.
	const reasons = countBy(invalid, ({ forecast }) => forecast.problem);
	const [reason, count] = maxBy(Object.entries(reasons), ([, many]) => many)!;
	const most = count === invalid.length ? '' : count > 1 ? '; most often' : '; the first';
	return [...counts, `${invalid.length} invalid: ${label(invalid)}${most}: ${reason}`].join(', ');
}
