import type { Connection } from '../account';
import { idOf, recordIn } from '../http/records';
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
	if (request.method !== 'DELETE') {
		// The response may show the record before the change, or a job.
		const shown = recordIn(response);
		return { ...shown, ...fieldsOf(request), id: idOf(shown) === id ? shown?.id : id };
	}
	memoryOf(connection.account).noteDeleted(request.noun, id);
	return { id, deleted: true };
}
