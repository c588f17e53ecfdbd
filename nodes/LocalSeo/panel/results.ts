import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from './operations';

const getMany = { operation: ['getAll'] };

export const paging: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show: getMany },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		// Not `show`, with which n8n drops it beside the text "false".
		displayOptions: { show: getMany, hide: { returnAll: [true] } },
	},
];

export const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Daily Rows',
			value: 'rows',
			description:
				'One item per date and location, for a sheet or a database. Two exports may contain the same days: location_id and date identify a row.',
		},
		{
			name: 'One Row per Location',
			value: 'summary',
			description: 'One item per location, with the totals of the period',
		},
		{
			name: 'Raw',
			value: 'raw',
			description: 'One item per location, as the service returns it',
		},
	],
	default: 'rows',
	description: 'What the insights look like. Totals are in One Row per Location only.',
	hint: "For another period, add 'Query Parameters' under Options, e.g. from and to. See your service's API documentation for the names.",
	displayOptions: { show: shownFor((_, { tables }) => tables !== undefined) },
};
