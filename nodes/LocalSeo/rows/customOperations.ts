import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { concurrently, MAX_IN_FLIGHT, ServiceError, systemClock } from '../client';
import { toNodeError } from '../host/errors';
import { readBatchDelay } from '../host/requestSettings';
import { type Operation, type Resource, resources } from '../service';
import { failedItem } from './items';
import { hintsOf, stoppedBy } from './report';
import { inTable, type RowResult, type Run } from './results';
import { runKeyOf } from './row';
import { itemsOf, runItem } from './runItem';

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/dev/n8n-facts.md, section 2): a parameter without any is read once for all rows, each other one
 * once for a row.
 */
function rowParameters(context: IExecuteFunctions): (index: number) => ReadParameter {
	const hasExpression = (parameter: unknown) => String(JSON.stringify(parameter)).includes('"=');
	const byRow = Object.entries(context.getNode().parameters).flatMap(([name, parameter]) =>
		hasExpression(parameter) ? [name] : [],
	);
	const shared = new Map<string, unknown>();
	return (index) => {
		const own = new Map<string, unknown>();
		return (name, ...more) => {
			const values = byRow.includes(name) ? own : shared;
			if (!values.has(name)) values.set(name, context.getNodeParameter(name, index, ...more));
			return values.get(name);
		};
	};
}

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated once, when its row is processed, and hints explain the results. For each
 * row both do the same (`runItem`): as a tool of an agent, the node is run by the routing
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
		const rows = this.getInputData();
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
		const hints = hintsOf(this, run);
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
