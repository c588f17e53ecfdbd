import type { INodeProperties } from 'n8n-workflow';

import { insightOutput } from '../operation/insightRows';

export const insightOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['insight'] } },
	default: 'get',
	options: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get the insights of a location',
			description: 'Get the insight data of a location, as it is or as rows for a sheet',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}/insights' },
				send: { paginate: true },
				output: { postReceive: [insightOutput] },
			},
		},
	],
};
