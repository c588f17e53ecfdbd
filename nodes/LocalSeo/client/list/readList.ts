import type { Connection } from '../account';
import { nameOf } from '../http/records';
import type { JsonObject } from '../ports';
import { ServiceError, type ServiceRequest } from '../request';
import { Collection } from './collection';
import { isMissing, type Page, type Paging, readPage } from './page';

/** A list that does not add up is read again this often before it is given up. */
const READINGS = 3;
/** Milliseconds between readings: caches of a second are over by then. */
const READ_AGAIN_AFTER = 1_100;
/** How many pages of one list are requested concurrently, as far as the pace lets them start. */
const CONCURRENT_PAGES = 64;
/** The most pages of one list, for a service that never comes to an end. */
const MAX_PAGES = 10_000;

/** What is behind a GET. */
export interface List {
	/** Of a list those that the limit allows, each once; of a single record that one; else none. */
	records: unknown[];
	/** Whether it is a list, or empty; not a single record. */
	isList: boolean;
	/** How many there are, as far as the service says so. */
	total?: number;
	/** How many of them came: more than the limit allows, perhaps. */
	received: number;
	/** What was sent beside `data`. */
	beside?: JsonObject;
	/** Why these are not all; absent: they are. */
	incomplete?: ServiceError;
	/** Whether the service refused the second page, and nothing says that there is one. */
	isFirstPageOnly?: boolean;
}

/**
 * Whether one reading has the whole list:
 *
 * - `complete`: as many records as the service says; without a total, all up to where it ended
 * - `enough`: as many as the limit
 * - `first-page`: the second page was refused, and nothing says that there is one
 * - `unpaged`: another page was refused or came again, and nothing says that there is more
 * - `repeated`: complete, but records came twice: a join gives them so, or others have moved them down
 * - `unequal`: it ended, with another number of records than the service says
 * - `cut`: the service says that there is more than its pages have
 * - `same-page`: the same, because a page came again in place of another one
 */
type Completeness =
	| 'complete'
	| 'enough'
	| 'first-page'
	| 'unpaged'
	| 'repeated'
	| 'unequal'
	| 'cut'
	| 'same-page';

/** What one reading of a list came to. */
interface Reading {
	/** In their order, each once. */
	records: unknown[];
	completeness: Completeness;
	/** What the service says, and what its first page said; hints. */
	total?: number;
	firstTotal?: number;
	/** Its first page: whether it was a list, and not a single record, and what was beside it. */
	first: Page;
	/** When its first request was sent; by the account's clock. */
	startedAt: number;
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
		const { completeness, first, total, firstTotal = 0 } = reading;
		const { isList, beside, within } = first;
		const records = reading.records.slice(0, limit);
		const list = {
			records: within ? [{ ...within.object, [within.key]: records }] : records,
			received: reading.records.length,
			isFirstPageOnly: completeness === 'first-page',
			...{ isList: isList && !within, total, beside },
		};
		const isRepeated = completeness === 'repeated';
		const isSettled = isRepeated || completeness === 'unequal';
		const isCut = completeness === 'cut' || completeness === 'same-page';
		if (!isSettled && !isCut) return list;
		// Who sets a limit wants some, and has what the service gives.
		const isSamePage = completeness === 'same-page';
		if (isSamePage && limit !== undefined) return list;
		const names = reading.records.map(nameOf);
		const known = new Set(names);
		const hasAll = previous?.every((name) => known.has(name)) ?? false;
		const isSame = hasAll && names.length === previous?.length;
		if (!isCut && (isSame || (hasAll && names.length >= firstTotal))) return list;
		if (isSame || readings === READINGS) {
			const facts = { request, received: names.length, total };
			const cause = isSamePage ? { pageParameter } : {};
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

/**
 * Reads a list once; it may change meanwhile.
 *
 * @throws ServiceError as `readPage` does, for any of its pages
 */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const pages = new Pages(await readPage(connection, request, paging), paging.limit);
	while (!pages.isOver) {
		const requests = pages
			.next()
			.map(async (number) => await readPage(connection, request, paging, number));
		for (const result of await Promise.allSettled(requests)) {
			// What was asked for behind the end does not count.
			if (pages.isOver) break;
			if (result.status === 'rejected') throw result.reason;
			pages.add(result.value);
		}
	}
	return pages.reading;
}

/**
 * How a list ends: by itself, or with a page that is missing (404), refused, or one that came before;
 * `lost` with another page than the one asked for, or where it never ends.
 */
type End = 'ended' | 'missing' | 'refused' | 'again' | 'lost';

/** The pages of one reading, one after the other: what they come to, and which are next. */
class Pages {
	private readonly collection = new Collection();
	/** Of the pages that came, the last one; how many there are, and their records. */
	private last: Page;
	private count = 0;
	private received = 0;
	private total?: number;
	/** Whether all pages have the same total. */
	private isSteady = true;
	private end?: End;

	constructor(
		private readonly first: Page,
		private readonly limit = Infinity,
	) {
		this.last = first;
		this.add(first);
	}

	get isOver(): boolean {
		return this.end !== undefined || this.hasEnough;
	}

	private get hasEnough(): boolean {
		return this.collection.size >= this.limit;
	}

	private get lacks(): boolean {
		return this.received < (this.total ?? 0);
	}

	/**
	 * The numbers of the pages to request next: as many as the total speaks of, a few at first, and more
	 * with each page that is really there; without a total, one.
	 */
	next(): number[] {
		const { count, first, received, total = 0, limit, collection } = this;
		const missing = Math.min(total - received, limit - collection.size);
		const planned = Math.ceil(missing / first.records.length);
		const most = Math.min(2 * count, CONCURRENT_PAGES, MAX_PAGES - count);
		// Some count their pages from 0.
		const from = first.meta.currentPage === 0 ? count : count + 1;
		const length = Math.max(1, Math.min(planned, most));
		return Array.from({ length }, (_, index) => from + index);
	}

	add(page: Page): void {
		const { records, meta, refusal, isOther } = page;
		if (refusal) {
			this.end = isMissing(page) ? 'missing' : 'refused';
			return;
		}
		const added = this.collection.add(records);
		if (isOther || (records.length > 0 && added === 0 && !this.isRest(page))) {
			this.end = added === 0 ? 'again' : 'lost';
			return;
		}
		this.last = page;
		this.count++;
		this.received += records.length;
		// None on a page without records may be the number of that page.
		if (records.length > 0 && meta.total !== undefined) {
			this.isSteady &&= meta.total === (this.total ?? meta.total);
			this.total = meta.total;
		}
		this.end = this.endAt(page);
	}

	/** Whether the total counts a page of known records: a join gives some of them twice. */
	private isRest({ records: { length } }: Page): boolean {
		return length < this.first.records.length && this.received + length === this.total;
	}

	private endAt({ records, meta: { hasMore }, isList }: Page): End | undefined {
		if (records.length === 0 || !isList) return 'ended';
		if (this.count >= MAX_PAGES) return 'lost';
		if (hasMore === true || this.lacks) return undefined;
		// A page size that it states may be the one that was asked for.
		const isShort = records.length < this.first.records.length;
		return hasMore === false || this.received === this.total || isShort ? 'ended' : undefined;
	}

	get reading(): Reading {
		const { first, completeness, total, collection } = this;
		const [{ meta, sentAt }, { records }] = [first, collection];
		return { records, completeness, total, firstTotal: meta.total, first, startedAt: sentAt };
	}

	private get completeness(): Completeness {
		const { first, last, collection, count, received, total, end } = this;
		if (this.hasEnough) return 'enough';
		const isExact = this.isSteady && (total === collection.size || total === received);
		// A service that does not say which page it gives may count from 0: then one was left out.
		const isSure = end === 'ended' && first.meta.currentPage !== undefined;
		const saysMore = last.meta.hasMore === true || (this.lacks && !isSure);
		if (!isExact && (saysMore || end === 'lost')) {
			return end === 'again' || end === 'lost' ? 'same-page' : 'cut';
		}
		if (!isExact && total !== undefined) return 'unequal';
		if (collection.size !== received) return 'repeated';
		if (isExact || end === 'ended' || end === 'missing') return 'complete';
		return end === 'refused' && count === 1 ? 'first-page' : 'unpaged';
	}
}
