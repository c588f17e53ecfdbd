import type { FieldType, IExecutePaginationFunctions } from 'n8n-workflow';

import { type Connection, type JsonObject, type ServiceRequest } from '../client';
import { typeOf, valuesOf } from '../host/fieldTypes';
import { type Resource, sendableFields, someRecords } from '../service';
import { existingOf } from './existing';
import { readPaging } from './readRequest';
import { ifExistsOf, oncePerRun } from './row';

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
 * once for a run, and of the list that rows are compared with, where there is one.
 *
 * @throws ServiceError if the records can't be read
 */
export async function accountFields(
	context: IExecutePaginationFunctions,
	connection: Connection,
	resource: Resource,
	request: ServiceRequest,
): Promise<AccountFields> {
	const read = async () => {
		const compared = await comparedRecords(context, connection, request);
		const { locationId } = request.ids;
		const records =
			compared.length > 0
				? compared
				: await someRecords(connection, resource, readPaging(context), locationId);
		return fieldsIn(resource, records);
	};
	return await oncePerRun(context, connection.account, ['fields', resource.value], read);
}

/** The list that the rows of this run are compared with; without one that can be read, none. */
async function comparedRecords(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<JsonObject[]> {
	const isAddressed = Object.values(request.ids).every((id) => id !== '');
	if (request.method !== 'POST' || !isAddressed || ifExistsOf(context) === 'create') return [];
	// Why it can't be read is said where rows are compared with it.
	return await existingOf(context, connection, request).then(
		({ records }) => records,
		() => [],
	);
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
