import { textOf } from '../client';
import type { Resource } from './resource';

export const location: Resource = {
	value: 'location',
	displayName: 'Location',
	noun: 'location',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create location',
			description: 'Add a business location to the account',
			routing: { request: { method: 'POST', url: '/locations' } },
			parameters: ['fields', 'ifExists'],
			output: 'record',
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			action: 'Create or update location',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			routing: { request: { method: 'POST', url: '/locations' } },
			parameters: ['fields'],
			output: 'record',
			updatesBy: 'update',
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get location',
			description: 'Get one location',
			routing: { request: { method: 'GET', url: '/locations/{locationId}' } },
			parameters: ['locationId'],
			output: 'record',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many locations',
			description: 'List the locations of the account',
			routing: { request: { method: 'GET', url: '/locations' } },
			parameters: ['returnAll', 'limit'],
			output: 'records',
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update location',
			description: 'Change fields of a location',
			routing: { request: { method: 'PATCH', url: '/locations/{locationId}' } },
			parameters: ['locationId', 'fields'],
			output: 'record',
		},
	],
	fields: [
		{ id: 'name', name: 'Name', type: 'string' },
		{ id: 'address', name: 'Address', type: 'string' },
		{ id: 'city', name: 'City', type: 'string' },
		{ id: 'country', name: 'Country', type: 'string' },
	],
	matchFields: ['name', 'address', 'city'],
	compareAs: 'words',
	whyEmpty: 'Check that the API key belongs to the right organization.',
	label: ({ name, city, country, address, status }, id) => {
		const place = [name ?? id, city, country].filter(Boolean).map(textOf).join(', ');
		const label = address ? `${place} · ${textOf(address)}` : place;
		return status && status !== 'active' ? `${label} (${textOf(status)})` : label;
	},
};
