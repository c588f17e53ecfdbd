import {
	type Connection,
	idOf,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
	ServiceError,
} from '../client';
import { listRequest, location, type Resource } from '../resources';

/** If no location is given, so many of the account's locations are read. */
const MAX_LOCATIONS = 5;

/**
 * The first page of a resource's records: those of one location or, without its ID and where that
 * location shows none, of some of the account's locations. What does not exist, or may not be read, has
 * none.
 *
 * @throws ServiceError if they can't be read
 */
export async function someRecords(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	locationId?: string,
): Promise<JsonObject[]> {
	const read = async (of: Resource, ids?: Record<string, string>) => {
		const page = readPage(connection, listRequest(of, ids), paging);
		return await page.then((first) => first!.records.filter(isRecord)).catch(noneIfRefused);
	};
	if (resource === location) return await read(location);
	const own = locationId === undefined ? [] : await read(resource, { locationId });
	if (own.length > 0) return own;
	const all = (await read(location)).flatMap((record) => idOf(record) ?? []);
	const some = all.filter((id) => id !== locationId).slice(0, MAX_LOCATIONS);
	return (
		await Promise.all(some.map(async (id) => await read(resource, { locationId: id })))
	).flat();
}

/** A location that does not exist, or that the key may not read, says nothing about fields. */
function noneIfRefused(error: unknown): [] {
	if (error instanceof ServiceError && [403, 404].includes(error.status)) return [];
	throw error;
}
