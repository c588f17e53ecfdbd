import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { concurrently, MAX_IN_FLIGHT, ServiceError, systemClock } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readBatchDelay, readRequestOptions } from '../host/requestSettings';
import { operationOf, type Operation, type Resource, resourceOf, resources } from '../resources';
import type { Item } from './item';
import { perform } from './perform';
import { isSameForAll, type Options } from './read/parameters';
import { readRow } from './read/row';
import { placeOf, rowContexts, sourceOf } from './read/source';
import { failedItem, messageOf, withColumns } from './tell/items';
import { hintsOf, onceHint, stopOf } from './tell/report';
import { asJson, inTable, type RowResult, type Run } from './tell/results';

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated once, when its row is processed, if at all, and hints explain the results.
 * For each row both do the same (`runRow`): as a tool of an agent, the node is run by the routing
 * (docs/dev/architecture.md, "Two ways through the node").
 */
export const customOperations: NonNullable<INodeType['customOperations']> = Object.fromEntries(
	resources.map((resource) => [
		resource.value,
		Object.fromEntries(
			resource.operations.map((operation) => [operation.value, overRows(resource, operation)]),
		),
	]),
);

function overRows(resource: Resource, operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { parameters, onError } = this.getNode();
		const items = this.getInputData() as Item[];
		const isOnce = isSameForAll(parameters as Item['json'], resource, operation);
		const rows = isOnce ? items.slice(0, 1) : items;
		const contextOf = rowContexts(this);
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const jobs = rows.map((_, index) => async (): Promise<RowResult> => {
			const context = contextOf(index);
			try {
				const delay = startedAt + delayOf(index) - systemClock.now();
				if (delay > 0) await systemClock.sleep(delay, this.getExecutionCancelSignal());
				return await runRow(context, resource, operation);
			} catch (thrown) {
				const isUnclear = thrown instanceof ServiceError && thrown.kind === 'unconfirmed';
				const failure = toNodeError(context, thrown);
				const failed = failedItem(placeOf(context), failure);
				return {
					...{ items: [failed], includesInput: false, outcome: 'failed' },
					...{ failure, isUnclear, notes: [] },
				};
			}
		});
		const hasErrorOutput = onError === 'continueErrorOutput';
		// As in the routing, all rows are processed before the first failure stops the node.
		const ends = inTable(await concurrently(jobs, 2 * MAX_IN_FLIGHT), hasErrorOutput);
		const run: Run = {
			...{ resource, operation, rows, ends, hasErrorOutput },
			// Read unresolved: an expression that fails here must not lose the results.
			isRepeatable: parameters.ifExists !== 'create',
			isFiltered: Boolean((parameters.options as Options | undefined)?.queryParameters),
		};
		const stop = this.continueOnFail() ? undefined : stopOf(run);
		if (stop) {
			const { failure, words } = stop;
			// n8n's own "[item 0]" would be a second number for the row.
			delete (failure as ReturnType<typeof toNodeError>).context.itemIndex;
			throw Object.assign(failure, words);
		}
		const hints = [...hintsOf(run), ...onceHint(items, rows)];
		if (hints.length > 0) {
			this.addExecutionHints(
				...hints.map((message) => ({ message, location: 'outputPane' as const })),
			);
		}
		return [ends.flatMap((end, index) => itemsOf(contextOf(index), end))];
	};
}

/**
 * Runs the operation for one item when the node is run by n8n's routing: as a tool. It is declared as
 * the pagination function, because that is where the routing hands over whole requests, including
 * writes (docs/dev/n8n-facts.md, section 3).
 */
export async function runRouted(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
	try {
		const resource = resourceOf(this.getNodeParameter('resource'));
		const operation = operationOf(resource, this.getNodeParameter('operation'));
		return itemsOf(this, await runRow(this, resource, operation, true));
	} catch (thrown) {
		const failure = toNodeError(this, thrown);
		const place = placeOf(this);
		if (this.continueOnFail()) return [failedItem(place, failure) as INodeExecutionData];
		failure.message = messageOf(place.rows, [place.index], failure.message);
		throw failure;
	}
}

/**
 * A row in, items out: it is read, performed and told.
 *
 * @throws whatever made the row fail: `toNodeError` says it in words
 */
async function runRow(
	context: IExecutePaginationFunctions,
	resource: Resource,
	operation: Operation,
	isTool = false,
): Promise<RowResult> {
	const row = readRow(sourceOf(context), resource, operation, isTool);
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout: timeoutMs, ...settings } = readRequestOptions(context);
	const { patienceMs } = row;
	const connection = await connect(context, { ...settings, timeoutMs, patienceMs });
	const { records, ...result } = await perform(row, connection);
	const pairedItem = { item: row.item };
	const items = records.map((record) => ({ json: asJson(record), pairedItem }));
	return { ...result, items, includesInput: row.includesInput };
}

/** The items of a row, with its own columns beside the result where the option says so. */
function itemsOf(
	context: IExecutePaginationFunctions,
	{ items, includesInput, forecast }: RowResult,
): INodeExecutionData[] {
	if (!includesInput && !forecast) return items as INodeExecutionData[];
	const place = placeOf(context);
	if (forecast?.action === 'invalid' && place.hasErrorOutput) {
		const { problem: message = '', advice: description } = forecast;
		return [failedItem(place, { message, description }) as INodeExecutionData];
	}
	if (!includesInput) return items as INodeExecutionData[];
	const { json } = place.rows[place.index];
	const isDryRun = forecast !== undefined;
	return items.map((item) => ({
		...item,
		json: withColumns(json, item.json, isDryRun),
	})) as INodeExecutionData[];
}
