import { createHash } from 'node:crypto';
import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { Trial } from '../client/create';
import { Memory } from '../client/memory';
import type { ApiRequest } from '../client/request';
import { placeOf } from './place';

/** What a row's write has come to so far. */
interface Receipt {
	trial: Trial;
	records?: unknown[];
}

/** Rows of runs that n8n may still repeat: Retry On Fail does so within seconds of the run's end. */
const receipts = new Memory<Receipt>({ most: 20_000, forgetAfter: 3_600_000 });

/**
 * Does a row's write once, also when n8n runs the node again: Retry On Fail repeats every row, those
 * that succeeded too (n8n-facts, section 1). Execution, node, run and row are then the same, and so
 * is what is sent; a loop, a second execution, or other content is another write.
 */
export async function once(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	write: (trial: Trial) => Promise<unknown[]>,
): Promise<unknown[]> {
	const key = keyOf(context, request);
	const receipt = receipts.get(key) ?? { trial: { isInDoubt: false } };
	if (receipt.records) return structuredClone(receipt.records);
	receipts.set(key, receipt);
	receipt.records = await write(receipt.trial);
	return structuredClone(receipt.records);
}

function keyOf(context: IExecutePaginationFunctions, request: ApiRequest): string {
	const { method, template, ids, query, body } = request;
	const row = [placeOf(context), context.getItemIndex()];
	return createHash('sha256')
		.update(JSON.stringify([...row, method, template, ids, query, body]))
		.digest('base64');
}
