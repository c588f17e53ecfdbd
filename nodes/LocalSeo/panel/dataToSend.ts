import type { INodeProperties } from 'n8n-workflow';

import { sendsFields, shownFor } from './shownFor';

const writes = shownFor(sendsFields);

/** First what a user fills in; how else it can be given comes after it, not to take a row above it. */
export const fields: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		// n8n empties all columns when one of these changes. `[0]`: when a location is given for the
		// first time, not when another one is (docs/n8n-facts.md, section 4).
		loadOptionsDependsOn: ['resource', 'operation', 'locationId.value[0]'],
		resourceMapper: {
			resourceMapperMethod: 'getFields',
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: true,
			supportAutoMap: true,
			// Assumed columns give way to the account's own when the node is opened again.
			refreshStaleSchemaOnOpen: true,
		},
	},
	displayOptions: { show: { ...writes, dataToSend: ['fields'] } },
};

export const dataToSend: INodeProperties[] = [
	{
		displayName: 'Data to Send',
		name: 'dataToSend',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Fields Above',
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
