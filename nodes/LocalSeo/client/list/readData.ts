import type { Connection } from '../connection';
import { isEnvelope, isRecord } from '../http/records';
import { unexpectedResponse } from '../http/outcome';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import { endsWithId, type ServiceRequest } from '../request';
import { pageIn, type Paging } from './page';
import { type List, readList } from './readList';

/** The payload of a response. */
export interface Data {
	/** The content of `data`; of a list with a total, all records. */
	data: unknown;
	/** The members beside `data`. */
	beside: JsonObject;
	/** The list, if `data` is one with a total. */
	list?: List;
}

/**
 * Reads what need not be a list: a record, if the path ends with its ID, or data of any shape. A list
 * with a total is read to its end.
 *
 * @throws ServiceError as `send` and `readList` do, and `unexpected-response` if there is no `data`, or
 * none of a record
 */
export async function readData(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Data> {
	const response = await send(connection, request);
	if (!isEnvelope(response.body)) throw unexpectedResponse(request, response, 'data');
	const { data, ...beside } = response.body;
	if (endsWithId(request.path)) {
		const record: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data;
		if (!isRecord(record)) throw unexpectedResponse(request, response, 'record');
		return { data: record, beside };
	}
	if (!Array.isArray(data)) return { data, beside };
	const { records, total, isFull } = pageIn(request, response, paging.pageSize);
	const isOnePage = paging.pageParameter === '' || !isFull;
	if (total === undefined || (records.length === total && isOnePage)) return { data, beside };
	const list = await readList(connection, request, paging);
	return { data: list.records, beside, list };
}
