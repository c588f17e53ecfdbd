import { createHash } from 'node:crypto';
import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { Memory } from '../client/memory';
import type { ApiRequest } from '../client/request';
import { placeOf } from './place';

/** What rows of runs that n8n may still repeat came to: Retry On Fail does so within seconds. */
const receipts = new Memory<unknown[]>({ most: 20_000, forgetAfter: 3_600_000 });

/**
 * Does a row's write once, also when n8n runs the node again: Retry On Fail repeats every row, those
 * that succeeded too (n8n-facts, section 1). Execution, node, run and row are then the same, and so
 * is what is sent; a loop, a second execution, or other content is another write.
 */
export async function once(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	write: () => Promise<unknown[]>,
): Promise<unknown[]> {
	const place = placeOf(context);
	if (place === undefined) return await write();
	const { method, template, ids, query, body } = request;
	const key = createHash('sha256')
		.update(JSON.stringify([place, context.getItemIndex(), method, template, ids, query, body]))
		.digest('base64');
	const records = receipts.get(key) ?? (await write());
	receipts.set(key, records);
	return structuredClone(records);
}
