import type { Connection } from '../account';
import { hashOf, idOf } from '../http/records';
import type { ServiceRequest } from '../request';
import { type Page, type Paging, readPage } from './page';

/** The pages that are requested together at first, and the most; the pace lets them start. */
const TOGETHER = { first: 16, most: 256 };
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
	 * - `complete`: as many different records as the total; without a total, each record once up to a page
	 *   that is empty or does not exist; or as many as the limit
	 * - `unequal`: another number, or a record came twice, so that another one may be missing
	 * - `repeat`: a page with nothing new came in place of the next
	 * - `endless`: more pages than are read
	 */
	end: 'complete' | 'unequal' | 'repeat' | 'endless';
	/** The reading shows everything up to this time, by the account's clock (ms). */
	asOf: number;
}

/**
 * Reads a list once; it may change meanwhile. With a total, the pages that are missing are requested
 * together; without one, page after page.
 *
 * @throws ServiceError as `readPage` does, for any of its pages
 */
export async function readOnce(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<Reading> {
	const first = await readPage(connection, request, paging);
	const pages = new Pages(first!, paging);
	const stop = new AbortController();
	const signals = connection.signal ? [stop.signal, connection.signal] : [stop.signal];
	const own = { ...connection, signal: AbortSignal.any(signals) };
	const readOn = async (): Promise<void> => {
		const number = pages.next();
		if (number === undefined) return;
		pages.add(await readPage(own, request, paging, number), number);
		// Each page that came makes room for two more: a total that is too large costs few requests.
		await Promise.all([readOn(), readOn()]);
	};
	try {
		await Promise.all(Array.from({ length: TOGETHER.first }, readOn));
	} finally {
		// After a failure, nobody waits for the other pages.
		stop.abort();
	}
	return pages.reading;
}

/** A record of a page, with what tells it from others. */
interface Entry {
	key: string;
	record: unknown;
}

/** Adds up the pages of one reading, in whatever order they come, and decides which to request next. */
class Pages {
	/** By number; the first page has none in its request, and counts as 1, or as 0 if it says so, or is not the page 1. */
	private readonly entries: Entry[][] = [];
	private readonly seen = new Set<string>();
	private readonly firstNumber: number;
	/** True until the page 1 came, where the first page does not say its number: it may be that page. */
	private isFirstUnknown: boolean;
	private requested = 1;
	private came = 0;
	/** The number of records with repeats; a page that came before is none of the list. */
	private received = 0;
	/** The largest total that a page states. */
	private total?: number;
	private hasEnd = false;
	private hasRepeat = false;
	private asOf = Infinity;
	private readonly limit: number;

	constructor(
		private readonly first: Page,
		private readonly paging: Paging,
	) {
		this.limit = paging.limit ?? Infinity;
		this.isFirstUnknown = first.number === undefined;
		this.firstNumber = first.number === 0 || this.isFirstUnknown ? 0 : 1;
		this.add(first, this.firstNumber);
	}

	/** The number of the next page to request; undefined if none is missing, or enough are on their way. */
	next(): number | undefined {
		const { requested, came, seen, limit, total = 0, first } = this;
		if (this.isOver || requested === MAX_PAGES) return undefined;
		// Pages are counted by what the first one holds, whatever it says of their size.
		const missing = Math.ceil((Math.min(total, limit) - seen.size) / first.records.length);
		const together = Math.min(Math.max(1, missing), TOGETHER.most);
		return requested - came < together ? this.firstNumber + this.requested++ : undefined;
	}

	private get isOver(): boolean {
		const { seen, limit, hasEnd, hasRepeat, received, total = Infinity, first, paging } = this;
		if (seen.size >= limit || hasEnd || hasRepeat || paging.pageParameter === '') return true;
		// A first page that is full may state its own size as the total, so the page behind it is read.
		return received >= total && !(first.isFull && first.total === first.records.length);
	}

	add(page: Page | undefined, number: number): void {
		const { records = [], total, asOf = Infinity } = page ?? {};
		this.came++;
		this.asOf = Math.min(asOf, this.asOf);
		if (total !== undefined) this.total = Math.max(total, this.total ?? 0);
		const before = this.seen.size;
		const entries = entriesOf(records);
		for (const { key } of entries) this.seen.add(key);
		this.entries[number] = entries;
		const isFirstAgain = this.isFirstUnknown && number === 1;
		if (number === 1) this.isFirstUnknown = false;
		if (records.length === 0) this.hasEnd = true;
		else if (this.seen.size > before) this.received += records.length;
		else if (!isFirstAgain) this.hasRepeat = true;
	}

	get reading(): Reading {
		const { total, came, asOf, end, entries } = this;
		const records = new Map<string, unknown>();
		for (const { key, record } of entries.flat()) {
			if (!records.has(key)) records.set(key, record);
		}
		return { records: [...records.values()], total, pages: came, asOf, end };
	}

	private get end(): Reading['end'] {
		const { seen, limit, total, received, hasEnd, hasRepeat, paging, came } = this;
		const isWhole = hasEnd || paging.pageParameter === '';
		if (seen.size >= limit || seen.size === total) return 'complete';
		if (total === undefined && isWhole && seen.size === received) return 'complete';
		if (hasRepeat) return 'repeat';
		return came === MAX_PAGES && !hasEnd ? 'endless' : 'unequal';
	}
}

/** The records of a page by ID or, without IDs, by their content and their place among the equal ones. */
function entriesOf(records: unknown[]): Entry[] {
	const equal = new Map<string, number>();
	return records.map((record) => {
		const id = idOf(record);
		if (id !== undefined) return { key: `id ${id}`, record };
		const content = hashOf(record);
		const place = equal.get(content) ?? 0;
		equal.set(content, place + 1);
		return { key: `${content} ${place}`, record };
	});
}
