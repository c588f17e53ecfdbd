import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	PostReceiveAction,
} from 'n8n-workflow';

import { bodyOf, create, payloadOf } from '../client/create';
import { isRecord } from '../client/envelope';
import { readRecords } from '../client/list';
import { unreadable } from '../client/refusal';
import type { ApiRequest } from '../client/request';
import { send } from '../client/send';
import { failedRow, nameRow } from './failedRow';
import { once } from './once';
import { readOptions } from './options';
import { readPaging, readRequest } from './parameters';
import { simplified } from './simplify';
import { unlessExisting } from './existing';

/**
 * Runs the operation for one input item. It is the node's pagination function, because that is
 * where n8n's routing hands over whole requests, writes too (n8n-facts, section 3).
 */
export async function runOperation(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const actions = requestData.postReceive.flatMap((declared) => declared.actions);
	return await runItem(this, () => requestData.options, actions);
}

/**
 * Gives one item a record, each paired with its input item. Where the node is set to continue, a
 * row that failed becomes an item that keeps the row's data; otherwise it throws.
 */
export async function runItem(
	context: IExecutePaginationFunctions,
	declare: () => DeclarativeRestApiSettings.HttpRequestOptions,
	actions: PostReceiveAction[],
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: context.getItemIndex() };
	try {
		const request = readRequest(context, declare());
		const records =
			request.method === 'GET' ? await read(context, request) : await write(context, request);
		const items = records.map((record) => ({ json: asJson(record), pairedItem }));
		return await postReceive(context, actions, items);
	} catch (error) {
		const named = nameRow(context, error);
		if (!context.continueOnFail()) throw named;
		return [{ ...failedRow(context, named), pairedItem }];
	}
}

async function read(context: IExecutePaginationFunctions, request: ApiRequest) {
	const records = await readRecords(context, request, readPaging(context));
	return readOptions(context).simplify ? simplified(records, request.noun) : records;
}

/** What a write came to. A change that is answered without a record gives what was sent. */
async function write(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
): Promise<unknown[]> {
	return await once(context, request, async () => {
		if (request.method === 'POST') {
			const add = async () => await create(context, request, readPaging(context));
			return readOptions(context).skipExisting
				? await unlessExisting(context, request, add)
				: await add();
		}
		const answer = await send(context, request);
		if (typeof answer.body === 'string' && answer.body !== '') {
			throw unreadable(context.getNode(), request, answer);
		}
		const [record = {}] = payloadOf(answer);
		if (request.method === 'DELETE') {
			return [{ ...asJson(record), id: Object.values(request.ids)[0], deleted: true }];
		}
		return isRecord(record) && Object.keys(record).length > 0 ? [record] : [bodyOf(request)];
	});
}

function asJson(record: unknown): IDataObject {
	return isRecord(record) ? record : { value: record as IDataObject['value'] };
}

/** What an operation declares for its answers; n8n leaves it to the pagination function. */
async function postReceive(
	context: IExecutePaginationFunctions,
	actions: PostReceiveAction[],
	items: INodeExecutionData[],
) {
	let result = items;
	for (const action of actions) {
		if (typeof action !== 'function') continue;
		result = await action.call(context, result, { body: undefined, headers: {}, statusCode: 200 });
	}
	return result;
}
