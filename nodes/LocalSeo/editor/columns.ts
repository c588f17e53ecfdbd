import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
	ResourceMapperValue,
} from 'n8n-workflow';

import { type Connection, isEmpty, type JsonObject } from '../client';
import { typesIn } from '../host/fieldTypes';
import { someRecords } from '../lookup';
import { inSnakeCase, location, type Resource, resourceOf, sendableFields } from '../resources';
import { asLabel } from '../text/words';
import { pagingOf, pickedLocation, withConnection } from './request';

/** Timeout of all requests together (ms): until they are done, the editor shows no fields. */
const MAX_LOADING = 15_000;

/**
 * The columns of the column mapper. They are read from the account's own records: some of the picked
 * location or, if none is picked or it has none, some of the account's locations.
 *
 * There always are columns, because n8n would show none beside an error, and no reason. If the account
 * can't be asked (no credential yet, a rejected key, a service that is down), they are those that the
 * node has, or the assumed ones. The test of the credential, the pickers and the execution report the
 * reason.
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = resourceOf(this.getCurrentNodeParameter('resource'));
	const mapping = (this.getCurrentNodeParameter('fields') ?? {}) as Partial<ResourceMapperValue>;
	const records = await readSome(this, resource).catch(() => undefined);
	if (records) return { fields: keepFilled(columnsFor(resource, records), mapping) };
	const { schema = [] } = mapping;
	return { fields: schema.length > 0 ? schema : columnsFor(resource, []) };
}

async function readSome(context: ILoadOptionsFunctions, resource: Resource) {
	// A name that identifies no location, e.g. while it is being typed, counts as none.
	const own = resource === location ? undefined : pickedLocation(context).catch(() => undefined);
	const [locationId, paging] = [await own, pagingOf(context)];
	const read = async (connection: Connection) =>
		await someRecords(connection, resource, paging, locationId);
	return await withConnection(context, read, MAX_LOADING);
}

/**
 * The columns to offer: the fields of the account's own records with the types of their values, and
 * always the known fields of a location. Without records, the assumed fields are offered and labeled as
 * such. Fields that n8n would run as an expression are left out.
 */
function columnsFor(resource: Resource, records: JsonObject[]): ResourceMapperField[] {
	const { known, others, seen } = sendableFields(resource, records);
	const types = typesIn(records);
	const column = (id: string, displayName: string, unseen?: FieldType): ResourceMapperField => ({
		id,
		displayName: asLabel(displayName),
		// Values of a column without a type are sent unchanged.
		type: types.get(id) ?? unseen,
		display: true,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		// n8n fills in `false`, which nobody has chosen: whoever wants it adds the column.
		...(types.get(id) === 'boolean' && { removed: true }),
	});
	return [
		...known.map(({ id, name, isAssumed }) =>
			column(id, isAssumed && !seen.has(id) ? `${name} (assumed)` : name, 'string'),
		),
		...others
			.filter((id) => !id.startsWith('='))
			.map((id) => column(id, toTitle(id), id.endsWith('_at') ? 'dateTime' : undefined)),
	];
}

/** A field's name as a label: `image_url` becomes "Image URL". */
function toTitle(id: string): string {
	const words = inSnakeCase(id)
		.split(/[_\s-]+/)
		.filter(Boolean);
	const titled = words.map((word) => word[0].toUpperCase() + word.slice(1));
	return titled.join(' ').replace(/\b(Id|Url)\b/g, (word) => word.toUpperCase());
}

/**
 * Keeps what the user has filled in: n8n drops the value of a column that is no longer offered, and
 * does not run a node with a fixed value that does not fit the type of its column. So a filled column
 * stays, and keeps its type.
 *
 * @param mapping the current one of the node
 */
function keepFilled(
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
