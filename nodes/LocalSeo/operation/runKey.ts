import type { IExecutePaginationFunctions } from 'n8n-workflow';

/**
 * Where in an execution a node is running: execution, node and run. n8n's Retry On Fail runs the
 * node again at the same place; a loop, another execution or another node is another one. Undefined
 * outside of executions: n8n runs the tools of its MCP server so.
 */
export function runKeyOf(context: IExecutePaginationFunctions): string | undefined {
	const execution = context.getExecutionId() as string | undefined;
	if (!execution) return undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([execution, context.getNode().id, $runIndex]);
}
