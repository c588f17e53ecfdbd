import {
	type IExecutePaginationFunctions,
	type INodeParameters,
	isResourceLocatorValue,
} from 'n8n-workflow';

import type { InputError } from '../../nodes/LocalSeo/host/errors';

export interface RowOptions {
	parameters: INodeParameters;
	/** Undefined outside of executions. */
	execution?: string;
	/** All rows of the run. */
	rows?: object[];
	index?: number;
	/** Counts how often a loop has run the node. */
	runIndex?: number;
	nodeId?: string;
}

/**
 * A row as the node gets it from n8n, without n8n: parameters are given as they are resolved. Loading
 * n8n-core takes seconds; the tests in test/engine run with it.
 */
export function rowContext({
	parameters,
	execution,
	rows = [{}],
	index = 0,
	runIndex = 0,
	nodeId = 'node',
}: RowOptions): IExecutePaginationFunctions {
	const items = rows.map((json) => ({ json }));
	const context = {
		getNode: () => ({ id: nodeId, name: 'Local SEO', parameters }),
		getItemIndex: () => index,
		getNodeParameter: (name: string, fallback?: unknown, { extractValue = false } = {}) => {
			const value = parameters[name] ?? fallback;
			return extractValue && isResourceLocatorValue(value) ? value.value : value;
		},
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		getInputData: () => items[index],
		getExecuteData: () => ({ data: { main: [items] } }),
	};
	return context as unknown as IExecutePaginationFunctions;
}

/** What is said of what can't be sent. */
export function refusalOf(act: () => unknown): [string, string | undefined] {
	try {
		act();
	} catch (error) {
		const { message, description } = error as InputError;
		return [message, description];
	}
	throw new Error('It was not refused');
}
