import {
	type Connection,
	createdAt,
	idOf,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
	ServiceError,
	withinTime,
} from '../client';
import { location } from './location';
import { listRequest, type Resource } from './resource';

/** If no location is given, this many of the account's locations are read. */
const MAX_LOCATIONS = 5;
/** Milliseconds that records of other locations are worth, where the location shows some. */
const MAX_EXTRA = 4_000;

/** Some of the newest records of a resource in an account. */
export interface NewestRecords {
	/** These show the fields: those of one location or, if it has none, of some locations. */
	records: JsonObject[];
	/** Those of other locations, where the one has few, as far as they can be read soon. */
	others: JsonObject[];
}

/**
 * Some of the newest records of a resource: those of one location or, without its ID and where that
 * location shows none, of some of the account's locations. What does not exist, or may not be read, has
 * none.
 *
 * @param enough where the location has fewer records than this, other locations are read as well
 * @throws ServiceError if they can't be read
 */
export async function newestRecords(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	locationId?: string,
	enough = 1,
): Promise<NewestRecords> {
	const read = async (via: Connection, of: Resource, ids?: Record<string, string>) =>
		await newestOf(via, of, paging, ids).catch(noneIfRefused);
	if (resource === location) return { records: await read(connection, location), others: [] };

	const own = locationId === undefined ? [] : await read(connection, resource, { locationId });
	if (own.length >= enough) return { records: own, others: [] };

	const elsewhere = async (via: Connection) => {
		const ids = someIds(await read(via, location)).filter((id) => id !== locationId);
		const lists = ids.map(async (id) => await read(via, resource, { locationId: id }));
		return (await Promise.all(lists)).flat();
	};
	if (own.length === 0) return { records: await elsewhere(connection), others: [] };
	const { account, signal } = connection;
	const others = await withinTime(
		account.clock,
		MAX_EXTRA,
		async (ended) => await elsewhere({ ...connection, signal: ended }),
		signal,
	).catch(() => undefined);
	return { records: own, others: others ?? [] };
}

/** A location that does not exist, or that the key may not read, says nothing about fields. */
function noneIfRefused(error: unknown): [] {
	if (error instanceof ServiceError && [403, 404].includes(error.facts.status ?? 0)) return [];
	throw error;
}

/** Of new locations and old ones: a new one may have no records yet. */
function someIds(locations: JsonObject[]): string[] {
	const ids = locations
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.map((record) => idOf(record))
		.filter((id) => id !== undefined);
	const step = Math.max(1, (ids.length - 1) / (MAX_LOCATIONS - 1));
	const places = Array.from({ length: MAX_LOCATIONS }, (_, nth) => Math.round(nth * step));
	return places.map((place) => ids[place]).filter((id) => id !== undefined);
}

/** Records of the first page and of the last one: whichever way a list is sorted, the newest are there. */
async function newestOf(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	ids: Record<string, string> = {},
): Promise<JsonObject[]> {
	const request = listRequest(resource, ids);
	const first = await readPage(connection, request, paging);
	const size = first.records.length;
	const last = size === 0 ? 1 : Math.ceil((first.meta.total ?? 0) / size);
	const pages = [first];
	if (last > 1) pages.push(await readPage(connection, request, paging, last, first));
	return pages.flatMap(({ records }) => records).filter(isRecord);
}
