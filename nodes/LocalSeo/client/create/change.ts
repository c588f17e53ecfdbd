import type { Connection } from '../connection';
import { idOf, recordIn } from '../http/records';
import { send } from '../http/send';
import type { JsonObject } from '../ports';
import type { ServiceRequest } from '../request';
import { Entry, type RowKey } from './memory';

/**
 * Updates or deletes a record, once for a row that may be run again.
 *
 * @returns what the response shows of the record with what was sent, or the ID of the one that is gone
 * @throws ServiceError as `send` does
 */
export async function change(
	connection: Connection,
	request: ServiceRequest,
	row: RowKey['row'],
): Promise<JsonObject> {
	const { run, account } = connection;
	const [id] = Object.values(request.ids);
	const isDeletion = request.method === 'DELETE';
	const known: JsonObject = isDeletion ? { id, deleted: true } : { ...request.body, id };
	const entry = new Entry();
	entry.isUpdate = true;
	run?.note(row, entry);
	const response = await entry.during(account.clock, async () => await send(connection, request));
	entry.done(id);
	if (isDeletion) {
		account.memory.noteDeleted(request.noun);
		return known;
	}
	// The response may show the record before the change, or a job.
	const shown = recordIn(response);
	return { ...shown, ...known, id: idOf(shown) === id ? shown?.id : id };
}
