import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { pickFrom, type PickList } from './pickList';

/** Locations by name, city and country, and by status where that is not `active`. */
export const LOCATIONS: PickList = {
	request: { template: '/locations', ids: {}, noun: 'location' },
	label: ({ name, city, country, status, id }) => {
		const place = [name ?? id, city, country].filter(Boolean).join(', ');
		return status && status !== 'active' ? `${place} (${String(status)})` : place;
	},
};

export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await pickFrom(this, LOCATIONS, filter, paginationToken);
}
