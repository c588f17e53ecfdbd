import { idOf, isRecord, readData, readList, type ServiceError } from '../../client';
import type { Connected } from '../../host/connect';
import { listRequest, location, type NamedLocation } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Batch } from '../batch';
import { directoryOf } from '../plan/location';
import type { Row } from '../read/row';

/** A location of the account. */
export interface Listed extends NamedLocation {
	/** Why nothing can be read of it: it has no ID, or a number that JavaScript can't keep. */
	problem?: InputError;
}

/** The locations of the account, in the order of their list. */
interface Locations {
	locations: Listed[];
	/** Present if these are not all of them, with how many there are, if that is known. */
	part?: { total?: number };
}

/** For so many locations of a run, names are asked for one by one. */
const FEW_LOCATIONS = 5;

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

function listed(record: unknown): Listed {
	const id = idOf(record);
	const name = nameIn(record);
	if (id !== undefined) return { id, name };
	const given = isRecord(record) ? record.id : undefined;
	const why =
		typeof given === 'number'
			? `Its ID is a number that cannot be kept exactly: ${given}`
			: 'It has no ID';
	return { id: '', name, problem: new InputError(why, 'The service has to give IDs as text.') };
}

/** The name of a location as the account has it; null if it has none. */
function nameIn(record: unknown): string | null {
	const { name } = Object(record) as { name?: unknown };
	return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
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
	const { columns } = row;
	// An item of the trigger holds the location inside.
	const own = nameIn([columns, columns.location].find((record) => idOf(record) === id));
	if (own !== null) return { name: own };
	return await nameInAccount(row, batch, connection, id).then(
		(name) => ({ name, ...(name === null && { why: 'it has none' }) }),
		(error: ServiceError) => ({ name: null, why: row.explain(error).message }),
	);
}

async function nameInAccount(
	{ isByName }: Row,
	batch: Batch,
	connection: Connected,
	locationId: string,
): Promise<string | null> {
	const count = await batch.once(['count of locations'], async () => {
		return new Set(batch.rows.map(({ request }) => request.ids.locationId)).size;
	});
	if (isByName || count > FEW_LOCATIONS) {
		const directory = await directoryOf(batch, connection);
		// A location that is not listed may exist all the same.
		if (directory.has(locationId)) return directory.ownNameOf(locationId);
	}
	return await batch.once(['name of location', locationId], async () => {
		const list = listRequest(location);
		const request = { ...list, path: `${list.path}/{locationId}`, ids: { locationId } };
		return nameIn((await readData(connection, request, connection.paging)).data);
	});
}
