import type { Clock } from './ports';

interface Kept<V> {
	value: V;
	bytes: number;
	/** When it was last used, or set. */
	at: number;
}

interface Bounds {
	/** Of keys and values together, as far as the sizes given to `set` are right. */
	maxBytes: number;
	forgetAfterMs: number;
	/** Whether that time runs from the last use, or from `set` for values that become stale. */
	since?: 'use' | 'set';
	/** Whether the latest entry stays even if it alone is larger: making it again would cost too much. */
	keepsLatest?: boolean;
}

/** What an entry takes in addition to its key and value. */
const OVERHEAD = 100;

/** A map that drops its oldest entries when it gets too large, and every entry after a while. */
export class BoundedMap<V> {
	private readonly entries = new Map<string, Kept<V>>();
	private total = 0;

	constructor(
		private readonly bounds: Bounds,
		private readonly clock: Clock,
	) {}

	get(key: string): V | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		if (this.isExpired(entry)) {
			this.delete(key);
			return undefined;
		}
		if (this.bounds.since !== 'set') this.insert(key, entry);
		return entry.value;
	}

	/** @param bytes what the value takes, roughly */
	set(key: string, value: V, bytes: number): void {
		this.insert(key, { value, bytes: bytes + key.length + OVERHEAD, at: 0 });
		// The oldest come first, so only the front has to be checked.
		for (const [name, entry] of this.entries) {
			if (this.total <= this.bounds.maxBytes && !this.isExpired(entry)) break;
			if (this.bounds.keepsLatest && this.size === 1) break;
			this.delete(name);
		}
	}

	delete(key: string): void {
		this.total -= this.entries.get(key)?.bytes ?? 0;
		this.entries.delete(key);
	}

	get size(): number {
		return this.entries.size;
	}

	/** Bytes, by the sizes given to `set`. */
	get bytes(): number {
		return this.total;
	}

	private insert(key: string, entry: Kept<V>): void {
		this.delete(key);
		this.total += entry.bytes;
		this.entries.set(key, { ...entry, at: this.clock.now() });
	}

	private isExpired({ at }: Kept<V>): boolean {
		return this.clock.now() - at > this.bounds.forgetAfterMs;
	}
}

/**
 * The value of a key, made if it is missing. Concurrent callers share one attempt; after a failure,
 * the next caller tries again.
 */
export async function getOrMake<T>(
	map: BoundedMap<Promise<T>>,
	key: string,
	make: () => Promise<T>,
	sizeOf: (value: T) => number,
): Promise<T> {
	const known = map.get(key);
	if (known) return await known;
	const made = make();
	map.set(key, made, 0);
	made.then(
		(value) => map.get(key) === made && map.set(key, made, sizeOf(value)),
		() => map.get(key) === made && map.delete(key),
	);
	return await made;
}

/** What has no JSON is longer than a text may be. */
const TOO_LONG = 2 ** 29;

/** Roughly the bytes that a JSON value takes in memory; never throws. */
export function jsonBytes(value: unknown): number {
	try {
		return JSON.stringify(value)?.length ?? 0;
	} catch {
		return TOO_LONG;
	}
}
