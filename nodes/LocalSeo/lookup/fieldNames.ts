import type { JsonObject } from '../client';
import { type Resource, SET_BY_SERVICE } from '../resources';

/**
 * The fields of a resource that can be sent: those that the interface names, those that records of the
 * account show, and, only without any record, those that are assumed.
 */
export function fieldNames({ fields }: Resource, records: JsonObject[]): string[] {
	const seen = new Set<string>();
	for (const record of records) for (const name in record) seen.add(name);
	const declared = fields.filter(
		({ id, isAssumed }) => !isAssumed || records.length === 0 || seen.has(id),
	);
	const all = new Set([...declared.map(({ id }) => id), ...seen]);
	return [...all].filter((name) => !SET_BY_SERVICE.includes(name));
}
