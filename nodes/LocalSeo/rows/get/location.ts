import { idOf, isRecord, readData, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { type Directory, readDirectory } from '../../lookup';
import { listRequest, location } from '../../resources';
import type { Batch } from '../batch';
import type { Row } from '../read/row';

/** For so many locations of a run, names are asked for one by one. */
const FEW_LOCATIONS = 5;

/**
 * The request of a row with the ID of its location, where it gives the location's name.
 *
 * @throws InputError if the name does not tell which location, and ServiceError if the locations can't
 * be read
 */
export async function addressed(
	{ request, isByName }: Row,
	batch: Batch,
	connection: Connected,
): Promise<ServiceRequest> {
	const { locationId: given } = request.ids;
	if (!given || !isByName) return request;
	const directory = await directoryOf(batch, connection);
	const locationId = directory.idOf(given);
	const name = directory.nameOf(locationId);
	return {
		...request,
		ids: { ...request.ids, locationId },
		...(name && { names: { locationId: name } }),
	};
}

/** The locations of the account, as the run has read them. */
export async function directoryOf(
	batch: Batch,
	connection: Connected,
	acceptsIncomplete = false,
): Promise<Directory> {
	const what = ['directory', acceptsIncomplete];
	return await batch.once(what, async () => await readDirectory(connection, acceptsIncomplete));
}

/**
 * The name of a location: from the row, if it is the location's record (as after Get Many), or as the
 * account calls it. If it can't be read, why: a row is worth more than the name in it.
 */
export async function readLocationName(
	row: Row,
	batch: Batch,
	connection: Connected,
	id: string,
): Promise<{ name?: string; why?: string }> {
	const { columns, explain } = row;
	// An item of the trigger holds the location inside.
	const own = ownName([columns, columns.location].find((record) => idOf(record) === id));
	if (own !== undefined) return { name: own };
	return await nameOfLocation(row, batch, connection, id).then(
		(name) => (name === undefined ? { why: 'it has none' } : { name }),
		(error: unknown) => ({ why: explain(error).message }),
	);
}

/**
 * The name of a location in the account; undefined if it has none.
 *
 * @throws ServiceError if there is none of this ID, or it can't be read
 */
export async function nameOfLocation(
	{ isByName }: Row,
	batch: Batch,
	connection: Connected,
	locationId: string,
): Promise<string | undefined> {
	const count = await batch.once(['count of locations'], async () => {
		return new Set(batch.rows.map(({ request }) => request.ids.locationId)).size;
	});
	if (isByName || count > FEW_LOCATIONS) {
		const directory = await directoryOf(batch, connection);
		// A location that is not listed may not exist: then its own address says so.
		if (directory.has(locationId)) return directory.nameOf(locationId);
	}
	return await batch.once(['location', locationId], async () => {
		const list = listRequest(location);
		const request = { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
		return ownName((await readData(connection, request, connection.paging)).data);
	});
}

function ownName(record: unknown): string | undefined {
	const name = isRecord(record) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
