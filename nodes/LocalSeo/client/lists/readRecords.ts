import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { hashOf } from '../exchange/hashOf';
import { createdAtByClock, nameOf } from '../exchange/records';
import type { ServiceRequest } from '../exchange/request';
import { ListReading, type Reading } from './listReading';
import { type Page, type Paging, requestPage, wrongPage } from './page';

/** A list that does not add up is read again this often before it is given up. */
const READINGS = 3;
/** Milliseconds between readings: times come in whole seconds, so what was just created is older by then. */
const READ_AGAIN_AFTER_MS = 1_100;

/**
 * The records behind a GET: of a list those of as many pages as the limit needs, each record once;
 * of a single record that one; of an empty response none. A reading that does not add up is made
 * again; two equal readings settle it, also where records were added to the end meanwhile.
 *
 * @throws ServiceError as `send` does, `unexpected-response` for a response without `data`,
 * `wrong-page` when the service ignores the page parameter, and `incomplete-list` when the list
 * keeps changing, or has more records than its pages show
 */
export async function readRecords(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	let previous: Reading | undefined;
	for (let readings = 1; ; readings++) {
		const reading = await readOnce(connection, request, paging);
		const { records, total, isComplete, isCut, isSteady } = reading;
		if (isComplete) return records.slice(0, paging.limit);
		const isSame = previous !== undefined && digestOf(reading) === digestOf(previous);
		// Where pages overlap or speak of different totals, a record may have slipped between them.
		if (isSame && !isCut && isSteady) return records;
		if (previous && hasOnlyGrown(previous, reading)) return records;
		if (readings === READINGS || (isSame && isCut)) {
			const received = records.length;
			throw new ServiceError({ kind: 'incomplete-list', request, received, total, readings });
		}
		previous = reading;
		await connection.account.clock.sleep(READ_AGAIN_AFTER_MS, connection.signal);
	}
}

/**
 * Whether a later reading has what an earlier one had, in the same order, and after it only what is
 * younger than the earlier one: in a list to which others only add, nothing has slipped between pages.
 */
function hasOnlyGrown(earlier: Reading, later: Reading): boolean {
	if (!mayBeWhole(earlier) || !mayBeWhole(later) || earlier.beganAt === undefined) return false;
	const { beganAt } = earlier;
	return (
		earlier.records.length <= later.records.length &&
		earlier.records.every((record, index) => nameOf(record) === nameOf(later.records[index])) &&
		later.records
			.slice(earlier.records.length)
			.every((record) => (createdAtByClock(record) ?? 0) >= beganAt)
	);
}

function mayBeWhole({ isCalm, isCut, isOnce }: Reading): boolean {
	return isCalm && !isCut && isOnce;
}

/** Reads a list once; it may change meanwhile. */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	return await readFrom(await firstPage(connection, request, paging), connection, request, paging);
}

/** A list of more pages is long. */
const LONG = 4;

/**
 * A list, or of a long one the first and the last page: where new records are, in most orders.
 */
export async function readOrPeek(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading | { ends: unknown[]; sentAt?: number }> {
	const first = await firstPage(connection, request, paging);
	const { total = 0, currentPage = 1 } = first.meta;
	const pages = Math.ceil(total / first.records.length);
	const isLong = first.isList && first.records.length > 0 && pages > LONG;
	if (!isLong) return await readFrom(first, connection, request, paging);
	const last = await requestPage(connection, request, paging, pages - 1 + currentPage);
	return { ends: [...first.records, ...last.records], sentAt: first.sentAt };
}

async function firstPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Page> {
	const first = await requestPage(connection, request, paging);
	if (first.isOther) throw wrongPage(request, paging);
	return first;
}

async function readFrom(
	first: Page,
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const { limit = Infinity } = paging;
	const read = async (number: number) => await requestPage(connection, request, paging, number);
	return await new ListReading(first, limit, read, () => wrongPage(request, paging)).run();
}

/** The same for the same records in the same order. */
export function digestOf({ records, total }: Reading): string {
	return hashOf([total, records.map(nameOf)]);
}
