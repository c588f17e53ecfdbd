import type { Connection } from '../account';
import { idOf, recordIn } from '../http/records';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import type { RowKey } from './entry';
import { memoryOf } from './memory';

/**
 * Updates or deletes a record, once for a row that may be run again.
 *
 * @returns what the response shows of the record with what was sent, or the ID of the one that is gone
 * @throws ServiceError as `send` does
 */
export async function change(
	connection: Connection,
	request: ServiceRequest,
	row?: RowKey,
): Promise<JsonObject> {
	const memory = memoryOf(connection.account);
	const [id] = Object.values(request.ids);
	const isDeletion = request.method === 'DELETE';
	const known: JsonObject = isDeletion ? { id, deleted: true } : { ...fieldsOf(request), id };
	if (memory.doneBy(row)) return known;
	const response = await send(connection, request);
	memory.noteDone(row, { id, isUpdate: true });
	if (isDeletion) {
		memory.noteDeleted(request.noun, id);
		return known;
	}
	// The response may show the record before the change, or a job.
	const shown = recordIn(response);
	return { ...shown, ...known, id: idOf(shown) === id ? shown?.id : id };
}
