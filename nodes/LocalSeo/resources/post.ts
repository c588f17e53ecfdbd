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
			action: 'Create and publish content post',
			description: 'Create a content post for a location, which also starts publishing it',
			routing: { request: { method: 'POST', url: '/locations/{locationId}/posts' } },
			parameters: ['locationId', 'whenToPublish', 'fields', 'ifExists'],
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
		{ id: 'title', name: 'Title', type: 'string', isAssumed: true },
		{ id: 'content', name: 'Content', type: 'string', isAssumed: true },
		{ id: 'publish_at', name: 'Publish At', type: 'dateTime', isAssumed: true },
	],
	matchFields: ['title', 'content'],
	publishTime: 'publish_at',
	whyEmpty: 'Check the location, or create a post for it first.',
};
