import type { INodeProperties } from 'n8n-workflow';

export const rankScanOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['rankScan'] } },
	default: 'getAll',
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many rank scans of a keyword',
			description: 'List the rank scans of a keyword',
			routing: {
				request: { method: 'GET', url: '/keywords/{keywordId}/scans' },
				send: { paginate: true },
			},
		},
	],
};
