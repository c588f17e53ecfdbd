import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { pickFrom } from './listRequest';

/** Locations by name, city and country. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = { template: '/locations', ids: {}, noun: 'location' };
	const label = ({ name, city, country, id }: Record<string, unknown>) =>
		[name ?? id, city, country].filter(Boolean).join(', ');
	return await pickFrom(this, { request, label }, filter, paginationToken);
}
