import type { Connection } from '../account';
import { recordKey } from '../http/records';
import type { JsonObject } from '../ports';
import { ServiceError, type ServiceRequest } from '../request';
import type { Paging } from './page';
import { MAX_PAGES, readOnce } from './readOnce';

/** The most readings of a list that does not match its total. */
const READINGS = 3;
/** Pause between readings (ms): longer than caches of a second. */
const READ_AGAIN_AFTER = 1_100;

/** The result of a GET. */
export interface List {
	/** The records, without repeats, up to the limit. */
	records: unknown[];
	/** True for a list, also an empty one; false for a single record. */
	isList: boolean;
	/** The number of records that the service states; absent if it states none. */
	total?: number;
	/** The number of records that came: the limit may leave some of them out. */
	received: number;
	/** Whether the last page that came announces another one. */
	announcesMore: boolean;
	/** The members of the body beside `data`. */
	beside?: JsonObject;
	/** The reason why records are missing; absent: none are. */
	incomplete?: ServiceError;
	/** True if two equal readings have a number of records other than the total. */
	isTotalWrong: boolean;
	/** True if the service refused the second page, and nothing announces one. */
	isFirstPageOnly?: boolean;
}

/**
 * Reads a list, and reads it again if it does not match its total. It is accepted when two readings are
 * equal, or when the newer one has everything the older had and at least the total that its first page
 * announced: then records were added meanwhile. A list that announces more than its pages have is never
 * accepted. A list without an end is read once.
 *
 * @throws ServiceError as `readOnce` does
 */
export async function readList(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List> {
	const { limit, pageParameter } = paging;
	let previous: string[] | undefined;
	for (let readings = 1; ; readings++) {
		const reading = await readOnce(connection, request, paging);
		const { first, total, firstTotal = 0, announcesMore } = reading;
		const { kind, reason } = reading.completeness;
		const { isList, beside, within } = first;
		const records = reading.records.slice(0, limit);
		const list: List = {
			records: within ? [{ ...within.object, [within.key]: records }] : records,
			received: reading.records.length,
			announcesMore,
			isFirstPageOnly: reason === 'first-page',
			...{ isList: isList && !within, total, beside, isTotalWrong: false },
		};
		if (kind !== 'incomplete') return list;
		const isRepeated = reason === 'repeated';
		const isEndless = reason === 'endless';
		const isCut = !isRepeated && reason !== 'unequal';
		// A caller with a limit wants some records, not all, so those that came are enough.
		const isSamePage = reason === 'same-page';
		if (isSamePage && limit !== undefined) return list;
		const names = reading.records.map(recordKey);
		const known = new Set(names);
		const hasAll = previous?.every((name) => known.has(name)) ?? false;
		const isSame = hasAll && names.length === previous?.length;
		if (!isCut && (isSame || (hasAll && names.length >= firstTotal))) {
			return { ...list, isTotalWrong: isSame && !isRepeated && total !== names.length };
		}
		if (isSame || isEndless || readings === READINGS) {
			const facts = { request, received: names.length, total };
			const cause = isSamePage ? { pageParameter } : isEndless ? { pages: MAX_PAGES } : {};
			const incomplete = new ServiceError({ kind: 'incomplete-list', ...facts, ...cause });
			return { ...list, incomplete };
		}
		previous = names;
		if (!isRepeated) await connection.account.clock.sleep(READ_AGAIN_AFTER, connection.signal);
	}
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
