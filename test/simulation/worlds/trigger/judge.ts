import type { Fields } from '../../../../dev/sandbox/account';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import type { World } from './dimensions';
import { type Service, timeOf } from './service';

/** Fields that do not count unless they are named. */
const OF_SERVICE = `id created_at updated_at last_scan_at rank_score keywords_count location_id
	keyword_id`.split(/\s+/);

/** The lists of a location; records that change are replaced. */
interface Lists {
	keywords: Fields[];
	posts: Fields[];
	/** By keyword. */
	scans: Map<unknown, Fields[]>;
}

/** An account while nothing happens. */
interface Snapshot {
	locations: Fields[];
	/** By location; absent as long as they were not read. */
	lists: Map<unknown, Lists>;
}

/**
 * Compares the events of a round with the difference of two quiet accounts, before it and after it: each
 * change is reported once. What came and went within the round may be reported, once at most.
 */
export class Judge {
	readonly wrong: string[] = [];
	readonly count = { events: 0, polls: 0, failed: 0, checked: 0 };
	/** The locations that are known, and those that n8n has saved; of others, nothing has to be reported. */
	private known = new Set<unknown>();
	private saved = new Set<unknown>();
	/** The keywords that are known: a quiet poll may have learned others, which n8n has not saved. */
	private keywords = new Set<unknown>();
	private savedKeywords = new Set<unknown>();
	private before?: Snapshot;
	private events: TriggerEvent[] = [];
	/** The last reported scores, by location, and how many events came before these were learned. */
	private readonly scores = new Map<unknown, number>();
	private learnedAfter = 0;

	constructor(
		private readonly world: World,
		private readonly service: Service,
		private readonly picked: () => unknown[],
		private readonly chosen: () => string[],
	) {}

	flaw(text: string): void {
		this.wrong.push(text);
	}

	take(events: TriggerEvent[]): void {
		this.count.events += events.length;
		for (const event of events) this.events.push(event);
	}

	noteSaved(isLost = false): void {
		this.saved = isLost ? new Set() : new Set(this.known);
		this.savedKeywords = isLost ? new Set() : new Set(this.keywords);
	}

	/** The process goes on with what n8n has saved. */
	restart(): void {
		this.known = new Set([...this.known].filter((id) => this.saved.has(id)));
		this.keywords = this.savedKeywords;
		this.forgetScores();
	}

	/** Everything is learned again. */
	startAnew(): void {
		this.known.clear();
		this.forgetScores();
	}

	private forgetScores(): void {
		this.scores.clear();
		this.learnedAfter = this.events.length;
	}

	/** The account is quiet: all that has happened must have been reported. */
	endRound(): void {
		const after = this.snapshot();
		if (this.before) this.compare(this.before, after);
		this.before = after;
		this.events = [];
		this.learnedAfter = 0;
		this.service.changed.clear();
		for (const { id } of after.locations) if (after.lists.has(id)) this.known.add(id);
		const lists = [...after.lists.values()];
		this.keywords = new Set(lists.flatMap(({ keywords }) => keywords.map(({ id }) => id)));
	}

	private snapshot(): Snapshot {
		const { service, before, known } = this;
		const locations = [...service.list('locations')];
		const listsOf = (location: Fields): Array<[unknown, Lists]> => {
			const { id } = location;
			const isUnread = service.trouble !== undefined && id === service.first.id;
			const earlier = known.has(id) ? before?.lists.get(id) : undefined;
			if (isUnread) return earlier ? [[id, earlier]] : [];
			const keywords = [...service.list('keywords', location)];
			const scansOf = (one: Fields) => [...service.list('scans', one)];
			const scans = new Map(keywords.map((one) => [one.id, scansOf(one)]));
			const posts = [...service.list('posts', location)];
			return [[id, { keywords, posts, scans }]];
		};
		return { locations, lists: new Map(locations.flatMap(listsOf)) };
	}

	private compare(before: Snapshot, after: Snapshot): void {
		const isSure = this.known.size > 0;
		const picked = this.picked();
		this.compareLists('location', isSure, before.locations, after.locations, (id) => {
			return picked.length === 0 || picked.includes(id);
		});
		for (const { id } of before.locations) {
			const [was, is] = [before, after].map(({ lists }) => lists.get(id));
			const isWatched = picked.length === 0 || picked.includes(id);
			if (!was || !is) continue;
			this.count.checked++;
			const isKnown = isWatched && this.known.has(id);
			this.compareLists('keyword', isKnown, was.keywords, is.keywords);
			this.compareLists('post', isKnown, was.posts, is.posts);
			for (const [keyword, scans] of is.scans) {
				const earlier = was.scans.get(keyword) ?? [];
				this.compareLists('rankScan', isKnown, earlier, scans);
				this.compareBefore(scans);
			}
		}
		this.compareScores(after.locations, isSure);
	}

	/** @param isSure true if a change has to be reported */
	private compareLists(
		noun: 'keyword' | 'location' | 'post' | 'rankScan',
		isSure: boolean,
		before: Fields[],
		after: Fields[],
		isWatched: (id: unknown) => boolean = () => true,
	): void {
		const [was, is] = [before, after].map((all) => new Map(all.map((one) => [one.id, one])));
		const addedName = noun === 'rankScan' ? 'rankScanCompleted' : `${noun}Added`;
		for (const [id, record] of is) {
			const earlier = was.get(id);
			this.expect(addedName, id, earlier ? 0 : 1, isSure);
			const isNewlyPublished = record.status === 'published' && earlier?.status !== 'published';
			this.expect('postPublished', id, noun === 'post' && isNewlyPublished ? 1 : 0, isSure);
			const isRemoved = this.eventsOf('keywordRemoved', id).length > 0;
			if (isRemoved) this.flaw(`keywordRemoved, and is there: ${String(id)}`);
			if (earlier) this.compareFields(`${noun}Changed`, earlier, record, isSure && isWatched(id));
		}
		if (noun !== 'keyword') return;
		for (const { id } of before) {
			if (!is.has(id)) this.expect('keywordRemoved', id, 1, isSure && this.keywords.has(id));
		}
	}

	private compareFields(name: string, was: Fields, is: Fields, isSure: boolean): void {
		const named = this.world.fieldsToWatch.split(', ').filter(Boolean);
		const isCounted = (field: string) =>
			named.length > 0 ? named.includes(field) : !OF_SERVICE.includes(field);
		const events = this.eventsOf(name, is.id);
		const reported = new Set(events.flatMap(({ changed }) => changed));
		const changes = (this.service.changed.get(is.id) ?? []).map((all) => all.filter(isCounted));
		const real = changes.filter((all) => all.length > 0);
		const differ = Object.keys(is).filter((field) => isCounted(field) && is[field] !== was[field]);
		if (events.length > real.length) this.flaw(`${name} too often: ${String(is.id)}`);
		const isUnreal = [...reported].some((field) => !real.flat().includes(field));
		if (isUnreal) this.flaw(`${name} with ${[...reported].join()}: ${String(is.id)}`);
		const isMissing = differ.some((field) => !reported.has(field));
		if (isSure && isMissing && this.chosen().includes(name)) {
			this.flaw(`no ${name} with ${differ.join()}: ${String(is.id)}`);
		}
	}

	private expect(name: string, id: unknown, count: 0 | 1, isSure: boolean): void {
		const { length } = this.eventsOf(name, id);
		if (length > count) this.flaw(`${name} ${length} times: ${String(id)}`);
		if (isSure && this.chosen().includes(name) && length < count) {
			this.flaw(`no ${name}: ${String(id)}`);
		}
	}

	private eventsOf(name: string, id: unknown): TriggerEvent[] {
		return this.events.filter(({ event, record }) => event === name && record.id === id);
	}

	/**
	 * A scan is compared with the last earlier one of its device, if that is near enough to be read. One
	 * that was added later, with an earlier time, may have been there or not.
	 */
	private compareBefore(scans: Fields[]): void {
		const isComplete = this.world.pageSize >= 15;
		for (const [place, scan] of scans.entries()) {
			const events = this.eventsOf('rankScanCompleted', scan.id);
			if (events.length === 0) continue;
			const second = (one: Fields) => Math.floor(timeOf(one) / 1_000);
			const due = scans.slice(place).map((_, more) => {
				const there = scans.slice(0, place + more + 1).filter((one) => one.device === scan.device);
				return Math.max(0, ...there.map(second).filter((at) => at < second(scan)));
			});
			for (const { before } of events) {
				const isRight = before
					? [second(scan), ...due].includes(second(before as Fields)) && before.id !== scan.id
					: due.includes(0) || !isComplete;
				if (!isRight) this.flaw(`before of ${String(scan.id)}: ${String(before?.id)}`);
			}
		}
	}

	private compareScores(locations: Fields[], isSure: boolean): void {
		const { minimumChange } = this.world;
		for (const { event, record, before, change = 0 } of this.events.slice(this.learnedAfter)) {
			if (!event.startsWith('rankScore')) continue;
			const distance = { rankScoreDropped: -change, rankScoreRose: change }[event];
			if ((distance ?? Math.abs(change)) < minimumChange) this.flaw(`${event} by ${change}`);
			if (event !== 'rankScoreChanged') continue;
			const last = this.scores.get(record.id) ?? before!.rank_score;
			if (last !== before!.rank_score) this.flaw(`${event} from another score`);
			this.scores.set(record.id, Number(record.rank_score));
		}
		if (!isSure || !this.chosen().includes('rankScoreChanged')) return;
		const now = new Map(locations.map((one) => [one.id, Number(one.rank_score)]));
		for (const [id, last] of this.scores) {
			const distance = Math.abs((now.get(id) ?? last) - last);
			if (distance >= minimumChange) this.flaw(`no rankScoreChanged: ${String(id)}`);
		}
	}
}
