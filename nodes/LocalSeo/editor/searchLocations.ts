import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { location } from '../service';
import { pickFrom } from './pickList';

/** Locations by name, city and country, and by status where that is not `active`. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await pickFrom(this, location, {}, filter, paginationToken);
}
