import { createHash } from 'node:crypto';

import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { idOf } from '../exchange/records';
import type { ServiceRequest } from '../exchange/request';
import { Collection } from './collection';
import { isRepeated, type Page, type Paging, readPage, wrongPage } from './page';

/** How many pages of one list are requested concurrently, as far as the pacer lets them start. */
export const CONCURRENT_PAGES = 16;
/** A list that does not add up is read again this often before it is given up. */
const READINGS = 3;
/** Milliseconds between readings: times come in whole seconds, so what was just created is older by then. */
const READ_AGAIN_AFTER_MS = 1_100;
/** After so many pages in a row without a new record, a list is over. */
const MAX_FRUITLESS = 3;
/** The most pages of one list, for a service that never comes to an end. */
const MAX_PAGES = 10_000;

/** What one reading of a list came to. */
export interface Reading {
	records: unknown[];
	/** What the service says; a hint. */
	total?: number;
	/** Whether every record that was there all the time is here, as far as one reading can show. */
	isComplete: boolean;
	/** Whether nothing hints at records that were removed meanwhile. */
	isCalm: boolean;
	/** Whether the service says that there is more than its pages have. */
	isCut: boolean;
	/** Whether it was a list, and not a single record or none. */
	isList: boolean;
	/** Whether its total stayed the same and no record came twice. */
	isSteady: boolean;
}

/**
 * The records behind a GET: of a list those of as many pages as the limit needs, each record once;
 * of a single record that one; of an empty response none.
 *
 * What the service says of its list (`meta.total` and the like) is a hint, tested against what
 * comes: pages are read until one is missing, empty, or short without a sign of more. A reading that
 * does not add up is made again; two equal readings settle it.
 *
 * @throws ServiceError as `readPage` does, `wrong-page` when the service ignores the page parameter,
 * and `incomplete-list` when the list keeps changing, or has more records than its pages show
 */
export async function readRecords(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	let previous: string | undefined;
	for (let readings = 1; ; readings++) {
		const reading = await readOnce(connection, request, paging);
		const { records, total, isComplete, isCut } = reading;
		if (isComplete) return records.slice(0, paging.limit);
		const digest = digestOf(reading);
		if (digest === previous && !isCut) return records;
		if (readings === READINGS || (digest === previous && isCut)) {
			const received = records.length;
			throw new ServiceError({ kind: 'incomplete-list', request, received, total, readings });
		}
		previous = digest;
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
	const { total } = first.meta;
	const size = first.records.length;
	if (!first.isList || size >= limit) {
		const { records, isList } = first;
		return { records, isComplete: true, isCalm: true, isCut: false, isList, isSteady: true };
	}

	const pages = [first, ...(await readPlanned(first, limit, read))];
	const collection = new Collection(first.records);
	let repeated = 0;
	/** Pages in a row that had nothing new: records may have moved down while they were read. */
	let fruitless = 0;
	let last = first;
	/** Puts a page to the others; false where the list is over. */
	const add = (page: Page): boolean => {
		if (page.records.length === 0) return false;
		const added = collection.add(page.records);
		repeated += page.records.length - added;
		fruitless = added > 0 ? 0 : fruitless + 1;
		last = page;
		if (!isRepeated(page, first)) return fruitless < MAX_FRUITLESS;
		// Without any sign of more, it is a list of one page that ignores what it does not need.
		if ((total ?? 0) > size || first.meta.hasMore === true) throw wrongPage(request, paging);
		return false;
	};
	let isGoingOn = size > 0;
	for (const page of pages.slice(1)) {
		isGoingOn = add(page);
		if (!isGoingOn) break;
	}
	// Where the service does not say how long a page is, its first one shows it; a list that fits on
	// the first one is over where the total says so.
	const { perPage } = first.meta;
	const pageSize = total === undefined ? size : (perPage ?? (total === size ? Infinity : size));
	const isFull = ({ records }: Page) => records.length >= pageSize;
	const mayHaveMore = () =>
		last.meta.hasMore === true ||
		isFull(last) ||
		(repeated === 0 && collection.size < (total ?? 0));
	while (isGoingOn && collection.size < limit && mayHaveMore() && last.number < MAX_PAGES) {
		const page = await read(last.number + 1).catch((error: unknown) => error as Error);
		if (page instanceof Error) {
			// There need be none: services refuse a page past the end in several ways.
			if (total !== undefined && collection.size >= total && isNoPage(page)) break;
			throw page;
		}
		pages.push(page);
		isGoingOn = add(page);
	}

	const isEnough = collection.size >= limit;
	const isSteady = repeated === 0 && pages.every(({ meta }) => (meta.total ?? total) === total);
	const hasAll = total === undefined || collection.size >= total;
	const isEndless = isGoingOn && last.number >= MAX_PAGES;
	const isCut = !isEnough && (isEndless || last.meta.hasMore === true);
	const isCalm = hasAll && pages.every(({ meta }) => (meta.total ?? total ?? 0) >= (total ?? 0));
	const isComplete = isEnough || (!isCut && holdsAll(first, collection, isSteady));
	const { records } = collection;
	return { records, total, isCalm, isComplete, isCut, isList: true, isSteady };
}

function isNoPage(error: Error): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	return kind === 'wrong-page' || (kind === 'rejected' && status >= 400 && status < 500);
}

/**
 * The pages after the first that the total speaks of, some at a time. The total is no loop count:
 * reading stops at the first page that is missing or empty, and where the pages are all the same.
 */
async function readPlanned(
	first: Page,
	limit: number,
	read: (number: number) => Promise<Page>,
): Promise<Page[]> {
	const size = first.records.length;
	const planned = Math.min(
		MAX_PAGES,
		size === 0 ? 1 : Math.ceil(Math.min(first.meta.total ?? 0, limit) / size),
	);
	const pages = new Map<number, Page>();
	const workers: Array<Promise<void>> = [];
	let next = 2;
	let isOver = false;
	let failure: unknown;
	const work = async () => {
		while (next <= planned && !isOver) {
			const number = next++;
			try {
				const page = await read(number);
				if (page.records.length === 0 || isRepeated(page, first)) isOver = true;
				pages.set(number, page);
				addWorkers();
			} catch (error) {
				isOver = true;
				failure ??= error;
			}
		}
	};
	// A few at first, and more with each page that is really there.
	const addWorkers = () => {
		const wanted = Math.min(CONCURRENT_PAGES, planned - 1, 2 + 2 * pages.size);
		while (!isOver && workers.length < wanted) workers.push(work());
	};
	addWorkers();
	for (let index = 0; index < workers.length; index++) await workers[index];
	if (failure !== undefined) throw failure;
	const inOrder: Page[] = [];
	for (let number = 2; pages.has(number); number++) inOrder.push(pages.get(number) as Page);
	return inOrder;
}

/**
 * Whether all records that were there at the start are in the collection: when as many in it are
 * older than the reading as there were. So a record that was removed can't hide behind one that was
 * added. Where records or responses are not dated, totals that stay the same have to do; without a
 * total, a list that ends.
 */
function holdsAll(first: Page, collection: Collection, isSteady: boolean): boolean {
	const { total } = first.meta;
	if (total === undefined) return true;
	if (isSteady && collection.size === total && collection.size === first.records.length)
		return true;
	const older = first.answeredAt && collection.countBefore(first.answeredAt);
	return older === undefined ? isSteady && collection.size === total : older >= total;
}

function digestOf({ records, total }: Reading): string {
	const names = records.map((record) => idOf(record) ?? JSON.stringify(record));
	return createHash('sha256')
		.update(JSON.stringify([total, names]))
		.digest('base64');
}
