import { hashOf } from '../http/records';
import type { JsonObject } from '../ports';
import { keyOf } from './key';

/** A longer key is kept as its hash (characters): a slice of up to 12 keeps no long text alive. */
const LONGEST = 12;

/** The key of a value in a few bytes. */
export function shortKeyOf(value: unknown, isTerm?: boolean): string {
	const key = keyOf(value, isTerm);
	return key.length > LONGEST ? hashOf(key).slice(0, LONGEST) : key;
}

/** The short keys of some fields. */
export type Keys = Readonly<Record<string, string>>;

export function keysOf(record: JsonObject, fields: string[], isTerm?: boolean): Keys {
	return Object.fromEntries(fields.map((field) => [field, shortKeyOf(record[field], isTerm)]));
}

/** True if one has all keys of the other. */
export function hasKeys(one: Keys, keys: Keys): boolean {
	return Object.entries(keys).every(([field, key]) => one[field] === key);
}

/** Finds what has some keys without a look at all that is there; most keys belong to one entry. */
export class KeyIndex<T extends { keys: Keys }> {
	private readonly byField = new Map<string, Map<string, T | Set<T>>>();

	add(entry: T): void {
		for (const [field, key] of Object.entries(entry.keys)) {
			const byKey = this.byField.get(field) ?? new Map<string, T | Set<T>>();
			this.byField.set(field, byKey);
			const known = byKey.get(key);
			if (known instanceof Set) known.add(entry);
			else byKey.set(key, known === undefined ? entry : new Set([known, entry]));
		}
	}

	delete(entry: T): void {
		for (const [field, key] of Object.entries(entry.keys)) {
			const byKey = this.byField.get(field);
			const known = byKey?.get(key);
			if (known instanceof Set) known.delete(entry);
			else if (known === entry) byKey!.delete(key);
		}
	}

	/** All entries with these keys. */
	equal(keys: Keys): T[] {
		for (const field in keys) if (!this.byField.get(field)?.has(keys[field])) return [];
		const [fewest = []] = this.groups(keys);
		return [...fewest].filter((entry) => hasKeys(entry.keys, keys));
	}

	/** The entries that share all keys but one, at the least: candidates for a closer look. */
	*near(keys: Keys): Iterable<T> {
		for (const group of this.groups(keys).slice(0, 2)) yield* group;
	}

	/** The entries with each of these keys, the fewest first. */
	private groups(keys: Keys): Array<Iterable<T>> {
		return Object.entries(keys)
			.map(([field, key]) => this.byField.get(field)?.get(key))
			.map((known) => (known === undefined ? [] : known instanceof Set ? known : [known]))
			.map((group) => ({ group, size: Array.isArray(group) ? group.length : group.size }))
			.sort((one, other) => one.size - other.size)
			.map(({ group }) => group);
	}
}
