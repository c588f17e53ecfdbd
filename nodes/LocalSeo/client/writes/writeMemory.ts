import type { Account } from '../account';
import { BoundedMap } from '../boundedMap';
import type { ServiceRequest } from '../exchange/request';
import type { Clock } from '../ports';
import { type Doubt, ListWatch } from './listWatch';

const MB = 1024 * 1024;
/** Beyond so many lists, those without a create in flight are released, the oldest first. */
const MAX_WATCHES = 200;

/** What is remembered of an account's creates. */
class WriteMemory {
	/**
	 * Creates whose outcome is not known, by content. Sending the same again within minutes (a person, a
	 * model, another run) means that record, and not a second one.
	 */
	readonly doubts: BoundedMap<Doubt>;
	/** The same by row: a row that n8n tries again is the same one, also after a long run. */
	readonly doubtsOfRows: BoundedMap<Doubt>;
	/** Creates in flight, by content: those of the same content follow one another. */
	readonly creating = new Map<string, Promise<unknown>>();
	private readonly watches = new Map<string, ListWatch>();
	private readonly seen: BoundedMap<number>;
	private readonly claimed: BoundedMap<number>;
	private watched = 0;

	constructor(clock: Clock) {
		const bounds = { maxBytes: 4 * MB, forgetAfterMs: 3_600_000 };
		this.doubts = new BoundedMap({ maxBytes: 8 * MB, forgetAfterMs: 600_000, since: 'set' }, clock);
		this.doubtsOfRows = new BoundedMap({ ...bounds, maxBytes: 8 * MB }, clock);
		this.seen = new BoundedMap(bounds, clock);
		this.claimed = new BoundedMap(bounds, clock);
	}

	/** What is known of the list that a create adds to. */
	watchOf({ path, ids }: ServiceRequest): ListWatch {
		const key = JSON.stringify([path, ids]);
		const watch = this.watches.get(key) ?? this.newWatch();
		if (!this.watches.delete(key)) this.releaseOld();
		this.watches.set(key, watch);
		return watch;
	}

	private newWatch(): ListWatch {
		return new ListWatch(String(++this.watched), this.seen, this.claimed, this.doubts);
	}

	private releaseOld(): void {
		for (const [key, { isIdle }] of this.watches) {
			if (this.watches.size < MAX_WATCHES) break;
			if (isIdle) this.watches.delete(key);
		}
	}
}

/** Released with their accounts. */
const memories = new WeakMap<Account, WriteMemory>();

export function writeMemoryOf(account: Account): WriteMemory {
	const memory = memories.get(account) ?? new WriteMemory(account.clock);
	memories.set(account, memory);
	return memory;
}
