import {
	type Connection,
	createdAt,
	idOf,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
} from '../client';
import { location } from './location';
import { listRequest, type Resource } from './resource';

/** If no location is given, this many of the account's newest locations are read. */
const MAX_LOCATIONS = 5;

/**
 * Some of the newest records of a resource, which show the fields that it has in this account: those of
 * one location or, without its ID, of some of the account's locations.
 *
 * @throws ServiceError if they can't be read
 */
export async function newestRecords(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	locationId?: string,
): Promise<JsonObject[]> {
	if (resource === location) return await newestOf(connection, resource, paging);
	const locationIds =
		locationId === undefined ? await someLocations(connection, paging) : [locationId];
	const records = await Promise.all(
		locationIds.map(async (id) => await newestOf(connection, resource, paging, { locationId: id })),
	);
	return records.flat();
}

async function someLocations(connection: Connection, paging: Paging): Promise<string[]> {
	const locations = await newestOf(connection, location, paging);
	return locations
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.map((record) => idOf(record))
		.filter((id) => id !== undefined)
		.slice(0, MAX_LOCATIONS);
}

/** Records of the first page and of the last one: whichever way a list is sorted, the newest are there. */
async function newestOf(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	ids: Record<string, string> = {},
): Promise<JsonObject[]> {
	const request = listRequest(resource, ids);
	const first = await readPage(connection, request, paging, 1);
	const size = first.records.length;
	const last = size === 0 ? 1 : Math.ceil((first.meta.total ?? 0) / size);
	const pages = last > 1 ? [first, await readPage(connection, request, paging, last)] : [first];
	return pages.flatMap(({ records }) => records).filter(isRecord);
}
