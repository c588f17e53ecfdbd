import type { FieldType } from 'n8n-workflow';

import { isEmpty, type JsonObject } from '../client';

const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** The values of a field that are not empty. */
export function valuesOf(records: JsonObject[], id: string): unknown[] {
	return records.map((record) => record[id]).filter((value) => !isEmpty(value));
}

/** The type that all values have; undefined if they differ, or if there are none. */
export function typeOf(values: unknown[]): FieldType | undefined {
	const types = new Set(values.map(typeOfValue));
	const [type] = types;
	return types.size === 1 ? type : undefined;
}

function typeOfValue(value: unknown): FieldType {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' && DATE.test(value)) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
