import type { Connection } from '../account';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import { requestForList, type ServiceRequest } from '../request';
import type { Matching } from '../same/key';
import { type Before, versionsOf } from './versions';

/**
 * Lists what exists before creates add to it.
 *
 * @param request one of the creates
 * @param matching what is compared of the records
 * @returns the list and, if it is complete, what a lost create is looked for with
 * @throws ServiceError as `readList` does
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	matching: Matching,
): Promise<List & { before?: Before }> {
	const list = await readList(connection, requestForList(request), paging);
	return list.incomplete ? list : { ...list, before: versionsOf(list.records, matching) };
}
