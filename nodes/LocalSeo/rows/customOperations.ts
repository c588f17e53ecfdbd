import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import {
	concurrently,
	isRecord,
	type JsonObject,
	MAX_IN_FLIGHT,
	ServiceError,
	systemClock,
} from '../client';
import { toNodeError } from '../host/errors';
import { readBatchDelay } from '../host/requestSettings';
import { type Operation, type Resource, resources } from '../service';
import { failedItem } from './items';
import { isSameForAll } from './once';
import { hintsOf, onceHint, stoppedBy } from './report';
import { inTable, type RowResult, type Run } from './results';
import { runKeyOf } from './row';
import { itemsOf, runItem } from './runItem';

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/** `{{ $json.title }}`: reads a column, and does nothing else. */
const COLUMN = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/dev/n8n-facts.md, section 2): a parameter without any is read once for all rows, one that only
 * reads columns is filled in here, and any other is evaluated once for a row.
 */
function rowParameters(context: IExecuteFunctions): (index: number) => ReadParameter {
	const { parameters } = context.getNode();
	const rows = context.getInputData();
	const isByRow = (name: string) => String(JSON.stringify(parameters[name])).includes('"=');
	const byRow = Object.keys(parameters).filter(isByRow);
	const shared = new Map<string, unknown>();
	return (index) => {
		const own = new Map<string, unknown>();
		const read: ReadParameter = (name, fallback, options) => {
			const filled = byRow.includes(name)
				? filledFrom(rows[index].json, parameters[name])
				: undefined;
			if (filled === undefined) return context.getNodeParameter(name, index, fallback, options);
			return isRecord(options) && options.extractValue && isRecord(filled) ? filled.value : filled;
		};
		return (name, ...more) => {
			const values = byRow.includes(name) ? own : shared;
			if (!values.has(name)) values.set(name, read(name, ...more));
			return values.get(name);
		};
	};
}

/**
 * A parameter with the columns that its expressions read; undefined where n8n has to evaluate one. It
 * leaves texts, numbers and booleans as they are.
 */
function filledFrom(row: JsonObject, parameter: unknown): unknown {
	let isFilled = true;
	const filled = JSON.parse(JSON.stringify(parameter), (_, value: unknown) => {
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		// Any other expression is n8n's. A row may well have a column called ''.
		const [, column] = COLUMN.exec(value) ?? [];
		const isColumn = column !== undefined && Object.hasOwn(row, column) && !(column in {});
		const own = isColumn ? row[column] : undefined;
		const isText = typeof own === 'string' && !/\p{Surrogate}/u.test(own);
		isFilled &&= isText || ['number', 'boolean'].includes(typeof own);
		return own;
	}) as unknown;
	return isFilled ? filled : undefined;
}

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated once, when its row is processed, if at all, and hints explain the results.
 * For each row both do the same (`runItem`): as a tool of an agent, the node is run by the routing
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
	const { request } = operation.routing;
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const rows = isSameForAll(this, resource, operation) ? items.slice(0, 1) : items;
		const contextOf = rowContexts(this);
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const jobs = rows.map((_, index) => async (): Promise<RowResult> => {
			const context = contextOf(index);
			try {
				const delay = startedAt + delayOf(index) - systemClock.now();
				if (delay > 0) await systemClock.sleep(delay, this.getExecutionCancelSignal());
				const runKey = runKeyOf(context);
				const key = runKey === undefined ? undefined : { run: runKey, row: index };
				return await runItem(context, request, key);
			} catch (thrown) {
				const isUnclear = thrown instanceof ServiceError && thrown.kind === 'unconfirmed';
				const failure = toNodeError(context, thrown);
				return {
					items: [failedItem(context, failure)],
					includesInput: false,
					outcome: 'failed',
					failure,
					isUnclear,
					notes: [],
				};
			}
		});
		// As in the routing, all rows are processed before the first failure stops the node.
		const ends = inTable(await concurrently(jobs, 2 * MAX_IN_FLIGHT), this);
		// Read unresolved: an expression that fails here must not lose the results.
		const isRepeatable = this.getNode().parameters.ifExists !== 'create';
		const run: Run = { resource, operation, rows, ends, isRepeatable };
		const failure = this.continueOnFail() ? undefined : stoppedBy(run);
		if (failure) throw failure;
		const hints = [...hintsOf(this, run), ...onceHint(items, rows)];
		if (hints.length > 0) this.addExecutionHints(...hints);
		return [ends.flatMap((end, index) => itemsOf(contextOf(index), end))];
	};
}

/** Milliseconds for which a row uses what it has read of the credential: as long as it takes to begin. */
const CREDENTIAL_FRESH_FOR = 1_000;

/**
 * The contexts of the rows, as the routing creates one. What is the same for all rows is made once, and
 * the credential is read once for a row's beginning and its first requests: each reading takes about
 * 2 ms.
 */
function rowContexts(context: IExecuteFunctions): (index: number) => IExecutePaginationFunctions {
	const rows = context.getInputData();
	const parametersOf = rowParameters(context);
	const node = context.getNode();
	// Read for its run index alone.
	const proxy = context.getWorkflowDataProxy(0);
	const credentialOf = (index: number) => {
		let credential: { at: number; data: Promise<ICredentialDataDecryptedObject> } | undefined;
		return async (type: string) => {
			const now = systemClock.now();
			if (!credential || now - credential.at > CREDENTIAL_FRESH_FOR) {
				credential = { at: now, data: context.getCredentials(type, index) };
			}
			return await credential.data;
		};
	};
	return (index) =>
		Object.assign(Object.create(context) as IExecutePaginationFunctions, {
			getItemIndex: () => index,
			getInputData: () => rows[index],
			getNode: () => node,
			getNodeParameter: parametersOf(index),
			getCredentials: credentialOf(index),
			getWorkflowDataProxy: () => proxy,
		});
}
