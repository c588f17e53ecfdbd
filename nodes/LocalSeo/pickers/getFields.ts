import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { location, newestRecords, resourceOf } from '../resources';
import { columnsFor } from './columns';
import { pagingOf, pickedLocation, withConnection } from './request';

/**
 * The columns of the column mapper, read from the account's own records: the newest of the picked
 * location or, if none is picked, of some of the account's locations.
 *
 * @throws NodeApiError, NodeOperationError if the records can't be read
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = resourceOf(this.getCurrentNodeParameter('resource'));
	const paging = pagingOf(this);
	const picked = resource === location ? undefined : await pickedLocation(this);
	return await withConnection(this, async (connection) => ({
		fields: columnsFor(resource, await newestRecords(connection, resource, paging, picked)),
	}));
}
