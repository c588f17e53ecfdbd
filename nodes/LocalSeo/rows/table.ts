import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { Connection, JsonObject, ServiceRequest } from '../client';
import { resourceOf } from '../service';
import { readLocationName } from './locationName';

/**
 * The records of a response in the form that the parameter Output asks for. The location is the one
 * that was requested, whatever the row calls it; its name is read only if a table needs it.
 */
export async function tableOf(
	context: IExecutePaginationFunctions,
	connection: Connection,
	{ ids: { locationId: id } }: ServiceRequest,
	records: JsonObject[],
): Promise<JsonObject[]> {
	const { tables, locationName } = resourceOf(context.getNodeParameter('resource'));
	const table = tables?.[context.getNodeParameter('output') as string];
	if (!table || records.length === 0) return records;
	const name = locationName?.(records) ?? (await readLocationName(context, connection, id));
	return table(records, { id, name: name ?? null });
}
