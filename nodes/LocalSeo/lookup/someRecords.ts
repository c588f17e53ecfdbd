import { idOf, isRecord, type JsonObject, readPage, ServiceError } from '../client';
import type { Connected } from '../host/connect';
import { listRequest, location, type Resource } from '../resources';

/** The most locations of which records are read at a time. */
const MAX_LOCATIONS = 5;

/** Reads the records of a resource of one location, or the locations themselves. */
type ReadRecords = (locationId?: string) => Promise<JsonObject[]>;

/**
 * Some records of a resource, to learn its fields: those of the given locations or, if these have none,
 * of others of the account.
 *
 * @param read reads those of one location; absent: the first page of its list
 * @throws ServiceError if a list can't be read
 */
export async function someRecords(
	connection: Connected,
	resource: Resource,
	locationIds: string[] = [],
	read: ReadRecords = firstPageOf(connection, resource),
): Promise<JsonObject[]> {
	if (resource === location) return await read();
	const given = new Set(locationIds);
	const records = await recordsOf([...given], read);
	if (records.length > 0) return records;
	const locations = await orNone(firstPageOf(connection, location)());
	const others = locations.flatMap((one) => idOf(one) ?? []).filter((id) => !given.has(id));
	return await recordsOf(others, firstPageOf(connection, resource));
}

function firstPageOf(connection: Connected, resource: Resource): ReadRecords {
	return async (locationId) => {
		const request = listRequest(resource, locationId ? { locationId } : {});
		const page = await readPage(connection, request, connection.paging);
		return page!.records.filter(isRecord);
	};
}

/** @throws what the service says if none of them can be read */
async function recordsOf(locationIds: string[], read: ReadRecords): Promise<JsonObject[]> {
	const some = locationIds.slice(0, MAX_LOCATIONS);
	const readings = await Promise.allSettled(some.map(async (id) => await orNone(read(id))));
	const [failure, ...others] = readings.filter((one) => one.status === 'rejected');
	if (failure && others.length === readings.length - 1) throw failure.reason as Error;
	return readings.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** A location that does not exist, or that the key may not read, says nothing about fields. */
async function orNone(reading: Promise<JsonObject[]>): Promise<JsonObject[]> {
	return await reading.catch((error: unknown) => {
		const { kind, status } = error instanceof ServiceError ? error : {};
		if (kind === 'invalid-id' || [400, 403, 404, 410, 422].includes(status ?? 0)) return [];
		throw error;
	});
}
