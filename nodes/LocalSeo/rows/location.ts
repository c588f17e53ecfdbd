import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { type Connection, idOf, isRecord, ServiceError, type ServiceRequest } from '../client';
import { reportOf } from '../host/errors';
import { type Directory, listRequest, location, readDirectory } from '../service';
import { readPaging } from './readRequest';
import { isByName, oncePerRun, readFirst, rowsOfRun } from './row';

type Context = IExecutePaginationFunctions;

/** For so many rows, the locations are asked for one by one. */
const FEW_ROWS = 5;

/**
 * The request with the ID of its location, where the row gives the location's name: from here on,
 * nothing knows how it was given.
 *
 * @throws InputError if the name does not tell which location, and ServiceError if the locations can't
 * be read
 */
export async function withRealIds(
	context: Context,
	connection: Connection,
	request: ServiceRequest,
): Promise<ServiceRequest> {
	const { locationId: given } = request.ids;
	if (given === undefined || !isByName(context, 'locationId')) return request;
	const directory = await directoryOf(context, connection);
	return { ...request, ids: { ...request.ids, locationId: directory.idOf(given) } };
}

/** The locations of the account, as the run has read them. */
export async function directoryOf(context: Context, connection: Connection): Promise<Directory> {
	const read = async () => await readDirectory(connection, readPaging(context));
	return await oncePerRun(context, connection.account, ['directory'], read, ({ bytes }) => bytes);
}

/**
 * The name of a location: from the row, if it is the location's record (as after Get Many), or as the
 * account calls it: for many rows by the list of locations. If it can't be read, why: a row is worth more
 * than the name in it.
 */
export async function readLocationName(
	context: Context,
	connection: Connection,
	id: string,
): Promise<{ name?: string; why?: string }> {
	const { json: row } = context.getInputData();
	// An item of the trigger holds the location inside.
	const own = nameOf([row, row.location].find((record) => idOf(record) === id));
	if (own !== undefined) return { name: own };
	const isListed = rowsOfRun(context).length > FEW_ROWS;
	return await nameOfLocation(context, connection, id, isListed).then(
		(name) => (name === undefined ? { why: 'it has none' } : { name }),
		(error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			return { why: reportOf(context, error).message };
		},
	);
}

/**
 * What the account calls a location; undefined if it has no name.
 *
 * @param isListed whether the list of locations is read for it, as it is for one that was given by name
 * @throws ServiceError if there is none of this ID, or it can't be read
 */
export async function nameOfLocation(
	context: Context,
	connection: Connection,
	locationId: string,
	isListed = false,
): Promise<string | undefined> {
	if (isListed || isByName(context, 'locationId')) {
		return (await directoryOf(context, connection)).nameOf(locationId);
	}
	const list = listRequest(location);
	const request = { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
	return nameOf(await readFirst(context, connection, request, readPaging(context)));
}

function nameOf(record: unknown): string | undefined {
	const name = isRecord(record) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
