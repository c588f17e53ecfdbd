import type { IExecutePaginationFunctions } from 'n8n-workflow';

/**
 * Identifies a run of a node, by execution, node and run index. n8n's Retry On Fail repeats the node
 * under the same key; a loop, another execution or another node has a key of its own. Undefined
 * outside of executions, which is how n8n runs the tools of its MCP server.
 */
export function runKeyOf(context: IExecutePaginationFunctions): string | undefined {
	const execution = context.getExecutionId() as string | undefined;
	if (!execution) return undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([execution, context.getNode().id, $runIndex]);
}
