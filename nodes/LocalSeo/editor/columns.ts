import type { FieldType, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { createdAt, isEmpty, type JsonObject } from '../client';
import { typeOf, valuesOf } from '../host/fieldTypes';
import { asText } from '../host/words';
import { type KnownField, type Resource, sendableFields } from '../service';

/** How many of an account's newest records are checked for fields. */
const NEWEST = 20;

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
	const column = (id: string, displayName: string, unseen?: FieldType): ResourceMapperField => ({
		id,
		displayName: asText(displayName),
		// Values of a column without a type are sent unchanged.
		type: typeOf(valuesOf(newest, id)) ?? unseen,
		display: true,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});
	return [
		...known.map((field) => column(field.id, labelOf(field, seen), 'string')),
		...others.map((id) => column(id, toTitle(id), id.endsWith('_at') ? 'dateTime' : undefined)),
	];
}

function labelOf({ id, name, isAssumed }: KnownField, seen: Set<string>): string {
	return isAssumed && !seen.has(id) ? `${name} (assumed)` : name;
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

/**
 * The columns that are offered, with what the user has filled in kept: n8n drops the value of a column
 * that is no longer offered, and refuses to run a node with a fixed value that does not fit the type of
 * its column. So a column that is filled stays, and keeps its type.
 *
 * @param mapping as the node has it now
 */
export function keepFilled(
	offered: ResourceMapperField[],
	{ value, schema }: Partial<ResourceMapperValue>,
): ResourceMapperField[] {
	const filled = new Map(
		(schema ?? []).filter(({ id }) => !isEmpty(value?.[id])).map((column) => [column.id, column]),
	);
	const kept = offered.map((column) => {
		const before = filled.get(column.id);
		filled.delete(column.id);
		return before ? { ...column, type: before.type, options: before.options } : column;
	});
	return [...kept, ...filled.values()];
}
