import {
	idOf,
	isRecord,
	readData,
	readList,
	type ServiceError,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { type Directory, nameIn, readDirectory } from '../../lookup';
import { listRequest, location, type NamedLocation } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Batch } from './batch';
import { FEW_LOCATIONS, nameInRow, requestFor } from '../learn/locations';
import type { Row } from '../read/row';

/** A location of the account. */
export interface AccountLocation extends NamedLocation {
	/** Why nothing can be read of it: it has no ID, or a number that JavaScript can't keep. */
	problem?: InputError;
}

/** The locations of the account, in the order of their list. */
interface Locations {
	locations: AccountLocation[];
	/** Present if these are not all of them, with how many there are, if that is known. */
	part?: { total?: number };
}

/**
 * All locations of the account, as the run has read them.
 *
 * @throws ServiceError also for a list that is not complete, unless the row accepts that
 */
export async function allLocations(
	{ acceptsIncomplete }: Row,
	batch: Batch,
	connection: Connected,
): Promise<Locations> {
	const list = await batch.once(['all locations'], async () => {
		return await readList(connection, listRequest(location), connection.paging);
	});
	if (list.incomplete && !acceptsIncomplete) throw list.incomplete;
	const part = list.incomplete && { total: list.total };
	return { locations: list.records.map(listed), part };
}

function listed(record: unknown): AccountLocation {
	const id = idOf(record);
	const name = nameIn(record) ?? null;
	if (id !== undefined) return { id, name };
	const given = isRecord(record) ? record.id : undefined;
	const why =
		typeof given === 'number'
			? `Its ID is a number that cannot be kept exactly: ${given}`
			: 'It has no ID';
	return { id: '', name, problem: new InputError(why, 'The service has to give IDs as text.') };
}

/**
 * The request of a row with the ID of its location, where it gives the location's name.
 *
 * @throws InputError if the name does not tell which location, and ServiceError if the locations can't
 * be read
 */
export async function withLocationId(
	{ request, isByName }: Row,
	batch: Batch,
	connection: Connected,
): Promise<ServiceRequest> {
	const { locationId: given } = request.ids;
	if (!given || !isByName) return request;
	const directory = await directoryOf(batch, connection);
	const locationId = directory.idOf(given);
	const name = directory.nameOf(locationId);
	return {
		...request,
		ids: { ...request.ids, locationId },
		...(name && { names: { locationId: name } }),
	};
}

/** The locations of the account, as the run has read them. */
async function directoryOf(batch: Batch, connection: Connected): Promise<Directory> {
	return await batch.once(['directory'], async () => await readDirectory(connection));
}

/**
 * The name of a location: from the row, if it is the location's record (as after Get Many), or as the
 * account has it. If it can't be read, why: a row is worth more than the name in it.
 */
export async function readLocationName(
	row: Row,
	batch: Batch,
	connection: Connected,
	id: string,
): Promise<{ name: string | null; why?: string }> {
	const own = nameInRow(row, id);
	if (own !== undefined) return { name: own };
	return await nameInAccount(row, batch, connection, id).then(
		(name) => ({ name: name ?? null, ...(name === undefined && { why: 'it has none' }) }),
		(error: ServiceError) => ({ name: null, why: row.explain(error).message }),
	);
}

async function nameInAccount(
	{ isByName }: Row,
	batch: Batch,
	connection: Connected,
	locationId: string,
): Promise<string | undefined> {
	const count = await batch.once(['count of locations'], async () => {
		return new Set(batch.rows.map(({ request }) => request.ids.locationId)).size;
	});
	if (isByName || count > FEW_LOCATIONS) {
		const directory = await directoryOf(batch, connection);
		// A location that is not listed may exist all the same.
		if (directory.has(locationId)) return directory.ownNameOf(locationId);
	}
	return await batch.once(['name of location', locationId], async () => {
		return nameIn((await readData(connection, requestFor(locationId), connection.paging)).data);
	});
}
