import type { Connection } from '../connection';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import { requestForList, type ServiceRequest } from '../request';
import { type Before, identityOf } from './memory';

/**
 * Lists what exists before creates add to it, past caches.
 *
 * @param request one of the creates
 * @throws ServiceError as `readList` does
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List & { before: Before }> {
	const readAt = connection.account.clock.now();
	const list = await readList({ ...connection, noCache: true }, requestForList(request), paging);
	const known = list.incomplete ? undefined : new Set(list.records.map(identityOf));
	return { ...list, before: { readAt, known } };
}
