import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	mainOperation,
	type Operation,
	type ParameterName,
	type Resource,
	resources,
	takes,
} from '../resources';

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

type Applies = (operation: Operation, resource: Resource) => boolean;
type Shown = Record<string, string[]>;
/** A parameter without its name and the operations that it is shown for. */
export type Definition = Omit<INodeProperties, 'name' | 'displayOptions'>;

/** `displayOptions.show` for the operations to which something applies; options need the prefix `/`. */
export function shownFor(applies: Applies, prefix: '' | '/' = ''): Shown {
	return shownWhere(pairsOf(applies), prefix);
}

/**
 * The definitions of a parameter for the operations that declare it: one, if n8n can show it for just
 * these by resource and operation; else one for each resource.
 *
 * @param applies narrows the operations down
 */
export function definedFor(
	name: ParameterName,
	property: Definition,
	hide?: NonNullable<INodeProperties['displayOptions']>['hide'],
	applies: Applies = () => true,
): INodeProperties[] {
	const isFor: Applies = (operation, resource) =>
		takes(name)(operation) && applies(operation, resource);
	const pairs = pairsOf(isFor);
	const { resource: some, operation: any } = shownWhere(pairs);
	const covered = pairsOf(
		({ value }, resource) => some.includes(resource.value) && any.includes(value),
	);
	const groups =
		covered.length === pairs.length
			? [pairs]
			: some.map((resource) => pairs.filter(([one]) => one === resource));
	return groups.map((group): INodeProperties => {
		const displayOptions = { show: shownWhere(group), ...(hide && { hide }) };
		return { ...property, name, displayOptions };
	});
}

/** Resources and operations to which something applies. */
export function pairsOf(applies: Applies): Array<[string, string]> {
	return resources.flatMap((resource) =>
		resource.operations
			.filter((operation) => applies(operation, resource))
			.map((operation): [string, string] => [resource.value, operation.value]),
	);
}

function shownWhere(pairs: Array<[string, string]>, prefix = ''): Shown {
	const unique = (at: 0 | 1) => [...new Set(pairs.map((pair) => pair[at]))].sort();
	return { [`${prefix}resource`]: unique(0), [`${prefix}operation`]: unique(1) };
}
