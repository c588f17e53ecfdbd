import { idOf, type JsonObject, timeOf } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/subject';
import {
	differingFields,
	isReachable,
	isSame,
	lastAppearanceOf,
	locationOf,
	scanTime,
	shownAt,
	type Slot,
	START,
} from './account';
import type { Kind, World } from './dimensions';
import type { Service } from './service';

/** What a poll came to; times in milliseconds. */
export interface Poll {
	startedAt: number;
	endedAt: number;
	/** Undefined: it failed. */
	events?: TriggerEvent[];
	/** Whether it only learned what is there. */
	hasLearned: boolean;
	/** Whether it ran out of time before all locations were checked. */
	isCut: boolean;
}

/**
 * What a listener knows who starts with what the first poll saw and takes in each event:
 * - `unknown`: never seen
 * - `known`: as `record` shows
 * - `unsure`: whether the trigger saw it can't be told from outside
 */
interface Knowledge {
	state: 'unknown' | 'known' | 'unsure';
	record?: JsonObject;
	/** When it was last reported. */
	knownAt?: number;
}

const FULL_CHECK_EVERY = 12;
/** Dates of scans may be finer than `last_scan_at`. */
const WITHIN_SECOND = 999;

/**
 * Takes in all events of a trigger and compares what a listener knows with what there really is:
 * every event has to tell something that the listener does not know, and after a calm end, the listener
 * has to know everything.
 *
 * What can't be reported stands in three places: `isExempt`, `firstStateOf` and `forgetQuietly`.
 */
export class Judge {
	readonly wrong: string[] = [];
	readonly count = { events: 0, polls: 0, failed: 0, checked: 0 };
	private knowledge = new Map<Slot, Knowledge>();
	/** What was known when n8n last saved the state. */
	private saved = new Set<Slot>();
	/** Posts that were surely seen before they were published, and have not been reported as published. */
	private readonly unpublished = new Set<Slot>();
	private readonly published = new Set<Slot>();
	private readonly successes: Poll[] = [];
	private learnedAt = -Infinity;
	/** When the poll ended that learned. */
	private learnedUntil = -Infinity;
	/** Whether some list was not read as it is when the trigger learned. */
	private hasLearnedBlindly = false;
	private hasJumped = false;

	constructor(
		private readonly world: World,
		private readonly service: Service,
		private events: Set<string>,
	) {}

	flaw(what: string): void {
		this.wrong.push(what);
		this.service.log(`WRONG: ${what}`);
	}

	watch(events: Set<string>): void {
		this.events = events;
	}

	/** From now on, dates do not tell what came first. */
	noteJump(): void {
		this.hasJumped = true;
	}

	noteSave(): void {
		const known = [...this.knowledge].filter(([, { state }]) => state === 'known');
		this.saved = new Set(known.map(([slot]) => slot));
	}

	/**
	 * The process is gone that knew what quiet polls left, and n8n saves only after others: what was
	 * learned without an event since then may not be known.
	 */
	forgetQuietly(): void {
		for (const [slot, known] of this.knowledge) {
			if (known.state === 'known' && !this.saved.has(slot)) known.state = 'unsure';
		}
	}

	/** Whether none of the locations that the trigger knows is there for sure: it takes that for another account. */
	isOtherAccount(poll: Poll): boolean {
		if (this.service.hasFailed({ kind: 'location' })) return true;
		const known = this.slots('location').filter(
			(slot) => isReachable(slot) && this.stateOf(slot).state === 'known',
		);
		return !known.some((slot) => this.isCalm(slot, poll) && shownAt(slot, poll.endedAt));
	}

	take(poll: Poll): void {
		this.count.polls++;
		if (!poll.events) {
			this.count.failed++;
			return;
		}
		this.successes.push(poll);
		if (poll.hasLearned) this.learn(poll);
		for (const event of poll.events) this.takeEvent(event, poll);
	}

	/** After the last polls, all of which had time, everything has to be known. */
	finish({ endedAt }: Poll): void {
		for (const slot of this.service.account.slots) {
			if (this.service.isTroubled && this.service.isInTrouble(slot)) continue;
			if (!isReachable(slot) || !this.isWatched(slot)) continue;
			this.count.checked++;
			const record = shownAt(slot, endedAt);
			if (record) this.checkPresent(slot, record);
			else if (slot.kind === 'keyword') this.checkRemoved(slot, endedAt);
		}
	}

	private checkPresent(slot: Slot, record: JsonObject): void {
		const isJudgedAsPublished = this.events.has('postPublished') && this.isPicked(slot);
		if (isJudgedAsPublished && record.status === 'published' && this.unpublished.has(slot)) {
			this.flaw(`post ${slot.serial} was published, which was not reported`);
		}
		const known = this.stateOf(slot);
		const name = `${slot.kind} ${slot.serial}`;
		if (known.state === 'unknown' && this.isReported('Added', slot.kind) && !this.isExempt(slot)) {
			this.flaw(`${name} was not reported`);
		}
		const isJudged = known.state === 'known' && this.isReported('Changed', slot.kind);
		if (!isJudged || !this.isPicked(slot)) return;
		// A field that was never there before may be one that the service has added to all records.
		const { record: earlier = {} } = known;
		const fields = differingFields(earlier, record).filter((field) => field in earlier);
		if (fields.length > 0) this.flaw(`${name}: a change of ${fields.join(', ')} was not reported`);
	}

	private checkRemoved(slot: Slot, endedAt: number): void {
		const isWithLocation = shownAt(locationOf(slot), endedAt) === null;
		if (isWithLocation || !this.events.has('keywordRemoved')) return;
		if (this.stateOf(slot).state === 'known') {
			this.flaw(`keyword ${slot.serial}: its removal was not reported`);
		}
	}

	private learn(poll: Poll): void {
		this.learnedAt = poll.startedAt;
		this.learnedUntil = poll.endedAt;
		this.hasLearnedBlindly = poll.isCut || this.service.hasFailedAny;
		this.knowledge = new Map();
		this.saved.clear();
		this.unpublished.clear();
		for (const slot of this.service.account.slots) {
			const record = shownAt(slot, poll.endedAt) ?? undefined;
			const location = locationOf(slot);
			const isListed = !this.service.hasFailed(slot.kind === 'scan' ? location : slot);
			const isReached = slot.kind === 'location' || slot.kind === 'scan' || !poll.isCut;
			const isSure = this.isCalm(slot, poll) && isListed && isReached && this.canTell(slot);
			const state = !isSure ? 'unsure' : record ? 'known' : 'unknown';
			this.knowledge.set(slot, { state, record });
			if (state === 'known' && record?.status === 'scheduled') this.unpublished.add(slot);
		}
	}

	private takeEvent(told: TriggerEvent, poll: Poll): void {
		this.count.events++;
		const { event, record, before, changed } = told;
		const kind = kindOf(event);
		const slot = this.slotOf(kind, told);
		const name = `${event} of ${kind} ${JSON.stringify(record.id ?? record).slice(0, 60)}`;
		this.service.log(`reported: ${name} ${changed.join(', ')}`);
		if (!this.events.has(event)) return this.flaw(`${name} is not selected`);
		if (!slot) return this.flaw(`${name}, which never existed`);
		const known = this.stateOf(slot);
		const versions = this.visible(slot, poll);
		// It may have gone and come back between two checks.
		const since = Math.max(this.learnedAt, known.knownAt ?? 0) - this.world.staleness;
		const wasGone = slot.versions.some(({ at, record: shown }) => shown === null && at >= since);
		if (event === 'keywordRemoved') {
			if (!versions.includes(null)) this.flaw(`${name}, which is there`);
			if (known.state === 'unknown' && this.isReported('Added', kind) && !this.isExempt(slot)) {
				this.flaw(`${name}, which was not known`);
			}
			known.state = 'unknown';
			return;
		}
		if (!versions.some((one) => one && isSame(one, record))) {
			return this.flaw(`${name}, which was not like that`);
		}
		if (event === 'postPublished') return this.takePublication(slot, told, name, wasGone);
		if (event.endsWith('Changed')) {
			if (known.state === 'unknown' && this.isReported('Added', kind) && !this.isExempt(slot)) {
				this.flaw(`${name}, which was not known`);
			}
			const different = differingFields(known.record, record);
			const same = changed.filter((field) => !different.includes(field));
			if (known.state === 'known' && (changed.length === 0 || same.length > 0)) {
				this.flaw(`${name}: ${same.join(', ')} did not change`);
			}
			for (const [field, value] of Object.entries(before ?? {})) {
				const earlier = known.record?.[field] ?? null;
				if (known.state === 'known' && value !== earlier) {
					this.flaw(`${name}: ${field} was ${String(earlier)}, not ${String(value)}`);
				}
			}
		} else if (known.state === 'known' && !wasGone) {
			this.flaw(`${name}, which was known`);
		}
		Object.assign(known, { state: 'known', record, knownAt: poll.startedAt });
	}

	/** A post is published once; one that was gone for two checks is new when it comes back. */
	private takePublication(
		slot: Slot,
		{ record, before, changed }: TriggerEvent,
		name: string,
		wasGone: boolean,
	): void {
		if (record.status !== 'published') this.flaw(`${name}, which is not published`);
		if (before && (before.status !== 'scheduled' || changed.join() !== 'status')) {
			this.flaw(`${name}: ${changed.join()} was ${JSON.stringify(before)}`);
		}
		if (this.published.has(slot) && !wasGone) this.flaw(`${name}, for the second time`);
		this.published.add(slot);
		this.unpublished.delete(slot);
	}

	/** What is new, but can't be reported, however often it is checked. */
	private isExempt(slot: Slot): boolean {
		const location = locationOf(slot);
		const [{ at: cameAt }] = slot.versions;
		// A location that is dated before the last listing was only missing: what it has is not new.
		const wasListedFirst = !this.hasLearnedBlindly && shownAt(location, this.learnedAt) !== null;
		if (slot !== location && this.isOld(location) && !wasListedFirst) {
			const since =
				location.versions.find(({ at, record }) => at > this.learnedAt && record)?.at ?? 0;
			const firstSeen = this.successes.find(({ startedAt }) => startedAt >= since)?.endedAt ?? 0;
			if (cameAt <= firstSeen) return true;
		}
		if (slot.kind !== 'scan') return false;
		const at = scanTime(slot);
		// One that comes late may stand on a page that is not read again.
		if (at === undefined || slot.isBackfilled) return true;
		const last = this.lastScanAtFirst(location);
		// Of a location that was not scanned before the first poll, the clock tells what is new.
		if (last === undefined && !(this.areDatesExact && cameAt > this.learnedUntil)) return true;
		const appearedAt = lastAppearanceOf(slot);
		const seen = ({ versions: [first] }: Slot) =>
			this.successes.filter(
				({ startedAt, endedAt }) =>
					startedAt >= Math.max(first.at, this.learnedAt) && endedAt <= appearedAt,
			).length;
		// Before the scans of a location were listed, it may not be told from an old one.
		if (!this.canTell(slot) && seen(location) <= FULL_CHECK_EVERY) return true;
		// Scans that were seen by two polls tell the time up to which all are known.
		const floors = this.slots('scan')
			.filter((other) => locationOf(other) === location && seen(other) >= 2)
			.map((other) => scanTime(other) ?? 0);
		return [...floors, (last ?? 0) + WITHIN_SECOND].some(
			(time) => at <= time && time <= this.latestPossible,
		);
	}

	/** Whether a scan can be told from those that were there at first. */
	private canTell(slot: Slot): boolean {
		if (slot.kind !== 'scan') return true;
		const [{ at }] = slot.versions;
		const isMoving = this.world.lastScanAt === 'right' || at === START || at > this.learnedAt;
		const isShown = this.lastScanAtFirst(locationOf(slot)) !== undefined;
		const isAhead = (scanTime(slot) ?? 0) > this.latestPossible;
		return isMoving && isShown && !isAhead && !this.hasJumped;
	}

	/** The time of the last scan that a location showed at first. */
	private lastScanAtFirst(location: Slot): number | undefined {
		return timeOf(shownAt(location, this.learnedAt)?.last_scan_at);
	}

	/** Whether a location may seem to have been there at first, by its date. */
	private isOld(location: Slot): boolean {
		const [{ at }] = location.versions;
		return location.isBackfilled || at <= this.learnedUntil || !this.areDatesExact;
	}

	/** Dates after this are no dates, as far as the service says what time it is. */
	private get latestPossible(): number {
		const { account, now } = this.service;
		return (this.world.hasDateHeader ? account.now : now) + 86_400_000;
	}

	private stateOf(slot: Slot): Knowledge {
		const known = this.knowledge.get(slot) ?? {
			state: this.firstStateOf(slot),
		};
		this.knowledge.set(slot, known);
		return known;
	}

	/** Of a list that the first poll has not read, dates tell what is new; only where they are right. */
	private firstStateOf(slot: Slot): Knowledge['state'] {
		const isRead = !this.hasLearnedBlindly || !slot.owner || !this.isOld(locationOf(slot));
		return isRead || (this.areDatesExact && !slot.isBackfilled) ? 'unknown' : 'unsure';
	}

	/** Whether dates can be compared with the time of the first poll. */
	private get areDatesExact(): boolean {
		const { dates, granularity, futureEvery, clockOffset, hasDateHeader } = this.world;
		const isDated = dates === 'zoned' || dates === 'no-zone';
		const isExact = granularity === 1 && futureEvery === 0 && !this.hasJumped;
		return isDated && isExact && (clockOffset === 0 || hasDateHeader);
	}

	/** Whether nothing happened to a record, or could have moved it in its list, that the poll may have missed. */
	private isCalm(slot: Slot, poll: Poll): boolean {
		const isWithin = (time: number) =>
			time >= poll.startedAt - this.world.staleness && time <= poll.endedAt;
		if (slot.versions.some(({ at }) => isWithin(at))) return false;
		if (slot.owner && !this.isCalm(slot.owner, poll) && !this.isThereThroughout(slot.owner, poll)) {
			return false;
		}
		return this.slots(slot.kind)
			.filter((one) => one.owner === slot.owner)
			.every(
				(one) => this.isThereThroughout(one, poll) || !one.versions.some(({ at }) => isWithin(at)),
			);
	}

	private isThereThroughout(slot: Slot, poll: Poll): boolean {
		const from = poll.startedAt - this.world.staleness;
		return (
			this.visible(slot, poll).every((record) => record !== null) && shownAt(slot, from) !== null
		);
	}

	/** What the poll may have seen of a record. */
	private visible(slot: Slot, { startedAt, endedAt }: Poll): Array<JsonObject | null> {
		const from = startedAt - this.world.staleness;
		const during = slot.versions.filter(({ at }) => at > from && at <= endedAt);
		return [shownAt(slot, from), ...during.map(({ record }) => record)];
	}

	private isWatched(slot: Slot): boolean {
		return this.isPicked(slot) || (slot.kind === 'location' && this.events.has('locationAdded'));
	}

	/** Whether all that happens at a location is reported; of others, only that they were added. */
	private isPicked(slot: Slot): boolean {
		const { isPicked, locations } = this.world;
		const [first] = this.slots('location');
		// The first location has an ID in most worlds; where it has none, none is picked.
		const isOnePicked = isPicked && locations > 0 && idOf(first) !== undefined;
		return !isOnePicked || locationOf(slot) === first;
	}

	private isReported(what: 'Added' | 'Changed', kind: Kind): boolean {
		const name = kind === 'scan' ? 'rankScanCompleted' : `${kind}${what}`;
		return this.events.has(name) && !(kind === 'scan' && what === 'Changed');
	}

	private slots(kind: Kind): Slot[] {
		return this.service.account.slots.filter((slot) => slot.kind === kind);
	}

	private slotOf(kind: Kind, { record, location, keyword }: TriggerEvent): Slot | undefined {
		const id = idOf(record);
		return this.slots(kind).find(
			(slot) =>
				idOf(slot) === id &&
				// Without an ID, records are told apart by what they hold.
				(id !== undefined || slot.versions.some((one) => isSame(one.record, record))) &&
				idOf(locationOf(slot)) === idOf(location) &&
				(kind !== 'scan' || idOf(slot.owner) === idOf(keyword)),
		);
	}
}

function kindOf(event: string): Kind {
	if (event === 'rankScanCompleted') return 'scan';
	if (event.startsWith('post')) return 'post';
	return event.startsWith('keyword') ? 'keyword' : 'location';
}
