import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { Connection, ServiceRequest } from '../client';
import { listedNameOf, locationIdOf, type Reader } from '../service';
import { readPaging } from './readRequest';
import { isByName } from './rowValues';
import { runKeyOf } from './runKey';

/** Milliseconds for which calls outside of executions use the same list of locations. */
const FRESH_FOR = 60_000;

/**
 * The request with the ID of its location, where the row gives the location's name: from here on,
 * nothing knows how it was given.
 *
 * @throws InputError if the name does not tell which location, and ServiceError if the locations can't
 * be read
 */
export async function withRealIds(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<ServiceRequest> {
	const { locationId: given } = request.ids;
	if (given === undefined || !isByName(context, 'locationId')) return request;
	const paging = readPaging(context);
	const locationId = await locationIdOf(connection, given, paging, readerOf(context));
	return { ...request, ids: { ...request.ids, locationId } };
}

/** What the account calls the location of a row that gave it by its name; undefined if by its ID. */
export async function nameByWhichFound(
	context: IExecutePaginationFunctions,
	connection: Connection,
	id: string,
): Promise<string | undefined> {
	if (!isByName(context, 'locationId')) return undefined;
	return await listedNameOf(connection, id, readPaging(context), readerOf(context));
}

/** All runs of a node in an execution: a loop would otherwise read the list once a round. */
function readerOf(context: IExecutePaginationFunctions): Reader {
	const run = runKeyOf(context);
	if (run === undefined) return { name: 'outside of executions', freshForMs: FRESH_FOR };
	return { name: JSON.stringify([context.getExecutionId(), context.getNode().id]), run };
}
