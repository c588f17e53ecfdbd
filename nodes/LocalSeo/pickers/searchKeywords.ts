import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { pickFrom } from './listRequest';

/** The keywords of the location that is picked in the node. */
export async function searchKeywords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const locationId = this.getCurrentNodeParameter('locationId', { extractValue: true });
	// An expression arrives unresolved here (n8n-facts, section 4).
	if (typeof locationId !== 'string' || locationId === '' || locationId.startsWith('=')) {
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
