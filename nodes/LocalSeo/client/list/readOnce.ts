import type { Connection } from '../account';
import { hashOf, idOf } from '../http/records';
import type { ServiceRequest } from '../request';
import { isMissing, type Page, type Paging, readPage } from './page';

/** The most pages of one list that are requested concurrently, as far as the pace lets them start. */
const CONCURRENT_PAGES = 64;
/** The most pages that are read of one list, in case it never ends. */
export const MAX_PAGES = 10_000;

/**
 * How much of the list one reading has:
 *
 * - `complete`: as many records as the total; without a total, all up to the end; or as many as the limit
 * - `ended`: nothing announces more, but the second page was refused (`first-page`), or a later one was
 *   refused or came again (`unpaged`)
 * - `incomplete`: records came twice, since others have moved them to a later page (`repeated`); it ended
 *   with another number than the total (`unequal`); more are announced than came (`cut`), because a page
 *   came again in place of another one (`same-page`), or because it never ends (`endless`)
 */
export type Completeness =
	| { kind: 'complete'; reason?: undefined }
	| { kind: 'ended'; reason: 'first-page' | 'unpaged' }
	| { kind: 'incomplete'; reason: 'repeated' | 'unequal' | 'cut' | 'same-page' | 'endless' };

/** The result of reading a list once. */
export interface Reading {
	/** In their order, without repeats. */
	records: unknown[];
	completeness: Completeness;
	/** Hints: the latest total that the service has stated, and that of its first page. */
	total?: number;
	firstTotal?: number;
	/** Whether its last page announces another one. */
	announcesMore: boolean;
	/** The first page: it tells whether this is a list, and what came beside it. */
	first: Page;
	/** The time of the first request, by the account's clock. */
	startedAt: number;
	/** Whether no cache may have kept any of its pages. */
	isFresh: boolean;
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
	const requested: Array<Promise<Page>> = [];
	try {
		while (!pages.isOver) {
			for (const number of pages.next(requested.length)) {
				const page = readPage(connection, request, paging, number, pages.firstNumber);
				page.catch(() => {});
				requested.push(page);
			}
			pages.add(await requested.shift()!);
		}
	} finally {
		// Pages that were requested behind the end are awaited and ignored.
		await Promise.allSettled(requested);
	}
	return pages.reading;
}

/**
 * How the reading of a list ended:
 *
 * - `ended`: with a last page
 * - `missing`: with a page that does not exist (404)
 * - `refused`: with a page that the service refused
 * - `again`: with a page that came before
 * - `lost`: with another page than the one requested, or with one that has lost its records
 * - `endless`: at the most pages that are read
 */
type ListEnd = 'ended' | 'missing' | 'refused' | 'again' | 'lost' | 'endless';

/** Adds up the pages of one reading, and decides which to request next. */
class Pages {
	private readonly collection = new Collection();
	/** The last page that came, the number of pages, and the number of their records. */
	private last: Page;
	private count = 0;
	private received = 0;
	private total?: number;
	/** `hasOneTotal`: all pages state one total. `isTotalOfPage`: the total counts the records of its page. */
	private hasOneTotal = true;
	private isTotalOfPage = false;
	private isFresh = true;
	/** Some services count their pages from 0; of these, some do so in what they say alone. */
	firstNumber: number;
	private end?: ListEnd;

	constructor(
		private readonly first: Page,
		private readonly limit = Infinity,
	) {
		this.last = first;
		this.firstNumber = first.meta.currentPage === 0 ? 0 : 1;
		this.add(first);
	}

	get isOver(): boolean {
		return this.end !== undefined || this.hasEnough;
	}

	private get hasEnough(): boolean {
		return this.collection.size >= this.limit;
	}

	private get hasFewerThanTotal(): boolean {
		return this.received < (this.total ?? 0);
	}

	/**
	 * The numbers of the pages to request beside those that are: as many as the total allows, a few at
	 * first, and more with each page that exists; without a total, one at a time.
	 */
	next(requested: number): number[] {
		const { count, first, received, total = 0, limit, collection } = this;
		const missing = Math.min(total - received, limit - collection.size);
		const planned = Math.ceil(missing / first.records.length);
		const most = Math.min(2 * count, CONCURRENT_PAGES, MAX_PAGES - count);
		const from = requested + count + this.firstNumber;
		const length = Math.max(1, Math.min(planned, most)) - requested;
		return Array.from({ length: Math.max(0, length) }, (_, index) => from + index);
	}

	add(page: Page): void {
		const { records, refusal, isOtherPage, hasLostRecords } = page;
		this.isFresh &&= page.isFresh;
		if (refusal) {
			this.end = isMissing(page) ? 'missing' : 'refused';
			return;
		}
		const added = this.collection.add(records);
		if (records.length > 0 && added === 0 && this.count === 1 && this.firstNumber === 0) {
			this.firstNumber = 1;
			return;
		}
		if (isOtherPage || (records.length > 0 && added === 0 && !this.completesTotal(page))) {
			this.end = added === 0 ? 'again' : 'lost';
			return;
		}
		this.last = page;
		this.isTotalOfPage ||= this.mayTotalCountPage && added > 0;
		this.count++;
		this.received += records.length;
		this.noteTotal(page);
		this.end = hasLostRecords && this.hasFewerThanTotal ? 'lost' : this.endAt(page);
	}

	private noteTotal({ records, meta: { total }, hasLostRecords }: Page): void {
		// The total on a page without records may be that of the page alone.
		const isOfList =
			records.length > 0 ? !this.isTotalOfPage || total !== records.length : hasLostRecords;
		if (this.isTotalOfPage && this.total === this.first.records.length) this.total = undefined;
		if (total === undefined || !isOfList) return;
		this.hasOneTotal &&= total === (this.total ?? total);
		this.total = total;
	}

	/** True if the first page is full, and its total just its own length: some services count the page. */
	private get mayTotalCountPage(): boolean {
		const { records, meta, isFull } = this.first;
		const isOwn = records.length > 0 && meta.total === records.length;
		return this.count === 1 && isFull && isOwn && meta.hasMore === undefined;
	}

	/** True if a page without new records completes the total: a join repeats some records. */
	private completesTotal({ records: { length } }: Page): boolean {
		return length < this.first.records.length && this.received + length === this.total;
	}

	private endAt({ records, meta: { hasMore }, isList }: Page): ListEnd | undefined {
		if (records.length === 0 || !isList) return 'ended';
		if (this.count >= MAX_PAGES) return 'endless';
		if (hasMore === true || this.hasFewerThanTotal || this.mayTotalCountPage) return undefined;
		// A page size that the service states may only repeat the one that was requested, so it is not compared.
		const isShort = records.length < this.first.records.length;
		return hasMore === false || this.received === this.total || isShort ? 'ended' : undefined;
	}

	/** A total that is not certainly that of the list counts only where a page did not come. */
	private get missedTotal(): number | undefined {
		const { otherTotal = 0 } = this.last.meta;
		const isCut = this.end === 'refused' || this.end === 'again' || this.end === 'lost';
		return isCut && otherTotal > this.received ? otherTotal : undefined;
	}

	get reading(): Reading {
		const { first, last, completeness, isFresh, collection } = this;
		const total = this.total ?? this.missedTotal;
		const [{ meta, sentAt }, { records }] = [first, collection];
		const hints = { total, firstTotal: meta.total, announcesMore: last.meta.hasMore === true };
		return { records, completeness, ...hints, first, startedAt: sentAt, isFresh };
	}

	private get completeness(): Completeness {
		const { first, last, collection, count, received, total, end } = this;
		if (this.hasEnough) return { kind: 'complete' };
		const isExact = this.hasOneTotal && (total === collection.size || total === received);
		// A service that does not state the page number may count from 0, in which case one page was left out.
		const isSure = end === 'ended' && first.meta.currentPage !== undefined;
		const saysMore = last.meta.hasMore === true || (this.hasFewerThanTotal && !isSure);
		if (end === 'endless') return { kind: 'incomplete', reason: end };
		if (!isExact && (saysMore || this.missedTotal !== undefined || end === 'lost')) {
			const isSame = end === 'again' || (end === 'lost' && !last.hasLostRecords);
			return { kind: 'incomplete', reason: isSame ? 'same-page' : 'cut' };
		}
		if (!isExact && total !== undefined) return { kind: 'incomplete', reason: 'unequal' };
		if (collection.size !== received) return { kind: 'incomplete', reason: 'repeated' };
		if (isExact || end === 'ended' || end === 'missing') return { kind: 'complete' };
		return { kind: 'ended', reason: end === 'refused' && count === 1 ? 'first-page' : 'unpaged' };
	}
}

/** Collects the records of a list in order, without repeats: by ID or, without IDs, by whole pages. */
export class Collection {
	readonly records: unknown[] = [];
	private readonly seen = new Set<string>();

	get size(): number {
		return this.records.length;
	}

	/** Returns the number of new records. A record without an ID is new unless its whole page is known. */
	add(page: unknown[]): number {
		// The rows of a table may all have the ID of their common subject.
		const own = page.map(idOf);
		// The rows of a table may all have the ID of their common subject.
		const ids = areShared(own, page) ? own.map(() => undefined) : own;
		if (ids.includes(undefined)) {
			const pageKey = hashOf(page);
			if (this.seen.has(pageKey)) return 0;
			this.seen.add(pageKey);
		}
		const before = this.size;
		for (const [at, id] of ids.entries()) {
			if (id !== undefined && this.seen.has(`id ${id}`)) continue;
			if (id !== undefined) this.seen.add(`id ${id}`);
			this.records.push(page[at]);
		}
		return this.size - before;
	}
}

/** True if two different records of a page share an ID, which then does not identify a record. */
function areShared(ids: Array<string | undefined>, page: unknown[]): boolean {
	const byId = new Map<string, unknown>();
	return ids.some((id, at) => {
		if (id === undefined) return false;
		const known = byId.get(id);
		byId.set(id, page[at]);
		return known !== undefined && JSON.stringify(known) !== JSON.stringify(page[at]);
	});
}
