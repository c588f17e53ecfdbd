import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_PAGING, type Paging } from '../client';

/**
 * How pages are requested; offered by both the node and the trigger. n8n wants options in the order of
 * the alphabet: their names put them last.
 */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Technical: Page Parameter',
		name: 'pageParameter',
		type: 'string',
		default: 'page',
		description: 'Name of the query parameter that selects the page',
	},
	{
		displayName: 'Technical: Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			'How many records to request per page. Larger pages need fewer requests. Without this option, the service decides.',
	},
	{
		displayName: 'Technical: Page Size Parameter',
		name: 'pageSizeParameter',
		type: 'string',
		default: 'per_page',
		description: 'Name of the query parameter that sets the page size',
	},
];

/** These options as an operation, the editor or the trigger provides them. */
export interface PageOptions {
	pageParameter?: unknown;
	pageSize?: unknown;
	pageSizeParameter?: unknown;
}

/** A value that is empty, or an expression that the editor has not resolved, counts as not set. */
export function readPageOptions(options: PageOptions): Paging {
	const pageSize = Number(options.pageSize);
	return {
		pageSize: Number.isInteger(pageSize) && pageSize >= 1 ? pageSize : undefined,
		pageParameter: nameIn(options.pageParameter) ?? DEFAULT_PAGING.pageParameter,
		pageSizeParameter: nameIn(options.pageSizeParameter) ?? DEFAULT_PAGING.pageSizeParameter,
	};
}

function nameIn(value: unknown): string | undefined {
	const name = typeof value === 'string' ? value.trim() : '';
	return name === '' || name.startsWith('=') ? undefined : name;
}
