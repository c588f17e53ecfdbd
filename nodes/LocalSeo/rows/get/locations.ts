import { idOf, readData, readList } from '../../client';
import type { Connected } from '../../host/connect';
import { nameIn, readDirectory } from '../../lookup';
import { listRequest, location, type NamedLocation } from '../../resources';
import { MOST_NAMED, requestFor } from '../learn/locations';
import type { Row } from '../read/row';
import type { Batch } from './batch';

/** The locations of the account, in the order of their list. */
interface Locations {
	locations: NamedLocation[];
	/** Present if these are not all of them, with how many there are, if that is known. */
	part?: { total?: number };
}

/**
 * All locations of the account, read once for a run. One without a usable ID has none: its request fails.
 *
 * @throws ServiceError also for a list that is not complete, unless the row accepts that
 */
export async function allLocations(
	{ acceptsIncomplete }: Row,
	batch: Batch,
	connection: Connected,
): Promise<Locations> {
	const list = await batch.once(['all locations'], async () => {
		return await readList(connection, listRequest(location), connection.paging);
	});
	if (list.incomplete && !acceptsIncomplete) throw list.incomplete;
	const locations = list.records.map((record) => {
		return { id: idOf(record) ?? '', name: nameIn(record) ?? null };
	});
	return { locations, part: list.incomplete && { total: list.total } };
}

/**
 * The name of a row's location; undefined if it has none. For many locations, all names are read at once.
 *
 * @throws ServiceError if it can't be read
 */
export async function locationName(
	{ request }: Row,
	batch: Batch,
	connection: Connected,
): Promise<string | undefined> {
	const { locationId: id } = request.ids;
	if (batch.locationCount > MOST_NAMED) {
		const directory = await batch.once(['directory'], async () => {
			return await readDirectory(connection, true);
		});
		// A location that is not listed may exist all the same.
		if (directory.has(id)) return directory.ownNameOf(id);
	}
	return await batch.once(['name of location', id], async () => {
		return nameIn((await readData(connection, requestFor(id), connection.paging)).data);
	});
}
