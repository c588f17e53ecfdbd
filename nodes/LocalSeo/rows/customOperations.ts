import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { type Account, concurrently, MAX_IN_FLIGHT, systemClock } from '../client';
import { toNodeError } from '../host/errors';
import { readAllowedDomains, readBatchDelay } from '../host/requestSettings';
import { type Operation, type Resource, resources } from '../service';
import type { Became } from './became';
import type { Plan } from './dryRun';
import { failedItem } from './failedItem';
import { hintsFor, notesHints, sameIdHint } from './hints';
import { withInputFields } from './inputFields';
import type { Note } from './note';
import { readOptions } from './options';
import {
	becameHint,
	failuresHint,
	lateHint,
	plannedHint,
	type RowFailure,
	stoppedBy,
	stoppedLine,
} from './outcome';
import { Progress } from './progress';
import { rowParameters } from './rowParameters';
import { runItem } from './runItem';
import { runKeyOf } from './runKey';

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated when its row is processed, if at all (`rowParameters`), and hints explain
 * the results. For each row both do the same (`runItem`): as a tool of an agent, the node is run by the
 * routing (docs/architecture.md, "Two ways through the node").
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
		const contextOf = rowContexts(this);
		const allowedDomains = await readAllowedDomains(this);
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const progress = new Progress(this, this.getInputData().length, systemClock);
		const uses = (account: Account) => progress.uses(account);
		const failures: RowFailure[] = [];
		const plans = new Map<number, Plan>();
		const became: Became[] = [];
		const noted: Array<{ index: number; what: Note }> = [];
		const withInput = new Set<number>();
		const run = async (index: number, context: IExecutePaginationFunctions) => {
			const delay = startedAt + delayOf(index) - systemClock.now();
			if (delay > 0) await systemClock.sleep(delay, this.getExecutionCancelSignal());
			const declare = () => ({ ...request, allowedDomains: allowedDomains() });
			const run = runKeyOf(context);
			const key = run === undefined ? undefined : { run, row: index };
			const result = await runItem(context, declare, { key, uses, looking: progress.looking });
			if (result.plan) plans.set(index, result.plan);
			if (result.became) became.push(result.became);
			noted.push(...result.notes.map((what) => ({ index, what })));
			if (readOptions(context).includeInputFields) withInput.add(index);
			return result.items;
		};
		// As in the routing, all rows are processed before the first failure stops the node.
		const rows = this.getInputData();
		const jobs = rows.map((_, index) => async () => {
			const context = contextOf(index);
			return await run(index, context)
				.catch((thrown: unknown) => {
					const failure = toNodeError(context, thrown);
					failures.push({ index, failure });
					return this.continueOnFail() ? [failedItem(context, failure)] : [];
				})
				.finally(() => progress.rowEnded());
		});
		const results = await concurrently(jobs, 2 * MAX_IN_FLIGHT);
		const pace = progress.end();
		failures.sort((a, b) => a.index - b.index);
		// Read unresolved: an expression that fails here must not lose the results.
		const isRepeatable = this.getNode().parameters.ifExists !== 'create';
		const outcome = { rows, failures, became, plans, isRepeatable };
		if (this.getExecutionCancelSignal()?.aborted) {
			// n8n shows nothing of an execution that was stopped.
			this.logger.info(stoppedLine(outcome, resource, operation, this.getNode().name));
		}
		if (failures.length > 0 && !this.continueOnFail())
			throw stoppedBy(outcome, resource, operation);
		const isErrorOutput = this.getNode().onError === 'continueErrorOutput';
		const failed = failuresHint(outcome, resource, operation, isErrorOutput);
		const existed = failed ?? plannedHint(outcome) ?? becameHint(outcome, resource, operation);
		const late = noted.flatMap(({ index, what }) => (what === 'late' ? [index] : []));
		const sameId = request.method === 'POST' ? sameIdHint(results) : undefined;
		const ofRun = [existed, lateHint(outcome, late), ...notesHints(resource, noted), sameId, pace];
		const hints = hintsFor(this, results, ofRun);
		if (hints.length > 0) this.addExecutionHints(...hints);
		// After the hints, which are about the results alone.
		return [
			results.flatMap((items, index) =>
				withInput.has(index) ? withInputFields(rows[index], items) : items,
			),
		];
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
