import { isDeepStrictEqual } from 'node:util';

import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import type { World } from './dimensions';
import { type Details, EVENTS, namesOf, type Of, type Seen, timeOf } from './events';
import { isNewTo, scansBefore, secondOf, withScans } from './knownScans';
import {
	adapted,
	differenceOf,
	type Entry,
	forget,
	has,
	type Memory,
	namesIn,
	type OfLocation,
} from './memory';
import type { Service } from './service';

/** A time that may be over for one clock and not for the other (ms). */
const CLOCKS = 3_000;
/** Each location is read whole once in so many polls. */
const TURN = 12;
/** What a location shows is never this, so that its lists are read again. */
const UNREAD = 'unread';

type ListName = 'keywords' | 'posts';

/** The settings of the trigger that change. */
interface Chosen {
	chosen: string[];
	/** The IDs of locations; empty: all. */
	picked: unknown[];
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
	private readonly chosen: string[];

	constructor(
		known: Memory | undefined,
		private readonly settings: Chosen,
		private readonly world: World,
		private readonly service: Service,
		/** The events that were told, where the clocks do not say whether a scan is over, or of two which came before. */
		private readonly told: TriggerEvent[],
	) {
		this.chosen = settings.chosen;
		this.memory = adapted(known, this.chosen);
		this.memory.polls++;
		const watched = this.compareLocations();
		watched.forEach((location, place) => this.compareListsOf(location, place));
	}

	/** @returns the watched locations */
	private compareLocations(): JsonObject[] {
		const { memory, world } = this;
		const { picked } = this.settings;
		const isListed = picked.length === 0 || this.chosen.includes('locationAdded');
		const all = isListed ? (this.read('/locations')?.records ?? []) : this.readPicked(picked);
		if (isListed) this.compareListing(all);
		else delete memory.listing;
		const watched = all.filter(({ id }) => picked.length === 0 || picked.includes(id));
		const isAny = world.fieldsToWatch === '';
		for (const name of isAny ? namesIn(watched) : world.fieldsToWatch.split(', ')) {
			if (this.chosen.includes('locationChanged')) memory.names.add(name);
		}
		for (const id of memory.locations.keys()) {
			if (picked.length > 0 && !picked.includes(id)) memory.locations.delete(id);
		}
		for (const location of watched) {
			const one = memory.locations.get(location.id) ?? { scores: {}, learns: [], mayBeNewest: 0 };
			memory.locations.set(location.id, one);
			this.compareLocation(location, one);
		}
		return watched;
	}

	private readPicked(picked: unknown[]): JsonObject[] {
		return picked.flatMap((id) => {
			const last = this.service.served.get(`/locations/${String(id)}`)?.at(-1);
			return last?.isOk ? last.records : [];
		});
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
		for (const { record } of gone) memory.locations.delete(record.id);
		memory.listing = list;
		memory.learns = [];
		if (known && !isOther) this.report('listing', pairs, learns);
	}

	private compareLocation(record: JsonObject, one: OfLocation): void {
		const self: Seen = { record, names: new Set(this.memory.names) };
		if (one.self) this.report('self', [[one.self, self]], one.learns, record);
		const scores = this.chosen.filter((name) => EVENTS[name].distance);
		one.scores = Object.fromEntries(
			scores.map((name) => [name, this.compareScore(name, one.scores[name], record)]),
		);
		forget(one, 'self');
		one.self = has(this.chosen, 'self') ? self : undefined;
	}

	/** @returns the score that the next one is compared with: the last reported one, or the farthest since */
	private compareScore(event: string, before: number | undefined, location: JsonObject): number {
		const score = Number(location.rank_score);
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
		const { chosen, memory } = this;
		const one = memory.locations.get(location.id)!;
		const path = `/locations/${String(location.id)}`;
		const isAsked = (list: ListName) => this.service.served.has(`${path}/${list}`);
		this.expectReading(location, one);
		if (isAsked('posts')) this.comparePosts(location, one, this.read(`${path}/posts`)?.records);
		if (isAsked('keywords')) {
			this.compareKeywords(location, one, this.read(`${path}/keywords`)?.records);
		}
		if (!has(chosen, 'posts', 'keywords', 'scans')) return;
		one.untilPoll ??= memory.polls + TURN - (place % TURN);
		const isPostsRead = one.posts || !has(chosen, 'posts');
		one.isJudged ||= Boolean(isPostsRead && (one.keywords || !has(chosen, 'keywords', 'scans')));
	}

	/** Notes lists that are not asked for, although they may have changed. */
	private expectReading({ id, ...location }: JsonObject, one: OfLocation): void {
		const { chosen, memory } = this;
		if (!one.isJudged || memory.polls >= one.untilPoll!) return;
		const entries = [...(one.keywords?.values() ?? [])];
		const path = `/locations/${String(id)}`;
		const expect = (list: Of, where: string, hasChanged: boolean) => {
			const isDue = hasChanged || has(one.learns, list);
			const isAsked = this.service.served.has(where);
			if (has(chosen, list) && isDue && !isAsked) this.overdue.push(`${list} at ${where}`);
		};
		const isMissing = entries.some((entry) => entry.isMissing);
		const hasNewScans = one.lastScan !== (location.last_scan_at ?? null);
		expect('posts', `${path}/posts`, true);
		expect('keywords', `${path}/keywords`, isMissing || one.count !== location.keywords_count);
		expect('scans', `${path}/keywords`, hasNewScans || entries.some(({ isDue }) => isDue));
		for (const { id: keyword } of this.read(`${path}/keywords`)?.records ?? []) {
			const isDue = Boolean(hasNewScans || one.keywords?.get(keyword)?.isDue);
			if (isDue) expect('scans', `/keywords/${String(keyword)}/scans`, isDue);
		}
	}

	private comparePosts(location: JsonObject, one: OfLocation, is?: JsonObject[]): void {
		if (!is) return;
		const known = one.posts;
		const pairs = this.compareList('posts', location, one, is);
		const isFirst = !known || one.learns.includes('postPublished');
		for (const [was, entry] of pairs) {
			if (!entry || !this.chosen.includes('postPublished')) continue;
			const before = was && !isFirst ? was.isPublished : undefined;
			const { status } = entry.record;
			// A status that is missing says nothing, unless there never was one.
			const none = before ?? (known && (!was || !isFirst) ? false : undefined);
			entry.isPublished = status === undefined ? none : status === 'published';
		}
		if (known) this.report('posts', pairs, one.learns, location);
		forget(one, 'posts');
	}

	private compareList(name: ListName, location: JsonObject, one: OfLocation, is: JsonObject[]) {
		const { pairs, list } = differenceOf(one[name], is);
		// As long as changes are not watched, fields are not known.
		if (name === 'posts' && !this.chosen.includes('postChanged')) {
			for (const entry of list.values()) entry.names = new Set();
		}
		if (one[name] && name === 'keywords') this.report(name, pairs, one.learns, location);
		if (name === 'keywords') forget(one, name);
		one[name] = list;
		return pairs;
	}

	private compareKeywords(location: JsonObject, one: OfLocation, records?: JsonObject[]): void {
		const { chosen } = this;
		if (!records) {
			Object.assign(one, { count: UNREAD, lastScan: UNREAD });
			return;
		}
		const isKnown = one.keywords !== undefined;
		const pairs = this.compareList('keywords', location, one, records);
		one.count = location.keywords_count;
		if (!has(chosen, 'scans')) return;
		const { newest = 0, mayBeNewest } = one;
		// A keyword that was added has new scans, but for those before the newest of its location.
		const scans = { from: newest, times: new Map(), isUnsure: newest < mayBeNewest };
		for (const [was, is] of pairs) {
			if (isKnown && one.newest !== undefined && !was && is) is.scans = { ...scans };
		}
		const lastScan = location.last_scan_at ?? null;
		const listed = pairs.flatMap(([, is]) => is ?? []);
		// Scans that are asked for although nothing shows a change: it is the turn of the location.
		if (one.lastScan !== lastScan) for (const entry of listed) entry.isDue = true;
		one.lastScan = lastScan;
		const states = listed.map((entry) => this.compareScans(location, one, entry));
		if (states.includes('not asked')) return;
		forget(one, 'scans');
		if (states.includes('read') || states.length === 0) one.newest ??= 0;
		// One that was refused together with all others leaves it open.
		else if (one.newest === undefined) Object.assign(one, { newest: 0, mayBeNewest: Infinity });
	}

	private compareScans(location: JsonObject, one: OfLocation, entry: Entry) {
		const { record: keyword, scans: known } = entry;
		const path = `/keywords/${String(keyword.id)}/scans`;
		if (!this.service.served.has(path)) return 'not asked';
		const reading = this.read(path);
		if (!reading) {
			entry.isDue = true;
			return 'unread';
		}
		const now = reading.at + (this.world.hasDate ? this.world.offset : 0);
		const told = this.told.filter((event) => event.keyword?.id === keyword.id);
		const toldOf = (scan: JsonObject) =>
			told.find(({ record }) => record.id === scan.id && timeOf(record) === timeOf(scan));
		const timed = reading.records.filter(({ scanned_at: at }) => at !== null);
		const over = timed.filter((scan) => timeOf(scan) <= now - CLOCKS || toldOf(scan));
		const isAhead = (scan: JsonObject) => timeOf(scan) > now + CLOCKS;
		const mayBeOver = timed.filter((scan) => !over.includes(scan) && !isAhead(scan));
		if (known?.isUnsure) this.unsure.add(keyword.id);
		const isSure = known && !known.isUnsure;
		for (const scan of isSure ? over.filter((one) => isNewTo(known, one)) : []) {
			const candidates = scansBefore(scan, timed);
			const given = toldOf(scan)?.before?.id;
			const before = candidates.find(({ id }) => id === given) ?? candidates[0] ?? null;
			const changed = before && before.position !== scan.position ? ['position'] : [];
			this.tell('rankScanCompleted', scan, location, { before, changed, keyword });
		}
		// Only scans that are known to be over say which others were over before them.
		const isOpen = mayBeOver.length > 0 || (known && over.length === 0);
		const isUnsure = Boolean(isOpen && (known?.isUnsure ?? true));
		entry.scans = { ...withScans(known, over), isUnsure };
		const times = over.map(secondOf);
		one.newest = Math.max(one.newest ?? 0, ...times);
		one.mayBeNewest = Math.max(one.newest, one.mayBeNewest, ...mayBeOver.map(secondOf));
		// Its result is still to come; when it is the turn of the location, that is waited for no longer.
		const isRunning = timed.length < reading.records.length || timed.some(isAhead);
		entry.isDue = isRunning && Boolean(one.isJudged);
		return 'read';
	}

	/** Tells what the events of a list say of records as they were and are, but for those that have to learn. */
	private report(
		of: Of,
		pairs: Array<[Seen | undefined, Seen | undefined]>,
		learns: string[],
		location?: JsonObject,
	): void {
		for (const name of namesOf(of).filter((one) => !learns.includes(one))) {
			for (const [was, is] of pairs) {
				const said = EVENTS[name].says?.(was, is);
				if (said) this.tell(name, is?.record ?? {}, location ?? is!.record, said);
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
		// A list that is incomplete is read again: the last reading counts, and its last answer for each page.
		const last = served.slice(served.findLastIndex(({ page }) => page === undefined));
		const pages = [...new Map(last.map((one) => [one.page, one])).values()];
		if (pages.length === 0 || pages.some(({ isOk }) => !isOk)) return undefined;
		const [{ all, at }] = pages;
		const distinct = (some: typeof pages) =>
			new Map(some.flatMap(({ records }) => records).map((record) => [record.id, record]));
		const records = distinct(pages);
		const total = Math.max(...pages.map((page) => page.total ?? -1));
		const behind = distinct(pages.slice(0, -1)).size === records.size;
		// A first page that is full may state its own size as the total, so the one behind it is asked for.
		const isAlone = pages.length === 1 && records.size === this.world.pageSize;
		const isWhole = total < 0 ? behind : records.size === total && !isAlone;
		if (!isWhole) return undefined;
		const isSteady = pages.every((page) => isDeepStrictEqual(page.all, all));
		return { records: isSteady ? all : [...records.values()], at };
	}
}
