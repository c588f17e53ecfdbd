import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { endsWithId, idNames, nounOfId } from '../client';
import { type Operation, type Resource, resources } from '../service';

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
function operationParameter({ value, operations, defaultOperation }: Resource): INodeProperties {
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
 * The kind of path that each operation has, as a hidden and literal parameter: `account` for one
 * without an ID, `location` for one that ends with a location's ID, `ofLocation` for one below it.
 * A parameter can be shown by it for combinations of resource and operation that one
 * `displayOptions` can't express, and yet be defined once: each further definition of a parameter
 * that may hold an expression costs two evaluations per row (docs/n8n-facts.md, section 2), a literal
 * costs none.
 *
 * Every combination has exactly one definition. A parameter that some operations lack would not work:
 * while a node is open, the editor keeps the values of parameters that are no longer shown.
 */
export const pathKind: INodeProperties[] = resources.flatMap((resource) => {
	const kinds = [...new Set(resource.operations.map(kindOf))];
	return kinds.map((kind) => definition(resource, kind));
});

function definition({ value, operations }: Resource, kind: string): INodeProperties {
	const ofKind = operations.filter((operation) => kindOf(operation) === kind);
	return {
		displayName: 'Path Kind',
		name: 'pathKind',
		type: 'hidden',
		default: kind,
		displayOptions: {
			show: { resource: [value], operation: ofKind.map((operation) => operation.value) },
		},
	};
}

function kindOf({ routing }: Operation): string {
	const { url } = routing.request;
	const [name] = idNames(url);
	if (name === undefined) return 'account';
	const noun = nounOfId(name);
	return endsWithId(url) ? noun : `of${noun[0].toUpperCase()}${noun.slice(1)}`;
}

/** A keyword is picked after its location, so its operations show the location too. */
export const WITH_LOCATION = { pathKind: ['keyword', 'location', 'ofKeyword', 'ofLocation'] };
export const WITH_KEYWORD = { pathKind: ['keyword', 'ofKeyword'] };

/** `displayOptions.show` for the operations to which something applies; options need the prefix `/`. */
export function shownFor(
	applies: (operation: Operation, resource: Resource) => boolean,
	prefix: '' | '/' = '',
): Record<string, string[]> {
	const found = resources.flatMap((resource) =>
		resource.operations
			.filter((operation) => applies(operation, resource))
			.map((operation) => ({ resource: resource.value, operation: operation.value })),
	);
	return {
		[`${prefix}resource`]: [...new Set(found.map(({ resource }) => resource))].sort(),
		[`${prefix}operation`]: [...new Set(found.map(({ operation }) => operation))].sort(),
	};
}

/** What someone should know before executing a step; an operation declares it. */
export const warnings: INodeProperties[] = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ warning }) => warning !== undefined)
		.map(({ value: operation, warning = '' }) => ({
			displayName: warning,
			name: `${resource}${operation[0].toUpperCase()}${operation.slice(1)}Warning`,
			type: 'notice',
			default: '',
			displayOptions: {
				show: { resource: [resource], operation: [operation] },
				// A dry run does nothing that one has to be warned of.
				hide: { '/options.dryRun': [true] },
			},
		})),
);
