import type { INodeProperties } from 'n8n-workflow';

import { resources, takes } from '../resources';
import { shownFor } from './operations';

const isSent = shownFor(takes('fields'));

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
		// first time, not when another one is (docs/dev/n8n-facts.md, section 4).
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
	displayOptions: { show: { ...isSent, dataToSend: ['fields'] } },
};

export const dataToSend: INodeProperties[] = [
	{
		displayName: 'Body',
		name: 'dataToSend',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Custom JSON',
				value: 'json',
				description: 'Send a JSON object as it is',
			},
			{
				name: 'From Fields',
				value: 'fields',
				description: 'Map columns of the incoming data, or fill in each field',
			},
		],
		default: 'fields',
		displayOptions: { show: isSent },
	},
	{
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		placeholder: 'e.g. { "title": "Open on Sunday" }',
		description: 'The fields to send, as a JSON object',
		displayOptions: { show: { ...isSent, dataToSend: ['json'] } },
	},
];

/**
 * Without expressions: whether a sheet can be run again must not depend on a value in one of its rows.
 */
export const ifExists: INodeProperties = {
	displayName: 'If It Already Exists',
	name: 'ifExists',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Create Another One',
			value: 'create',
			description: 'Nothing is checked. May create duplicates if the same rows run again.',
		},
		{
			name: 'Skip the Row',
			value: 'skip',
			description:
				'Nothing is sent; the existing record comes out with "skipped" set to true. The same rows can be run again.',
		},
	],
	default: 'skip',
	description:
		"What to do with a row whose location, keyword or content post is already there. To choose the fields that identify it, add the option 'Match Fields'.",
	displayOptions: { show: shownFor(takes('ifExists')) },
};

/** One definition for each resource that can be created, with a default of its own, and for upserts. */
export const matchFields: INodeProperties[] = resources.flatMap(
	({ value, noun, matchFields: names = [], operations }) =>
		operations
			.filter((operation) => takes('ifExists')(operation) || operation.updatesBy !== undefined)
			.map(
				(operation): INodeProperties => ({
					displayName: 'Match Fields',
					name: 'matchFields',
					type: 'string',
					default: names.join(', '),
					placeholder: `e.g. ${names.join(', ')}`,
					description: `Comma-separated fields to compare. If all are equal, the ${noun} already exists.`,
					displayOptions: {
						show: {
							'/resource': [value],
							'/operation': [operation.value],
							...(takes('ifExists')(operation) ? { '/ifExists': ['skip'] } : {}),
						},
					},
				}),
			),
);
