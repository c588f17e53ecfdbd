import type { ServiceError } from '../errors';
import { hashOf } from '../exchange/hashOf';
import { createdAtByClock, nameOf } from '../exchange/records';
import { Collection } from './collection';
import type { Page } from './page';

/** How many pages of one list are requested concurrently, as far as the governor lets them start. */
const CONCURRENT_PAGES = 64;
/** After so many pages in a row that got no further, a list is over. */
const MAX_FRUITLESS = 3;
/** The most pages of one list, for a service that never comes to an end. */
const MAX_PAGES = 10_000;
/** Milliseconds to which services say when they answered. */
const SECOND = 1_000;
/**
 * Milliseconds by which dates of records may be cut, where all of them are multiples of `step`: days
 * begin on a quarter of an hour in every zone.
 */
const CUTS = [
	{ step: 900_000, cut: 86_400_000 },
	{ step: 60_000, cut: 60_000 },
	{ step: SECOND, cut: SECOND },
];

/** What one reading of a list came to. */
export interface Reading {
	records: unknown[];
	/** What the service says; a hint. */
	total?: number;
	/** Whether every record that was there all the time is here, as far as one reading can show. */
	isComplete: boolean;
	/** Whether nothing hints at records that were removed meanwhile. */
	isCalm: boolean;
	/** Whether there is anything that could: a total, or all on one page. */
	isBacked: boolean;
	/** Whether the service says that there is more than its pages have. */
	isCut: boolean;
	/** Whether it was a list, and not a single record or none. */
	isList: boolean;
	/** Whether its total stayed the same and no record came twice. */
	isSteady: boolean;
	/** Whether no record came twice. */
	isOnce: boolean;
	/** When it began, by the service's clock, to the second; undefined where it does not say. */
	beganAt?: number;
	/** When it was begun, by this machine's clock; milliseconds since 1970. */
	sentAt?: number;
	/** Whether pages could be asked for up to the end, or the service says that there are none. */
	isNumbered: boolean;
}

const SURE = {
	isCalm: true,
	isBacked: true,
	isSteady: true,
	isOnce: true,
	isNumbered: true,
};

/**
 * One reading of a list, which may change meanwhile. What the service says of its list is a hint
 * that is tested against what comes: pages are requested until one is missing, empty, or repeated,
 * or until total and page agree that it was the last.
 */
export class ListReading {
	private readonly pages: Page[];
	private readonly collection: Collection;
	/** How many records of the collection, from the first on, were on the first page. */
	private readonly sizeOfFirst: number;
	private repeated = 0;
	/** Pages with records, and whether the total of each is the number of its own. */
	private filled = 0;
	private areTotalsOfPages = true;
	/** Pages in a row that had nothing new, or only what pushed the rest down while they were read. */
	private fruitless = 0;
	private isOver: boolean;
	/** Whether it was left while it still had pages: others push its records down as fast as it is read. */
	private isLeft = false;
	/** Whether the service gives the first page, or none, whatever number is asked for. */
	private isUnnumbered = false;
	/** The second page, where it came last. */
	private skipped?: Page;
	/** How the second page was refused, although there is one. */
	private refusal?: ServiceError;

	/**
	 * @param first the page that came without a number
	 * @param limit the most records to get
	 * @param read another page
	 * @param wrongPage what is thrown when the service ignores the number of the page
	 */
	constructor(
		private readonly first: Page,
		private readonly limit: number,
		private readonly read: (number: number) => Promise<Page>,
		private readonly wrongPage: () => ServiceError,
	) {
		this.pages = [];
		this.collection = new Collection(first.records);
		this.sizeOfFirst = this.collection.size;
		this.keep(first);
		this.isOver = first.records.length === 0 && this.isPastEnd(first);
	}

	/** @throws ServiceError as `requestPage` does, and `wrong-page` */
	async run(): Promise<Reading> {
		const { isList, records } = this.first;
		if (!isList || this.hasEnough) {
			const isCut = !this.hasEnough && this.first.meta.hasMore === true;
			const { sentAt } = this.first;
			return { records, isList, ...SURE, isCut, isComplete: !isCut, sentAt };
		}
		for (const page of await this.readPlanned()) this.add(page);
		while (this.mayHaveMore) this.add(await this.read(this.next));
		await this.readSkipped();
		return this.result();
	}

	private get last(): Page {
		return this.pages[this.pages.length - 1];
	}

	/** Where the service says no number, its pages are taken to be counted from 1, as most are. */
	private get next(): number {
		return this.first.meta.currentPage === 0 ? this.pages.length : this.pages.length + 1;
	}

	/** What the service says; undefined where that is how many are on each page. */
	private get stated(): number | undefined {
		return this.filled > 1 && this.areTotalsOfPages ? undefined : this.first.meta.total;
	}

	/** The same, unless the records that came say otherwise. */
	private get total(): number | undefined {
		const total = this.stated;
		return total !== undefined && total < this.collection.size ? undefined : total;
	}

	private get hasEnough(): boolean {
		return this.collection.size >= this.limit;
	}

	private get isBelowTotal(): boolean {
		return this.collection.size < (this.total ?? 0);
	}

	private get mayHaveMore(): boolean {
		if (this.isOver || this.hasEnough || this.pages.length >= MAX_PAGES) return false;
		const { first, last } = this;
		// Where records came twice, the list is changing, and fewer than the total have to do.
		if (last.meta.hasMore === true || (this.isBelowTotal && this.repeated === 0)) return true;
		if (last.meta.hasMore === false) return false;
		if (this.stated === undefined) return true;
		if (this.isAddedMeanwhile(last)) return false;
		// The list has more than its total: only a page can show where it ends.
		if (this.total === undefined) return true;
		const size = first.meta.perPage ?? first.records.length;
		// Where others add, its end has moved on since the first page.
		return last.records.length >= size || (last.meta.total ?? 0) > this.pages.length * size;
	}

	/** Whether all on a page were added during the reading: others may add as fast as pages are read. */
	private isAddedMeanwhile({ records, answeredAt: now = 0 }: Page): boolean {
		const { answeredAt: start = Infinity } = this.first;
		return records.every((record) => {
			const created = createdAtByClock(record) ?? 0;
			return created > start + SECOND && created < now + SECOND;
		});
	}

	/** Puts a page to the others, or finds that the list is over. */
	private add(page: Page): void {
		if (this.isOver) return;
		const { refusal } = page;
		const isPlain = refusal === undefined || isMissing(page);
		if (!isPlain && this.pages.length === 1) {
			if (this.saysMore(page)) {
				this.refusal = refusal;
				this.isOver = true;
				return;
			}
			this.isUnnumbered = true;
		}
		const isAgain = repeats(page, this.last) || repeats(page, this.first);
		if (page.isOther && !isAgain) throw this.wrongPage();
		if (isAgain && page.records.length > 0) {
			// After other pages, it is the end: some services begin again behind it.
			this.isUnnumbered = this.pages.length === 1;
			if (this.isUnnumbered && this.saysMore(page)) throw this.wrongPage();
			this.isOver = true;
			return;
		}
		const added = this.collection.add(page.records);
		const isPushed = added < page.records.length && isPushedDown(this.last, page);
		this.repeated += page.records.length - added;
		this.fruitless = added > 0 && !isPushed ? 0 : this.fruitless + 1;
		this.keep(page);
		this.isLeft = this.fruitless >= MAX_FRUITLESS && page.records.length > 0;
		this.isOver =
			this.fruitless >= MAX_FRUITLESS || (page.records.length === 0 && this.isPastEnd(page));
	}

	private keep(page: Page): void {
		this.pages.push(page);
		if (!isFilled(page)) return;
		this.filled++;
		this.areTotalsOfPages &&= page.meta.total === page.records.length;
	}

	/** Whether an empty page is the end of the list, and not one whose records were filtered out. */
	private isPastEnd({ refusal, meta }: Page): boolean {
		if (refusal !== undefined) return true;
		const { perPage = this.first.records.length } = this.first.meta;
		const isWithin = (this.pages.length - 1) * perPage < (this.total ?? 0);
		return meta.hasMore !== true && !isWithin;
	}

	/** Whether there is more than one page, by any sign: then the page's number is not understood. */
	private saysMore(page: Page): boolean {
		const { perPage = Infinity, hasMore, currentPage } = this.first.meta;
		const size = this.first.records.length;
		if (hasMore !== undefined) return hasMore;
		if (this.total !== undefined) return this.isBelowTotal;
		if (perPage < Infinity) return size >= perPage;
		return page.refusal !== undefined || (page.isOther && currentPage !== undefined);
	}

	/**
	 * The pages after the first that the total speaks of, some at a time. The total is no loop count:
	 * reading stops at the first page that is missing, empty, or one that has come before.
	 */
	private async readPlanned(): Promise<Page[]> {
		const size = this.first.records.length;
		const from = this.next;
		const wanted = size === 0 ? 0 : Math.ceil(Math.min(this.total ?? 0, this.limit) / size) - 1;
		const end = from + Math.min(MAX_PAGES, wanted);
		// A total beyond all that is ever read is hardly true: less is asked for behind the end.
		const concurrent = wanted > MAX_PAGES ? CONCURRENT_PAGES / 2 : CONCURRENT_PAGES;
		const pages = new Map<number, Page>();
		const seen = new Set([hashOf(this.first.records)]);
		const workers: Array<Promise<void>> = [];
		let next = from;
		let isOver = false;
		let failure: unknown;
		const work = async () => {
			while (next < end && !isOver) {
				const number = next++;
				try {
					const page = await this.read(number);
					const key = hashOf(page.records);
					if (page.records.length === 0 || page.isOther || seen.has(key)) isOver = true;
					seen.add(key);
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
			const most = Math.min(concurrent, end - from, 2 + 2 * pages.size);
			while (!isOver && workers.length < most) workers.push(work());
		};
		addWorkers();
		for (let index = 0; index < workers.length; index++) await workers[index];
		if (failure !== undefined) throw failure;
		const inOrder: Page[] = [];
		for (let number = from; pages.has(number); number++) inOrder.push(pages.get(number) as Page);
		return inOrder;
	}

	/**
	 * Where the service does not say a page's number, it may count its pages from 0: then page 1 is the
	 * second one, which has not come yet.
	 *
	 * @throws ServiceError with which the second page was refused, if it was and is not that one
	 */
	private async readSkipped(): Promise<void> {
		const { meta, records: firstRecords } = this.first;
		const hasGoneOn = firstRecords.length > 0 && (this.pages.length > 1 || this.refusal);
		const mayHaveSkipped = meta.currentPage === undefined && !this.isUnnumbered && hasGoneOn;
		const second = mayHaveSkipped && !this.hasEnough ? await this.read(1) : undefined;
		const added = this.collection.add(second?.records ?? [], firstRecords.length);
		if (added === 0 && this.refusal) throw this.refusal;
		if (second === undefined || added === 0) return;
		if (this.refusal) this.keep(second);
		// It came after the pages behind it: what has moved meanwhile may be on neither.
		this.skipped = second;
		this.repeated += second.records.length - added;
	}

	/**
	 * Whether the last page says that there is more, or the page behind it is refused, or the full one
	 * again, although the total speaks of more: some services show no page beyond a certain one. An
	 * empty page is an answer, and the total wrong. So is a page that is not found behind one with room.
	 */
	private get endsTooSoon(): boolean {
		const { last, pages, total = 0, end } = this;
		if (last.meta.hasMore === true) return true;
		if (last.refusal && end.meta.hasMore === true) return true;
		const next = pages[pages.indexOf(end) + 1];
		if (next && !next.refusal) return false;
		const { size, isFull, isLacking } = this.fill;
		const isBeforeLast = this.isBelowTotal && (pages.indexOf(end) + 1) * size < total;
		if (isMissing(next)) return isFull && isBeforeLast;
		// Where pages lack records, the total does not say how many pages there are.
		if (next && isLacking) return this.isBelowTotal;
		return (next !== undefined || isFull || isLacking) && isBeforeLast;
	}

	/**
	 * Whether the page behind one that may be full is refused, where no total agrees with what came: it may
	 * be the end, or as far as the service goes. A page that is not found is not there.
	 */
	private get endsInRefusal(): boolean {
		const { last, collection } = this;
		if (!last.refusal || isMissing(last) || collection.size === this.stated) return false;
		const { isFull, isLacking } = this.fill;
		return this.filled > 1 && (isFull || isLacking);
	}

	/** The last page with records. */
	private get end(): Page {
		return this.pages.filter(isFilled).pop() ?? this.first;
	}

	/**
	 * Whether the last page with records is full, and whether one before it is not: where pages lack
	 * records, the last one may be full as well.
	 */
	private get fill(): { size: number; isFull: boolean; isLacking: boolean } {
		const { first, pages, end } = this;
		// Where the size of a page is not stated, a single one may be full or not.
		const size = first.meta.perPage ?? (this.filled > 1 ? first.records.length : Infinity);
		const before = pages.filter((page) => isFilled(page) && page !== end);
		const isLacking = before.some(({ records }) => records.length < size);
		return { size, isFull: end.records.length >= size, isLacking };
	}

	/** Whether more came than moved others to the next page: then some came behind what was read. */
	private get hasGrownBehind(): boolean {
		const totals = this.pages.map(({ meta }) => meta.total ?? this.stated ?? 0);
		const came = totals.slice(1).map((total, index) => Math.max(0, total - totals[index]));
		return came.reduce((a, b) => a + b, 0) > this.repeated;
	}

	private result(): Reading {
		const { first, pages, collection, hasEnough, repeated, stated: total } = this;
		const { perPage = 0, hasMore } = first.meta;
		const { records } = collection;
		// None on a page without records may be the number of that page.
		const read = [...pages, ...(this.skipped ? [this.skipped] : [])];
		const counted = read.filter((page) => isFilled(page) || page.meta.total !== 0);
		const totals = counted.map(({ meta }) => (total === undefined ? 0 : (meta.total ?? total)));
		const isSteady = repeated === 0 && totals.every((other) => other === (total ?? 0));
		const isEndless = pages.length >= MAX_PAGES && !this.isOver;
		const isCut = !hasEnough && (isEndless || this.endsTooSoon);
		return {
			records,
			total,
			isList: true,
			isComplete: hasEnough || (!isCut && this.holdsAll(isSteady)),
			isCalm: collection.size >= (total ?? 0) && Math.min(...totals) >= (total ?? 0),
			isBacked: this.total !== undefined || this.filled <= 1,
			isCut,
			isSteady,
			isOnce: repeated === 0,
			beganAt: first.answeredAt,
			sentAt: first.sentAt,
			isNumbered:
				hasMore === false ||
				(this.isUnnumbered ? first.records.length < perPage : !this.endsInRefusal),
		};
	}

	/**
	 * Whether all records that were there at the start are in the collection: when as many in it were
	 * there for sure as there were. So a record that was removed can't hide behind one that was added.
	 * More than there were show that the dates or the total are wrong. Where records or responses are
	 * not dated, totals that stay the same have to do; without a total, a list that ends.
	 */
	private holdsAll(isSteady: boolean): boolean {
		const { collection, stated: total } = this;
		if (total === undefined) return !this.skipped && !this.isLeft;
		const isExact = isSteady && collection.size === total;
		const there = this.countAtStart();
		return there === undefined ? isExact : there === total;
	}

	/**
	 * How many were there at the start for sure: those of the first page, and those that are older than
	 * it, or than one that was on it, by all that their dates may be cut. Undefined where something is not
	 * dated, or where what was added is dated as if it had been there: by another clock, in another zone, or
	 * by one that was set back.
	 */
	private countAtStart(): number | undefined {
		const { answeredAt } = this.first;
		const times = this.collection.times;
		if (answeredAt === undefined || times === undefined) return undefined;
		// The response is dated to the second; its records show how much of that had passed.
		const within = times.slice(0, this.sizeOfFirst).filter((time) => time < answeredAt + SECOND);
		const moment = within.reduce((latest, time) => Math.max(latest, time), answeredAt);
		if (this.hasGrownBehind && times.every((time) => time < answeredAt)) return undefined;
		if (this.pages.some((page) => (page.answeredAt ?? Infinity) < answeredAt)) return undefined;
		const { cut = 1 } = CUTS.find(({ step }) => times.every((time) => time % step === 0)) ?? {};
		const others = times.slice(this.sizeOfFirst).filter((time) => time + cut <= moment);
		return this.sizeOfFirst + others.length;
	}
}

function isMissing(page: Page | undefined): boolean {
	return page?.refusal?.facts.status === 404;
}

function isFilled({ records }: Page): boolean {
	return records.length > 0;
}

/** Whether a page is the one before again, behind what was added meanwhile: then reading gets nowhere. */
function isPushedDown({ records: before }: Page, { records }: Page): boolean {
	const names = before.map(nameOf);
	const at = records.findIndex((record) => nameOf(record) === names[0]);
	return at > 0 && records.slice(at).every((record, index) => nameOf(record) === names[index]);
}

/** Whether a page is another one again, and does not say that it is the one that was asked for. */
function repeats(page: Page, other: Page): boolean {
	return (
		(page.isOther || page.meta.currentPage === undefined) &&
		JSON.stringify(page.records) === JSON.stringify(other.records)
	);
}
