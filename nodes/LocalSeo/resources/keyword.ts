import { textOf } from '../client';
import type { Resource } from './resource';

export const keyword: Resource = {
	value: 'keyword',
	displayName: 'Keyword',
	noun: 'keyword',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create keyword',
			description: 'Add a keyword to a location',
			routing: { request: { method: 'POST', url: '/locations/{locationId}/keywords' } },
			parameters: ['locationId', 'fields', 'ifExists'],
			output: 'record',
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete keyword',
			description: 'Remove a keyword from its location',
			routing: { request: { method: 'DELETE', url: '/keywords/{keywordId}' } },
			parameters: ['locationId', 'keywordId'],
			output: 'deletion',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many keywords',
			description: 'List the keywords of a location',
			routing: { request: { method: 'GET', url: '/locations/{locationId}/keywords' } },
			parameters: ['allLocations', 'locationId', 'returnAll', 'limit'],
			output: 'records',
		},
	],
	fields: [{ id: 'keyword', name: 'Keyword', type: 'string', isAssumed: true }],
	matchFields: ['keyword'],
	compareAs: 'term',
	whyEmpty: 'Check the location, or add a keyword to it first.',
	// The field `keyword` is an assumption (docs/assumptions.md); without it, the ID is shown.
	label: ({ keyword: text }, id) => textOf(text ?? id),
};
