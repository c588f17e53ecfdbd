import { insightOutput } from './insightRows';
import type { Resource } from './resource';

export const insight: Resource = {
	value: 'insight',
	displayName: 'Insight',
	noun: 'insight',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get the insights of a location',
			description: 'Get the insight data of a location, raw or as rows for a sheet',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}/insights' },
				output: { postReceive: [insightOutput] },
			},
		},
	],
	defaultOperation: 'get',
	fields: [],
};
