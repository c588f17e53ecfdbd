import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { SharedCredential } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readBatchDelay } from '../host/requestSettings';
import { operationOf, type Operation, type Resource, resourceOf, resources } from '../resources';
import { messageOf } from './labels';
import type { RowEnd } from './outcome';
import { isSameForAll } from './read/expressions';
import { type Row, readRow } from './read/row';
import { rowContexts, rowsOf, sourceOf } from './read/source';
import { hintsOf, onceHint, stopOf } from './report/hints';
import { itemsOf, resultOf } from './report/items';
import { inTable, type Run } from './report/results';
import { inSlices } from './slices';
import { runRows } from './way';
import { delays } from './write/carryOut';

type Context = IExecutePaginationFunctions;

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated once, and hints explain the results. A tool of an agent is run by the
 * routing, and goes the same way with one row (docs/dev/architecture.md, "Two ways through the node").
 */
export const customOperations: NonNullable<INodeType['customOperations']> = Object.fromEntries(
	resources.map((resource) => [
		resource.value,
		Object.fromEntries(
			resource.operations.map((operation) => [operation.value, overRows(resource, operation)]),
		),
	]),
);

function attempt<T>(work: () => T): T | Error {
	try {
		return work();
	} catch (thrown) {
		return thrown as Error;
	}
}

/** The first row of each location, and the last row: a credential may have expressions. */
function firstsOf(rows: Array<Row | Error>): number[] {
	const firsts = new Map<unknown, number>();
	for (const [index, row] of rows.entries()) {
		const location = row instanceof Error ? undefined : row.request.ids.locationId;
		if (!firsts.has(location)) firsts.set(location, index);
	}
	return [...new Set([...firsts.values(), rows.length - 1])];
}

const isRead = (row: Row | Error): row is Row => !(row instanceof Error);

function overRows(resource: Resource, operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { parameters, onError } = this.getNode();
		const items = rowsOf(this);
		const isOnce = isSameForAll(parameters as Row['panel'], resource, operation);
		const rows = isOnce ? items.slice(0, 1) : items;
		const contextAt = rowContexts(this, items);
		const signal = this.getExecutionCancelSignal();
		const places = rows.map((_, index) => sourceOf(contextAt(index), rows));
		const ended: RowEnd[] = [];
		let read: Array<Row | Error> = [];
		let notes: string[] = [];
		try {
			const readOne = (index: number) => readRow(places[index], resource, operation, false);
			read = await inSlices(rows, (_, index) => attempt(() => readOne(index)), signal);
			const credential = await SharedCredential.ofAll(firstsOf(read).map(contextAt));
			const delay = delays(readBatchDelay(this), signal);
			const contextOf = ({ index }: Row) => contextAt(index);
			notes = await runRows(read.filter(isRead), ended, { credential, contextOf, delay, signal });
		} catch (thrown) {
			// An error about all rows is said of each that has come to nothing yet.
			for (const index of rows.keys()) ended[index] ??= thrown as Error;
		}
		const failureOf = (index: number) => (error: Error) => toNodeError(contextAt(index), error);
		const results = read.map((row, index) =>
			resultOf(
				places[index],
				isRead(row) ? row : undefined,
				isRead(row) ? ended[index] : row,
				failureOf(index),
			),
		);
		// A reading that is the same for all items is told for each of them if it failed.
		const isFailedOnce = isOnce && results[0]?.failure !== undefined;
		const first = read[0] instanceof Error ? read[0] : ended[0];
		const all = isFailedOnce
			? items.map((_, index) =>
					resultOf(sourceOf(contextAt(index), items), undefined, first, failureOf(index)),
				)
			: results;
		const run: Run = {
			...{
				resource,
				operation,
				rows: isFailedOnce ? items : rows,
				notes,
				hasErrorOutput: onError === 'continueErrorOutput',
			},
			ends: inTable(all, onError === 'continueErrorOutput'),
			// Read unresolved: an expression that fails here must not lose the results.
			isRepeatable: parameters.ifExists !== 'create',
			isFiltered: Boolean(Object(parameters.options).queryParameters),
			zone: this.getTimezone(),
		};
		const stop = this.continueOnFail() ? undefined : stopOf(run);
		if (stop) {
			const { failure, words } = stop;
			// n8n's own "[item 0]" would be a second number for the row.
			delete (failure as ReturnType<typeof toNodeError>).context.itemIndex;
			throw Object.assign(failure, words);
		}
		const hints = [...hintsOf(run), ...onceHint(items, run.rows)];
		if (hints.length > 0) {
			this.addExecutionHints(
				...hints.map((message) => ({ message, location: 'outputPane' as const })),
			);
		}
		const placeAt = (index: number) => places[index] ?? sourceOf(contextAt(index), items);
		return [run.ends.flatMap((end, index) => itemsOf(placeAt(index), end)) as INodeExecutionData[]];
	};
}

/**
 * Runs the operation for one item when the node is run by n8n's routing: as a tool. It is declared as
 * the pagination function, because that is where the routing hands over whole requests, including
 * writes (docs/dev/n8n-facts.md, section 3).
 */
export async function runRouted(this: Context): Promise<INodeExecutionData[]> {
	const place = sourceOf(this);
	const ended: RowEnd[] = [];
	let row: Row | undefined;
	try {
		const resource = resourceOf(this.getNodeParameter('resource'));
		const operation = operationOf(resource, this.getNodeParameter('operation'));
		row = readRow(place, resource, operation, true);
		const credential = await SharedCredential.of(this);
		await runRows([row], ended, { credential, contextOf: () => this, delay: async () => {} });
	} catch (thrown) {
		ended[0] = thrown as Error;
	}
	const result = resultOf(place, row, ended[0], (error) => toNodeError(this, error));
	const { failure, isAsked } = result;
	if (failure && !this.continueOnFail()) {
		const { rows, index } = place;
		throw Object.assign(
			failure,
			isAsked ? {} : { message: messageOf(rows, [index], failure.message) },
		);
	}
	return itemsOf(place, result) as INodeExecutionData[];
}
