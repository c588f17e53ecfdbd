import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { JsonObject } from '../../client';
import { reportOf } from '../../host/errors';
import type { Explained, Item, Place } from '../item';

/** One row as n8n hands it over. */
export interface Source extends Place {
	/** The row's own columns. */
	columns: JsonObject;
	/** The parameters as they stand in the panel, with their expressions. */
	panel: JsonObject;
	/** The name of the node. */
	node: string;
	/** The workflow's time zone. */
	zone: string;
	/** Identifies the run of the node; undefined outside of executions. */
	run?: string;
	/**
	 * A parameter, resolved for the row.
	 *
	 * @throws n8n's error, where its expression fails
	 */
	parameter(name: string, fallback?: unknown): unknown;
	/** The same of a parameter that picks a record: its ID or name. */
	picked(name: string): unknown;
	/** Whether no other node is connected to this one. */
	isAlone(): boolean;
	/** The words for whatever failed. */
	explain(thrown: unknown): Explained;
}

/** The row that a context of n8n is about. */
export function sourceOf(context: IExecutePaginationFunctions): Source {
	const { name, parameters } = context.getNode();
	const input = context.getInputData() as Item;
	return {
		...placeOf(context),
		columns: input.json,
		panel: parameters as JsonObject,
		node: name,
		zone: context.getTimezone(),
		run: runOf(context),
		parameter: (parameter, fallback = undefined) =>
			context.getNodeParameter(parameter, fallback as never),
		picked: (parameter) => context.getNodeParameter(parameter, '', { extractValue: true }),
		isAlone: () => context.getParentNodes(name).length === 0,
		explain: (thrown) => reportOf(context, thrown),
	};
}

/** Outside of a run, n8n hands over a row alone. */
export function placeOf(context: IExecutePaginationFunctions): Place {
	const item = context.getItemIndex();
	const rows = Object.values(context.getExecuteData().data)[0]?.[0] as Item[] | undefined;
	const { onError } = context.getNode();
	const hasErrorOutput = onError === 'continueErrorOutput';
	if (rows && rows.length > item) return { rows, index: item, item, hasErrorOutput };
	return { rows: [context.getInputData() as Item], index: 0, item, hasErrorOutput };
}

/**
 * Identifies a run of a node, by execution, node and run index. n8n's Retry On Fail repeats the node
 * under the same key; a loop, another execution or another node has a key of its own. Undefined
 * outside of executions, which is how n8n runs the tools of its MCP server.
 */
function runOf(context: IExecutePaginationFunctions): string | undefined {
	const execution = context.getExecutionId() as string | undefined;
	if (!execution) return undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([execution, context.getNode().id, $runIndex]);
}
