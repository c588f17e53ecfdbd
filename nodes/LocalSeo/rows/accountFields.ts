import type { FieldType, IExecutePaginationFunctions } from 'n8n-workflow';

import { type Connection, type JsonObject, type ServiceRequest } from '../client';
import { typeOf, valuesOf } from '../host/fieldTypes';
import { type Resource, sendableFields, someRecords } from '../service';
import { readPaging } from './readRequest';
import { oncePerRun } from './row';

/** From so many records on, what each of them has is no chance. */
const FEWEST_RECORDS = 3;
/** A field with at most so many values has few: a type, a status. */
const FEW_VALUES = 12;

/** The fields of a resource in an account. */
export interface AccountFields {
	/** Names of those that can be sent, the known ones first. */
	sendable: string[];
	/** Names of all that records have; none, if there are no records. */
	seen: string[];
	/** Names of those that the node knows and every record has filled; none where there are few records. */
	usual: string[];
	/** Types of those whose values all have the same one. */
	types: Map<string, FieldType>;
	/** The values of a field that has few of them, as texts. */
	values: Map<string, Set<string>>;
	/** Names of those that have days alone. */
	days: Set<string>;
}

/**
 * The fields that the records of a row's location have; if it shows none, those of other locations. Asked
 * once for a run.
 *
 * @param compared the list that the row is compared with, if there is one
 * @throws ServiceError if the records can't be read
 */
export async function accountFields(
	context: IExecutePaginationFunctions,
	connection: Connection,
	resource: Resource,
	{ ids: { locationId } }: ServiceRequest,
	compared: JsonObject[] = [],
): Promise<AccountFields> {
	const read = async () => {
		if (compared.length > 0) return fieldsIn(resource, compared);
		const paging = readPaging(context);
		return fieldsIn(resource, await someRecords(connection, resource, paging, locationId));
	};
	return await oncePerRun(context, connection.account, ['fields', resource.value], read);
}

function fieldsIn(resource: Resource, records: JsonObject[]): AccountFields {
	const { known, others, seen } = sendableFields(resource, records);
	const names = [...seen].filter((name) => name !== 'id');
	const isInAll = (name: string) => valuesOf(records, name).length === records.length;
	const usual = records.length < FEWEST_RECORDS ? [] : known.map(({ id }) => id);
	const fields: AccountFields = {
		sendable: [...known.map(({ id }) => id), ...others],
		seen: names,
		usual: usual.filter(isInAll),
		types: new Map(),
		values: new Map(),
		days: new Set(),
	};
	for (const name of names) {
		const values = valuesOf(records, name);
		const type = typeOf(values);
		if (type) fields.types.set(name, type);
		const texts = new Set(values.filter((value) => typeof value === 'string'));
		if (texts.size <= FEW_VALUES && texts.size * 2 <= values.length) fields.values.set(name, texts);
		if (type === 'dateTime' && [...texts].every((text) => text.length <= 'YYYY-MM-DD'.length)) {
			fields.days.add(name);
		}
	}
	return fields;
}
