/** The members of a list by what they have in common, in their order. */
export function groupBy<T, Key>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
	const groups = new Map<Key, T[]>();
	for (const one of all) {
		const group = groups.get(keyOf(one));
		if (group) group.push(one);
		else groups.set(keyOf(one), [one]);
	}
	return groups;
}
