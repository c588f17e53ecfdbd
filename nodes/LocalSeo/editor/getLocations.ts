import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readRecords } from '../client';
import { listRequest, location } from '../service';
import { toItems } from './pickList';
import { pagingOf, withConnection } from './request';

/** All locations by name, for a multi-select list, which can't be searched. */
export async function getLocations(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withConnection(this, async (connection) => {
		const records = await readRecords(connection, listRequest(location), pagingOf(this));
		return toItems(location, records).sort((a, b) => a.name.localeCompare(b.name));
	});
}
