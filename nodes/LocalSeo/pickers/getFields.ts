import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import {
	type Connection,
	createdAt,
	idOf,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
} from '../client';
import { listRequest, location, type Resource, resourceOf } from '../resources';
import { columnsFor } from './columns';
import { pagingOf, pickedLocation, withConnection } from './request';

/** If each row names its own location, this many of the account's newest locations are checked. */
const MAX_LOCATIONS = 5;

/**
 * The columns of the column mapper, read from the account's own records: the newest of the picked
 * location or, if none is picked, of some of the account's locations.
 *
 * @throws NodeApiError, NodeOperationError if the records can't be read
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = resourceOf(this.getCurrentNodeParameter('resource'));
	const paging = pagingOf(this);
	return await withConnection(this, async (connection) => {
		if (resource === location) {
			return { fields: columnsFor(resource, await newestOf(connection, resource, paging)) };
		}
		const picked = pickedLocation(this);
		const locationIds = picked === undefined ? await someLocations(connection, paging) : [picked];
		const records = await Promise.all(
			locationIds.map(
				async (locationId) => await newestOf(connection, resource, paging, { locationId }),
			),
		);
		return { fields: columnsFor(resource, records.flat()) };
	});
}

async function someLocations(connection: Connection, paging: Paging): Promise<string[]> {
	const locations = await newestOf(connection, location, paging);
	return locations
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.map((record) => idOf(record))
		.filter((id) => id !== undefined)
		.slice(0, MAX_LOCATIONS);
}

/** Records of the first page and of the last one: whichever way a list is sorted, the newest are there. */
async function newestOf(
	connection: Connection,
	resource: Resource,
	paging: Paging,
	ids: Record<string, string> = {},
): Promise<JsonObject[]> {
	const request = listRequest(resource, ids);
	const first = await readPage(connection, request, paging, 1);
	const size = first.records.length;
	const last = size === 0 ? 1 : Math.ceil((first.meta.total ?? 0) / size);
	const pages = last > 1 ? [first, await readPage(connection, request, paging, last)] : [first];
	return pages.flatMap(({ records }) => records).filter(isRecord);
}
