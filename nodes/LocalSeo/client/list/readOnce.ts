import type { Connection } from '../account';
import type { ServiceRequest } from '../request';
import { Collection } from './collection';
import { isMissing, type Page, type Paging, readPage } from './page';

/** How many pages of one list are requested concurrently, as far as the pace lets them start. */
const CONCURRENT_PAGES = 64;
/** The most pages of one list, for a service that never comes to an end. */
export const MAX_PAGES = 10_000;

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
 * - `endless`: it has as many pages as are read at most, and goes on
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
	| 'endless'
	| 'same-page';

/** What one reading of a list came to. */
export interface Reading {
	/** In their order, each once. */
	records: unknown[];
	completeness: Completeness;
	/** What the service says, and what its first page said; hints. */
	total?: number;
	firstTotal?: number;
	/** Whether it was a list, and not a single record. */
	isList: boolean;
	/** When its first request was sent; by the account's clock. */
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
				const page = readPage(connection, request, paging, number);
				page.catch(() => {});
				requested.push(page);
			}
			pages.add(await requested.shift()!);
		}
	} finally {
		// What was asked for behind the end does not count.
		await Promise.allSettled(requested);
	}
	return pages.reading;
}

/**
 * How a list ends: by itself, or with a page that is missing (404), refused, or one that came before;
 * `lost` with another page than the one asked for, or one that has lost its records; `endless` where it
 * never does.
 */
type ListEnd = 'ended' | 'missing' | 'refused' | 'again' | 'lost' | 'endless';

/** The pages of one reading, one after the other: what they come to, and which are next. */
class Pages {
	private readonly collection = new Collection();
	/** Of the pages that came, the last one; how many there are, and their records. */
	private last: Page;
	private count = 0;
	private received = 0;
	private total?: number;
	/** Whether all pages have the same total, and whether that is only of the page that has it. */
	private isSteady = true;
	private isOfPage = false;
	private isFresh = true;
	private end?: ListEnd;

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
	 * The numbers of the pages to request next, besides so many: as many as the total speaks of, a few at
	 * first, and more with each page that is really there; without a total, one.
	 */
	next(requested: number): number[] {
		const { count, first, received, total = 0, limit, collection } = this;
		const missing = Math.min(total - received, limit - collection.size);
		const planned = Math.ceil(missing / first.records.length);
		const most = Math.min(2 * count, CONCURRENT_PAGES, MAX_PAGES - count);
		// Some count their pages from 0.
		const from = requested + (first.meta.currentPage === 0 ? count : count + 1);
		const length = Math.max(1, Math.min(planned, most)) - requested;
		return Array.from({ length: Math.max(0, length) }, (_, index) => from + index);
	}

	add(page: Page): void {
		const { records, refusal, isOther, isLost } = page;
		this.isFresh &&= page.isFresh;
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
		this.isOfPage ||= this.mayGoOn && added > 0;
		this.count++;
		this.received += records.length;
		this.noteTotal(page);
		this.end = isLost && this.lacks ? 'lost' : this.endAt(page);
	}

	private noteTotal({ records, meta: { total }, isLost }: Page): void {
		// None on a page without records may be the number of that page.
		const isOfList = records.length > 0 ? !this.isOfPage || total !== records.length : isLost;
		if (this.isOfPage && this.total === this.first.records.length) this.total = undefined;
		if (total === undefined || !isOfList) return;
		this.isSteady &&= total === (this.total ?? total);
		this.total = total;
	}

	/** Whether the first page is full, and its total no more than that: some count the page. */
	private get mayGoOn(): boolean {
		const { records, meta, isFull } = this.first;
		const isOwn = records.length > 0 && meta.total === records.length;
		return this.count === 1 && isFull && isOwn && meta.hasMore === undefined;
	}

	/** Whether the total counts a page of known records: a join gives some of them twice. */
	private isRest({ records: { length } }: Page): boolean {
		return length < this.first.records.length && this.received + length === this.total;
	}

	private endAt({ records, meta: { hasMore }, isList }: Page): ListEnd | undefined {
		if (records.length === 0 || !isList) return 'ended';
		if (this.count >= MAX_PAGES) return 'endless';
		if (hasMore === true || this.lacks || this.mayGoOn) return undefined;
		// A page size that it states may be the one that was asked for.
		const isShort = records.length < this.first.records.length;
		return hasMore === false || this.received === this.total || isShort ? 'ended' : undefined;
	}

	get reading(): Reading {
		const { first, completeness, total, isFresh, collection } = this;
		const [{ isList, meta, sentAt }, { records }] = [first, collection];
		const firstTotal = meta.total;
		return { records, completeness, total, firstTotal, isList, startedAt: sentAt, isFresh };
	}

	private get completeness(): Completeness {
		const { first, last, collection, count, received, total, end } = this;
		if (this.hasEnough) return 'enough';
		const isExact = this.isSteady && (total === collection.size || total === received);
		// A service that does not say which page it gives may count from 0: then one was left out.
		const isSure = end === 'ended' && first.meta.currentPage !== undefined;
		const saysMore = last.meta.hasMore === true || (this.lacks && !isSure);
		if (end === 'endless') return end;
		if (!isExact && (saysMore || end === 'lost')) {
			const isSame = end === 'again' || (end === 'lost' && !last.isLost);
			return isSame ? 'same-page' : 'cut';
		}
		if (!isExact && total !== undefined) return 'unequal';
		if (collection.size !== received) return 'repeated';
		if (isExact || end === 'ended' || end === 'missing') return 'complete';
		return end === 'refused' && count === 1 ? 'first-page' : 'unpaged';
	}
}
