import type { INodeProperties } from 'n8n-workflow';

import { type Resource, resources } from '../service';
import { createsRecord, shownFor, upsertsRecord } from './shownFor';

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
			description: 'Nothing is checked: running the same rows again creates everything again',
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
		'What to do with a row whose location, keyword or content post is already there. To choose the fields that identify it, add the option Match Fields.',
	displayOptions: { show: shownFor(createsRecord) },
};

/** One definition for each resource that can be created, with a default of its own, and for upserts. */
export const matchFields: INodeProperties[] = [
	...resources
		.filter(({ operations }) => operations.some(createsRecord))
		.map((resource) =>
			matchFieldsOf(resource, 'already exists', 'create', { '/ifExists': ['skip'] }),
		),
	...resources
		.filter(({ operations }) => operations.some(upsertsRecord))
		.map((resource) => matchFieldsOf(resource, 'is updated', 'upsert')),
];

function matchFieldsOf(
	{ value, noun, matchFields: names = [] }: Resource,
	what: string,
	operation: string,
	more: Record<string, string[]> = {},
): INodeProperties {
	const usual = names.join(', ');
	return {
		displayName: 'Match Fields',
		name: 'matchFields',
		type: 'string',
		default: usual,
		placeholder: `e.g. ${usual}`,
		description: `Comma-separated fields that identify a ${noun}: one with the same values in them ${what}`,
		displayOptions: { show: { '/resource': [value], '/operation': [operation], ...more } },
	};
}
