import { isDeepStrictEqual } from 'node:util';

import { idOf, type JsonObject } from '../../../../nodes/LocalSeo/client';
import { eventTypes, type TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import { locationOf, shownAt, type Slot } from './account';
import type { Kind, World } from './dimensions';
import type { Service } from './service';

/** What a poll came to; times in milliseconds. `events` is absent if it failed. */
export interface Poll {
	startedAt: number;
	endedAt: number;
	events?: TriggerEvent[];
}

/** Names of the events by the kind of record, and the fields of which a change is reported. */
const KINDS: Record<string, Kind> = Object.fromEntries(
	eventTypes.map(({ name, of }) => [name, of.replace(/s$/, '') as Kind]),
);
const FIELDS: Partial<Record<Kind, string[]>> = {
	location: ['name', 'status'],
	post: ['title', 'status'],
};

/** A time that may be over for one clock and not for the other (ms). */
const CLOCKS = 3_000;

/** What the trigger surely has seen: by event and slot, the record (null: none), and lists that were read. */
interface Sure {
	/** Undefined: it may have been seen, or not. */
	records: Map<string, JsonObject | null | undefined>;
	lists: Set<string>;
}

/**
 * Judges what a trigger reports by what really happened on the service, which it knows from the account
 * itself and from what was asked for and answered: an event has to tell something that happened since
 * the trigger saw the record last, and what happened has to be told as soon as its list was read again.
 * What n8n had not saved before it was killed is not known any more.
 */
export class Judge {
	readonly wrong: string[] = [];
	readonly count = { events: 0, polls: 0, failed: 0, checked: 0 };
	private sure: Sure = { records: new Map(), lists: new Set() };
	private saved: Sure = { records: new Map(), lists: new Set() };
	/** When each event was chosen, and how often each was told of a slot. */
	private readonly since = new Map<string, number>();
	private readonly told = new Map<string, number>();

	constructor(
		private readonly world: World,
		private readonly service: Service,
	) {}

	flaw(text: string): void {
		this.wrong.push(text);
		this.service.log(`WRONG: ${text}`);
	}

	noteSave(): void {
		this.saved = { records: new Map(this.sure.records), lists: new Set(this.sure.lists) };
	}

	/** The saved state is lost as well. */
	noteOverwritten(): void {
		this.saved = { records: new Map(), lists: new Set() };
	}

	noteKill(): void {
		this.sure = { records: new Map(this.saved.records), lists: new Set(this.saved.lists) };
	}

	/** From now on, these events are chosen. */
	choose(events: string[]): void {
		for (const event of Object.keys(KINDS)) {
			if (events.includes(event)) {
				if (!this.since.has(event)) this.since.set(event, Infinity);
				continue;
			}
			this.since.delete(event);
			for (const key of this.told.keys()) if (key.startsWith(`${event} `)) this.told.delete(key);
			this.forget(({ records, lists }) => {
				for (const key of records.keys()) if (key.startsWith(`${event} `)) records.delete(key);
				for (const key of lists) if (key.startsWith(`${event} `)) lists.delete(key);
			});
		}
	}

	take({ startedAt, endedAt, events }: Poll): void {
		this.count.polls++;
		if (!events) {
			this.count.failed++;
			return;
		}
		for (const [event, since] of this.since) {
			if (since === Infinity) this.since.set(event, startedAt - this.world.staleness);
		}
		const told = new Set<string>();
		for (const event of events) {
			this.count.events++;
			const why = this.whyWrong(event, startedAt, endedAt, told);
			if (why) this.flaw(`${event.event} ${JSON.stringify(event).slice(0, 200)}: ${why}`);
		}
		for (const slot of this.service.account.slots) this.settle(slot, startedAt, endedAt, told);
		this.settleLists(startedAt, endedAt);
	}

	/** At the end, everything has to have been told. */
	finish(): void {
		for (const slot of this.service.account.slots) {
			for (const event of this.eventsOf(slot)) {
				const before = this.known(event, slot);
				const now = shownAt(slot, Infinity);
				if (before === undefined || !this.isReachable(slot)) continue;
				this.count.checked++;
				if (this.mustTell(event, slot, before, now))
					this.flaw(`${event} of ${slot.serial} is lost`);
			}
		}
	}

	/** Why an event is wrong; undefined if it is right. */
	private whyWrong(
		event: TriggerEvent,
		startedAt: number,
		endedAt: number,
		told: Set<string>,
	): string | undefined {
		const { event: name, record } = event;
		const slot = this.slotOf(event);
		const since = this.since.get(name);
		if (since === undefined) return 'nobody chose it';
		if (!slot) return 'there is no such record';
		if (!this.isWatched(slot, name)) return 'its location is not watched';
		const key = `${name} ${slot.serial}`;
		if (told.has(key)) return 'it is told twice';
		told.add(key);
		const before = this.known(name, slot);
		const from = startedAt - this.world.staleness;
		const versions = slot.versions.filter(
			({ at }, index) => at <= endedAt && (slot.versions[index + 1]?.at ?? Infinity) >= from,
		);
		const isRemoval = name === 'keywordRemoved';
		if (!isRemoval && !versions.some((one) => isDeepStrictEqual(one.record, record))) {
			return 'the record was never like this';
		}
		this.sure.records.set(key, isRemoval ? null : record);
		if (name.endsWith('Added') || isRemoval) {
			const turns = slot.versions.filter(({ at, record: now }, index) => {
				const isThere = (slot.versions[index - 1]?.record ?? null) !== null;
				return at > since && at <= endedAt && isThere === isRemoval && (now === null) === isRemoval;
			});
			const count = (this.told.get(key) ?? 0) + 1;
			this.told.set(key, count);
			if (isRemoval && record.keyword !== slot.versions[0].record?.keyword) return 'other words';
			if (before && !isRemoval && !wasAway(slot)) return 'it was known';
			const hidden = isRemoval ? 0 : (this.service.hidden.get(slot) ?? 0);
			return count > turns.length + hidden ? 'it did not happen, or was told before' : undefined;
		}
		if (slot.kind === 'scan') return this.whyWrongScan(event, slot, before, from, endedAt);
		const earlier = slot.versions.flatMap(({ at, record: one }) =>
			one && at <= endedAt ? [one] : [],
		);
		if (name.startsWith('rankScore')) return this.whyWrongScore(event, before, earlier);
		const differing = (one: JsonObject) =>
			FIELDS[slot.kind]!.filter((field) => one[field] !== record[field]);
		const bases = before ? [before] : earlier;
		if (name === 'postPublished') {
			const hasCome = slot.versions.some(
				({ at }, index) => at > since && !slot.versions[index - 1]?.record,
			);
			const isNew =
				before === null || (before === undefined && (hasCome || this.service.hidden.has(slot)));
			if (record.status !== 'published') return 'it is not published';
			return isNew || bases.some(({ status }) => status !== 'published')
				? undefined
				: 'it was published before';
		}
		const isDifferent = (one: JsonObject) =>
			differing(one).length > 0 && event.changed.every((field) => differing(one).includes(field));
		return bases.some(isDifferent) ? undefined : `nothing has changed in ${event.changed.join()}`;
	}

	private whyWrongScore(
		{ event, record, before: given, change }: TriggerEvent,
		before: JsonObject | null | undefined,
		earlier: JsonObject[],
	): string | undefined {
		const [was, is] = [Number(given?.rank_score), Number(record.rank_score)];
		const base = before ? Number(before.rank_score) : was;
		if (change !== is - was) return 'the change is another';
		if (!earlier.some(({ rank_score: score }) => score === was)) return 'it was never so';
		const distance = event.endsWith('Dropped')
			? was - is
			: event.endsWith('Rose')
				? is - was
				: Math.abs(is - was);
		if (distance < this.world.minimumChange) return 'it moved less, or the other way';
		const isFromBase = event.endsWith('Dropped')
			? was >= base
			: event.endsWith('Rose')
				? was <= base
				: was === base;
		return isFromBase ? undefined : 'it is not measured from the last reported score';
	}

	private whyWrongScan(
		{ record, before: given, keyword }: TriggerEvent,
		slot: Slot,
		before: JsonObject | null | undefined,
		from: number,
		endedAt: number,
	): string | undefined {
		const key = `scan ${slot.serial}`;
		if (this.told.has(key)) return 'it was told before';
		this.told.set(key, 1);
		if (before && before.scanned_at !== null) return 'it was known';
		if (record.scanned_at === null) return 'it is not over';
		if (idOf(keyword) !== String(slot.owner!.id)) return 'it is of another keyword';
		const time = (one: JsonObject) => Math.floor(Date.parse(String(one.scanned_at)) / 1000);
		const others = this.service.account.slots.filter((one) => one.owner === slot.owner);
		const isSteady = ({ versions }: Slot) => versions.every(({ at }) => at < from || at > endedAt);
		const earlier = others
			.flatMap((one): JsonObject[] =>
				[isSteady(one) ? shownAt(one, endedAt) : null].filter((now) => now !== null),
			)
			.filter(({ device, scanned_at: at }) => device === record.device && at !== null)
			.filter((one) => time(one) < time(record));
		const latest = Math.max(...earlier.map(time));
		if (!this.service.hasShown(pathOf(slot, this.world))) return undefined;
		if (given === null) return earlier.length > 0 ? 'there was one before' : undefined;
		if (given.device !== record.device) return 'the one before is of another device';
		if (time(given) >= time(record)) return 'the one before came later';
		return time(given) < latest ? 'another one came before' : undefined;
	}

	/** Takes in that a list was read, as it is: what it shows is known, and has to have been told. */
	private settle(slot: Slot, startedAt: number, endedAt: number, told: Set<string>): void {
		if (!this.isClean(slot, startedAt, endedAt)) return;
		const now = shownAt(slot, endedAt);
		for (const event of this.eventsOf(slot)) {
			const key = `${event} ${slot.serial}`;
			const before = this.known(event, slot);
			const isDue = event !== 'keywordRemoved' && before !== undefined;
			if (isDue && !told.has(key) && this.mustTell(event, slot, before, now)) {
				this.flaw(`${event} of ${slot.serial} was not told`);
			}
			// A score counts from the one that was told, and of what is gone a second list decides.
			const isKept =
				(event.startsWith('rankScore') && before) || (event === 'keywordRemoved' && now === null);
			// A scan that is still to come is not known yet.
			const isOpen = slot.kind === 'scan' && now !== null && !this.isOver(now, endedAt - CLOCKS);
			const isDoubtful = isOpen && this.isOver(now, endedAt + CLOCKS);
			const seen = isDoubtful ? undefined : isOpen ? null : now;
			this.sure.records.set(key, isKept ? before : seen);
		}
		if (now === null) this.forgetInside(slot);
	}

	private settleLists(startedAt: number, endedAt: number): void {
		for (const slot of this.service.account.slots) {
			if (!this.isClean(slot, startedAt, endedAt)) continue;
			for (const event of this.eventsOf(slot))
				this.sure.lists.add(`${event} ${pathOf(slot, this.world)}`);
		}
		for (const owner of this.service.account.slots) {
			for (const kind of ['keyword', 'post', 'scan'] as const) {
				const slot = { kind, owner, versions: [] } as unknown as Slot;
				if (!this.isClean(slot, startedAt, endedAt)) continue;
				for (const event of this.eventsOf(slot)) {
					this.sure.lists.add(`${event} ${pathOf(slot, this.world)}`);
				}
			}
		}
	}

	/** Whether a change has to be told, by what is known and what is there. */
	private mustTell(
		event: string,
		slot: Slot,
		before: JsonObject | null,
		now: JsonObject | null,
	): boolean {
		// What was away for a while is the same or a new one: both may be said.
		if (wasAway(slot) || this.service.hidden.has(slot)) return false;
		if (event === 'keywordRemoved') return before !== null && now === null && this.hasOwner(slot);
		if (now === null) return false;
		if (slot.kind === 'scan') {
			return (
				before === null &&
				this.isOver(now, this.service.lastAt - CLOCKS) &&
				this.isNewest(slot, now)
			);
		}
		if (event.endsWith('Added')) return before === null;
		if (event === 'postPublished') {
			return now.status === 'published' && before?.status !== 'published';
		}
		if (before === null) return false;
		const change = Number(now.rank_score) - Number(before.rank_score);
		const { minimumChange } = this.world;
		if (event === 'rankScoreDropped') return -change >= minimumChange;
		if (event === 'rankScoreRose') return change >= minimumChange;
		if (event === 'rankScoreChanged') return Math.abs(change) >= minimumChange;
		return FIELDS[slot.kind]!.some((field) => before[field] !== now[field]);
	}

	/** Whether a scan has a time that is over by the clock that the trigger can know. */
	private isOver({ scanned_at: at }: JsonObject, now: number): boolean {
		const { hasDateHeader, clockOffset } = this.world;
		const clock = now + (hasDateHeader ? clockOffset : 0);
		return at !== null && Date.parse(String(at)) <= clock;
	}

	/** Whether no scan of the location that was shown before has a later time. */
	private isNewest(slot: Slot, now: JsonObject): boolean {
		const shownSince = slot.versions.find(
			({ record }) => record?.scanned_at === now.scanned_at,
		)!.at;
		return this.service.account.slots
			.filter((one) => one.kind === 'scan' && locationOf(one) === locationOf(slot) && one !== slot)
			.flatMap(({ versions }) => versions)
			.filter(({ at, record }) => record?.scanned_at && at <= shownSince)
			.every(({ record }) => String(record!.scanned_at) <= String(now.scanned_at));
	}

	/** What is known of a slot; null: that there is none; undefined: nothing. */
	private known(event: string, slot: Slot): JsonObject | null | undefined {
		const key = `${event} ${slot.serial}`;
		if (this.sure.records.has(key)) return this.sure.records.get(key);
		return this.sure.lists.has(`${event} ${pathOf(slot, this.world)}`) ? null : undefined;
	}

	/** Whether the poll read the list of a slot as it is, and it did not change meanwhile. */
	private isClean(slot: Slot, startedAt: number, endedAt: number): boolean {
		const path = pathOf(slot, this.world);
		if (!this.service.hasShown(path)) return false;
		const from = startedAt - this.world.staleness;
		return this.service.account.slots
			.filter((one) => pathOf(one, this.world) === path)
			.every(({ versions }) => versions.every(({ at }) => at < from || at > endedAt));
	}

	/** Lists of what is gone are learned anew. */
	private forgetInside(slot: Slot): void {
		for (const inner of this.service.account.slots.filter(({ owner }) => owner === slot)) {
			for (const event of this.eventsOf(inner)) {
				this.sure.records.delete(`${event} ${inner.serial}`);
				this.sure.lists.delete(`${event} ${pathOf(inner, this.world)}`);
			}
			this.forgetInside(inner);
		}
	}

	private forget(from: (sure: Sure) => void): void {
		from(this.sure);
		from(this.saved);
	}

	private eventsOf(slot: Slot): string[] {
		return [...this.since.keys()].filter(
			(event) => KINDS[event] === slot.kind && this.isWatched(slot, event),
		);
	}

	private isWatched(slot: Slot, event: string): boolean {
		const isPicked = this.world.isPicked && event !== 'locationAdded';
		return !isPicked || locationOf(slot) === this.service.account.slots[0];
	}

	private hasOwner({ owner }: Slot): boolean {
		return !owner || (shownAt(owner, Infinity) !== null && this.hasOwner(owner));
	}

	/** Whether the list of a slot can be read at the end. */
	private isReachable(slot: Slot): boolean {
		const isInTrouble =
			this.service.isTroubled && locationOf(slot) === this.service.account.slots[0];
		return this.hasOwner(slot) && !isInTrouble;
	}

	private slotOf({ event, record, location, keyword }: TriggerEvent): Slot | undefined {
		const kind = KINDS[event];
		return this.service.account.slots.findLast(
			(slot) =>
				slot.kind === kind &&
				String(slot.id) === String(record.id) &&
				String(locationOf(slot).id) === String(location.id) &&
				(kind !== 'scan' || String(slot.owner!.id) === String(keyword?.id)),
		);
	}
}

/** Whether a record, or what it stands in, was away and came back. */
function wasAway({ versions, owner }: Slot): boolean {
	const isGone = owner?.versions.some(({ record }) => record === null);
	return (
		isGone ||
		versions.slice(0, -1).some(({ record }) => record === null) ||
		Boolean(owner && wasAway(owner))
	);
}

/** The path of the list that a slot stands in. */
function pathOf({ kind, owner, id }: Slot, { isPicked, events }: World): string {
	const isListed = !isPicked || ['everything', 'locations'].includes(events);
	if (kind === 'location') return isListed ? '/locations' : `/locations/${String(id)}`;
	const of = kind === 'scan' ? 'keywords' : 'locations';
	return `/${of}/${String(owner!.id)}/${kind}s`;
}
