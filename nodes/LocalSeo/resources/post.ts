import type { INodeProperties } from 'n8n-workflow';

export const postOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['post'] } },
	default: 'getAll',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a content post for a location',
			description: 'Create a content post for a location, which starts its publishing',
			routing: {
				request: { method: 'POST', url: '/locations/{locationId}/posts' },
				send: { paginate: true },
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many content posts of a location',
			description: 'List the content posts of a location',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}/posts' },
				send: { paginate: true },
			},
		},
	],
};
