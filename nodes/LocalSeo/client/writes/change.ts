import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { deniesSuccess, idOf, recordsIn } from '../exchange/records';
import { fieldsOf, type ServiceRequest } from '../exchange/request';
import { attempt, send, unexpectedResponse } from '../exchange/send';
import type { JsonObject } from '../ports';
import { likenessOf } from './likeness';

/**
 * Updates or deletes a record. A success that shows no record is looked into where the record can be
 * read: an update counts as done when the record has what was sent.
 *
 * @returns the record as the service shows it; of an update without one, what was sent
 * @throws ServiceError as `send` does, and `unexpected-response` for a success that denies itself or
 * can't be one
 */
export async function change(connection: Connection, request: ServiceRequest): Promise<JsonObject> {
	const response = await send(connection, request);
	const { status, body } = response;
	if (deniesSuccess(body) || (typeof body === 'string' && body !== '')) {
		throw unexpectedResponse(request, response);
	}
	const [record = {}] = recordsIn(response);
	if (request.method === 'DELETE') return record;
	const sent = fieldsOf(request);
	const shown = likenessOf(record, sent);
	if (shown === 'same' || (shown === 'unclear' && idOf(record) !== undefined)) return record;
	if (status === 204) return sent;
	const read = { ...request, method: 'GET' as const, query: {}, body: undefined };
	const found = await attempt(connection, read);
	const [there] = found instanceof ServiceError ? [] : recordsIn(found);
	const likeness = there && likenessOf(there, sent);
	const isDone = likeness === 'same' || (likeness === 'unclear' && idOf(there) !== undefined);
	if (!isDone) throw unexpectedResponse(request, response);
	return there;
}
