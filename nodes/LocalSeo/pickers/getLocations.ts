import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isRecord, readRecords } from '../client';
import { listRequest, location } from '../resources';
import { labelOf } from './pickList';
import { pagingOf, withConnection } from './request';

/** All locations by name, for a multi-select list, which can't be searched. */
export async function getLocations(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withConnection(this, async (connection) => {
		const records = await readRecords(connection, listRequest(location), pagingOf(this));
		return records
			.filter(isRecord)
			.map((record) => ({ name: labelOf(location, record), value: String(record.id) }))
			.sort((a, b) => a.name.localeCompare(b.name));
	});
}
