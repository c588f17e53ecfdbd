import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { type Account, concurrently, MAX_IN_FLIGHT, systemClock } from '../client';
import { readAllowedDomains, readBatchDelay } from '../host/requestSettings';
import { type Operation, resources } from '../resources';
import { hintsFor } from './hints';
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
	resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, overRows(operation)])),
	]),
);

function overRows({ routing: { request, output } }: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const contextOf = rowContexts(this);
		const allowedDomains = await readAllowedDomains(this);
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const progress = new Progress(this, this.getInputData().length, systemClock);
		const uses = (account: Account) => progress.uses(account);
		const run = async (index: number) => {
			const delay = startedAt + delayOf(index) - systemClock.now();
			if (delay > 0) await systemClock.sleep(delay, this.getExecutionCancelSignal());
			const context = contextOf(index);
			const declare = () => ({ ...request, allowedDomains: allowedDomains() });
			const run = runKeyOf(context);
			const key = run === undefined ? undefined : { run, row: index };
			return await runItem(context, declare, output?.postReceive ?? [], { key, uses });
		};
		// As in the routing, all rows are processed before the first failure stops the node.
		const rows = this.getInputData().map(
			(_, index) => async () =>
				await run(index)
					.catch((error: Error) => error)
					.finally(() => progress.rowEnded()),
		);
		const results = await concurrently(rows, 2 * MAX_IN_FLIGHT);
		const pace = progress.end();
		const failure = results.find((result) => result instanceof Error);
		if (failure) throw failure;
		const items = results as INodeExecutionData[][];
		const hints = hintsFor(this, items, pace);
		if (hints.length > 0) this.addExecutionHints(...hints);
		return [items.flat()];
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
