import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readRecords } from '../client/list';
import { isRecord } from '../client/envelope';
import { LOCATIONS } from './searchLocations';
import { pagingOf, requestOf } from './request';

/** All locations by name, for a list of which several can be chosen; it has no search of its own. */
export async function getLocations(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const records = await readRecords(this, requestOf(LOCATIONS.request), pagingOf(this));
	return records
		.filter(isRecord)
		.map((record) => ({ name: LOCATIONS.label(record), value: String(record.id) }))
		.sort((a, b) => a.name.localeCompare(b.name));
}
