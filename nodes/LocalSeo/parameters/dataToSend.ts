import type { INodeProperties } from 'n8n-workflow';

import { sendsFields, shownFor } from './shownFor';

const writes = shownFor(sendsFields);

export const dataToSend: INodeProperties[] = [
	{
		displayName: 'Data to Send',
		name: 'dataToSend',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Map columns of the incoming data, or fill in each field',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'Send a JSON object as it is',
			},
		],
		default: 'fields',
		displayOptions: { show: writes },
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['resource', 'operation', 'locationId.value'],
			resourceMapper: {
				resourceMapperMethod: 'getFields',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				supportAutoMap: true,
			},
		},
		displayOptions: { show: { ...writes, dataToSend: ['fields'] } },
	},
	{
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		placeholder: 'e.g. { "title": "Open on Sunday" }',
		description: 'The fields to send, as a JSON object',
		displayOptions: { show: { ...writes, dataToSend: ['json'] } },
	},
];
