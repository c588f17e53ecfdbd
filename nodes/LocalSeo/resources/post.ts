import type { DeclarativeRestApiSettings, INodeProperties } from 'n8n-workflow';

import { runRows } from '../operation/rows';

const createRequest = {
	method: 'POST',
	url: '/locations/{locationId}/posts',
} satisfies DeclarativeRestApiSettings.HttpRequestOptions;

/** Sheets of a thousand rows go through this one, so it runs them itself. */
export const createPosts = runRows(createRequest);

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
			action: 'Create a content post',
			description: 'Create a content post for a location, which starts its publishing',
			routing: { request: createRequest, send: { paginate: true } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many content posts',
			description: 'List the content posts of a location',
			routing: {
				request: { method: 'GET', url: '/locations/{locationId}/posts' },
				send: { paginate: true },
			},
		},
	],
};
