import { type Connection, isEmpty, type JsonObject } from '../../client';
import { type FieldTypeName, typesIn } from '../../host/fieldTypes';
import { someRecords } from '../../lookup';
import { type Resource, sendableFields } from '../../resources';
import { oncePerRun } from '../perRun';
import type { Row } from '../read/row';

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
	types: Map<string, FieldTypeName | undefined>;
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
	row: Row,
	connection: Connection,
	compared: JsonObject[] = [],
): Promise<AccountFields> {
	const { resource, paging, request } = row;
	const read = async () => {
		if (compared.length > 0) return fieldsIn(resource, compared);
		const { locationId } = request.ids;
		return fieldsIn(resource, await someRecords(connection, resource, paging, locationId));
	};
	return await oncePerRun(row, connection.account, ['fields', resource.value], read);
}

/** Reads each record once: in a list, each may have other fields. */
function fieldsIn(resource: Resource, records: JsonObject[]): AccountFields {
	const { known, others, seen } = sendableFields(resource, records);
	const found = new Map<string, { count: number; texts: Set<string>; hasTimes: boolean }>();
	for (const record of records) {
		for (const [name, value] of Object.entries(record)) {
			if (isEmpty(value)) continue;
			const field = found.get(name) ?? { count: 0, texts: new Set(), hasTimes: false };
			found.set(name, field);
			field.count++;
			if (typeof value !== 'string') continue;
			if (field.texts.size <= FEW_VALUES) field.texts.add(value);
			field.hasTimes ||= value.length > 'YYYY-MM-DD'.length;
		}
	}
	const fields: AccountFields = {
		sendable: [...known.map(({ id }) => id), ...others],
		seen: [...seen].filter((name) => name !== 'id'),
		usual: [],
		types: typesIn(records),
		values: new Map(),
		days: new Set(),
	};
	if (records.length >= FEWEST_RECORDS) {
		const isInAll = (id: string) => found.get(id)?.count === records.length;
		fields.usual = known.map(({ id }) => id).filter(isInAll);
	}
	for (const [name, { count, texts, hasTimes }] of found) {
		if (texts.size <= FEW_VALUES && texts.size * 2 <= count) fields.values.set(name, texts);
		if (fields.types.get(name) === 'dateTime' && !hasTimes) fields.days.add(name);
	}
	return fields;
}
