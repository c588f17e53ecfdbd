import type { INodeProperties } from 'n8n-workflow';

import { isWrite, takes } from '../resources';
import { shownFor } from './operations';

/** Above the fold; a model that runs the node as a tool can't turn it off. */
export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check each item without changing anything. It comes out with what would happen to it (create, update, skip, delete or invalid), what is wrong with it, and the fields that would be sent.',
	displayOptions: { show: shownFor(isWrite), hide: { '@tool': [true] } },
};

/**
 * A choice without a default: n8n marks the node, and runs no part of the workflow, until it is made. An
 * expression may make it, and a tool is not checked by n8n: anything else is refused.
 */
export const whenToPublish: INodeProperties = {
	displayName: 'When to Publish',
	name: 'whenToPublish',
	type: 'options',
	required: true,
	options: [
		{
			name: 'Choose …',
			value: '',
			description: 'Nothing runs until you choose: posts are public',
		},
		{
			name: 'At Once',
			value: 'now',
			description: 'Every row goes live as soon as it is sent. A row with a time is refused.',
		},
		{
			name: 'At the Time in Each Row',
			value: 'scheduled',
			description: 'A row without a time in publish_at is refused',
		},
	],
	default: '',
	description:
		"When the posts go live. A blank time never means now: rows with and without a time go through two nodes. The time stands in the field publish_at, or in the one that the option 'Publish Time Field' names.",
	displayOptions: { show: shownFor(takes('whenToPublish')) },
};

export const fields: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		// n8n empties all that is mapped when one of these changes (docs/dev/n8n-facts.md, section 4).
		loadOptionsDependsOn: ['resource', 'operation'],
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
	displayOptions: { show: shownFor(takes('fields')) },
};

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
