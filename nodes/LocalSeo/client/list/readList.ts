import type { Connection } from '../account';
import { nameOf } from '../http/records';
import { ServiceError, type ServiceRequest } from '../request';
import type { Paging } from './page';
import { readOnce } from './reading';

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
	/** Why these are not all; absent: they are. */
	incomplete?: ServiceError;
	/** Whether the service refused the second page, and nothing says that there is one. */
	isFirstPageOnly?: boolean;
}

/**
 * Reads a list. One that does not add up is read again. Two equal readings settle it, and so does one
 * that has all that the one before had, and as much as its first page spoke of: others add to it.
 * Nothing settles a list of which the service says that there is more.
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
		const { isList, isFirstPageOnly, isCut, isAgain, total, addsUp, isRepeated } = reading;
		const list = { records: reading.records.slice(0, limit), isList, isFirstPageOnly };
		// Who sets a limit wants some, and has what the service gives.
		if ((addsUp && !isRepeated) || (isAgain && limit !== undefined)) return list;
		const names = reading.records.map(nameOf);
		const known = new Set(names);
		const hasAll = previous?.every((name) => known.has(name)) ?? false;
		const isSame = hasAll && names.length === previous?.length;
		if (!isCut && (isSame || (hasAll && reading.hasFirstTotal))) return list;
		if (isSame || readings === READINGS) {
			const received = reading.records.length;
			const facts = { kind: 'incomplete-list', request, received, total, readings } as const;
			const cause = isAgain ? { pageParameter } : {};
			return { ...list, incomplete: new ServiceError({ ...facts, ...cause }) };
		}
		previous = names;
		if (!addsUp) await connection.account.clock.sleep(READ_AGAIN_AFTER, connection.signal);
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
