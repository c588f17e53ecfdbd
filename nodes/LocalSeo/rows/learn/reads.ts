import {
	concurrently,
	endsWithId,
	idOf,
	isRecord,
	type JsonObject,
	MAX_IN_FLIGHT,
	readData,
	readExisting,
	readPage,
	requestForList,
	ServiceError,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { listRequest, location, type Resource } from '../../resources';
import type { Row } from '../read/row';
import { Existing } from './existing';
import { addressOf } from './facts';

// Readings for the rows of a run: each address once, and all of them side by side.

/** Reads something for each request, by its address; an error about one of them is its rows' alone. */
async function each<T>(
	requests: ServiceRequest[],
	read: (request: ServiceRequest) => Promise<T>,
): Promise<Map<string, T | Error>> {
	const byAddress = new Map(requests.map((request) => [addressOf(request), request]));
	const jobs = [...byAddress].map(
		([address, request]) =>
			async (): Promise<[string, T | Error]> => {
				const found = await read(request).catch((error: unknown) => {
					if (!isOfAddress(error)) throw error;
					return error;
				});
				return [address, found];
			},
	);
	return new Map(await concurrently(jobs, MAX_IN_FLIGHT));
}

/** False for what is refused for all: a key, a rule of n8n, an execution that is stopped. */
function isOfAddress(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	return error.status !== 401 && !['refused-here', 'cancelled', 'other'].includes(error.kind);
}

/** The lists that the creates of a run add to, as they are now. */
export async function readLists(
	requests: ServiceRequest[],
	connection: Connected,
	{ acceptsIncomplete }: Pick<Row, 'acceptsIncomplete'>,
): Promise<Map<string, Existing | Error>> {
	return await each(requests, async (request) => {
		const asComparison = (error: unknown): never => {
			if (!(error instanceof ServiceError)) throw error;
			throw new ServiceError({ ...error.facts, isComparison: true });
		};
		const list = await readExisting(connection, request, connection.paging).catch(asComparison);
		if (list.incomplete && !acceptsIncomplete) asComparison(list.incomplete);
		return new Existing(list);
	});
}

/** The records that requests name by their IDs. */
export async function readByAddress(
	requests: ServiceRequest[],
	connection: Connected,
): Promise<Map<string, JsonObject | Error>> {
	const named = requests.filter(({ path }) => endsWithId(path)).map(requestForList);
	return await each(named, async (request) => {
		return (await readData(connection, request, connection.paging)).data as JsonObject;
	});
}

/** The most locations of an account that are asked for records. */
const MOST_ASKED = 100;

/**
 * The records of the first list that has some, of the given locations or else of the account: they show
 * the fields of a resource.
 *
 * @param known locations whose lists were read already
 */
export async function readFirstRecords(
	resource: Resource,
	locationIds: string[],
	known: ReadonlySet<string>,
	connection: Connected,
): Promise<JsonObject[]> {
	if (resource === location) return await firstPage(listRequest(location), connection);
	const asked = new Set(known);
	const own = locationIds.filter((id) => !asked.has(id));
	const found = await firstOf(resource, own, connection);
	if (found.length > 0) return found;
	for (const id of own) asked.add(id);
	const locations = await firstPage(listRequest(location), connection).catch((error: unknown) => {
		if (error instanceof ServiceError && isRefused(error)) return [];
		throw error;
	});
	const all = locations.flatMap((one) => idOf(one) ?? []);
	const others = all.filter((id) => !asked.has(id)).slice(0, MOST_ASKED);
	return await firstOf(resource, others, connection);
}

/** How many locations are asked at first. */
const FIRST_ASKED = 4;

/** Asks a few locations, then twice as many and so on, until one has records. */
async function firstOf(
	resource: Resource,
	locationIds: string[],
	connection: Connected,
): Promise<JsonObject[]> {
	for (let from = 0, count = FIRST_ASKED; from < locationIds.length; from += count, count *= 2) {
		const requests = locationIds
			.slice(from, from + count)
			.map((locationId) => listRequest(resource, { locationId }));
		const pages = await each(requests, async (request) => await firstPage(request, connection));
		const records = [...pages.values()].find((page) => Array.isArray(page) && page.length > 0);
		if (Array.isArray(records)) return records;
		const [failure] = [...pages.values()].filter((page) => page instanceof Error);
		if (failure instanceof ServiceError && !isRefused(failure)) throw failure;
	}
	return [];
}

/** A location that does not exist, or that the key may not read, says nothing about fields. */
const isRefused = ({ kind, status }: ServiceError): boolean =>
	kind === 'invalid-id' || [400, 403, 404, 410, 422].includes(status);

async function firstPage(request: ServiceRequest, connection: Connected): Promise<JsonObject[]> {
	const page = await readPage(connection, request, connection.paging);
	return page!.records.filter(isRecord);
}
