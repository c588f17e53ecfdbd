interface Entry<V> {
	value: V;
	usedAt: number;
}

/** Values by key that are forgotten in the end: when they are too many, or not used for long. */
export class Memory<V> {
	private readonly entries = new Map<string, Entry<V>>();

	/** `forgetAfter` in milliseconds. */
	constructor(private readonly limits: { most: number; forgetAfter: number }) {}

	get(key: string): V | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		this.set(key, entry.value);
		return entry.value;
	}

	/** The least recently used stand first, so only those at the front have to be looked at. */
	set(key: string, value: V): void {
		const now = Date.now();
		this.entries.delete(key);
		this.entries.set(key, { value, usedAt: now });
		for (const [oldest, { usedAt }] of this.entries) {
			const isOver = this.entries.size > this.limits.most || now - usedAt > this.limits.forgetAfter;
			if (!isOver) break;
			this.entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	get size(): number {
		return this.entries.size;
	}
}
