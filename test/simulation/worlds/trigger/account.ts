import { idOf, type JsonObject, timeOf } from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
import type { Change, Kind, World } from './dimensions';

/** A place in a list: what has this ID there, now or again. */
export interface Slot {
	kind: Kind;
	serial: number;
	/** The location of a keyword or post, the keyword of a scan. */
	owner?: Slot;
	id: unknown;
	/** By the service's clock. */
	createdAt: number;
	/** Whether it is dated before it appeared. */
	isBackfilled: boolean;
	/** What was shown from when on; null: nothing. */
	versions: Array<{ at: number; record: JsonObject | null }>;
}

const YEARS_AHEAD = 1_000 * 365 * 86_400_000;
const ODD_IDS = [
	'__proto__',
	'constructor',
	'__dataChanged',
	'a\nb',
	'#x',
	'a/b?c=d',
	' ',
	'0',
	'ü',
];

/** What a record belongs to. */
const OWNERS: Partial<Record<Kind, Kind>> = {
	keyword: 'location',
	post: 'location',
	scan: 'keyword',
};

/** The account as it really is, and as it was at any time. */
export class ServiceAccount {
	readonly slots: Slot[] = [];
	/** By how much the service's clock is ahead. */
	offset: number;
	private serials = 0;
	private names = 0;

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
		private readonly log: (what: string) => void,
	) {
		this.offset = world.clockOffset;
		for (let index = 0; index < world.locations; index++) {
			const location = this.add('location');
			for (let count = 0; count < world.perLocation; count++) {
				this.add('scan', this.add('keyword', location));
				this.add('post', location);
			}
		}
	}

	get now(): number {
		return this.clock.now() + this.offset;
	}

	/** What is there now. */
	present(kind: Kind, owner?: Slot): Slot[] {
		return this.slots.filter(
			(slot) =>
				slot.kind === kind &&
				(owner === undefined || slot.owner === owner) &&
				shownAt(slot, Infinity) !== null,
		);
	}

	apply({ what: [what, kind], pick }: Change): void {
		const one = (slots: Slot[]): Slot | undefined => slots[pick % slots.length];
		const some = one(this.present(kind));
		switch (what) {
			case 'add':
			case 'backfill': {
				const above = OWNERS[kind];
				const owner = above && one(this.present(above));
				if (above && !owner) return;
				const added = this.add(kind, owner, what === 'backfill');
				if (kind !== 'location') return;
				const keyword = this.add('keyword', added);
				this.add('post', added);
				if (pick % 2 === 0) this.add('scan', keyword);
				return;
			}
			case 'change':
				// Of the posts, some are published.
				if (kind === 'post' && pick % 3 === 0) return this.change(some, { status: 'published' });
				return this.change(some, kind === 'post' ? { title: this.name() } : { name: this.name() });
			case 'remove':
				return this.remove(some);
			case 'return':
				return this.restore(
					one(this.slots.filter((slot) => slot.kind === kind && this.mayReturn(slot))),
				);
			case 'swap':
				this.remove(some);
				if (some) this.add(kind, some.owner);
		}
	}

	private add(kind: Kind, owner?: Slot, isBackfilled = false): Slot {
		const serial = ++this.serials;
		const createdAt = this.now - (isBackfilled ? 90 * 86_400_000 : 0);
		const id = this.idFor(kind, serial, owner);
		const slot: Slot = { kind, serial, owner, id, createdAt, isBackfilled, versions: [] };
		this.slots.push(slot);
		const name = this.name();
		const own: JsonObject = {
			location: { name, status: 'active' },
			keyword: { keyword: name, location_id: owner?.id },
			post: { title: name, status: 'scheduled' },
			scan: { position: serial % 20 },
		}[kind];
		const date = this.dateOf(createdAt, serial);
		const dated =
			date === undefined ? {} : { [kind === 'scan' ? 'scanned_at' : 'created_at']: date };
		const record = { ...(id === undefined ? {} : { id }), ...own, ...dated };
		this.show(slot, record);
		return slot;
	}

	private change(slot: Slot | undefined, fields: JsonObject): void {
		const record = slot && shownAt(slot, Infinity);
		if (!record) return;
		this.show(slot, { ...record, ...fields });
	}

	private remove(slot: Slot | undefined): void {
		if (!slot) return;
		for (const one of this.slots) {
			if (one.owner === slot && shownAt(one, Infinity) !== null) this.remove(one);
		}
		this.show(slot, null);
	}

	/** Shows something again, as it was, with all that went away together with it. */
	private restore(slot: Slot | undefined): void {
		if (!slot) return;
		const wentAt = slot.versions.at(-1)?.at;
		this.show(slot, slot.versions.at(-2)?.record ?? null);
		for (const one of this.slots) {
			if (one.owner === slot && one.versions.at(-1)?.at === wentAt) this.restore(one);
		}
	}

	private mayReturn(slot: Slot): boolean {
		const isOwnerThere = !slot.owner || shownAt(slot.owner, Infinity) !== null;
		return isOwnerThere && shownAt(slot, Infinity) === null && slot.versions.length > 1;
	}

	private show(slot: Slot, record: JsonObject | null): void {
		slot.versions.push({ at: this.clock.now(), record });
		this.log(`${slot.kind} ${slot.serial}: ${JSON.stringify(record)}`);
		const location = locationOf(slot);
		if (location !== slot && slot.kind !== 'post') this.derive(location);
		if (slot.kind === 'location' && record) this.derive(slot);
	}

	/** What a location says of its lists. */
	private derive(location: Slot): void {
		const record = shownAt(location, Infinity);
		if (!record) return;
		const { keywordsCount, lastScanAt } = this.world;
		const keywords = this.present('keyword', location);
		const scans = keywords.flatMap((keyword) => this.present('scan', keyword));
		const derived: JsonObject = {};
		if (keywordsCount !== 'absent') {
			derived.keywords_count = keywords.length + (keywordsCount === 'too-high' ? 2 : 0);
		}
		if (lastScanAt === 'right' || this.clock.now() === START) {
			const latest = Math.max(0, ...scans.map(({ createdAt }) => createdAt));
			derived.last_scan_at = latest > 0 ? (this.dateOf(latest, 1) ?? null) : null;
		}
		const changed = { ...record, ...derived };
		if (JSON.stringify(changed) === JSON.stringify(record)) return;
		location.versions.push({ at: this.clock.now(), record: changed });
	}

	/** A date in the service's form; undefined where it shows none. */
	private dateOf(time: number, serial: number): unknown {
		const { dates, granularity, futureEvery } = this.world;
		const isAhead = futureEvery > 0 && serial % futureEvery === 0;
		const shifted = time + (isAhead ? YEARS_AHEAD : 0);
		const cut = Math.floor(shifted / granularity) * granularity;
		if (dates === 'absent') return undefined;
		const text = new Date(cut).toISOString();
		if (dates === 'malformed') return `${text.slice(0, 10)} or so`;
		return dates === 'no-zone' ? text.slice(0, -1) : text;
	}

	private idFor(kind: Kind, serial: number, owner?: Slot): unknown {
		const { ids } = this.world;
		const text = `${{ location: 'loc', keyword: 'kw', post: 'post', scan: 'scan' }[kind]}_${serial}`;
		if (ids === 'number') return serial;
		if (ids === 'shared') {
			const index = this.slots.filter((one) => one.kind === kind && one.owner === owner).length;
			return kind === 'keyword' ? text : `n${index + 1}`;
		}
		if (ids === 'none' && serial % 3 === 0) return undefined;
		if (ids === 'odd' && serial % 2 === 0) {
			const used = this.slots.filter((one) => one.kind === kind).map(({ id }) => id);
			return ODD_IDS.find((id) => !used.includes(id)) ?? text;
		}
		return text;
	}

	private name(): string {
		return `Name ${++this.names}`;
	}
}

/** When every world begins. */
export const START = Date.UTC(2026, 0, 1);

export function locationOf(slot: Slot): Slot {
	return slot.owner ? locationOf(slot.owner) : slot;
}

/** What was shown of a slot at a time; null: nothing. */
export function shownAt({ versions }: Slot, time: number): JsonObject | null {
	return versions.findLast(({ at }) => at <= time)?.record ?? null;
}

/** Whether events can be about it: it has an ID, and stands at something that has one. */
export function isReachable({ id, owner }: Slot): boolean {
	return idOf({ id }) !== undefined && (owner === undefined || isReachable(owner));
}

const NEVER_CHANGES = ['id', 'created_at'];

export function isSame(one: JsonObject | null, other: JsonObject): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

/** When a record came that is there now, or was there last. */
export function lastAppearanceOf({ versions }: Slot): number {
	const last = versions.findLastIndex(({ record }) => record !== null);
	const gone = versions.slice(0, last).findLastIndex(({ record }) => record === null);
	return versions[gone + 1].at;
}

/** When a scan says that it was made. */
export function scanTime({ versions: [{ record }] }: Slot): number | undefined {
	return timeOf(record?.scanned_at);
}

export function differingFields(one: JsonObject = {}, other: JsonObject): string[] {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	return [...names].filter(
		(name) => !NEVER_CHANGES.includes(name) && (one[name] ?? null) !== (other[name] ?? null),
	);
}
