/** How often the members of a value are looked at; what is counted does not depend on the machine. */
export interface Counted<T> {
	/** The same value, to be given to whatever reads it. */
	value: T;
	/** Members read, and names listed, since it was made. */
	readonly count: number;
}

/** A value whose readings are counted, at any depth. */
export function counted<T>(original: T): Counted<T> {
	let count = 0;
	const known = new WeakMap<object, object>();
	const wrap = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const wrapped =
			known.get(value) ??
			new Proxy(value, {
				get(target, name, receiver) {
					count++;
					return wrap(Reflect.get(target, name, receiver));
				},
				has(target, name) {
					count++;
					return Reflect.has(target, name);
				},
				ownKeys(target) {
					const names = Reflect.ownKeys(target);
					count += names.length;
					return names;
				},
			});
		known.set(value, wrapped);
		return wrapped;
	};
	return {
		value: wrap(original) as T,
		get count() {
			return count;
		},
	};
}

/** Twice the response may cost so much more. */
const MOST = 2.5;

/**
 * Expects that twice the response costs at most 2.5 times as much.
 *
 * @param costOf work or cells for a response with so many entries: `counted`, or the size of a result
 */
export function expectInProportion(costOf: (entries: number) => number, entries = 200): void {
	const [once, twice] = [entries, 2 * entries].map(costOf);
	expect(once).toBeGreaterThan(0);
	expect(twice / once).toBeLessThanOrEqual(MOST);
}

/** The same for work that takes its time. */
export async function expectAsyncInProportion(
	costOf: (entries: number) => Promise<number>,
	entries = 200,
): Promise<void> {
	const costs = new Map<number, number>();
	for (const count of [entries, 2 * entries]) costs.set(count, await costOf(count));
	expectInProportion((count) => costs.get(count)!, entries);
}
