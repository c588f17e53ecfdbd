import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { idNames, nounOfId } from '../client';
import { isOfLocations, mainOperation, type Operation, type Resource, resources } from '../service';

/** The Resource dropdown, and an Operation dropdown for each resource. */
export const resourceAndOperation: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources
			.map(({ displayName, value }) => ({ name: displayName, value }))
			.sort((a, b) => a.name.localeCompare(b.name)),
		default: 'location',
	},
	...resources.map(operationParameter),
];

/** The Operation dropdown of a resource. `paginate` makes n8n hand whole requests to this node. */
function operationParameter({ value, operations }: Resource): INodeProperties {
	const { value: defaultOperation } = mainOperation(operations);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(
			({ name, value: operation, action, description, routing }): INodePropertyOptions => ({
				name,
				value: operation,
				action,
				description,
				routing: { ...routing, send: { paginate: true } },
			}),
		),
		default: defaultOperation,
	};
}

/**
 * What the path of an operation names, as a hidden and literal parameter: `account`, `location`,
 * `locations` (one or all of them) or `keyword`. A parameter can be shown by it for combinations of resource and operation that one
 * `displayOptions` can't express, and yet be defined once: each further definition of a parameter
 * that may hold an expression costs two evaluations per row (docs/dev/n8n-facts.md, section 2), a literal
 * costs none.
 *
 * Every combination has exactly one definition. A parameter that some operations lack would not work:
 * while a node is open, the editor keeps the values of parameters that are no longer shown.
 */
export const pathKind: INodeProperties[] = resources.flatMap(({ value, operations }) =>
	[...new Set(operations.map(kindOf))].map((kind): INodeProperties => {
		const operation = operations.filter((one) => kindOf(one) === kind).map((one) => one.value);
		const displayOptions = { show: { resource: [value], operation } };
		return {
			displayName: 'Path Kind',
			name: 'pathKind',
			type: 'hidden',
			default: kind,
			displayOptions,
		};
	}),
);

function kindOf({ routing: { request } }: Operation): string {
	const [name] = idNames(request.url);
	if (isOfLocations(request)) return 'locations';
	return name === undefined ? 'account' : nounOfId(name);
}

/** A keyword is picked after its location, so its operations show the location too. */
export const WITH_LOCATION = { pathKind: ['keyword', 'location'] };
/** What can be read of one location or of all. */
export const OF_ALL_LOCATIONS = { pathKind: ['locations'] };
export const WITH_KEYWORD = { pathKind: ['keyword'] };

/** `displayOptions.show` for the operations to which something applies; options need the prefix `/`. */
export function shownFor(
	applies: (operation: Operation, resource: Resource) => boolean,
	prefix: '' | '/' = '',
): Record<string, string[]> {
	const found = resources.flatMap((resource) =>
		resource.operations
			.filter((operation) => applies(operation, resource))
			.map((operation) => [resource.value, operation.value]),
	);
	const unique = (at: number) => [...new Set(found.map((values) => values[at]))].sort();
	return { [`${prefix}resource`]: unique(0), [`${prefix}operation`]: unique(1) };
}

const createsPost = { resource: ['post'], operation: ['create'] };

/** What someone should know before executing the step. */
export const postNotices: INodeProperties[] = [
	{
		displayName:
			"Posts are public. With Publish At they go live then, without it at once. To check first, add the option 'Dry Run'.",
		name: 'postCreateWarning',
		type: 'notice',
		default: '',
		displayOptions: { show: createsPost, hide: { '/options.dryRun': [true] } },
	},
	{
		displayName: 'Dry run: nothing is sent',
		name: 'postDryRunNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...createsPost, '/options.dryRun': [true] } },
	},
];
