import { isRecord, type JsonObject } from '../client';

/** n8n's UX guidelines: a simplified record has at most ten fields. */
const MOST_FIELDS = 10;

/**
 * Records with at most ten fields, the same ones in each: first the leading fields, then single
 * values in the order of the record, then lists and objects. Records with no more than ten fields are
 * left as they are.
 */
export function simplified(records: unknown[], leadingFields: string[]): unknown[] {
	const rows = records.filter(isRecord);
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	if (names.length <= MOST_FIELDS) return records;
	const rank = (name: string) => {
		if (leadingFields.includes(name)) return leadingFields.indexOf(name);
		const isSingle = rows.every((row) => typeof row[name] !== 'object' || row[name] === null);
		return leadingFields.length + (isSingle ? 0 : 1);
	};
	const kept = new Set(names.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_FIELDS));
	return records.map((record) => (isRecord(record) ? only(record, kept) : record));
}

function only(record: JsonObject, names: Set<string>): JsonObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}
