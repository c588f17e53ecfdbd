import { concurrently, type JsonObject, textOf } from '../client';
import { keyword, post, type Resource } from '../resources';
import { difference } from './difference';
import { idIn, type Known } from './known';
import { type Due, type ListName, signOf } from './due';
import { eventOf, type TriggerEvent } from './events';
import type { LocationMemory } from './memory';
import type { PollBudget } from './pollBudget';
import { isOfAll, type Reader, readRecords, readScans } from './reader';
import { changedInScan, compareScans, learnScans, type Scan, scanBefore } from './scans';
import { eventsOf } from './settings';

const CONCURRENT_LOCATIONS = 4;
/** The most keywords of a location whose scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** `read`; `unread`: it can't be read, and waits for its turn; `left`: the next poll goes on with it. */
type Outcome = 'left' | 'read' | 'unread';

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
	) {}

	/** @returns the key of the location with which the next poll begins; undefined if all were read */
	async run(due: Due[]): Promise<string | undefined> {
		const left: string[] = [];
		const cut: string[] = [];
		const jobs = due.map((one) => async () => {
			const { key, memory, wholeAt } = one;
			if (this.refusal || !this.budget.mayBegin) left.push(key);
			else if ((await this.checkLocation(one)).includes('left')) cut.push(key);
			else if (wholeAt !== undefined) memory.wholeAt = wholeAt;
		});
		await concurrently(jobs, CONCURRENT_LOCATIONS);
		// A location that never fits into a poll does not hold back those after it.
		return [...left, ...cut][0];
	}

	private async checkLocation(due: Due): Promise<Outcome[]> {
		const { lists } = due;
		const outcomes: Outcome[] = [];
		if (lists.includes('posts')) outcomes.push(await this.checkPosts(due));
		if (lists.some((list) => list !== 'posts')) outcomes.push(await this.checkKeywords(due));
		return outcomes;
	}

	/** Reads a list, or says why not. */
	private async attempt<T>(list: ListName, read: () => Promise<T>): Promise<T | Outcome> {
		if (this.refusal || !this.budget.begins()) return 'left';
		try {
			const value = await read();
			this.read.add(list);
			return value;
		} catch (thrown) {
			const error = thrown as Error;
			if (!this.failures.has(list)) this.failures.set(list, error);
			if (isOfAll(error)) this.refusal ??= error;
			if (isOfAll(error)) return 'left';
			this.unread.push(error);
			return 'unread';
		}
	}

	private async checkPosts({ location, memory }: Due): Promise<Outcome> {
		const posts = await this.records('posts', post, location);
		if (typeof posts === 'string') return waitFor(memory, ['posts'], posts);
		const types = eventsOf(this.reader.settings, 'posts');
		const { events, listed, missing } = this.compare(memory.posts, posts, 'posts', location);
		memory.posts = [...listed.map(({ now }) => now), ...missing];
		this.report(memory, 'posts', events);
		const hasStatus = posts.some((one) => Object.hasOwn(one, 'status'));
		if (posts.length > 0 && !hasStatus && types.some(({ when }) => when === 'became')) {
			this.reader.notes.add("Content posts have no 'status' that would say if they are published");
		}
		return 'read';
	}

	private async checkKeywords(due: Due): Promise<Outcome> {
		const { lists, location, memory } = due;
		const records = await this.records('keywords', keyword, location);
		if (typeof records === 'string') return waitFor(memory, ['keywords', 'scans'], records);
		const compared = this.compare(memory.keywords, records, 'keywords', location);
		const scansOfNew = this.scansOfNewKeyword(memory);
		for (const { record, now, before } of compared.listed) {
			// The name of the field is an assumption (docs/assumptions.md).
			now.words = { id: idIn(record), text: textOf(record.keyword ?? '') };
			now.scans = before ? before.scans : scansOfNew;
		}
		memory.keywords = [...compared.listed.map(({ now }) => now), ...compared.missing];
		memory.keywordsCount = signOf(location.keywords_count);
		this.report(memory, 'keywords', compared.events);
		return lists.includes('scans') ? await this.checkScans(due, compared.listed) : 'read';
	}

	/**
	 * The known scans of a keyword that was added, or came back: those up to the newest of its
	 * location are not new. Nothing, as long as the scans of the location have to be learned.
	 */
	private scansOfNewKeyword({ keywords, learns = [], newest }: LocationMemory): Known['scans'] {
		const types = eventsOf(this.reader.settings, 'scans');
		const isLearned = types.length > 0 && types.every(({ name }) => !learns.includes(name));
		return isLearned && keywords
			? { at: newest === undefined ? 0 : newest + 1, keys: [] }
			: undefined;
	}

	private async checkScans(
		{ location, memory, wholeAt }: Due,
		keywords: Array<{ record: JsonObject; now: Known }>,
	): Promise<Outcome> {
		const lastScan = signOf(location.last_scan_at);
		const { key: from, lastScanAt } = memory.resume ?? { key: '', lastScanAt: lastScan };
		const inTurn = keywords
			.filter(({ now }) => now.key >= from)
			.sort((a, b) => (a.now.key < b.now.key ? -1 : 1));
		const left: string[] = [];
		let isEachOver = true;
		const jobs = inTurn.map(({ record, now }) => async () => {
			const read = await this.attempt('scans', async () => {
				return await readScans(this.reader, record, now.scans);
			});
			if (read === 'left') left.push(now.key);
			if (typeof read === 'string') return [];
			isEachOver &&= read.isEachOver;
			const found = this.compareScans(read.scans, now, record, location);
			memory.newest = Math.max(memory.newest ?? 0, now.scans!.at) || undefined;
			return found;
		});
		this.events.push(...(await concurrently(jobs, CONCURRENT_KEYWORDS)).flat());
		if (left.length > 0) {
			memory.resume = { key: left.sort()[0], lastScanAt };
			return 'left';
		}
		delete memory.resume;
		// As long as a scan goes on, its result is still to come: it is looked for until it is the turn.
		if (isEachOver || wholeAt !== undefined) memory.lastScanAt = lastScanAt;
		this.report(memory, 'scans', []);
		return 'read';
	}

	/** The events of a keyword's scans; they are remembered. */
	private compareScans(
		scans: Scan[],
		now: Known,
		record: JsonObject,
		location: JsonObject,
	): TriggerEvent[] {
		const { settings } = this.reader;
		const found = now.scans && compareScans(now.scans, scans);
		now.scans = found?.now ?? learnScans(scans);
		return (found?.added ?? []).flatMap((scan) => {
			const before = scanBefore(scan, scans, settings) ?? null;
			const changed = changedInScan(before, scan.record, settings);
			return eventsOf(settings, 'scans').map((type) =>
				eventOf(type, scan.record, location, { before, changed, keyword: record }),
			);
		});
	}

	private async records(list: ListName, resource: Resource, location: JsonObject) {
		const ids = { locationId: idIn(location) };
		return await this.attempt(list, async () => await readRecords(this.reader, resource, ids));
	}

	private compare(
		known: Known[] | undefined,
		records: JsonObject[],
		list: ListName,
		location: JsonObject,
	) {
		const { settings } = this.reader;
		return difference(known, records, { settings, types: eventsOf(settings, list), location });
	}

	/** Reports what a list came to, but the events that have to learn here first. */
	private report(memory: LocationMemory, list: ListName, events: TriggerEvent[]): void {
		const { learns = [], waits = [] } = memory;
		this.events.push(...events.filter(({ event }) => !learns.includes(event)));
		const names = eventsOf(this.reader.settings, list).map(({ name }) => name);
		memory.learns = filled(learns.filter((name) => !names.includes(name)));
		memory.waits = filled(waits.filter((one) => one !== list));
	}
}

/** Nothing in place of an empty list: it takes no room. */
const filled = <T>(values: T[]) => (values.length > 0 ? values : undefined);

/** Notes which lists wait for the turn of their location, as they can't be read. */
function waitFor(memory: LocationMemory, lists: ListName[], outcome: Outcome): Outcome {
	if (outcome === 'unread') {
		memory.waits = [...new Set([...(memory.waits ?? []), ...lists])];
		delete memory.resume;
	}
	return outcome;
}
