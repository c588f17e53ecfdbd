import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { DEFAULT_PAGING, type Paging } from '../client/page';
import type { ApiRequest } from '../client/request';

/** Milliseconds: a person waits before the editor. */
const PATIENCE = 10_000;

/** What a picker asks for. */
export type PickedRequest = Pick<ApiRequest, 'template' | 'ids' | 'noun'>;

export function requestOf(request: PickedRequest): ApiRequest {
	return { ...request, method: 'GET', query: {}, settings: { maxWait: PATIENCE } };
}

/** The names of the page parameters that the user has set for this node. */
export function pagingOf(context: ILoadOptionsFunctions): Paging {
	const options = (context.getCurrentNodeParameter('options') ?? {}) as Partial<Paging>;
	return {
		pageSize: Number(options.pageSize) || undefined,
		pageParameter: options.pageParameter || DEFAULT_PAGING.pageParameter,
		pageSizeParameter: options.pageSizeParameter || DEFAULT_PAGING.pageSizeParameter,
	};
}

/** The ID of the location that is picked in the node; an expression arrives unresolved here. */
export function pickedLocation(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('locationId', { extractValue: true });
	return typeof id === 'string' && id !== '' && !id.startsWith('=') ? id : undefined;
}
