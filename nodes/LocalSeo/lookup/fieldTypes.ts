import { instantOfIso, isEmpty, type JsonObject } from '../client';

/** A type of a field, as n8n's column mapper names it. */
export type FieldTypeName = 'array' | 'boolean' | 'dateTime' | 'number' | 'object' | 'string';

/** The common type of the values of a field in some records; undefined if they differ, or it has none. */
export function typeIn(records: JsonObject[], field: string): FieldTypeName | undefined {
	const values = records.map((record) => record[field]).filter((value) => !isEmpty(value));
	const types = new Set(values.map(typeOf));
	return types.size === 1 ? [...types][0] : undefined;
}

/** The type of a value that is not empty. */
export function typeOf(value: unknown): FieldTypeName {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' && instantOfIso(value) !== undefined) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
