import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { InputError, toNodeError } from '../host/errors';
import { keyword } from '../service';
import { pickFrom } from './pickList';
import { pickedLocation } from './request';

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
