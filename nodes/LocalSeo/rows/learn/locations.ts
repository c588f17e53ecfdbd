import { ServiceError, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { nameIn, readDirectory } from '../../lookup';
import { listRequest, location } from '../../resources';
import type { Row } from '../read/row';
import { listKey } from './facts';
import { readRecordsById } from './reads';

/** The most locations whose names are read one by one. */
export const MOST_NAMED = 20;
/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/** Puts the IDs of locations in place of the names that rows give; a name that does not tell which is noted. */
export async function findLocations(rows: Row[], connection: Connected): Promise<void> {
	const named = rows.filter(({ isByName, request }) => isByName && request.ids.locationId);
	if (named.length === 0) return;
	const directory = await readDirectory(connection);
	const found = new Map<string, string | Error>();
	const find = (name: string) => {
		try {
			return directory.idOf(name);
		} catch (error) {
			return error as Error;
		}
	};
	for (const row of named) {
		const { locationId: name } = row.request.ids;
		const id = found.get(name) ?? find(name);
		found.set(name, id);
		row.request = withLocation(row.request, id instanceof Error ? '' : id);
		if (id instanceof Error) row.problems.note(id);
		else row.request.names = { locationId: directory.nameOf(id) ?? id };
	}
}

const withLocation = (request: ServiceRequest, locationId: string): ServiceRequest => ({
	...request,
	ids: { ...request.ids, locationId },
});

/** Reads the names of locations for a dry run, and notes those that do not exist. */
export async function nameLocations(rows: Row[], connection: Connected): Promise<void> {
	const unnamed = rows.filter(
		({ isDryRun, operation, request }) =>
			isDryRun &&
			operation.routing.request.method === 'POST' &&
			request.ids.locationId &&
			!request.names,
	);
	const ids = [...new Set(unnamed.map(({ request }) => request.ids.locationId))];
	const requests = ids.slice(0, MOST_NAMED).map(requestFor);
	// A name that can't be read is no reason to refuse a row.
	const records = await readRecordsById(requests, connection).catch((error: unknown) => {
		if (error instanceof ServiceError && error.kind !== 'cancelled') return undefined;
		throw error;
	});
	for (const { request, problems } of unnamed) {
		const found = records?.get(listKey(requestFor(request.ids.locationId)));
		const name = nameIn(found);
		if (isOfId(found)) problems.note(found);
		else if (name !== undefined) request.names = { locationId: name };
	}
}

/** True if an error is about an ID: one that can't be one, or that does not exist. */
function isOfId(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	return (
		error.kind === 'invalid-id' || (error.kind === 'rejected' && ABOUT_ID.includes(error.status))
	);
}

/** The request for the record of one location. */
export function requestFor(locationId: string): ServiceRequest {
	const list = listRequest(location);
	return { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
}
