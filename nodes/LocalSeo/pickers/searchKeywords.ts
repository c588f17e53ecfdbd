import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { pickFrom } from './pickList';
import { pickedLocation } from './request';

/** The keywords of the location that is picked in the node. */
export async function searchKeywords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const locationId = pickedLocation(this);
	if (locationId === undefined) {
		throw new NodeOperationError(
			this.getNode(),
			'Pick a location first, or give the keyword by ID',
		);
	}
	const request = {
		template: '/locations/{locationId}/keywords',
		ids: { locationId },
		noun: 'keyword',
	};
	// The name of a keyword's text is an assumption: without it the ID is shown.
	const label = ({ keyword, id }: Record<string, unknown>) => String(keyword ?? id);
	return await pickFrom(this, { request, label }, filter, paginationToken);
}
