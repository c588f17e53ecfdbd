import type { INodeProperties, NodeHint } from 'n8n-workflow';

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
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Bakery East',
			hint: 'The name of a location. Case, accents and spaces do not matter. If several locations share it, add the city: Bakery East, Boston.',
		},
	],
};

export const locationId: INodeProperties[] = [
	{
		displayName: 'All Locations',
		name: 'allLocations',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to get them for every location of the account',
		displayOptions: {
			show: { resource: ['insight', 'keyword', 'post'], operation: ['get', 'getAll'] },
		},
	},
	// No `hide` in these: All Locations may have been turned on in another operation.
	{
		...location,
		displayOptions: { show: { resource: ['keyword'], operation: ['create', 'delete'] } },
	},
	{
		...location,
		displayOptions: { show: { resource: ['location'], operation: ['get', 'update'] } },
	},
	{ ...location, displayOptions: { show: { resource: ['post'], operation: ['create'] } } },
	{ ...location, displayOptions: { show: { resource: ['rankScan'], operation: ['getAll'] } } },
	{
		...location,
		displayOptions: {
			show: { resource: ['insight', 'keyword', 'post'], operation: ['get', 'getAll'] },
			hide: { allLocations: [true] },
		},
	},
];

/** Shown before anything runs: the rows have no column that the expression in Location reads. */
export const missingLocation: NodeHint = {
	type: 'warning',
	message:
		'The incoming data has no location: the expression in <b>Location</b> is empty for the first row. Use the column that holds the ID or the name of the location, or pick a location from the list.',
	displayCondition:
		'={{ String($rawParameter.locationId).startsWith("=") && $input.all().length > 0 && !$parameter.locationId }}',
	whenToDisplay: 'beforeExecution',
	location: 'outputPane',
};

const keyword: INodeProperties = {
	displayName: 'Keyword',
	name: 'keywordId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The keyword, picked from the list of the location above or entered by its ID. With an ID, no location is needed.',
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

export const keywordId: INodeProperties[] = [
	{ ...keyword, displayOptions: { show: { resource: ['keyword'], operation: ['delete'] } } },
	{ ...keyword, displayOptions: { show: { resource: ['rankScan'], operation: ['getAll'] } } },
];
