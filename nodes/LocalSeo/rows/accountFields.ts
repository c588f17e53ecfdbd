import type { FieldType } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	getOrMake,
	jsonBytes,
	type JsonObject,
	type Paging,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { typeOf, valuesOf } from '../host/fieldTypes';
import { inSnakeCase, newestRecords, type Resource, sendableFields } from '../service';

/** A text of one record may happen to look like a date, unless its name says that it is one. */
const FEWEST_DATES = 2;
/** From so many records on, what each of them has is no chance. */
const FEWEST_RECORDS = 3;
const DATE_NAME = /(^|[_ -])(at|date|time|datetime)$/;

/** The fields of a resource in an account. */
export interface AccountFields {
	/** Names of those that can be sent, the known ones first. */
	sendable: string[];
	/** Names of all that records have. */
	seen: string[];
	/** Names of those that the node knows and every record has filled; none where there are few records. */
	usual: string[];
	/** Types of those whose values all have the same one, by name. */
	types: Record<string, FieldType>;
}

/** For as long as the rows of a run take to be checked, not to read them again for each. */
const fields = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<AccountFields>>(
			{ maxBytes: 1024 * 1024, forgetAfterMs: 60_000, since: 'set' },
			clock,
		),
);

/**
 * The fields that the records of a row's location have; if it shows none, those of other locations.
 *
 * @throws ServiceError if the records can't be read
 */
export async function fieldsIn(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	{ ids }: ServiceRequest,
): Promise<AccountFields> {
	const key = JSON.stringify([resource.value, paging]);
	const read = async () => {
		const records = await newestRecords(connection, resource, paging, ids.locationId);
		const { known, others, seen } = sendableFields(resource, records);
		const sendable = [...known.map(({ id }) => id), ...others];
		const names = [...seen].filter((name) => name !== 'id');
		const usual = records.length < FEWEST_RECORDS ? [] : known.map(({ id }) => id);
		const isInAll = (name: string) => valuesOf(records, name).length === records.length;
		return {
			sendable,
			seen: names,
			usual: usual.filter(isInAll),
			types: typesIn(records, names),
		};
	};
	return await getOrMake(fields.of(connection.account), key, read, jsonBytes);
}

function typesIn(records: JsonObject[], names: string[]): Record<string, FieldType> {
	const typed = names.flatMap((name): Array<[string, FieldType]> => {
		const values = valuesOf(records, name);
		const type = typeOf(values);
		const isUnsure = values.length < FEWEST_DATES && !DATE_NAME.test(inSnakeCase(name));
		return type === undefined || (type === 'dateTime' && isUnsure) ? [] : [[name, type]];
	});
	return Object.fromEntries(typed);
}
