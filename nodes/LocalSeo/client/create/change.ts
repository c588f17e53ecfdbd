import type { Connection } from '../account';
import { changedItem, deletedItem } from '../http/records';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { ledgerOf } from './ledger';

/**
 * Updates or deletes a record.
 *
 * @returns the record as changed, or the ID of the one that is gone
 * @throws ServiceError as `send` does
 */
export async function change(connection: Connection, request: ServiceRequest): Promise<JsonObject> {
	const response = await send(connection, request);
	const [id] = Object.values(request.ids);
	if (request.method !== 'DELETE') return changedItem(id, fieldsOf(request), response);
	ledgerOf(connection.account).noteGone(id);
	return deletedItem(id, response);
}
