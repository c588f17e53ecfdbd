import type {
	ILoadOptionsFunctions,
	ResourceMapperFields,
	ResourceMapperValue,
} from 'n8n-workflow';

import { type JsonObject, withinTime } from '../client';
import { location, newestRecords, type Resource, resourceOf } from '../service';
import { columnsFor, keepFilled } from './columns';
import { pagingOf, pickedLocation, withConnection } from './request';

/** Milliseconds for all requests together; until then, the editor shows no fields. */
const MAX_LOADING = 15_000;

/**
 * The columns of the column mapper, read from the account's own records: the newest of the picked
 * location or, if none is picked or it has none, of some of the account's locations.
 *
 * There are columns in any case, since n8n would show none beside an error, without its reason: while
 * the account can't be asked (no credential yet, a key that is refused, a service that is down), those
 * that the node has, or those that are assumed. The test of the credential, the lists and the
 * execution say what is wrong.
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = resourceOf(this.getCurrentNodeParameter('resource'));
	const mapping = (this.getCurrentNodeParameter('fields') ?? {}) as Partial<ResourceMapperValue>;
	const newest = await readNewest(this, resource).catch(() => undefined);
	if (newest) return { fields: keepFilled(columnsFor(resource, newest), mapping) };
	const known = mapping.schema ?? [];
	return { fields: known.length > 0 ? known : columnsFor(resource, []) };
}

/** @returns undefined if the service takes too long */
async function readNewest(
	context: ILoadOptionsFunctions,
	resource: Resource,
): Promise<JsonObject[] | undefined> {
	const paging = pagingOf(context);
	const picked = resource === location ? undefined : await locationFor(context);
	return await withConnection(context, async (connection) => {
		return await withinTime(connection.account.clock, MAX_LOADING, async (signal) => {
			return await newestRecords({ ...connection, signal }, resource, paging, picked);
		});
	});
}

/** A name that tells no location yet (it is being typed, say) is as good as none: the row's error says so. */
async function locationFor(context: ILoadOptionsFunctions): Promise<string | undefined> {
	return await pickedLocation(context).catch(() => undefined);
}
