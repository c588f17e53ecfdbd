import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
import type { Change, Kind, World } from './dimensions';

/** A place in a list: what has this ID there, now or again. */
export interface Slot {
	kind: Kind;
	serial: number;
	/** The location of a keyword or post, the keyword of a scan. */
	owner?: Slot;
	id: unknown;
	/** By the service's clock; of a scan, when it is over, and when it began. */
	time: number;
	begunAt: number;
	/** What was shown from when on; null: nothing. */
	versions: Array<{ at: number; record: JsonObject | null }>;
}

/** When every world begins. */
export const START = Date.UTC(2026, 0, 1);

const OWNERS: Partial<Record<Kind, Kind>> = {
	keyword: 'location',
	post: 'location',
	scan: 'keyword',
};
const PREFIX: Record<Kind, string> = { location: 'loc', keyword: 'kw', post: 'post', scan: 'scan' };

export function locationOf(slot: Slot): Slot {
	return slot.owner ? locationOf(slot.owner) : slot;
}

/** What was shown of a slot at a time; null: nothing. */
export function shownAt({ versions }: Slot, time: number): JsonObject | null {
	return versions.findLast(({ at }) => at <= time)?.record ?? null;
}

/** The account as it really is, and as it was at any time. */
export class ServiceAccount {
	readonly slots: Slot[] = [];
	private names = 0;

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
		private readonly log: (what: string) => void,
	) {
		for (let index = 0; index < world.locations; index++) {
			const location = this.add('location');
			for (let count = 0; count < world.perLocation; count++) {
				this.add('scan', this.add('keyword', location));
				this.add('post', location);
			}
		}
	}

	/** The time by the service's clock. */
	get now(): number {
		return this.clock.now() + this.world.clockOffset;
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
			case 'begin':
			case 'late': {
				const above = OWNERS[kind];
				const owner = above && one(this.present(above));
				if (above && !owner) return;
				const added = this.add(kind, owner, what);
				if (kind !== 'location') return;
				this.add('scan', this.add('keyword', added));
				this.add('post', added);
				return;
			}
			case 'finish': {
				const running = this.present('scan').filter(
					(slot) => shownAt(slot, Infinity)?.scanned_at === null,
				);
				const scan = one(running);
				if (scan) scan.time = this.now;
				return this.change(scan, { scanned_at: this.timeText() });
			}
			case 'change':
				return this.change(some, { [kind === 'post' ? 'title' : 'name']: this.name() });
			case 'publish':
				return this.change(some, { status: pick % 3 === 0 ? 'scheduled' : 'published' });
			case 'score':
				return this.change(some, { rank_score: 50 + (pick % 20) });
			case 'remove':
				// The first location stays: an account that has none of its locations is another one.
				return this.remove(some?.serial === 1 ? undefined : some);
			case 'return':
				return this.restore(
					one(this.slots.filter((slot) => slot.kind === kind && this.mayReturn(slot))),
				);
			case 'swap':
				this.remove(some);
				if (some) this.add(kind, some.owner);
		}
	}

	private add(kind: Kind, owner?: Slot, how: 'add' | 'begin' | 'late' = 'add'): Slot {
		const serial = this.slots.length + 1;
		const time = this.now - (how === 'late' ? 90 * 86_400_000 : 0);
		const id = this.idFor(kind, serial, owner);
		const slot: Slot = { kind, serial, owner, id, time, begunAt: time, versions: [] };
		this.slots.push(slot);
		const name = this.name();
		const scanned_at = how === 'begin' ? null : this.timeText(time);
		const own: JsonObject = {
			location: { name, status: 'active', rank_score: 50 + (serial % 20) },
			keyword: { keyword: name, location_id: owner?.id },
			post: { title: name, status: serial % 3 === 0 ? 'published' : 'scheduled' },
			scan: { position: serial % 20, device: serial % 3 === 0 ? 'mobile' : 'desktop', scanned_at },
		}[kind];
		this.show(slot, { id, ...own });
		return slot;
	}

	private change(slot: Slot | undefined, fields: JsonObject): void {
		const record = slot && shownAt(slot, Infinity);
		if (record) this.show(slot, { ...record, ...fields });
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
		if (slot.kind !== 'post' && shownAt(location, Infinity)) this.derive(location);
	}

	/** What a location says of its lists. */
	private derive(location: Slot): void {
		const record = shownAt(location, Infinity)!;
		const { keywordsCount, lastScanAt } = this.world;
		const keywords = this.present('keyword', location);
		const derived: JsonObject = {};
		if (keywordsCount !== 'absent') derived.keywords_count = keywords.length;
		if (lastScanAt !== 'stuck' || this.clock.now() === START) {
			const times = keywords
				.flatMap((keyword) => this.present('scan', keyword))
				.filter((scan) => lastScanAt === 'begun' || shownAt(scan, Infinity)?.scanned_at !== null)
				.map(({ time, begunAt }) => (lastScanAt === 'begun' ? begunAt : time));
			derived.last_scan_at = times.length > 0 ? this.timeText(Math.max(...times)) : null;
		}
		const changed = { ...record, ...derived };
		if (JSON.stringify(changed) === JSON.stringify(record)) return;
		location.versions.push({ at: this.clock.now(), record: changed });
	}

	private timeText(time = this.now): string {
		const { granularity } = this.world;
		return new Date(Math.floor(time / granularity) * granularity).toISOString();
	}

	private idFor(kind: Kind, serial: number, owner?: Slot): unknown {
		const { ids } = this.world;
		if (ids === 'number') return serial;
		if (ids === 'long') return `${PREFIX[kind]}_${'x'.repeat(50)}_${serial}`;
		if (ids === 'shared' && ['post', 'scan'].includes(kind)) {
			return `n${this.slots.filter((one) => one.kind === kind && one.owner === owner).length}`;
		}
		return `${PREFIX[kind]}_${serial}`;
	}

	private name(): string {
		return `Name ${++this.names}`;
	}
}
