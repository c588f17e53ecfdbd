import { hashOf, idOf } from '../http/records';

/** Collects the records of a list in order, without repeats: by ID or, without IDs, by whole pages. */
export class Collection {
	readonly records: unknown[] = [];
	private readonly seen = new Set<string>();

	get size(): number {
		return this.records.length;
	}

	/** Returns the number of new records. A record without an ID is new unless its whole page is known. */
	add(page: unknown[]): number {
		// The rows of a table may all have the ID of their common subject.
		const own = page.map(idOf);
		// The rows of a table may all have the ID of their common subject.
		const ids = areShared(own, page) ? own.map(() => undefined) : own;
		if (ids.includes(undefined)) {
			const pageKey = hashOf(page);
			if (this.seen.has(pageKey)) return 0;
			this.seen.add(pageKey);
		}
		const before = this.size;
		for (const [at, id] of ids.entries()) {
			if (id !== undefined && this.seen.has(`id ${id}`)) continue;
			if (id !== undefined) this.seen.add(`id ${id}`);
			this.records.push(page[at]);
		}
		return this.size - before;
	}
}

/** True if two different records of a page share an ID, which then does not identify a record. */
function areShared(ids: Array<string | undefined>, page: unknown[]): boolean {
	const byId = new Map<string, unknown>();
	return ids.some((id, at) => {
		if (id === undefined) return false;
		const known = byId.get(id);
		byId.set(id, page[at]);
		return known !== undefined && JSON.stringify(known) !== JSON.stringify(page[at]);
	});
}
