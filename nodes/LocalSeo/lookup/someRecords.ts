import { idOf, isRecord, type JsonObject, readPage, ServiceError } from '../client';
import type { Connected } from '../host/connect';
import { listRequest, location, type Resource } from '../resources';

/** The most locations of which records are read. */
const MAX_LOCATIONS = 5;

/** Reads the records of a resource of one location, or the locations themselves. */
type ReadRecords = (locationId?: string) => Promise<JsonObject[]>;

/**
 * Some records of a resource, to learn its fields: those of the given locations, in the order of their
 * IDs, or of the first ones of the account if these have none.
 *
 * @param read reads those of one location; absent: the first page of its list
 * @throws ServiceError if no list can be read
 */
export async function someRecords(
	connection: Connected,
	resource: Resource,
	locationIds: string[] = [],
	read: ReadRecords = firstPageOf(connection, resource),
): Promise<JsonObject[]> {
	if (resource === location) return await read();
	const given = [...new Set(locationIds)].sort().slice(0, MAX_LOCATIONS);
	const own = await unionOf(given, read);
	if (own.length > 0) return own;
	const locations = await unionOf([''], firstPageOf(connection, location));
	const all = locations.flatMap((record) => idOf(record) ?? []);
	const others = all.filter((id) => !given.includes(id)).sort();
	return await unionOf(others.slice(0, MAX_LOCATIONS), firstPageOf(connection, resource));
}

function firstPageOf(connection: Connected, resource: Resource): ReadRecords {
	return async (locationId) => {
		const request = listRequest(resource, locationId ? { locationId } : {});
		const page = await readPage(connection, request, connection.paging);
		return page!.records.filter(isRecord);
	};
}

/** A location that does not exist, or that the key may not read, says nothing about fields; others may fail. */
async function unionOf(locationIds: string[], read: ReadRecords): Promise<JsonObject[]> {
	const readings = await Promise.allSettled(locationIds.map(async (id) => await read(id)));
	const records = readings.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
	const failure = readings.find((one) => one.status === 'rejected' && !isRefused(one.reason));
	if (records.length === 0 && failure?.status === 'rejected') throw failure.reason as Error;
	return records;
}

function isRefused(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	return error.kind === 'invalid-id' || [400, 403, 404, 410, 422].includes(error.status);
}
