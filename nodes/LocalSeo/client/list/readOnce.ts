import isEqual from 'lodash/isEqual';

import type { Connection } from '../account';
import { hashOf, idOf } from '../http/records';
import type { ServiceRequest } from '../request';
import { concurrently } from '../time';
import { type Page, type Paging, readPage } from './page';

/** The most pages of a list that are requested together; the pace lets them start. */
const MAX_TOGETHER = 256;
/** The most pages that are read of one list, in case it never ends. */
const MAX_PAGES = 10_000;

/** The result of reading a list once. */
export interface Reading {
	/** In their order, each once. */
	records: unknown[];
	/** The largest total that a page states; absent: none does. */
	total?: number;
	/** The number of pages read. */
	pages: number;
	/**
	 * - `complete`: as many different records as the total; without a total, each record once up to the
	 *   end; or as many as the limit
	 * - `unequal`: another number, or a record came twice, so that another one may be missing
	 * - `same-page`: the first page came again in place of the second, although the total is larger
	 * - `endless`: more pages than are read
	 */
	end: 'complete' | 'unequal' | 'same-page' | 'endless';
	/** True if a list without a total ended with a page that had come before. */
	endsWithRepeat: boolean;
	/** The reading shows everything up to this time, by the account's clock (ms). */
	asOf: number;
}

/**
 * Reads a list once; it may change meanwhile. With a total, the pages that are missing are requested
 * together; without one, page after page until one is empty, does not exist or has nothing new.
 *
 * @throws ServiceError as `readPage` does, for any of its pages
 */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const first = await readPage(connection, request, paging);
	const pages = new Pages(first!, paging.limit);
	const stop = new AbortController();
	const signals = connection.signal ? [stop.signal, connection.signal] : [stop.signal];
	const own = { ...connection, signal: AbortSignal.any(signals) };
	try {
		while (!pages.isOver) {
			const jobs = pages
				.next()
				.map((number) => async () => await readPage(own, request, paging, number));
			for (const page of await concurrently(jobs, jobs.length)) pages.add(page);
		}
	} finally {
		// After a failure, nobody waits for the other pages.
		stop.abort();
	}
	return pages.reading;
}

/** Adds up the pages of one reading, and decides which to request next. */
class Pages {
	private readonly pages: Array<Page | undefined> = [];
	private readonly records: unknown[] = [];
	private readonly seen = new Set<string>();
	/** The number of records with repeats; a page that came before is none of the list. */
	private received = 0;
	/** The number of new records on the last page, and whether a page came that had come before. */
	private added = 0;
	private hasRepeat = false;
	/** The largest total that a page states. */
	private total?: number;

	constructor(
		private readonly first: Page,
		private readonly limit = Infinity,
	) {
		this.add(first);
	}

	get isOver(): boolean {
		const { records, limit, added, total = Infinity, received, pages } = this;
		const isEnough = records.length >= limit || received >= total;
		return isEnough || added === 0 || pages.length >= MAX_PAGES;
	}

	/** The numbers of the pages to request. Some services count their pages from 0, and say so. */
	next(): number[] {
		const { records, total = 0, limit, first, pages } = this;
		const needed = Math.ceil((Math.min(total, limit) - records.length) / first.records.length);
		const length = Math.min(Math.max(1, needed), MAX_TOGETHER, MAX_PAGES - pages.length);
		const from = pages.length + (first.number === 0 ? 0 : 1);
		return Array.from({ length }, (_, index) => from + index);
	}

	add(page: Page | undefined): void {
		const { records = [], total } = page ?? {};
		this.pages.push(page);
		if (total !== undefined) this.total = Math.max(total, this.total ?? 0);
		this.added = this.take(records);
		if (this.added > 0) this.received += records.length;
		else this.hasRepeat ||= records.length > 0;
	}

	/**
	 * Takes the records that are new: by ID or, without IDs, by their content and their place among the
	 * equal ones of a page.
	 *
	 * @returns how many there are
	 */
	private take(page: unknown[]): number {
		const before = this.records.length;
		const equal = new Map<string, number>();
		for (const record of page) {
			const id = idOf(record);
			const content = id === undefined ? hashOf(record) : '';
			const place = equal.get(content) ?? 0;
			equal.set(content, place + 1);
			const key = id === undefined ? `${content} ${place}` : `id ${id}`;
			if (this.seen.has(key)) continue;
			this.seen.add(key);
			this.records.push(record);
		}
		return this.records.length - before;
	}

	get reading(): Reading {
		const { records, total, pages, hasRepeat, end } = this;
		const asOf = Math.min(...pages.map((page) => page?.asOf ?? Infinity));
		const endsWithRepeat = hasRepeat && total === undefined;
		return { records, total, pages: pages.length, asOf, end, endsWithRepeat };
	}

	private get end(): Reading['end'] {
		const { records, limit, total, received, added, first, pages } = this;
		const isExact = records.length === (total ?? received);
		if (records.length >= limit) return 'complete';
		const isSamePage = isEqual(pages[1]?.records, first.records);
		if (!isExact && total !== undefined && isSamePage) return 'same-page';
		const isEndless = added > 0 && received < (total ?? Infinity);
		return isEndless ? 'endless' : isExact ? 'complete' : 'unequal';
	}
}
