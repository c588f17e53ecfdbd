import type { INodeProperties } from 'n8n-workflow';

/** How pages are asked for; the node and the trigger offer it alike. */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Page Parameter',
		name: 'pageParameter',
		type: 'string',
		default: 'page',
		description: 'Name of the query parameter that asks the service for a page',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			'Records to ask for in one request. Larger pages need fewer requests. Without this option the service decides.',
	},
	{
		displayName: 'Page Size Parameter',
		name: 'pageSizeParameter',
		type: 'string',
		default: 'per_page',
		description: 'Name of the query parameter that sets the page size',
	},
];
