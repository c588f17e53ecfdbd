import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isEnvelope, isRecord } from '../client/envelope';
import { readRecords } from '../client/pages';
import { unreadable } from '../client/refusal';
import type { ApiRequest } from '../client/request';
import { send } from '../client/send';
import { failedRow, nameRow } from './failedRow';
import { readPaging, readRequest } from './parameters';

/**
 * Runs the operation for one input item. It is the node's pagination function, because that is
 * where n8n's routing hands over whole requests, writes too (n8n-facts, section 3).
 *
 * Gives one item a record, each paired with its input item. Where the node is set to continue, a
 * row that failed becomes an item that keeps the row's data; otherwise it throws.
 */
export async function runOperation(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: this.getItemIndex() };
	try {
		const request = readRequest(this, requestData.options);
		const records =
			request.method === 'GET'
				? await readRecords(this, request, readPaging(this))
				: await write(this, request);
		const items = records.map((record) => ({ json: asJson(record), pairedItem }));
		return await postReceive(this, requestData, items);
	} catch (error) {
		const named = nameRow(this, error);
		if (!this.continueOnFail()) throw named;
		return [{ ...failedRow(this, named), pairedItem }];
	}
}

/**
 * Sends a write. Where the service answers without a record, the item holds what was sent; a
 * deletion says so in any case.
 */
async function write(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
): Promise<unknown[]> {
	const answer = await send(context, request);
	const { body } = answer;
	if (body && typeof body !== 'object') throw unreadable(context.getNode(), request, answer);
	// The interface puts payloads under `data`; a write that succeeded is not to be lost over that.
	const payload = isEnvelope(body) ? body.data : body;
	const records = [payload || []].flat();
	if (request.method === 'DELETE') {
		return [{ ...asJson(records[0] ?? {}), id: Object.values(request.ids)[0], deleted: true }];
	}
	return records.length > 0 ? records : [sentRecord(request)];
}

function sentRecord({ body }: ApiRequest): IDataObject {
	return typeof body === 'string' ? (JSON.parse(body) as IDataObject) : { ...body };
}

function asJson(record: unknown): IDataObject {
	return isRecord(record) ? record : { value: record as IDataObject['value'] };
}

/** What an operation declares for its answers; n8n leaves it to the pagination function. */
async function postReceive(
	context: IExecutePaginationFunctions,
	{ postReceive: declared }: DeclarativeRestApiSettings.ResultOptions,
	items: INodeExecutionData[],
) {
	let result = items;
	for (const action of declared.flatMap(({ actions }) => actions)) {
		if (typeof action !== 'function') continue;
		result = await action.call(context, result, { body: undefined, headers: {}, statusCode: 200 });
	}
	return result;
}
