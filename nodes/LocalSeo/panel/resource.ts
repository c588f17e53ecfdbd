import type { INodeProperties } from 'n8n-workflow';

import { operationParameter, resources } from '../service';

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
