import type { Resource } from './resource';

export const post: Resource = {
	value: 'post',
	displayName: 'Content Post',
	noun: 'content post',
	created: 'posted',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create content post',
			description: 'Create a content post for a location, which also starts publishing it',
			routing: { request: { method: 'POST', url: '/locations/{locationId}/posts' } },
			parameters: ['locationId', 'fields', 'ifExists'],
			output: 'record',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many content posts',
			description: 'List the content posts of a location',
			routing: { request: { method: 'GET', url: '/locations/{locationId}/posts' } },
			parameters: ['allLocations', 'locationId', 'returnAll', 'limit'],
			output: 'records',
		},
	],
	fields: [
		{ id: 'title', name: 'Title', isAssumed: true },
		{ id: 'content', name: 'Content', isAssumed: true },
	],
	matchFields: ['title', 'content'],
	textField: 'content',
	leadingFields: ['id', 'title', 'content', 'status', 'location_id', 'publish_at', 'created_at'],
	whyEmpty: 'Check the location, or create a post for it first.',
};
