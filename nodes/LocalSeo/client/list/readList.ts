import { type Connection, withOwnSignal } from '../account';
import { ServiceError } from '../errors';
import type { ServiceRequest } from '../request';
import type { Paging } from './page';
import { type Reading, readOnce } from './readOnce';

/** The most readings of a list that is not complete. */
const READINGS = 3;
/** Pause between readings (ms): longer than caches of a second. */
const READ_AGAIN_AFTER = 1_100;

/** The records of a list. */
export interface List {
	/** Each once, up to the limit. */
	records: unknown[];
	/** The number of records that the service states; absent if it states none. */
	total?: number;
	/** True if the limit left out records, or may have. */
	isCut: boolean;
	/** Why records are missing, or may be; absent: the list is whole. */
	incomplete?: ServiceError;
	/** The list shows everything up to this time, by the account's clock (ms). */
	asOf: number;
}

/**
 * Reads a list, and reads it again if it is not complete: it may be changing.
 *
 * @throws ServiceError as `readPage` does
 */
export async function readList(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List> {
	const { clock } = connection.account;
	for (let readings = 1; ; readings++) {
		const reading = await readOnce(connection, request, paging);
		const isLast = ['complete', 'endless'].includes(reading.end) || readings === READINGS;
		if (isLast) return listOf(request, paging, reading);
		await clock.sleep(READ_AGAIN_AFTER, withOwnSignal(connection).signal);
	}
}

function listOf(
	request: ServiceRequest,
	{ limit = Infinity, pageParameter }: Paging,
	{ records, total, pages, end, asOf }: Reading,
): List {
	// A total that is smaller than what came says nothing.
	const isMore = total === undefined || total < records.length || total > limit;
	const isCut = records.length >= limit && isMore;
	const list = { records: records.slice(0, limit), total, isCut, asOf };
	if (end === 'complete') return list;
	const isOfPages = end === 'repeat' || pageParameter === '';
	const why = isOfPages ? { pageParameter } : end === 'endless' ? { pages } : {};
	const facts = { kind: 'incomplete-list', request, received: records.length, total } as const;
	return { ...list, incomplete: new ServiceError({ ...facts, ...why }) };
}

/**
 * The records of a complete list, or the first ones up to the limit.
 *
 * @throws ServiceError as `readList` does, and `incomplete-list`
 */
export async function readCompleteList(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	const { records, incomplete } = await readList(connection, request, paging);
	if (incomplete) throw incomplete;
	return records;
}
