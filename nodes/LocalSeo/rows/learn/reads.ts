import {
	concurrently,
	endsWithId,
	type JsonObject,
	MAX_IN_FLIGHT,
	readData,
	readExisting,
	requestForList,
	ServiceError,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import type { Row } from '../read/row';
import { listKey } from './facts';
import { ComparedList } from './list';

// Readings for the rows of a run: each address once, and all of them side by side.

/** Reads something for each request; an error about one of them is its rows' alone. */
async function each<T>(
	requests: ServiceRequest[],
	read: (request: ServiceRequest) => Promise<T>,
): Promise<Map<string, T | Error>> {
	const byKey = new Map(requests.map((request) => [listKey(request), request]));
	const jobs = [...byKey].map(([key, request]) => async (): Promise<[string, T | Error]> => {
		const found = await read(request).catch((error: unknown) => {
			if (!isOfAddress(error)) throw error;
			return error;
		});
		return [key, found];
	});
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
): Promise<Map<string, ComparedList | Error>> {
	return await each(requests, async (request) => {
		const asComparison = (error: unknown): never => {
			if (!(error instanceof ServiceError)) throw error;
			throw new ServiceError({ ...error.facts, isComparison: true });
		};
		const list = await readExisting(connection, request, connection.paging).catch(asComparison);
		if (list.incomplete && !acceptsIncomplete) asComparison(list.incomplete);
		return new ComparedList(list);
	});
}

/** The records that requests name by their IDs. */
export async function readRecordsById(
	requests: ServiceRequest[],
	connection: Connected,
): Promise<Map<string, JsonObject | Error>> {
	const named = requests.filter(({ path }) => endsWithId(path)).map(requestForList);
	return await each(named, async (request) => {
		return (await readData(connection, request, connection.paging)).data as JsonObject;
	});
}
