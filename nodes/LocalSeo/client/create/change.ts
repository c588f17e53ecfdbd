import type { Connection } from '../account';
import type { ServiceRequest } from '../http/request';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import { changedItem, deletedItem } from './item';

/**
 * Updates or deletes a record.
 *
 * @returns the record as changed, or the ID of the one that is gone
 * @throws ServiceError as `send` does
 */
export async function change(connection: Connection, request: ServiceRequest): Promise<JsonObject> {
	const response = await send(connection, request);
	return request.method === 'DELETE'
		? deletedItem(request, response)
		: changedItem(request, response);
}
