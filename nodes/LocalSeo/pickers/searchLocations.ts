import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { pickFrom } from './pickList';

/** Locations by name, city and country, and by status where that is not `active`. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = { template: '/locations', ids: {}, noun: 'location' };
	const label = ({ name, city, country, status, id }: Record<string, unknown>) => {
		const place = [name ?? id, city, country].filter(Boolean).join(', ');
		return status && status !== 'active' ? `${place} (${status})` : place;
	};
	return await pickFrom(this, { request, label }, filter, paginationToken);
}
