import type { Account } from '../account';
import { BoundedMap } from '../boundedMap';
import type { ServiceRequest } from '../exchange/request';
import type { Clock } from '../ports';
import { ListWatch, type Pending } from './listWatch';

const MB = 1024 * 1024;
/** Lists that no create is under way to are released, the oldest first, beyond so many. */
const MAX_WATCHES = 200;

/** A create, and what is not known of it. */
export interface Doubt extends Pending {
	/** Whether the service itself did not answer: its backend may still be at it. */
	isUnheard?: boolean;
	/** Whether someone gave up waiting for it: its backend may be slower than any watch. */
	isSlow?: boolean;
	/** The run that it was left by; a row of the same run that says the same is another one. */
	run?: string;
	/** How often it was sent again after that. */
	resends: number;
}

/** What is remembered of an account's creates. */
class WriteMemory {
	/**
	 * Creates whose outcome is not known, by row and by content. Who sends the same again within
	 * minutes (a retry of the whole run, a person, a model) wants that record, and not a second one.
	 */
	readonly doubts: BoundedMap<Doubt>;
	/** Creates of the same content follow one another: each must know what became of the last. */
	readonly creating = new Map<string, Promise<unknown>>();
	private readonly watches = new Map<string, ListWatch>();

	constructor(private readonly clock: Clock) {
		this.doubts = new BoundedMap({ maxBytes: 4 * MB, forgetAfterMs: 600_000, since: 'set' }, clock);
	}

	/** What is known of the list that a create adds to. */
	watchOf({ path, ids }: ServiceRequest): ListWatch {
		const key = JSON.stringify([path, ids]);
		const watch = this.watches.get(key) ?? new ListWatch(this.clock);
		if (!this.watches.delete(key)) this.releaseOld();
		this.watches.set(key, watch);
		return watch;
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
