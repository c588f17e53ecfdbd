import type { Connection } from '../account';
import { nameOf } from '../http/records';
import { ServiceError, type ServiceRequest } from '../request';
import type { Paging } from './page';
import { MAX_PAGES, readOnce } from './readOnce';

/** A list that does not add up is read again this often before it is given up. */
const READINGS = 3;
/** Milliseconds between readings: caches of a second are over by then. */
const READ_AGAIN_AFTER = 1_100;

/** What is behind a GET. */
export interface List {
	/** Of a list those that the limit allows, each once; of a single record that one; else none. */
	records: unknown[];
	/** Whether it is a list, or empty; not a single record. */
	isList: boolean;
	/** How many there are, as far as the service says so. */
	total?: number;
	/** Why these are not all; absent: they are. */
	incomplete?: ServiceError;
	/** Whether two equal readings have another number of records than the total. */
	isTotalWrong: boolean;
	/** Whether the service refused the second page, and nothing says that there is one. */
	isFirstPageOnly?: boolean;
}

/**
 * Reads a list. One that does not add up is read again. Two equal readings settle it, and so does one
 * that has all that the one before had, and as much as its first page spoke of: others add to it.
 * Nothing settles a list of which the service says that there is more, and one without an end is read once.
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
		const { completeness, isList, total, firstTotal = 0 } = reading;
		const records = reading.records.slice(0, limit);
		const isFirstPageOnly = completeness === 'first-page';
		const list: List = { records, isList, isFirstPageOnly, total, isTotalWrong: false };
		const isRepeated = completeness === 'repeated';
		const isSettled = isRepeated || completeness === 'unequal';
		const isEndless = completeness === 'endless';
		const isCut = completeness === 'cut' || completeness === 'same-page' || isEndless;
		if (!isSettled && !isCut) return list;
		// Who sets a limit wants some, and has what the service gives.
		const isSamePage = completeness === 'same-page';
		if (isSamePage && limit !== undefined) return list;
		const names = reading.records.map(nameOf);
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
 * The records of a list that is complete.
 *
 * @throws ServiceError as `readList` does, and `incomplete-list`
 */
export async function readRecords(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	const { records, incomplete } = await readList(connection, request, paging);
	if (incomplete) throw incomplete;
	return records;
}
