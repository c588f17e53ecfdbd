import type { ResourceMapperField } from 'n8n-workflow';

import { createdAt, type JsonObject } from '../client';
import { asText } from '../host/shown';
import {
	type KnownField,
	type NewestRecords,
	type Resource,
	sendableFields,
	typeOf,
	valuesOf,
} from '../resources';
import { repeatedValues } from './repeatedValues';

/** How many of an account's newest records are checked for fields. */
export const NEWEST = 20;

/**
 * The columns that the column mapper offers: the fields of the account's own records, with the types
 * of their values, and in any case the known fields of a location. If there are no records yet, the
 * assumed fields are offered and labeled as such. A field whose values repeat is offered as a list of
 * them; another value can be entered as an expression.
 *
 * @param others records of other locations, which show further values to choose from
 */
export function columnsFor(
	resource: Resource,
	{ records, others: more }: NewestRecords,
): ResourceMapperField[] {
	const newest = [...records]
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.slice(0, NEWEST);
	const { known, others, seen } = sendableFields(resource, newest);
	const column = (id: string, displayName: string, kind: Kind): ResourceMapperField => ({
		id,
		displayName: asText(displayName),
		...kind,
		display: true,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});
	return [
		...known.map((field) =>
			column(field.id, labelOf(field, seen), {
				type: typeOf(valuesOf(newest, field.id)) ?? 'string',
			}),
		),
		...others.map((id) => column(id, toTitle(id), kindOf(id, [...records, ...more], newest))),
	];
}

type Kind = Pick<ResourceMapperField, 'type' | 'options'>;

function labelOf({ id, name, isAssumed }: KnownField, seen: Set<string>): string {
	return isAssumed && !seen.has(id) ? `${name} (assumed)` : name;
}

/** Values of a column without a type are sent unchanged. */
function kindOf(id: string, all: JsonObject[], newest: JsonObject[]): Kind {
	const options = repeatedValues(id, valuesOf(all, id));
	if (options) return { type: 'options', options: options.map(toOption) };
	return { type: typeOf(valuesOf(newest, id)) ?? (id.endsWith('_at') ? 'dateTime' : undefined) };
}

function toOption(value: string) {
	return { name: asText(value), value };
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
