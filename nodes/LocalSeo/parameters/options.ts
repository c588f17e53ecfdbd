import type { INodeProperties } from 'n8n-workflow';

import { pageOptions } from './pageOptions';
import { RECORDS } from './pathKind';

const newPosts = { '/resource': ['post'], '/operation': ['create'] };
const fieldsAreSent = { '/operation': ['create', 'update'], '/dataToSend': ['fields'] };

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description: 'Fields to send beside those above. They win over a column of the same name.',
			displayOptions: { show: fieldsAreSent },
			options: [
				{
					displayName: 'Field',
					name: 'fields',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. publish_at',
							description: 'Name of the field as the service knows it',
						},
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
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
						},
					],
				},
			],
		},
		{
			displayName: 'Exclude Columns',
			name: 'excludeColumns',
			type: 'string',
			default: 'row_number, location_id',
			placeholder: 'e.g. row_number, location_id',
			description:
				'Columns of the incoming data that automatic mapping does not send, separated by commas. Leave empty to send every column.',
			displayOptions: { show: fieldsAreSent },
		},
		{
			displayName: 'Match Fields',
			name: 'matchFields',
			type: 'string',
			default: 'title, content',
			placeholder: 'e.g. title, content',
			description:
				'Fields, separated by commas, that tell one post from another. A post of the location with the same values is the same post.',
			displayOptions: { show: { ...newPosts, skipExisting: [true] } },
		},
		{
			displayName: 'Max Wait',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 300,
			description:
				'Seconds that a request may wait in all while the service is busy or does not answer. The pace itself is found without any setting.',
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Raw',
					value: 'raw',
					description: 'One item a location, as the service gives it',
				},
				{
					name: 'Rows',
					value: 'rows',
					description: 'One item a date, flat, for a sheet or a database table',
				},
			],
			default: 'rows',
			description: 'The form in which the insights come out',
			displayOptions: { show: { '/resource': ['insight'] } },
		},
		...pageOptions,
		{
			displayName: 'Query Parameters',
			name: 'queryParameters',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'Further query parameters, e.g. for filters and sorting',
			options: [
				{
					displayName: 'Parameter',
					name: 'parameters',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. status',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: 'e.g. active',
						},
					],
				},
			],
		},
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description:
				'Whether to return a simplified version of the response instead of the raw data: the ten fields that tell most, where records have more',
			displayOptions: { show: RECORDS },
		},
		{
			displayName: 'Skip Existing',
			name: 'skipExisting',
			type: 'boolean',
			default: true,
			description:
				'Whether to leave out rows whose post is already there, so that a sheet can be run again. The existing post comes out, with skipped set to true.',
			displayOptions: { show: newPosts },
		},
	],
};
