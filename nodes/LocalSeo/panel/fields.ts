import type { INodeProperties } from 'n8n-workflow';

/** Above the fold; a model that runs the node as a tool can't turn it off. */
export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check each item without changing anything. It comes out with what would happen to it (create, update, skip, delete or invalid), what is wrong with it, and the fields that would be sent. An expression may decide for each item: anything but false is a dry run.',
	displayOptions: {
		show: {
			resource: ['keyword', 'location', 'post'],
			operation: ['create', 'delete', 'update', 'upsert'],
		},
		hide: { '@tool': [true] },
	},
};

/**
 * A choice without a default: n8n marks the node, and runs no part of the workflow, until it is made. n8n
 * checks neither expressions, which may choose for each row, nor tools: the node refuses any other value.
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
		"When the posts go live. A blank time never means now. To choose for each row, use an expression that gives now or scheduled, e.g. from a column of its own. The time is read from publish_at, or from the field that the option 'Publish Time Field' names.",
	displayOptions: { show: { resource: ['post'], operation: ['create'] } },
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
	displayOptions: {
		show: {
			resource: ['keyword', 'location', 'post'],
			operation: ['create', 'update', 'upsert'],
		},
	},
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
	displayOptions: {
		show: { resource: ['keyword', 'location', 'post'], operation: ['create'] },
	},
};
