import type { INodeProperties } from 'n8n-workflow';

import { OF_ALL_LOCATIONS, WITH_KEYWORD, WITH_LOCATION } from './operations';

const location: INodeProperties = {
	displayName: 'Location',
	name: 'locationId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	// Not `required`: a keyword given by ID needs no location. `readRequest` rejects an empty one.
	description: 'The business location: picked from the list, or given by its ID or its name',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a location...',
			typeOptions: { searchListMethod: 'searchLocations', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. loc_8f3k2m',
			hint: 'The "id" field of a location, as returned by Get Many. It starts with loc_.',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Bakery East',
			hint: 'The name of a location. Case, accents and spaces do not matter. If several locations share it, add the city: Bakery East, Boston.',
		},
	],
};

/**
 * Twice, since one `displayOptions` can't express both: an operation that is of one location keeps it,
 * even if All Locations was turned on in another operation.
 */
export const locationId: INodeProperties[] = [
	{
		displayName: 'All Locations',
		name: 'allLocations',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to get them for every location of the account',
		displayOptions: { show: OF_ALL_LOCATIONS },
	},
	{ ...location, displayOptions: { show: WITH_LOCATION } },
	{ ...location, displayOptions: { show: OF_ALL_LOCATIONS, hide: { allLocations: [true] } } },
];

export const keywordId: INodeProperties = {
	displayName: 'Keyword',
	name: 'keywordId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The keyword, picked from the list of the location above or entered by its ID. With an ID, no location is needed.',
	displayOptions: { show: WITH_KEYWORD },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a keyword...',
			typeOptions: { searchListMethod: 'searchKeywords', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. kw_5d9x1q',
			hint: 'The "id" field of a keyword, as returned by Get Many',
		},
	],
};
