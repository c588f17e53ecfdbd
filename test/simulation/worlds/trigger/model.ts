import { isDeepStrictEqual } from 'node:util';

import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import type { World } from './dimensions';
import { type Details, EVENTS, namesOf, timeOf } from './events';
import type { Service } from './service';

/** A record that was listed; `isMissing` since the last list lacked it. */
interface Entry {
	record: JsonObject;
	isMissing?: boolean;
	scans?: Scans;
}
export type List = Map<unknown, Entry>;

/** The newest time of a keyword's scans (s), and their IDs; unsure: one may have been over by then, or not. */
interface Scans {
	at: number;
	ids: unknown[];
	isUnsure: boolean;
}

interface OfLocation {
	self?: JsonObject;
	/** By event, the score that the next one is compared with. */
	scores: Record<string, number>;
	learns: string[];
	keywords?: List;
	posts?: List;
	/** The time of the newest scan (s); 0: there was none. */
	newest: number;
	/** The same, if all those were over that may have been. */
	mayBeNewest: number;
	/** The location showed this when its lists were read; null once one could not be read. */
	seen?: { count: unknown; lastScan: unknown; untilPoll: number } | null;
}

/** A trigger has to remember this: records as they were, where it keeps hashes. */
export interface Memory {
	events: string[];
	learns: string[];
	polls: number;
	listing?: List;
	locations: Map<unknown, OfLocation>;
}

const NO_SCANS = { newest: 0, mayBeNewest: 0 };

/** A time that may be over for one clock and not for the other (ms). */
const CLOCKS = 3_000;
/** Each location is read whole once in so many polls. */
const TURN = 12;

type Of = Parameters<typeof namesOf>[0];
type ListName = 'keywords' | 'posts';
/** A record as it was and as it is; absent: it was not there, or is not any more. */
type Pair = [was: JsonObject | undefined, is: JsonObject | undefined];

const has = (chosen: string[], ...lists: Of[]) =>
	lists.flatMap(namesOf).some((name) => chosen.includes(name));

/** The memory for the events that are chosen now: one that was added learns, and the others go on. */
function adapted(known: Memory | undefined, events: string[]): Memory {
	if (!known) return { events, learns: [], polls: 0, locations: new Map() };
	const memory = structuredClone(known);
	const added = events.filter((name) => !memory.events.includes(name));
	const learns = (before: string[]) =>
		events.filter((name) => [...before, ...added].includes(name));
	for (const one of memory.locations.values()) {
		one.learns = learns(one.learns);
		if (!has(events, 'posts')) delete one.posts;
		if (!has(events, 'keywords', 'scans')) delete one.keywords;
		if (has(events, 'scans') && !has(added, 'scans')) continue;
		Object.assign(one, NO_SCANS);
		for (const keyword of one.keywords?.values() ?? []) delete keyword.scans;
	}
	return { ...memory, events, learns: learns(memory.learns) };
}

/**
 * A poll as section 7 of the design has it: the difference of the lists that the service has shown, by
 * records as they are, without hashes, a state that has to be small, and a choice of what to read.
 */
export class ExpectedPoll {
	readonly memory: Memory;
	readonly events: TriggerEvent[] = [];
	/** Keywords of which a scan may have been learned, or not. */
	readonly unsure = new Set<unknown>();
	/** Lists that should have been read, since their location shows that they have changed. */
	readonly overdue: string[] = [];

	constructor(
		known: Memory | undefined,
		private readonly chosen: string[],
		private readonly world: World,
		private readonly service: Service,
		/** The events that were told, where the clocks do not say whether a scan is over, or of two which came before. */
		private readonly told: TriggerEvent[],
	) {
		this.memory = adapted(known, chosen);
		this.memory.polls++;
		const watched = this.compareLocations();
		watched.forEach((location, place) => this.compareListsOf(location, place));
	}

	/** @returns the watched locations */
	private compareLocations(): JsonObject[] {
		const { locations } = this.memory;
		const watched = this.read('/locations')?.records ?? [];
		this.compareListing(watched);
		for (const location of watched) {
			const one = locations.get(location.id) ?? { scores: {}, learns: [], ...NO_SCANS };
			locations.set(location.id, one);
			this.compareLocation(location, one);
		}
		return watched;
	}

	private compareListing(records: JsonObject[]): void {
		const { memory } = this;
		const { listing: known, learns } = memory;
		// An account does not lose all its locations at once.
		if (records.length === 0 && known) return;
		const { pairs, gone, list } = differenceOf(known, records);
		const isOther = known && known.size > 0 && pairs.every(([was]) => !was);
		if (isOther) {
			memory.locations.clear();
			for (const [id, { isMissing }] of list) if (isMissing) list.delete(id);
		}
		for (const { id } of gone) memory.locations.delete(id);
		memory.listing = list;
		memory.learns = [];
		if (known && !isOther) this.report('listing', pairs, learns);
	}

	private compareLocation(location: JsonObject, one: OfLocation): void {
		if (one.self) this.report('self', [[one.self, location]], one.learns, location);
		const scores = this.chosen.filter((name) => EVENTS[name].distance);
		one.scores = Object.fromEntries(
			scores.map((name) => [name, this.compareScore(name, one.scores[name], location)]),
		);
		forget(one, 'self');
		one.self = has(this.chosen, 'self') ? location : undefined;
	}

	/** @returns the score that the next one is compared with: the last reported one, or the farthest since */
	private compareScore(event: string, before: number | undefined, location: JsonObject): number {
		const score = location.rank_score as number;
		if (before === undefined) return score;
		const distance = EVENTS[event].distance!(score - before);
		if (distance < 0) return score;
		if (distance === 0 || distance < this.world.minimumChange) return before;
		const change = score - before;
		const more = { before: { rank_score: before }, change, changed: ['rank_score'] };
		this.tell(event, location, location, more);
		return score;
	}

	private compareListsOf(location: JsonObject, place: number): void {
		const one = this.memory.locations.get(location.id)!;
		const was = { ...one, hasMissing: [...(one.keywords?.values() ?? [])].some(isMissing) };
		const path = `/locations/${String(location.id)}`;
		const isAsked = (list: string) => this.service.served.has(`${path}/${list}`);
		const posts = this.read(`${path}/posts`);
		if (posts) this.compareList('posts', location, one, posts.records);
		const keywords = this.read(`${path}/keywords`);
		if (keywords) this.compareKeywords(location, one, keywords.records);
		const scans = (keywords?.records ?? []).map((keyword) =>
			this.compareScans(location, one, keyword),
		);
		const areScansAsked = isAsked('keywords') && !scans.includes('not asked');
		if (areScansAsked) forget(one, 'scans');

		const [count, lastScan] = [location.keywords_count, location.last_scan_at ?? null];
		const { seen } = one;
		if (seen && this.memory.polls < seen.untilPoll) {
			const expect = (list: Of, isRead: boolean, hasChanged: boolean) => {
				const isDue = hasChanged || has(was.learns, list);
				if (has(this.chosen, list) && isDue && !isRead) this.overdue.push(`${list} of ${path}`);
			};
			expect('posts', isAsked('posts'), true);
			expect('keywords', isAsked('keywords'), was.hasMissing || seen.count !== count);
			expect('scans', areScansAsked, seen.lastScan !== lastScan);
		}
		const isUnread = (isAsked('posts') && !posts) || (isAsked('keywords') && !keywords);
		const areAllRead =
			(posts || !has(this.chosen, 'posts')) && (keywords || !has(this.chosen, 'keywords', 'scans'));
		// A poll that ran out of time goes on with the other keywords.
		const isPart = keywords && !areScansAsked && seen?.lastScan !== lastScan;
		if (isUnread || isPart || scans.includes('unread')) one.seen = null;
		else if (seen && keywords) {
			seen.count = count;
			// As long as a scan goes on, its result is still to come.
			if (areScansAsked && !scans.includes('running')) seen.lastScan = lastScan;
		} else if (seen === undefined && areAllRead && !scans.includes('not asked')) {
			const untilPoll = this.memory.polls + TURN - (place % TURN);
			one.seen = { count, lastScan, untilPoll };
		}
	}

	private compareList(name: ListName, location: JsonObject, one: OfLocation, is: JsonObject[]) {
		const { pairs, list } = differenceOf(one[name], is);
		if (one[name]) this.report(name, pairs, one.learns, location);
		forget(one, name);
		one[name] = list;
		return pairs;
	}

	private compareKeywords(location: JsonObject, one: OfLocation, records: JsonObject[]): void {
		const isKnown = one.keywords !== undefined;
		const pairs = this.compareList('keywords', location, one, records);
		// A keyword that was added has new scans if they are newer than all of its location.
		const scans = { at: one.newest && one.newest + 1, isUnsure: one.newest < one.mayBeNewest };
		const isLearned = isKnown && has(this.chosen, 'scans') && !has(one.learns, 'scans');
		for (const [was, is] of isLearned ? pairs : []) {
			if (!was && is) one.keywords!.get(is.id)!.scans = { ...scans, ids: [] };
		}
	}

	/** Compares the scans of a keyword; `running`: one of them is surely not over. */
	private compareScans(location: JsonObject, one: OfLocation, keyword: JsonObject) {
		const path = `/keywords/${String(keyword.id)}/scans`;
		if (!this.service.served.has(path)) return 'not asked';
		const reading = this.read(path);
		if (!reading) return 'unread';
		const entry = one.keywords!.get(keyword.id)!;
		const { scans: known } = entry;
		const now = reading.at + (this.world.hasDate ? this.world.offset : 0);
		const told = this.told.filter((event) => event.keyword?.id === keyword.id);
		const toldOf = ({ id }: JsonObject) => told.find(({ record }) => record.id === id);
		const timed = reading.records.filter(({ scanned_at: at }) => at !== null);
		const over = timed.filter((scan) => timeOf(scan) <= now - CLOCKS || toldOf(scan));
		const isAhead = (scan: JsonObject) => timeOf(scan) > now + CLOCKS;
		const mayBeOver = timed.filter((scan) => !over.includes(scan) && !isAhead(scan));
		if (known?.isUnsure) this.unsure.add(keyword.id);
		const isNew = (scan: JsonObject) =>
			secondOf(scan) > known!.at || (secondOf(scan) === known!.at && !known!.ids.includes(scan.id));
		for (const scan of known && !known.isUnsure ? over.filter(isNew) : []) {
			const candidates = scansBefore(scan, timed);
			const given = toldOf(scan)?.before?.id;
			const before = candidates.find(({ id }) => id === given) ?? candidates[0] ?? null;
			const changed = before && before.position !== scan.position ? ['position'] : [];
			this.tell('rankScanCompleted', scan, location, { before, changed, keyword });
		}
		const at = Math.max(known?.at ?? 0, ...over.map(secondOf));
		const ids = over.filter((scan) => secondOf(scan) === at).map(({ id }) => id);
		if (known?.at === at) ids.push(...known.ids);
		entry.scans = { at, ids, isUnsure: mayBeOver.length > 0 && (known?.isUnsure ?? true) };
		one.newest = Math.max(one.newest, ...over.map(secondOf));
		one.mayBeNewest = Math.max(one.newest, one.mayBeNewest, ...mayBeOver.map(secondOf));
		return timed.length < reading.records.length || timed.some(isAhead) ? 'running' : 'over';
	}

	/** Tells what the events of a list say of records as they were and are, but for those that have to learn. */
	private report(of: Of, pairs: Pair[], learns: string[], location?: JsonObject): void {
		for (const name of namesOf(of).filter((one) => !learns.includes(one))) {
			for (const [was, is] of pairs) {
				const said = EVENTS[name].says?.(was, is);
				if (said) this.tell(name, is ?? {}, location ?? is!, said);
			}
		}
	}

	private tell(event: string, record: JsonObject, location: JsonObject, more: Details): void {
		if (!this.chosen.includes(event)) return;
		this.events.push({ event, record, before: null, changed: [], location, ...more });
	}

	/** A list as it was shown in this poll; undefined if it was not asked for, or never came as a whole. */
	private read(path: string): { records: JsonObject[]; at: number } | undefined {
		const served = this.service.served.get(path) ?? [];
		const firsts = served.filter(({ page, isOk }) => page === undefined && isOk);
		// A list that is incomplete is read again: the last reading counts, and its last answer for each page.
		const last = served.slice(served.findLastIndex(({ page }) => page === undefined));
		const pages = [...new Map(last.map((one) => [one.page, one])).values()];
		if (pages.length === 0 || pages.some(({ isOk }) => !isOk)) return undefined;
		const [{ all, at }] = pages;
		const distinct = (some: typeof pages) =>
			new Map(some.flatMap(({ records }) => records).map((record) => [record.id, record]));
		const records = distinct(pages);
		const total = Math.max(...pages.map((page) => page.total ?? -1));
		const isWhole =
			total < 0 ? distinct(pages.slice(0, -1)).size === records.size : records.size === total;
		// The newest scans may be enough.
		const isEnough = path.endsWith('/scans') && firsts.length === 1 && pages.length === 1;
		if (!isWhole && !isEnough) return undefined;
		const isSteady = pages.every((page) => isDeepStrictEqual(page.all, all));
		return { records: isSteady ? all : [...records.values()], at };
	}
}

const isMissing = (entry: Entry) => Boolean(entry.isMissing);
const secondOf = (scan: JsonObject) => Math.floor(timeOf(scan) / 1000);

/** The last scans of the same device that came before, all of one time. */
function scansBefore(scan: JsonObject, scans: JsonObject[]): JsonObject[] {
	const same = scans.filter(({ device }) => device === scan.device);
	const earlier = same.filter((one) => secondOf(one) < secondOf(scan));
	const latest = Math.max(...earlier.map(secondOf));
	return earlier.filter((one) => secondOf(one) === latest);
}

function forget(one: OfLocation, list: Of): void {
	one.learns = one.learns.filter((name) => !namesOf(list).includes(name));
}

/** The records of a list before and now, those that are gone (missing twice), and what to remember of it. */
function differenceOf(known: List = new Map(), records: JsonObject[]) {
	const list: List = new Map(
		records.map((record) => [record.id, { record, scans: known.get(record.id)?.scans }]),
	);
	const absent = [...known.values()].filter(({ record }) => !list.has(record.id));
	for (const entry of absent.filter((one) => !one.isMissing)) {
		list.set(entry.record.id, { ...entry, isMissing: true });
	}
	const gone = absent.filter(isMissing).map(({ record }) => record);
	const listed = records.map((record): Pair => [known.get(record.id)?.record, record]);
	return { pairs: [...listed, ...gone.map((record): Pair => [record, undefined])], gone, list };
}
