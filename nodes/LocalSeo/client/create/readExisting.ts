import type { Connection } from '../account';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import { listOf, type ServiceRequest } from '../request';
import { ledgerOf } from './ledger';

/**
 * Lists what exists before a create adds to it. What is listed is remembered: a record that is created
 * later is none of it.
 *
 * @param request the create
 * @throws ServiceError as `readList` does
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List> {
	const { clock } = connection.account;
	const list = await readList(connection, listOf(request), paging);
	const history = ledgerOf(connection.account).listOf(request);
	history.note(list.records, clock.now(), list.incomplete === undefined);
	history.noteRead(clock.now());
	return list;
}
