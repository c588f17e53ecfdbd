import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../service';

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
