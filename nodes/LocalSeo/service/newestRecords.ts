import {
	type Connection,
	idOf,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
	ServiceError,
} from '../client';
import { location } from './location';
import { listRequest, type Resource } from './resource';

/** If no location is given, this many of the account's locations are read. */
const MAX_LOCATIONS = 5;

/**
 * Some of the newest records of a resource: those of one location or, without its ID and where that
 * location shows none, of some of the account's locations. What does not exist, or may not be read, has
 * none.
 *
 * @throws ServiceError if they can't be read
 */
export async function newestRecords(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	locationId?: string,
): Promise<JsonObject[]> {
	const read = async (of: Resource, ids?: Record<string, string>) =>
		await newestOf(connection, of, paging, ids).catch(noneIfRefused);
	if (resource === location) return await read(location);
	const own = locationId === undefined ? [] : await read(resource, { locationId });
	if (own.length > 0) return own;
	const all = (await read(location)).flatMap((record) => idOf(record) ?? []);
	const ids = all.filter((id) => id !== locationId);
	// From the first to the last: new locations may have no records yet, wherever they are listed.
	const step = Math.max(1, (ids.length - 1) / (MAX_LOCATIONS - 1));
	const some = ids.filter((_, at) => Math.round(Math.round(at / step) * step) === at);
	const lists = await Promise.all(some.map(async (id) => await read(resource, { locationId: id })));
	return lists.flat();
}

/** A location that does not exist, or that the key may not read, says nothing about fields. */
function noneIfRefused(error: unknown): [] {
	if (error instanceof ServiceError && [403, 404].includes(error.facts.status ?? 0)) return [];
	throw error;
}

/** Records of the first page and of the last one: whichever way a list is sorted, the newest are there. */
async function newestOf(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	ids?: Record<string, string>,
): Promise<JsonObject[]> {
	const request = listRequest(resource, ids);
	const first = await readPage(connection, request, paging);
	const size = first.records.length;
	const last = size === 0 ? 1 : Math.ceil((first.meta.total ?? 0) / size);
	const pages = [first];
	if (last > 1) pages.push(await readPage(connection, request, paging, last));
	return pages.flatMap(({ records }) => records).filter(isRecord);
}
