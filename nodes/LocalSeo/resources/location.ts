import type { INodeProperties } from 'n8n-workflow';

export const locationOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['location'] } },
	default: 'getAll',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a location',
			description: 'Add a business location to the account',
			routing: { request: { method: 'POST', url: '/locations' }, send: { paginate: true } },
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a location',
			description: 'Get one location by its ID',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}' },
				send: { paginate: true },
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many locations',
			description: 'List the locations of the account',
			routing: { request: { method: 'GET', url: '/locations' }, send: { paginate: true } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a location',
			description: 'Change fields of a location',
			routing: {
				request: { method: 'PATCH', url: '/locations/{locationId}' },
				send: { paginate: true },
			},
		},
	],
};
