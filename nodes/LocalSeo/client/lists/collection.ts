import { hashOf } from '../exchange/hashOf';
import { createdAtByClock, idOf } from '../exchange/records';

/** Records of a list in their order, none twice: by id, and as they are where they have none. */
export class Collection {
	readonly records: unknown[] = [];
	private readonly seen = new Set<string>();

	constructor(records: unknown[]) {
		this.add(records);
	}

	get size() {
		return this.records.length;
	}

	/**
	 * Returns how many were new. A record without an id is new unless its whole page is known.
	 *
	 * @param at where they stand among the others; absent: after them
	 */
	add(page: unknown[], at = this.size): number {
		const pageKey = hashOf(page);
		if (this.seen.has(pageKey)) return 0;
		this.seen.add(pageKey);
		// Rows of a table may all have the ID of what they are about.
		const isTable = isShared(page);
		const fresh = page.filter((record) => {
			const id = isTable ? undefined : idOf(record);
			if (id === undefined) return true;
			const isKnown = this.seen.has(`id ${id}`);
			this.seen.add(`id ${id}`);
			return !isKnown;
		});
		// Not `push(...fresh)`: a page of a hundred thousand records is too many arguments.
		const later = this.records.splice(at);
		for (const record of fresh) this.records.push(record);
		for (const record of later) this.records.push(record);
		return fresh.length;
	}

	/** When each was created, in milliseconds; undefined where one does not say it for sure. */
	get times(): number[] | undefined {
		const times = this.records.map(createdAtByClock);
		return times.includes(undefined) ? undefined : (times as number[]);
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
