import type { Resource } from './resource';

export const insight: Resource = {
	value: 'insight',
	displayName: 'Insight',
	noun: 'insight',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get insights',
			description: 'Get the insight data of a location: daily rows, totals, or the raw response',
			routing: { request: { method: 'GET', url: '/locations/{locationId}/insights' } },
			parameters: ['allLocations', 'locationId', 'output'],
			output: 'table',
		},
	],
	fields: [],
};
