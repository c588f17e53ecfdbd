import type { INodeProperties } from 'n8n-workflow';

export const paging: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: {
			show: { resource: ['keyword', 'location', 'post', 'rankScan'], operation: ['getAll'] },
		},
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: {
			show: { resource: ['keyword', 'location', 'post', 'rankScan'], operation: ['getAll'] },
			// Not `show`, with which n8n drops it beside the text "false".
			hide: { returnAll: [true] },
		},
	},
];

const ofInsights = { resource: ['insight'], operation: ['get'] };

const formOfInsights: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Daily Rows',
			value: 'rows',
			description:
				'One item per entry with a date, for a sheet or a database, with what the entries around it say, such as the metric',
		},
		{
			name: 'One Row per Location',
			value: 'summary',
			description: 'One item per location, with all that has no date, such as totals',
		},
		{
			name: 'Raw',
			value: 'raw',
			description: "What the service returns in 'data', as it is",
		},
	],
	default: 'rows',
	description: 'What the insights look like. Totals are in One Row per Location only.',
	hint: "To keep certain days, choose Daily Rows and add 'Period' under Options. Totals are as the service gives them: if it takes a period, e.g. as from and to, add 'Query Parameters'.",
};

/** As a tool, the days of 64 locations would be 420,000 characters for the model to read; these are 15,000. */
export const output: INodeProperties[] = [
	{ ...formOfInsights, displayOptions: { show: ofInsights, hide: { '@tool': [true] } } },
	{
		...formOfInsights,
		default: 'summary',
		displayOptions: { show: { ...ofInsights, '@tool': [true] } },
	},
];

const description: INodeProperties = {
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	noDataExpression: true,
	default: '',
	typeOptions: { rows: 2 },
	description:
		'What the model is told about this tool. If empty, it is the name of the operation, such as "Get insights in Local SEO".',
};
/** In place of n8n's own, which can't say in what form insights come. */
export const toolDescription: INodeProperties[] = [
	{
		...description,
		default:
			'Get the insights of a location, or of all, in Local SEO: one row per location, with the totals of the period',
		displayOptions: { show: { ...ofInsights, '@tool': [true], output: ['summary'] } },
	},
	{
		...description,
		displayOptions: { show: { ...ofInsights, '@tool': [true], output: ['rows', 'raw'] } },
	},
	{
		...description,
		displayOptions: { show: { '@tool': [true] }, hide: { resource: ['insight'] } },
	},
];
