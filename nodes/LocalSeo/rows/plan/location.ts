import { type Connection, idOf, isRecord, ServiceError } from '../../client';
import { type Directory, readDirectory } from '../../lookup';
import { listRequest, location } from '../../resources';
import { oncePerRun, readFirst } from '../perRun';
import type { Row } from '../read/row';

/** For so many rows, the locations are asked for one by one. */
const FEW_ROWS = 5;

/**
 * The row with the ID of its location in its request, where it gives the location's name.
 *
 * @throws InputError if the name does not tell which location, and ServiceError if the locations can't
 * be read
 */
export async function addressed(row: Row, connection: Connection): Promise<Row> {
	const { request, isByName } = row;
	const { locationId: given } = request.ids;
	if (given === undefined || !isByName) return row;
	const directory = await directoryOf(row, connection);
	const locationId = directory.idOf(given);
	const name = directory.nameOf(locationId);
	const ids = { ...request.ids, locationId };
	return { ...row, request: { ...request, ids, ...(name && { names: { locationId: name } }) } };
}

/** The locations of the account, as the run has read them. */
export async function directoryOf(row: Row, connection: Connection): Promise<Directory> {
	const read = async () => await readDirectory(connection, row.paging);
	return await oncePerRun(row, connection.account, ['directory'], read, ({ bytes }) => bytes);
}

/**
 * The name of a location: from the row, if it is the location's record (as after Get Many), or as the
 * account calls it: for many rows by the list of locations. If it can't be read, why: a row is worth more
 * than the name in it.
 */
export async function readLocationName(
	row: Row,
	connection: Connection,
	id: string,
): Promise<{ name?: string; why?: string }> {
	const { columns, rows, explain } = row;
	// An item of the trigger holds the location inside.
	const own = ownName([columns, columns.location].find((record) => idOf(record) === id));
	if (own !== undefined) return { name: own };
	const isListed = rows.length > FEW_ROWS;
	return await nameOfLocation(row, connection, id, isListed).then(
		(name) => (name === undefined ? { why: 'it has none' } : { name }),
		(error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			return { why: explain(error).message };
		},
	);
}

/**
 * The name of a location in the account; undefined if it has none.
 *
 * @param isListed whether the list of locations is read for it, as it is for one that was given by name
 * @throws ServiceError if there is none of this ID, or it can't be read
 */
export async function nameOfLocation(
	row: Row,
	connection: Connection,
	locationId: string,
	isListed = false,
): Promise<string | undefined> {
	if (isListed || row.isByName) {
		return (await directoryOf(row, connection)).nameOf(locationId);
	}
	const list = listRequest(location);
	const request = { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
	return ownName(await readFirst(row, connection, request));
}

function ownName(record: unknown): string | undefined {
	const name = isRecord(record) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
