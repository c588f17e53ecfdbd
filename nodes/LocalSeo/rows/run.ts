import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Account,
	BoundedMap,
	type Connection,
	getOrMake,
	isRecord,
	jsonBytes,
	type JsonObject,
	type Paging,
	readRecords,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';

/**
 * Identifies a run of a node, by execution, node and run index. n8n's Retry On Fail repeats the node
 * under the same key; a loop, another execution or another node has a key of its own. Undefined
 * outside of executions, which is how n8n runs the tools of its MCP server.
 */
export function runKeyOf(context: IExecutePaginationFunctions): string | undefined {
	const execution = context.getExecutionId() as string | undefined;
	if (!execution) return undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([execution, context.getNode().id, $runIndex]);
}

/** What the rows of a run share: lists, mostly; the latest one stays, however large it is. */
const shared = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<unknown>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * What is read, or done, once for a run and not once for each of its rows; after a failure, the next
 * row tries again. Outside of executions, each call is a run of its own.
 *
 * @param what tells it from all else that the run shares
 * @param bytesOf what it takes in memory, roughly
 */
export async function oncePerRun<T>(
	context: IExecutePaginationFunctions,
	account: Account,
	what: unknown[],
	make: () => Promise<T>,
	bytesOf: (value: T) => number = jsonBytes,
): Promise<T> {
	const run = runKeyOf(context);
	if (run === undefined) return await make();
	const store = shared.of(account) as BoundedMap<Promise<T>>;
	return await getOrMake(store, JSON.stringify([run, ...what]), make, bytesOf);
}

/**
 * What is at a path, of a list the first entry; asked for once per run.
 *
 * @throws ServiceError as `readRecords` does
 */
export async function readFirst(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<JsonObject> {
	const read = async () => {
		const [record] = await readRecords(connection, request, { ...paging, limit: 1 });
		return isRecord(record) ? record : {};
	};
	return await oncePerRun(context, connection.account, [request.path, request.ids], read);
}
