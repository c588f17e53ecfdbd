import type { Connection } from '../account';
import type { ServiceRequest } from '../request';
import { Collection } from './collection';
import { isMissing, type Page, type Paging, requestPage } from './page';

/** How many pages of one list are requested concurrently, as far as the pace lets them start. */
const CONCURRENT_PAGES = 64;
/** The most pages of one list, for a service that never comes to an end. */
const MAX_PAGES = 10_000;

/** What one reading of a list came to. */
export interface Reading {
	/** In their order, each once. */
	records: unknown[];
	/** What the service says; a hint. */
	total?: number;
	/** Whether it was a list, and not a single record. */
	isList: boolean;
	/** Whether it is as long as the service says, or as its pages show; each record as often as it came. */
	addsUp: boolean;
	/** The same for sure: no record came twice, and its end was seen. */
	isComplete: boolean;
	/** Whether there are as many as the first page spoke of. */
	hasFirstTotal: boolean;
	/** Whether records came twice: a join gives them so, but others may have moved them down. */
	isRepeated: boolean;
	/** Whether the service says that there is more than its pages have. */
	isCut: boolean;
	/** Whether that is because a page came again in place of another one. */
	isAgain: boolean;
	/** Whether the second page was refused, where nothing says that there is one. */
	isFirstPageOnly: boolean;
	/** When its first request was sent; by the account's clock. */
	startedAt: number;
}

/**
 * Reads a list once; it may change meanwhile.
 *
 * @throws ServiceError as `requestPage` does, for any of its pages
 */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const pages = new Pages(await requestPage(connection, request, paging), paging.limit);
	while (!pages.isOver) {
		const requests = pages
			.next()
			.map(async (number) => await requestPage(connection, request, paging, number));
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
	private readonly limit: number;
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
		limit = Infinity,
	) {
		this.limit = limit;
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
		if (page.isList && records.length > 0 && meta.total !== undefined) {
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
		const { first, last, collection, count, received, total, end, hasEnough } = this;
		const { records, size } = collection;
		const isSilent = end === 'ended' || end === 'missing';
		const isExact = total !== undefined && this.isSteady && [size, received].includes(total);
		// A service that does not say which page it gives may count from 0: then one was left out.
		const isSure = end === 'ended' && first.meta.currentPage !== undefined;
		const saysMore = last.meta.hasMore === true || (this.lacks && !isSure);
		const isCut = !hasEnough && !isExact && (saysMore || end === 'lost');
		const addsUp = hasEnough || isExact || (total === undefined && !isCut);
		return {
			records,
			total,
			isList: first.isList,
			addsUp,
			hasFirstTotal: size >= (first.meta.total ?? 0),
			isRepeated: !hasEnough && size !== received,
			isComplete: addsUp && size === received && (total !== undefined || isSilent),
			isCut,
			isAgain: isCut && (end === 'again' || end === 'lost'),
			isFirstPageOnly: end === 'refused' && count === 1 && !isCut,
			startedAt: first.sentAt,
		};
	}
}
