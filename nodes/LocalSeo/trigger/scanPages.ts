import memoize from 'lodash/memoize';
import range from 'lodash/range';
import sortBy from 'lodash/sortBy';

import {
	concurrently,
	idOf,
	isEmpty,
	isRecord,
	type JsonObject,
	readCompleteList,
	readPage,
	type ServiceRequest,
} from '../client';
import { listRequest, rankScan } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed } from '../text/words';
import { keyIn } from './diff';
import type { ScanMemory } from './memory';
import type { Reader } from './reader';
import { DAY, groupOf, isNew, isRecent, type Scan, scansIn } from './scans';
import { MAX_FIELDS, type Settings } from './settings';

/** The most pages of a list that are requested together. */
const TOGETHER = 32;

type Page = NonNullable<Awaited<ReturnType<typeof readPage>>>;

/**
 * The scans of a keyword that may be new, with some that came before them. After a year a list is long,
 * so it is read from the end that has the new ones; one that is in no order of time is read whole.
 *
 * @param known absent for the first reading, which learns the scans of the last day
 * @returns the oldest first
 * @throws InputError if page 1 has scans with a time, and none can be read
 */
export async function readScans(
	reader: Reader,
	keyword: JsonObject,
	known?: ScanMemory,
): Promise<Scan[]> {
	const { connection, paging, settings } = reader;
	const request = listRequest(rankScan, { keywordId: idOf(keyword)! });
	const first = (await readPage(connection, request, paging))!;
	const { records, total, isFull } = first;
	assertTimes(records, settings);
	const isWhole = ((total ?? 0) === records.length && !isFull) || paging.pageParameter === '';
	const all = isWhole
		? records
		: ((await readNewEnd(reader, request, first, known)) ??
			(await readCompleteList(connection, request, paging)));
	return sortBy(scansIn(all, settings), 'at');
}

/**
 * Reads on, from the end that has the new scans, as long as all of a page is new: page 1 and those behind it
 * where the newest come first, the last page and those before it where the newest come last. After a long
 * time there may be many, so that more and more pages are requested together.
 *
 * @returns undefined if the list has no such end, or a page is not what it should be
 */
async function readNewEnd(
	{ connection, paging, settings }: Reader,
	request: ServiceRequest,
	{ records, total = Infinity, number }: Page,
	known?: ScanMemory,
): Promise<unknown[] | undefined> {
	const pages = Math.ceil(total / records.length);
	// Page 1 may be called 0: without its number, nobody knows how the others are called.
	if (number === undefined || !(pages > 1)) return undefined;
	const pageAt = memoize(async (place: number): Promise<unknown[]> => {
		if (place === 1) return records;
		return (await readPage(connection, request, paging, number + place - 1))?.records ?? [];
	});
	let order = orderOf(scansIn(records, settings));
	// Page 1 of a service that scans every hour shows less than a day, and so no order.
	if (order === 'unclear' && pages !== Infinity) {
		order = orderOf(scansIn([...records, ...(await pageAt(pages))], settings));
	}
	const isOldestFirst = order === 'oldest first';
	if (!isOldestFirst && order !== 'newest first') return undefined;
	if (isOldestFirst && pages === Infinity) return undefined;
	const read: unknown[] = [];
	const extent = new Extent(settings, known);
	for (let count = 0; count < pages; ) {
		const most = Math.min(Math.max(1, Math.floor(count / 2)), TOGETHER, pages - count);
		const places = range(count, count + most).map((at) => (isOldestFirst ? pages - at : at + 1));
		const jobs = places.map((place) => async () => await pageAt(place));
		for (const [at, page] of (await concurrently(jobs, TOGETHER)).entries()) {
			if (page.length === 0 && pages === Infinity) return read;
			const isRepeated = places[at] !== 1 && keyOfFirst(page) === keyOfFirst(records);
			if (page.length === 0 || isRepeated) return undefined;
			read.push(...page);
			if (extent.isEnough(page)) return read;
		}
		count += most;
	}
	return read;
}

/** Which record is the first of a page: a service that ignores the page parameter repeats it. */
const keyOfFirst = ([first]: unknown[]): unknown => (isRecord(first) ? keyIn(first) : first);

/** How far to read a list, one page after the other. */
class Extent {
	private pages = 0;
	private newPages = 0;
	private newest = 0;
	/** The times of the oldest scans that were read, and of the oldest new ones, by what they are compared by. */
	private readonly oldest = new Map<string, number>();
	private readonly oldestNew = new Map<string, number>();

	constructor(
		private readonly settings: Settings,
		private readonly known?: ScanMemory,
	) {}

	/**
	 * True if the pages behind this one have nothing new: it has a scan that is not. As many pages more are
	 * read where a new scan has no earlier one to compare with: a scan before may have filled as many.
	 */
	isEnough(page: unknown[]): boolean {
		const { known, oldest, oldestNew } = this;
		const scans = scansIn(page, this.settings);
		this.newest = Math.max(this.newest, ...scans.map(({ at }) => at));
		const areNew = scans.map((scan) => this.add(scan));
		this.pages++;
		if (areNew.includes(true)) this.newPages++;
		if (!areNew.includes(false)) return false;
		const isCompared = [...oldestNew].every(([group, at]) => oldest.get(group)! < at);
		return !known || isCompared || this.pages >= 2 * this.newPages;
	}

	/** @returns true for a new scan; for the first reading, one of the last day */
	private add(scan: Scan): boolean {
		const { at } = scan;
		const isOne = this.known ? isNew(scan, this.known) : isRecent(at, this.newest);
		const group = groupOf(scan, this.settings);
		for (const times of isOne ? [this.oldest, this.oldestNew] : [this.oldest]) {
			times.set(group, Math.min(at, times.get(group) ?? Infinity));
		}
		return isOne;
	}
}

/**
 * The order of a list by its first and last time. Within a day, times show none: those of one scan on two
 * devices differ. A list that goes against its order by more is in none.
 */
function orderOf(scans: Scan[]): 'newest first' | 'oldest first' | 'unclear' | 'none' {
	const times = scans.map(({ at }) => at);
	const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
	const isAgainst = (at: number, index: number) =>
		index > 0 && Math.sign(span) * (times[index - 1] - at) > DAY;
	if (Math.abs(span) <= DAY) return 'unclear';
	if (times.some(isAgainst)) return 'none';
	return span < 0 ? 'newest first' : 'oldest first';
}

/** An empty time is one of a scan that is not over yet. */
function assertTimes(records: unknown[], settings: Settings): void {
	const { scanTimeField } = settings;
	if (scansIn(records, settings).length > 0) return;
	const [record] = records
		.filter(isRecord)
		.filter((one) => !Object.hasOwn(one, scanTimeField) || !isEmpty(one[scanTimeField]));
	if (!record) return;
	throw new InputError(
		`No rank scan has a time in ${asValue(scanTimeField)} that can be read`,
		`A scan has: ${listed(Object.keys(record), MAX_FIELDS)}. Name the field with the time at which it was over, such as 2026-11-20T09:00:00Z, in 'Scan Time Field' under Options.`,
	);
}
