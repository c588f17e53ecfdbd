import type { INodeProperties } from 'n8n-workflow';

export const keywordOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['keyword'] } },
	default: 'getAll',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a keyword for a location',
			description: 'Add a keyword to a location',
			routing: {
				request: { method: 'POST', url: '/locations/{locationId}/keywords' },
				send: { paginate: true },
			},
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete a keyword',
			description: 'Remove a keyword from its location',
			routing: {
				request: { method: 'DELETE', url: '/keywords/{keywordId}' },
				send: { paginate: true },
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many keywords of a location',
			description: 'List the keywords of a location',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}/keywords' },
				send: { paginate: true },
			},
		},
	],
};
