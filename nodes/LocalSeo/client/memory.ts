interface Entry<V> {
	value: V;
	/** When it was last used, or set. */
	at: number;
}

interface Limits {
	most: number;
	/** Milliseconds. */
	forgetAfter: number;
	/** From when that counts; from `set` on for what gets stale. */
	since?: 'use' | 'set';
}

/** Values by key that are forgotten in the end: when they are too many, or after a while. */
export class Memory<V> {
	private readonly entries = new Map<string, Entry<V>>();

	constructor(private readonly limits: Limits) {}

	get(key: string): V | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		if (this.limits.since !== 'set') this.set(key, entry.value);
		else if (this.isOver(entry)) return undefined;
		return entry.value;
	}

	/** The oldest stand first, so only those at the front have to be looked at. */
	set(key: string, value: V): void {
		this.entries.delete(key);
		this.entries.set(key, { value, at: Date.now() });
		for (const [oldest, entry] of this.entries) {
			if (this.entries.size <= this.limits.most && !this.isOver(entry)) break;
			this.entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	get size(): number {
		return this.entries.size;
	}

	private isOver({ at }: Entry<V>): boolean {
		return Date.now() - at > this.limits.forgetAfter;
	}
}

/**
 * What a key stands for, made where it is not known. Those who ask meanwhile wait for the same; what
 * could not be made is made again for the next.
 */
export async function remembered<T>(
	memory: Memory<Promise<T>>,
	key: string,
	make: () => Promise<T>,
): Promise<T> {
	const known = memory.get(key);
	if (known) return await known;
	const made = make();
	memory.set(key, made);
	made.catch(() => memory.delete(key));
	return await made;
}
