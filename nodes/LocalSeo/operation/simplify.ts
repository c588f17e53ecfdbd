import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/envelope';

/** n8n's UX guidelines: a simplified record has at most ten fields. */
const MOST_FIELDS = 10;

/** What a user looks for first, in this order. The fields of a location are known, others assumed. */
const FIRST: Record<string, string[]> = {
	location: ['id', 'name', 'address', 'city', 'country', 'status', 'rank_score', 'keywords_count'],
	keyword: ['id', 'keyword', 'location_id', 'position', 'search_volume'],
	'rank scan': ['id', 'keyword_id', 'position', 'scanned_at'],
	'content post': ['id', 'title', 'content', 'status', 'location_id', 'publish_at', 'created_at'],
};

/**
 * Records with at most ten fields, the same ones in each: first those that tell what a record is,
 * then single values in the order of the record, then lists and objects. Records that have no more
 * are left as they are.
 */
export function simplified(records: unknown[], noun: string): unknown[] {
	const rows = records.filter(isRecord);
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	if (names.length <= MOST_FIELDS) return records;
	const first = FIRST[noun] ?? ['id'];
	const rank = (name: string) => {
		if (first.includes(name)) return first.indexOf(name);
		const isSingle = rows.every((row) => typeof row[name] !== 'object' || row[name] === null);
		return first.length + (isSingle ? 0 : 1);
	};
	const kept = new Set(names.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_FIELDS));
	return records.map((record) => (isRecord(record) ? only(record, kept) : record));
}

function only(record: IDataObject, names: Set<string>): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}
