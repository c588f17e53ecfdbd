import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

type More = Partial<INodeProperties>;

export function text(displayName: string, name: string, more: More): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

function toggle(displayName: string, name: string, more: More): INodeProperties {
	return { displayName, name, type: 'boolean', default: false, ...more };
}

export function amount(
	displayName: string,
	name: string,
	minValue: number,
	more: More,
): INodeProperties {
	return { displayName, name, type: 'number', default: 0, typeOptions: { minValue }, ...more };
}

/** A list to which such entries can be added. */
function list(displayName: string, name: string, entry: INodePropertyCollection, more: More) {
	const typeOptions = { multipleValues: true };
	const placeholder = `Add ${entry.displayName}`;
	const one: INodeProperties = { displayName, name, type: 'fixedCollection', default: {} };
	return { ...one, typeOptions, placeholder, options: [entry], ...more };
}

const MAX_WAIT =
	'How many seconds the node keeps trying while the service is busy or does not respond, e.g. 300 for five minutes. If the service takes only so many requests in a minute, the node slows down by itself.';

const sendsFields: INodeProperties['displayOptions'] = {
	show: {
		'/resource': ['keyword', 'location', 'post'],
		'/operation': ['create', 'update', 'upsert'],
	},
};

const additionalField: INodePropertyCollection = {
	displayName: 'Field',
	name: 'fields',
	values: [
		text('Name', 'name', {
			noDataExpression: true,
			placeholder: 'e.g. publish_at',
			description: 'Name of the field as the service knows it',
		}),
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Boolean', value: 'boolean' },
				{ name: 'Date & Time', value: 'dateTime' },
				{ name: 'JSON', value: 'json' },
				{ name: 'Number', value: 'number' },
				{ name: 'String', value: 'string' },
			],
			default: 'string',
		},
		text('Value', 'value', {}),
	],
};

const queryParameter: INodePropertyCollection = {
	displayName: 'Parameter',
	name: 'parameters',
	values: [
		text('Name', 'name', { placeholder: 'e.g. status' }),
		text('Value', 'value', { placeholder: 'e.g. active' }),
	],
};

/** Single, and with a default, so that its fields are there as soon as the option is added. */
const period: INodeProperties = {
	displayName: 'Period',
	name: 'period',
	type: 'fixedCollection',
	default: { days: { range: 'allDays' } },
	description:
		'Which days to keep, in the time zone of the workflow. The node reads what the service returns, and leaves out other days, weeks and months. Nothing is summed up.',
	displayOptions: {
		show: { '/resource': ['insight'], '/operation': ['get'], '/output': ['rows'] },
	},
	options: [
		{
			displayName: 'Days',
			name: 'days',
			values: [
				{
					displayName: 'Range',
					name: 'range',
					type: 'options',
					options: [
						{ name: 'All Days', value: 'allDays', description: 'All that the service returns' },
						{ name: 'From and To', value: 'fromTo', description: 'Two dates of your own' },
						{ name: 'Last 28 Days', value: 'last28Days', description: 'Up to yesterday' },
						{ name: 'Last 7 Days', value: 'last7Days', description: 'Up to yesterday' },
						{ name: 'Last Month', value: 'lastMonth', description: 'The calendar month before' },
						{ name: 'Last Week', value: 'lastWeek', description: 'Monday to Sunday' },
					],
					default: 'allDays',
				},
				edgeOf('From', 'from', 'The first day. Leave empty to keep everything up to To.'),
				edgeOf('To', 'to', 'The last day. Leave empty to keep everything from From on.'),
			],
		},
	],
};

function edgeOf(displayName: string, name: string, description: string): INodeProperties {
	const displayOptions = { show: { range: ['fromTo'] } };
	const typeOptions = { dateOnly: true };
	const date: INodeProperties = { displayName, name, type: 'dateTime', default: '' };
	return { ...date, typeOptions, description, displayOptions };
}

const dates: INodeProperties = {
	displayName: 'Dates',
	name: 'dates',
	type: 'fixedCollection',
	default: { read: { field: '', format: 'auto' } },
	description:
		'Which field of an entry is its date, and how it is written, if the node does not recognize it. E.g. Field when and Format M/d/yyyy for { "when": "12/31/2026", "views": 5 }.',
	displayOptions: {
		show: { '/resource': ['insight'], '/operation': ['get'], '/output': ['rows', 'summary'] },
	},
	options: [
		{
			displayName: 'Read',
			name: 'read',
			values: [
				text('Field', 'field', {
					placeholder: 'e.g. timeRange.start, or keys.0',
					description:
						'The field of an entry that is its date, with dots before a field or a place within it. Entries without it are left out. Leave empty for date, day, week or month.',
				}),
				text('Format', 'format', {
					default: 'auto',
					placeholder: 'e.g. M/d/yyyy',
					description:
						'How the date is written: auto for 2026-12-31, with a time or without, or 20261231; seconds or milliseconds since 1970; or a format of Luxon, such as M/d/yyyy or dd.MM.yyyy',
				}),
			],
		},
	],
};

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		toggle('Accept Incomplete Lists', 'acceptIncomplete', {
			description:
				'Whether to take what came of a list that has fewer records than its total, with a hint. E.g. a shop has 40 posts in total, and the service lists 38, because its total counts drafts, too.',
			displayOptions: { show: { '/operation': ['create', 'get', 'getAll', 'upsert'] } },
		}),
		list('Additional Fields', 'additionalFields', additionalField, {
			description:
				'Fields to send in addition to those above. They replace a column of the same name.',
			displayOptions: sendsFields,
		}),
		{
			displayName: 'Date Order',
			name: 'dateOrder',
			type: 'options',
			options: [
				{
					name: 'Ask',
					value: 'ask',
					description: 'Dots put the day first; 03/04/2027 is refused',
				},
				{ name: 'Day First', value: 'day', description: '03/04/2027 is April 3' },
				{ name: 'Month First', value: 'month', description: '03/04/2027 is March 4' },
			],
			default: 'ask',
			description: 'Which comes first in dates like 03/04/2027 and 03.04.2027',
			displayOptions: sendsFields,
		},
		dates,
		text('Exclude Columns', 'excludeColumns', {
			placeholder: 'e.g. Notes, Status',
			description: 'Comma-separated columns of the incoming data that automatic mapping leaves out',
			displayOptions: sendsFields,
		}),
		toggle('Ignore Extra Columns', 'ignoreExtraColumns', {
			description:
				'Whether automatic mapping leaves out columns that are no field of the service, in place of asking about them. E.g. a column Notes that you write for yourself. Posts go out whatever it says: filter the rows before this node.',
			displayOptions: sendsFields,
		}),
		toggle('Include Input Fields', 'includeInputFields', {
			description:
				'Whether to include the columns of the incoming row in each output item, e.g. to write a status back to the sheet by row_number. Where the result has a field of the same name, the result counts.',
		}),
		text('Match Fields', 'matchFields', {
			placeholder: 'e.g. title, publish_at',
			description:
				'Comma-separated fields to compare. If all are equal, the record already exists. E.g. with title, publish_at, the offer of June and the same title in December are two posts. Without this option: keyword; name, address and city; or title, content and the time to publish, as far as any row fills them.',
			displayOptions: {
				show: {
					'/resource': ['keyword', 'location', 'post'],
					'/operation': ['create', 'upsert'],
				},
				hide: { '/ifExists': ['create'] },
			},
		}),
		amount('Max Wait (Seconds)', 'maxWait', 0, {
			default: 300,
			description: MAX_WAIT,
			displayOptions: { hide: { '@tool': [true] } },
		}),
		amount('Max Wait (Seconds)', 'maxWait', 0, {
			default: 30,
			description: MAX_WAIT,
			displayOptions: { show: { '@tool': [true] } },
		}),
		period,
		text('Publish Time Field', 'publishTimeField', {
			placeholder: 'e.g. scheduled_for',
			description:
				'What your service calls the field with the time to publish. Leave empty for publish_at.',
			displayOptions: { show: { '/resource': ['post'], '/operation': ['create'] } },
		}),
		list('Query Parameters', 'queryParameters', queryParameter, {
			description:
				"More that your service can be asked for, as in its API documentation. E.g. Name 'status' with Value 'active' lists active locations only, and 'from' with '2026-11-16' asks for insights from that day on. With All Locations they go to the requests for insights, keywords or posts, not to the list of locations. Names that the service does not know have no effect.",
			displayOptions: { show: { '/operation': ['get', 'getAll'] } },
		}),
	],
};
