import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { type Account, BoundedMap, hashOf, jsonBytes, type ServiceRequest } from '../client';
import { PerAccount } from '../host/accounts';
import { runKeyOf } from './runKey';

/** Results of writes that n8n may repeat: Retry On Fail does so within seconds. */
const receipts = new PerAccount(
	({ clock }) =>
		new BoundedMap<unknown>({ maxBytes: 16 * 1024 * 1024, forgetAfterMs: 3_600_000 }, clock),
);

/**
 * Performs a row's write once, even if n8n runs the node again: Retry On Fail repeats every row,
 * including those that succeeded (docs/n8n-facts.md, section 1). Execution, node, run, row and content
 * are the same then; a loop, a second execution or different content is a new write.
 */
export async function writeOnce<T>(
	context: IExecutePaginationFunctions,
	account: Account,
	request: ServiceRequest,
	write: () => Promise<T>,
): Promise<T> {
	const runKey = runKeyOf(context);
	if (runKey === undefined) return await write();
	const { method, path, ids, query, body } = request;
	const row = context.getItemIndex();
	const key = hashOf([runKey, row, method, path, ids, query, body]);
	const kept = receipts.of(account);
	const result = (kept.get(key) as T | undefined) ?? (await write());
	kept.set(key, result, jsonBytes(result));
	return structuredClone(result);
}
