import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { createdAt, type JsonObject } from '../client';
import type { Resource } from '../resources';

/** How many of an account's newest records show which fields there are. */
const NEWEST = 20;

/** What the service sets by itself, and a location's ID, which stands in the path. */
const SET_BY_SERVICE = /^(id|location_id|(.+_)?(count|score)|.+_at)$/;

const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The columns that the column mapper offers: the fields of the account's own records, with the type
 * that their values have, and the known fields of a location always. Without any record the assumed
 * fields are offered, and say that they are.
 */
export function columnsFor({ fields }: Resource, records: JsonObject[]): ResourceMapperField[] {
	const newest = [...records]
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.slice(0, NEWEST);
	const seen = new Set(newest.flatMap((record) => Object.keys(record)));
	const known = fields.filter(({ id, isAssumed }) => !isAssumed || seen.size === 0 || seen.has(id));
	const others = [...seen].filter(
		(id) => !SET_BY_SERVICE.test(id) && !known.some((field) => field.id === id),
	);
	const column = (id: string, displayName: string, type?: FieldType): ResourceMapperField => ({
		id,
		displayName,
		// A column without a type is sent as it comes.
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

/** The type that all values have; undefined where they differ, or where there is none. */
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

/** `image_url` as "Image URL": the words of a field's name, as a label has them. */
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
