import type { Clock } from './ports';

interface Kept<V> {
	value: V;
	bytes: number;
	/** The time of the last use or, for maps with `since: 'set'`, of `set`. */
	at: number;
}

interface Bounds {
	/** Bounds keys and values together, as far as the sizes given to `set` are right. */
	maxBytes: number;
	forgetAfterMs: number;
	/** `use` counts the time from the last use, `set` from `set`, for values that become stale; default: `use`. */
	since?: 'use' | 'set';
	/** Keeps the latest entry even if it alone is larger, because making it again would cost too much. */
	keepsLatest?: boolean;
}

/** Bytes that an entry takes beside its key and value. */
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
		if (this.bounds.since !== 'set') {
			this.entries.delete(key);
			entry.at = this.clock.now();
			this.entries.set(key, entry);
		}
		return entry.value;
	}

	/** @param bytes the approximate size of the value */
	set(key: string, value: V, bytes: number): void {
		this.delete(key);
		const entry = { value, bytes: bytes + key.length + OVERHEAD, at: this.clock.now() };
		this.total += entry.bytes;
		this.entries.set(key, entry);
		// The oldest entries come first, so only the front has to be checked.
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

	*values(): Iterable<V> {
		for (const { value } of this.entries.values()) yield value;
	}

	get size(): number {
		return this.entries.size;
	}

	/** The sum of the sizes given to `set`, with keys and overhead (bytes). */
	get bytes(): number {
		return this.total;
	}

	private isExpired({ at }: Kept<V>): boolean {
		return this.clock.now() - at > this.bounds.forgetAfterMs;
	}
}

/**
 * Returns the value of a key, and makes it if it is missing. Concurrent callers share one attempt;
 * after a failure, the next caller tries again.
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

/** The size of a value that has no JSON (bytes): it is longer than any text, and so exceeds every bound. */
const TOO_LONG = 2 ** 29;

/** The approximate size of a JSON value in memory (bytes); never throws. */
export function jsonBytes(value: unknown): number {
	try {
		return JSON.stringify(value)?.length ?? 0;
	} catch {
		return TOO_LONG;
	}
}
