import type { FieldType, IExecutePaginationFunctions } from 'n8n-workflow';

import { type Connection, fieldsOf, type JsonObject, type ServiceRequest } from '../client';
import { InputError } from '../host/errors';
import { listed } from '../host/sentences';
import {
	inSnakeCase,
	newestRecords,
	type Resource,
	resourceOf,
	sendableFields,
	typeOf,
	valuesOf,
} from '../service';
import { isAutomatic, readMapping } from './readBody';
import { readPaging } from './readRequest';
import { oncePerRun } from './run';

/** How many names a message lists. */
const MAX_NAMES = 10;
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

/**
 * The fields that the records of a row's location have; if it shows none, those of other locations.
 *
 * @throws ServiceError if the records can't be read
 */
export async function fieldsInAccount(
	context: IExecutePaginationFunctions,
	connection: Connection,
	resource: Resource,
	{ ids }: ServiceRequest,
): Promise<AccountFields> {
	const read = async () => {
		const paging = readPaging(context);
		const records = await newestRecords(connection, resource, paging, ids.locationId);
		const { known, others, seen } = sendableFields(resource, records);
		const names = [...seen].filter((name) => name !== 'id');
		const isInAll = (name: string) => valuesOf(records, name).length === records.length;
		const usual = records.length < FEWEST_RECORDS ? [] : known.map(({ id }) => id);
		return {
			sendable: [...known.map(({ id }) => id), ...others],
			seen: names,
			usual: usual.filter(isInAll),
			types: typesIn(records, names),
		};
	};
	return await oncePerRun(context, connection.account, ['fields', resource.value], read);
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

/**
 * Refuses a row that is mapped automatically if it has no column that the service is known to have a
 * field for: its headings are wrong then. Fields are known from the resource, the editor or, if these do
 * not suffice, from the records of the account. Columns beside a known one are left to the service.
 *
 * @param known fields that records of the account are known to have
 * @throws InputError with the row's columns and the fields, and ServiceError if the records can't be read
 */
export async function requireKnownColumn(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	known: Iterable<string> = [],
): Promise<void> {
	// JSON is sent as it is.
	if (typeof request.body !== 'object') return;
	const mapping = readMapping(context);
	if (!isAutomatic(mapping)) return;
	const sent = Object.keys(fieldsOf(request));
	const resource = resourceOf(context.getNodeParameter('resource'));
	const offered = [...resource.fields, ...(mapping.schema ?? [])].map(({ id }) => id);
	if (includesAny(sent, [...offered, ...known])) return;

	const { sendable, seen } = await fieldsInAccount(context, connection, resource, request);
	// Without records, the names are only assumed.
	if (seen.length === 0 || includesAny(sent, seen)) return;
	const { json: row } = context.getInputData();
	const columns = sent.filter((name) => name in row);
	throw new InputError(
		`Your columns: ${listed(columns, MAX_NAMES)}. The service expects: ${listed(sendable, MAX_NAMES)}. Rename them or map each column.`,
		`Nothing was sent. To map each column, set Mapping Column Mode to Map Each Column Manually.`,
	);
}

function includesAny(names: string[], known: string[]): boolean {
	return names.some((name) => known.includes(name));
}
