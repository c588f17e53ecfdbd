import { hashOf, idOf } from '../http/records';

/** Records of a list in their order, none twice: by ID, and as they are where they have none. */
export class Collection {
	readonly records: unknown[] = [];
	private readonly seen = new Set<string>();

	get size(): number {
		return this.records.length;
	}

	/** Returns how many were new. A record without an ID is new unless its whole page is known. */
	add(page: unknown[]): number {
		// Rows of a table may all have the ID of what they are about.
		const isTable = isShared(page);
		const ids = page.map((record) => (isTable ? undefined : idOf(record)));
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

/** Whether one page has an ID twice, of records that differ: it is not that of a record. */
function isShared(page: unknown[]): boolean {
	const byId = new Map<string, unknown>();
	return page.some((record) => {
		const id = idOf(record);
		if (id === undefined) return false;
		const known = byId.get(id);
		byId.set(id, record);
		return known !== undefined && JSON.stringify(known) !== JSON.stringify(record);
	});
}
