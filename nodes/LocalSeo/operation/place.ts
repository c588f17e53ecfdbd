import type { IExecutePaginationFunctions } from 'n8n-workflow';

/**
 * Where in an execution a node is running: execution, node and run. n8n's Retry On Fail runs the
 * node again in the same place; a loop, another execution or another node is another one.
 */
export function placeOf(context: IExecutePaginationFunctions): string {
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
}
