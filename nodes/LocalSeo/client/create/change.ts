import type { Connection } from '../account';
import { recordIn } from '../http/records';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { memoryOf } from './memory';

/**
 * Updates or deletes a record.
 *
 * @returns what the response shows of the record with what was sent, or the ID of the one that is gone
 * @throws ServiceError as `send` does
 */
export async function change(connection: Connection, request: ServiceRequest): Promise<JsonObject> {
	const response = await send(connection, request);
	const [id] = Object.values(request.ids);
	// The response may show the record before the change, or a job.
	if (request.method !== 'DELETE') return { ...recordIn(response), ...fieldsOf(request), id };
	memoryOf(connection.account).noteDeleted(request.noun, id);
	return { id, deleted: true };
}
