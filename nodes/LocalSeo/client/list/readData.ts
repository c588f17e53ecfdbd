import type { Connection } from '../account';
import { isEnvelope, isRecord } from '../http/records';
import { send, unexpectedResponse } from '../http/send';
import type { JsonObject } from '../ports';
import { endsWithId, type ServiceRequest } from '../request';
import { pageIn, type Paging } from './page';
import { readCompleteList } from './readList';

/** What a response holds in `data`, and the members beside it. */
export interface Data {
	data: unknown;
	beside: JsonObject;
}

/**
 * Reads what need not be a list: a record, if the path ends with its ID, or data of any shape. A list
 * with a total is read to its end.
 *
 * @throws ServiceError as `send` and `readCompleteList` do, and `unexpected-response` if there is no
 * `data`, or none of a record
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
	const { total = 0, records } = pageIn(request, response, connection.account.clock.now());
	const isPart = total > records.length;
	return { data: isPart ? await readCompleteList(connection, request, paging) : records, beside };
}
