import { concurrently, type JsonObject, textOf } from '../client';
import { keyword, post, type Resource } from '../resources';
import { type Difference, difference, type Listed } from './difference';
import { type Due, type ListName, mayHaveNewScans, signOf } from './due';
import { eventOf, type TriggerEvent } from './events';
import { postFields } from './fields';
import { idIn, type Known, valueIn } from './known';
import {
	keywordsIn,
	type LocationMemory,
	memoryOfKeywords,
	recordsIn,
	type State,
	textOfRecords,
} from './memory';
import type { PollBudget } from './pollBudget';
import { isOfAll, type Reader, readRecords, readScans } from './reader';
import { changedInScan, compareScans, type Scan, scansBefore, scansSince } from './scans';
import { eventsOf, hasEvent } from './settings';

const CONCURRENT_LOCATIONS = 4;
/** The most keywords of a location whose scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** Reads and compares the lists that are due, as far as the time allows. It writes to their memories. */
export class Check {
	readonly events: TriggerEvent[] = [];
	/** Why lists can't be read. */
	readonly unread: Error[] = [];
	/** Lists of which one was read, and the first failure of each. */
	readonly read = new Set<ListName>();
	readonly failures = new Map<ListName, Error>();
	/** The reason if the service refuses everything. */
	refusal?: Error;

	constructor(
		private readonly reader: Reader,
		private readonly budget: PollBudget,
		private readonly fields: State['fields'],
	) {}

	/** @returns the key of the location with which the next poll begins; undefined if all were read */
	async run(due: Due[]): Promise<string | undefined> {
		const left: string[] = [];
		const jobs = due.map((one) => async () => {
			if (this.refusal || !this.budget.mayBegin) left.push(one.key);
			else await this.checkLocation(one);
		});
		await concurrently(jobs, CONCURRENT_LOCATIONS);
		const cut = due.filter(({ isCut }) => isCut).map(({ key }) => key);
		// The location that this poll began with has had its turn: one that never fits in holds nobody back.
		const others = cut.filter((key) => key !== due[0].key);
		return [...left, ...others, ...cut][0];
	}

	private async checkLocation(due: Due): Promise<void> {
		const { lists, memory, wholeAt } = due;
		if (lists.includes('posts')) await this.checkPosts(due);
		const hasKeywords = lists.some((list) => list !== 'posts');
		const keywords = hasKeywords ? await this.checkKeywords(due) : undefined;
		// Scans that are left are marked at their keywords.
		if (wholeAt !== undefined && !due.isCut) memory.wholeAt = wholeAt;
		if (!keywords) return;
		const { listed, missing } = keywords;
		if (lists.includes('scans')) await this.checkScans(due, listed);
		memory.keywords = memoryOfKeywords([...listed.map(({ now }) => now), ...missing]);
	}

	/** Reads a list; undefined if it can't be read, or has to be left to the next poll. */
	private async attempt<T>(list: ListName, due: Due, read: () => Promise<T>) {
		if (this.refusal || !this.budget.begins()) {
			due.isCut = true;
			return undefined;
		}
		try {
			const value = await read();
			this.read.add(list);
			return value;
		} catch (thrown) {
			const error = thrown as Error;
			if (!this.failures.has(list)) this.failures.set(list, error);
			if (isOfAll(error)) {
				this.refusal ??= error;
				due.isCut = true;
			} else this.unread.push(error);
			return undefined;
		}
	}

	private async checkPosts(due: Due): Promise<void> {
		const { location, memory } = due;
		const posts = await this.records('posts', post, due);
		if (!posts) return;
		const { settings, notes } = this.reader;
		const isWatched = hasEvent(settings, 'posts', 'changed');
		const fields = isWatched ? postFields(this.fields.posts, posts, memory.postFields) : undefined;
		const { events, listed, missing } = difference(recordsIn(memory.posts), posts, {
			...this.comparisonOf('posts', memory),
			...{ fields, location },
		});
		const absent = missing.map((one) => fields?.ofMissing(one) ?? one);
		memory.posts = textOfRecords([...listed.map(({ now }) => now), ...absent]);
		memory.postFields = fields?.count;
		this.tell(memory, 'posts', events);
		const hasStatus = posts.some((one) => Object.hasOwn(one, 'status'));
		if (posts.length > 0 && !hasStatus && hasEvent(settings, 'posts', 'became')) {
			notes.add("Content posts have no 'status' that would say if they are published");
		}
	}

	/** @returns the keywords, those marked whose scans have to be read; undefined if they were not read */
	private async checkKeywords(due: Due): Promise<Difference | undefined> {
		const { lists, location, memory, wholeAt } = due;
		const records = await this.records('keywords', keyword, due);
		if (!records) {
			// They differ from what the location shows, so that the next poll reads the list.
			delete memory.keywordsCount;
			delete memory.lastScanAt;
			return undefined;
		}
		const compared = difference(keywordsIn(memory.keywords), records, {
			...this.comparisonOf('keywords', memory),
			location,
		});
		const isEachDue = lists.includes('scans') && (wholeAt !== undefined || mayHaveNewScans(due));
		const { newest } = memory;
		// A keyword that was added, or came back, has no new scans before the newest of its location. As
		// long as those have to be learned, its own are learned, too.
		const isLearned = memory.keywords !== undefined && newest !== undefined;
		const scansOfNew = isLearned ? scansSince(newest) : undefined;
		for (const { record, now, before } of compared.listed) {
			// The name of the field is an assumption (docs/assumptions.md).
			now.text = textOf(valueIn(record, 'keyword') ?? '');
			now.id = idIn(record);
			now.scans = before ? before.scans : scansOfNew;
			now.isDue = isEachDue || before?.isDue;
		}
		memory.keywordsCount = signOf(location.keywords_count);
		this.tell(memory, 'keywords', compared.events);
		if (isEachDue) memory.lastScanAt = signOf(location.last_scan_at);
		return compared;
	}

	private async checkScans(due: Due, keywords: Listed[]): Promise<void> {
		const { location, memory, wholeAt } = due;
		let isUnread = false;
		const jobs = keywords.map(({ record, now }) => async () => {
			if (!now.isDue) return;
			const read = await this.attempt('scans', due, async () => {
				return await readScans(this.reader, record);
			});
			isUnread ||= !read;
			if (!read) return;
			// The result of a scan that goes on is still to come: it is looked for until it is the turn.
			now.isDue = read.isRunning && wholeAt === undefined;
			this.compareScans(read.scans, now, record, location);
			memory.newest = Math.max(memory.newest ?? 0, read.scans.at(-1)?.at ?? 0);
		});
		await concurrently(jobs, CONCURRENT_KEYWORDS);
		if (due.isCut) return;
		// As long as nothing was read, a new keyword learns, too.
		if (!isUnread) memory.newest ??= 0;
		this.tell(memory, 'scans', []);
	}

	/** Reports the new scans of a keyword, and remembers them. */
	private compareScans(scans: Scan[], now: Known, record: JsonObject, location: JsonObject): void {
		const { settings } = this.reader;
		const compared = compareScans(scans, now.scans);
		now.scans = compared.now;
		if (compared.added.length === 0) return;
		const earlier = scansBefore(scans, settings);
		const isShown = (name: string) => scans.some(({ record }) => Object.hasOwn(record, name));
		for (const name of settings.compareScansBy.filter((one) => !isShown(one))) {
			this.reader.notes.add(`Scans have no field "${name}", by which they are to be compared`);
		}
		for (const scan of compared.added) {
			const before = earlier.get(scan) ?? null;
			const changed = changedInScan(before, scan.record, settings);
			for (const type of eventsOf(settings, 'scans')) {
				const more = { before, changed, keyword: record };
				this.events.push(eventOf(type, scan.record, location, more));
			}
		}
	}

	private async records(list: ListName, resource: Resource, due: Due) {
		const ids = { locationId: idIn(due.location) };
		return await this.attempt(list, due, async () => {
			return await readRecords(this.reader, resource, ids);
		});
	}

	private comparisonOf(list: ListName, { learns }: LocationMemory) {
		const { settings } = this.reader;
		return { settings, types: eventsOf(settings, list), learns };
	}

	/** Reports what a list came to. Its events have learned by now. */
	private tell(memory: LocationMemory, list: ListName, events: TriggerEvent[]): void {
		for (const event of events) this.events.push(event);
		const names = eventsOf(this.reader.settings, list).map(({ name }) => name);
		const learns = memory.learns?.filter((name) => !names.includes(name));
		memory.learns = learns?.length ? learns : undefined;
	}
}
