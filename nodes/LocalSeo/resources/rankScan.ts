import type { Resource } from './resource';

export const rankScan: Resource = {
	value: 'rankScan',
	displayName: 'Rank Scan',
	noun: 'rank scan',
	operations: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many rank scans',
			description: 'List the rank scans of a keyword',
			routing: { request: { method: 'GET', url: '/keywords/{keywordId}/scans' } },
			parameters: ['locationId', 'keywordId', 'returnAll', 'limit'],
			output: 'records',
		},
	],
	fields: [],
	whyEmpty: 'Check the keyword: it may not have been scanned yet.',
};
