import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { createdAt, type JsonObject } from '../client';
import { asText } from '../host/shown';
import { type Resource, sendableFields } from '../resources';

/** How many of an account's newest records are checked for fields. */
const NEWEST = 20;

const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The columns that the column mapper offers: the fields of the account's own records, with the types
 * of their values, and in any case the known fields of a location. If there are no records yet, the
 * assumed fields are offered and labeled as such.
 */
export function columnsFor(resource: Resource, records: JsonObject[]): ResourceMapperField[] {
	const newest = [...records]
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.slice(0, NEWEST);
	const { known, others, seen } = sendableFields(resource, newest);
	const column = (id: string, displayName: string, type?: FieldType): ResourceMapperField => ({
		id,
		displayName: asText(displayName),
		// Values of a column without a type are sent unchanged.
		type: typeOf(newest.map((record) => record[id])) ?? type,
		display: true,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});
	return [
		...known.map(({ id, name, isAssumed }) =>
			column(id, isAssumed && !seen.has(id) ? `${name} (assumed)` : name, 'string'),
		),
		...others.map((id) => column(id, toTitle(id))),
	];
}

/** The type that all values have; undefined if they differ, or if there are none. */
function typeOf(values: unknown[]): FieldType | undefined {
	const types = new Set(
		values
			.filter((value) => value !== undefined && value !== null && value !== '')
			.map(typeOfValue),
	);
	const [type] = types;
	return types.size === 1 ? type : undefined;
}

function typeOfValue(value: unknown): FieldType {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' && DATE.test(value)) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}

/** A field's name as a label: `image_url` becomes "Image URL". */
function toTitle(id: string): string {
	return id
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.split(/[_\s-]+/)
		.filter(Boolean)
		.map((word) =>
			/^(id|url)$/i.test(word) ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1),
		)
		.join(' ');
}
