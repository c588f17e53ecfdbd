import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { type Connection, fieldsOf, type ServiceRequest } from '../client';
import { InputError } from '../host/errors';
import { listed } from '../host/words';
import { resourceOf } from '../service';
import { fieldsIn } from './accountFields';
import { isAutomatic, readMapping } from './readBody';
import { readPaging } from './readRequest';

/** How many names a message lists. */
const MAX_NAMES = 10;

/**
 * Refuses a row that is mapped automatically if it has no column that the service is known to have a
 * field for: its headers are wrong then. Fields are known from the resource, the editor or, if these do
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
	const offered = (mapping.schema ?? []).map(({ id }) => id);
	if (includesAny(sent, [...resource.fields.map(({ id }) => id), ...offered, ...known])) return;

	const { sendable, seen } = await fieldsIn(connection, resource, readPaging(context), request);
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
