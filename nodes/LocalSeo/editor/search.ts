import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { InputError, toNodeError } from '../host/errors';
import { keyword, location } from '../service';
import { pickFrom } from './pickList';
import { pickedLocation } from './request';

/** Locations by name, city and country, and by status where that is not `active`. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await pickFrom(this, location, {}, filter, paginationToken);
}

/** The keywords of the location that is picked in the node. */
export async function searchKeywords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const locationId = await pickedLocation(this);
	if (locationId === undefined) {
		const missing = new InputError('Pick a location first, or enter the keyword by ID');
		throw toNodeError(this, missing);
	}
	return await pickFrom(this, keyword, { locationId }, filter, paginationToken);
}
