import type { INodeProperties } from 'n8n-workflow';

import { mainOperation, type Resource, resources } from '../resources';

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

function operationParameter({ value: resource, operations }: Resource): INodeProperties {
	const { value: first } = mainOperation(operations);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description, routing }) => ({
			name,
			value,
			action,
			description,
			// `paginate` makes n8n hand whole requests to this node.
			routing: { ...routing, send: { paginate: true } },
		})),
		default: first,
	};
}
