import { type Connection, withOwnSignal } from '../connection';
import { ServiceError } from '../errors';
import { hashOf, idOf } from '../http/records';
import type { ServiceRequest } from '../request';
import { concurrently } from '../time';
import { type Page, type Paging, readPage } from './page';

/** The most pages of one list, and of those that are requested together; the pace lets them start. */
const MOST_PAGES = 10_000;
const TOGETHER = 96;
/** The most readings of a list that is not complete, and the pause between them (ms): longer than caches of a second. */
const READINGS = 3;
const READ_AGAIN_AFTER = 1_100;

/** The records of a list. */
export interface List {
	/** Each once, up to the limit. */
	records: unknown[];
	/** The largest number of records that a page states; absent if none does. */
	total?: number;
	/** True if the limit left out records, or may have. */
	isCut: boolean;
	/** Why records are missing, or may be; absent: the list is whole. */
	incomplete?: ServiceError;
}

/**
 * Reads a list, and reads it again if it is not complete: it may be changing.
 *
 * @throws ServiceError as `readPage` does; a later page that is refused says how many records came before it
 */
export async function readList(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List> {
	const { clock } = connection.account;
	for (let readings = 1; ; readings++) {
		const reading = new Reading(connection, request, paging);
		await reading.read();
		const { list } = reading;
		if (!list.incomplete || reading.isSameAgain || readings === READINGS) return list;
		await clock.sleep(READ_AGAIN_AFTER, withOwnSignal(connection).signal);
	}
}

/**
 * The records of a complete list, or the first ones up to the limit.
 *
 * @throws ServiceError as `readList` does, and `incomplete-list`
 */
export async function readCompleteList(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	const { records, incomplete } = await readList(connection, request, paging);
	if (incomplete) throw incomplete;
	return records;
}

/** One reading of a list, which may change meanwhile. */
class Reading {
	/** By ID, else by content. */
	private readonly found = new Map<string, unknown>();
	private total?: number;
	private readonly limit: number;
	/** The pages that came, by the records on them. */
	private readonly pages = new Set<string>();
	/** Why no further page is requested: a page was empty or missing, it came before, or there are too many. */
	private end?: 'empty' | 'repeat' | 'endless';

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
		private readonly paging: Paging,
	) {
		this.limit = paging.limit ?? Infinity;
	}

	/** With a total, the missing pages are requested together; without one, page after page. */
	async read(): Promise<void> {
		const { connection, request, paging, found } = this;
		const first = (await readPage(connection, request, paging))!;
		const size = first.records.length;
		this.add(first);
		// Some services count from 0: without a number, the page 1 may be the first or the second one.
		const mayBeFirst = first.number === undefined ? 1 : undefined;
		const start = mayBeFirst ?? first.number! + 1;
		// A first page that is full may state its own size as the total, so the page behind it is read.
		let least = first.isFull && this.total === size ? (mayBeFirst ?? 0) + 1 : 0;
		for (let next = start; size > 0 && paging.pageParameter !== '' && !this.end; ) {
			const missing = Math.ceil((this.wanted - found.size) / size);
			const count = this.total === undefined ? Math.sign(missing) : missing;
			const pages = found.size >= this.limit ? 0 : Math.max(count, least);
			if (pages <= 0) return;
			least = 0;
			if (1 + next - start + pages > MOST_PAGES) this.end = 'endless';
			else await this.readPages(next, pages, mayBeFirst);
			next += pages;
		}
	}

	/** The number of records to get. */
	private get wanted(): number {
		return Math.min(this.total ?? Infinity, this.limit);
	}

	private async readPages(from: number, count: number, mayBeFirst?: number): Promise<void> {
		const { connection, request, paging } = this;
		let isRefused = false;
		const jobs = Array.from({ length: count }, (_, at) => async () => {
			if (isRefused) return undefined;
			return await readPage(connection, request, paging, from + at).catch((error: unknown) => {
				isRefused = true;
				return error as Error;
			});
		});
		const pages = await concurrently(jobs, TOGETHER);
		for (const [at, page] of pages.entries()) {
			if (page instanceof Error) throw this.withReceived(page);
			if (!page || page.records.length === 0) this.end = 'empty';
			else if (!this.add(page) && from + at !== mayBeFirst) this.end = 'repeat';
			if (this.end) return;
		}
	}

	/** @returns false for a page that came before */
	private add({ records, total }: Page): boolean {
		const { found, pages } = this;
		if (total !== undefined) this.total = Math.max(total, this.total ?? 0);
		const identities = records.map((record) => idOf(record) ?? hashOf(record));
		for (const [at, identity] of identities.entries()) {
			if (!found.has(identity)) found.set(identity, records[at]);
		}
		const before = pages.size;
		return pages.add(hashOf(identities)).size > before;
	}

	private withReceived(error: Error): Error {
		if (!(error instanceof ServiceError) || error.facts.kind !== 'rejected') return error;
		const { found, total, paging } = this;
		const { pageParameter } = paging;
		return new ServiceError({ ...error.facts, received: found.size, total, pageParameter });
	}

	/** True if another reading would show the same: the service does not choose the page, or has too many. */
	get isSameAgain(): boolean {
		const { end, paging } = this;
		return end === 'repeat' || end === 'endless' || paging.pageParameter === '';
	}

	get list(): List {
		const { request, found, total, limit, end, paging } = this;
		const received = found.size;
		// A total that is smaller than what came says nothing.
		const isMore = total === undefined || total < received || total > limit;
		const records = [...found.values()].slice(0, limit);
		const list = { records, total, isCut: received >= limit && isMore };
		const isEnded = end === 'empty' || received === 0 || paging.pageParameter === '';
		if (received >= limit || (total === undefined ? isEnded : received === total)) return list;
		const { pageParameter } = paging;
		const why = end === 'endless' ? { pages: MOST_PAGES } : this.isSameAgain && { pageParameter };
		const facts = { kind: 'incomplete-list', request, received, total } as const;
		return { ...list, incomplete: new ServiceError({ ...facts, ...why }) };
	}
}
