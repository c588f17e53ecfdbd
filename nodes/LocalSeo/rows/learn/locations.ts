import { idOf, isRecord, ServiceError, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { type Directory, nameIn, readDirectory } from '../../lookup';
import { listRequest, location } from '../../resources';
import type { Row } from '../read/row';
import { inSlices } from '../slices';
import { addressOf, type LocationFact } from './facts';
import { readByAddress } from './reads';

/** For so many locations of a run, names are asked for one by one. */
export const FEW_LOCATIONS = 5;
/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/**
 * The IDs of the locations that rows give by name, or why a name does not tell which.
 *
 * @param directory absent: no row gives one by its name
 */
export async function idsByName(
	rows: Row[],
	directory?: Directory,
): Promise<Map<string, string | Error>> {
	if (!directory) return new Map();
	const ids = rows.flatMap(({ isByName, request }) => (isByName ? request.ids.locationId : []));
	const names = [...new Set(ids)].filter(Boolean);
	const found = await inSlices(names, (name): [string, string | Error] => {
		try {
			return [name, directory.idOf(name)];
		} catch (error) {
			return [name, error as Error];
		}
	});
	return new Map(found);
}

/** The locations of the account, where a row gives one by its name; undefined: none does. */
export async function directoryFor(
	rows: Row[],
	connection: Connected,
): Promise<Directory | undefined> {
	const isNamed = rows.some(({ isByName, request }) => isByName && request.ids.locationId);
	return isNamed ? await readDirectory(connection) : undefined;
}

/** True if an error is about an ID: one that can't be one, or that does not exist. */
function isOfId(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	return (
		error.kind === 'invalid-id' || (error.kind === 'rejected' && ABOUT_ID.includes(error.status))
	);
}

/**
 * Facts of the account about some locations: their names, and those that do not exist. A name that can't be
 * read is no reason to refuse a row.
 *
 * @param directory the locations of the account, if they were read
 */
export async function readLocationFacts(
	ids: string[],
	connection: Connected,
	directory?: Directory,
): Promise<Map<string, LocationFact>> {
	const whole =
		directory ??
		(ids.length > FEW_LOCATIONS
			? await readDirectory(connection, true).catch(tolerated)
			: undefined);
	const facts = new Map<string, LocationFact>();
	for (const id of ids) if (whole?.has(id)) facts.set(id, { name: whole.nameOf(id) });
	// A location that is not listed may not exist: then its own address says so.
	const unlisted = ids.filter((id) => !facts.has(id));
	const others = whole ? unlisted : unlisted.slice(0, FEW_LOCATIONS);
	const records = await readByAddress(others.map(requestFor), connection).catch(tolerated);
	for (const id of others) {
		const found = records?.get(addressOf(requestFor(id)));
		facts.set(id, isOfId(found) ? { error: found } : { name: nameIn(found) });
	}
	return facts;
}

/** The request for the record of one location. */
export function requestFor(locationId: string): ServiceRequest {
	const list = listRequest(location);
	return { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
}

/** The key is refused for what is read next, too, and says so there. */
function tolerated(error: unknown): undefined {
	if (!(error instanceof ServiceError) || error.kind === 'cancelled') throw error;
	return undefined;
}

/** The name of a location whose record a row is or holds, as after Get Many or the trigger. */
export function nameInRow({ columns }: Row, id: string): string | undefined {
	const isIt = (record: unknown) =>
		isRecord(record) && idOf(record) === id && Object.hasOwn(record, 'address');
	return nameIn([columns, columns.location].find(isIt));
}
