import type { Connection } from '../account';
import { concurrently } from '../concurrently';
import { ServiceError } from '../errors';
import type { ServiceRequest } from '../exchange/request';
import { Collection } from './collection';
import { type Page, type Paging, readPage, wrongPage } from './page';

/** How many pages of one list are asked for concurrently, as far as the pacer lets them start. */
export const CONCURRENT_PAGES = 16;
/** A list that changes while it is read is read again this often before it is given up. */
const READINGS = 3;
/** Milliseconds between readings: times come in whole seconds, so what was just created is older by then. */
const READ_AGAIN_AFTER_MS = 1_100;

/** What one reading of a list came to. */
export interface Reading {
	records: unknown[];
	total?: number;
	/** Whether every record that was there all the time is here, as far as can be known. */
	isComplete: boolean;
	/** Whether nothing hints at records that were removed meanwhile. */
	isCalm: boolean;
}

/**
 * The records behind a GET: of a list those of as many pages as the limit needs, each record once;
 * of a single record that one; of an empty response none.
 *
 * Page 1 says how many there are (`meta.total`); the others follow concurrently. Without a total,
 * pages follow one another until one is short, empty or holds nothing new.
 *
 * @throws ServiceError as `readPage` does, `wrong-page` when the service ignores the page parameter,
 * and `incomplete-list` when the records do not add up to its total after three readings
 */
export async function readRecords(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	for (let times = 1; ; times++) {
		const { records, total, isComplete } = await readOnce(connection, request, paging);
		if (isComplete) return records.slice(0, paging.limit);
		if (times === READINGS) {
			const received = records.length;
			const readings = READINGS;
			throw new ServiceError({ kind: 'incomplete-list', request, received, total, readings });
		}
		await connection.account.clock.sleep(READ_AGAIN_AFTER_MS, connection.signal);
	}
}

/** Reads a list once; it may change meanwhile. */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const limit = paging.limit ?? Infinity;
	const read = async (number: number) => await readPage(connection, request, paging, number);
	const first = await read(1);
	const collection = new Collection(first.records);
	const { records } = collection;
	const size = first.records.length;
	const { total } = first.meta;

	if (!first.isList || size >= limit) return { records, isComplete: true, isCalm: true };
	if (total === undefined) {
		for (let page = first; page.records.length >= size && size > 0 && collection.size < limit; ) {
			page = await read(page.number + 1);
			if (collection.add(page.records) === 0) break;
		}
		return { records, isComplete: true, isCalm: true };
	}

	// The first page is full if there is a second one, so its length is the true page size.
	const last = size === 0 ? 1 : Math.ceil(Math.min(total, limit) / size);
	const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
	const pages = await concurrently(
		numbers.map((number) => async () => await read(number)),
		CONCURRENT_PAGES,
	);
	let repeated = 0;
	for (const page of pages) {
		const added = collection.add(page.records);
		if (added === 0 && page.records.length > 0 && page.meta.currentPage === undefined) {
			throw wrongPage(request, paging);
		}
		repeated += page.records.length - added;
	}
	const isCalm =
		pages.every(({ meta }) => (meta.total ?? total) >= total) && collection.size >= total;
	const isSteady = isCalm && repeated === 0 && pages.every(({ meta }) => meta.total === total);
	const isEnough = collection.size >= limit;
	return {
		records,
		total,
		isCalm,
		isComplete: isEnough || holdsAll(collection, total, first, last, isSteady),
	};
}

/**
 * Whether all records that were there at the start are in the collection: when as many in it are
 * older than the reading as there were. So a record that was removed can't hide behind one that was
 * added. Where records or responses are not dated, totals that stay the same have to do.
 */
function holdsAll(
	collection: Collection,
	total: number,
	first: Page,
	last: number,
	isSteady: boolean,
) {
	const older = first.answeredAt && collection.countBefore(first.answeredAt);
	return last === 1 || older === undefined ? isSteady : older >= total;
}
