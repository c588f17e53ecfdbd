import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import { isRecord, type JsonObject } from '../../client';
import { reportOf } from '../../host/errors';
import type { Explained, Item, Place } from '../item';

/** One row as n8n hands it over. */
export interface Source extends Place {
	/** The row's own columns. */
	columns: JsonObject;
	/** The parameters as they stand in the panel, with their expressions. */
	panel: JsonObject;
	/** The workflow's time zone. */
	zone: string;
	/** The execution and, within it, the run of the node; undefined outside of executions. */
	execution?: string;
	run?: string;
	/**
	 * A parameter, resolved for the row.
	 *
	 * @throws n8n's error, where its expression fails
	 */
	parameter(name: string, fallback?: unknown): unknown;
	/** The same of a parameter that picks a record: its ID or name. */
	picked(name: string): unknown;
	/** The words for whatever failed. */
	explain(thrown: unknown): Explained;
}

/** An item may come without columns, from a node that was put together by hand. */
const withColumns = (items: unknown[]): Item[] =>
	items.map((item) => ({ ...(item as Item), json: Object(Object(item).json) as JsonObject }));

/** The rows of a run: only those that run, which "Execute Once" makes the first one. */
export const rowsOf = (context: IExecuteFunctions): Item[] => withColumns(context.getInputData());

/** The row that a context of n8n is about; absent `rows`: a tool is run for a row alone. */
export function sourceOf(context: IExecutePaginationFunctions, rows?: Item[]): Source {
	const { parameters, onError } = context.getNode();
	const item = context.getItemIndex();
	const all = rows ?? withColumns([context.getInputData()]);
	const index = rows ? item : 0;
	return {
		...{ rows: all, index, item, hasErrorOutput: onError === 'continueErrorOutput' },
		columns: all[index].json,
		panel: parameters as JsonObject,
		zone: context.getTimezone(),
		execution: context.getExecutionId() as string | undefined,
		run: runOf(context),
		parameter: (parameter, fallback = undefined) =>
			context.getNodeParameter(parameter, fallback as never),
		picked: (parameter) => context.getNodeParameter(parameter, '', { extractValue: true }),
		explain: (thrown) => reportOf(context, thrown),
	};
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
	// IDs come twice, in workflows that were put together by hand; names do not.
	const { id, name } = context.getNode();
	return JSON.stringify([execution, id, name, $runIndex]);
}

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/** `{{ $json.title }}`: reads a column, and does nothing else. */
const COLUMN = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/dev/n8n-facts.md, section 2): a parameter without any is read once for all rows, one that only
 * reads columns is filled in here, and any other is evaluated once for a row.
 */
function rowParameters(context: IExecuteFunctions, rows: Item[]): (index: number) => ReadParameter {
	const { parameters } = context.getNode();
	const isByRow = (name: string) => String(JSON.stringify(parameters[name])).includes('"=');
	const byRow = new Set(Object.keys(parameters).filter(isByRow));
	const shared = new Map<string, unknown>();
	return (index) => {
		const own = new Map<string, unknown>();
		const read: ReadParameter = (name, fallback, options) => {
			const filled = byRow.has(name) ? filledFrom(rows[index].json, parameters[name]) : undefined;
			if (filled === undefined) return context.getNodeParameter(name, index, fallback, options);
			return isRecord(options) && options.extractValue && isRecord(filled) ? filled.value : filled;
		};
		return (name, ...more) => {
			const values = byRow.has(name) ? own : shared;
			if (!values.has(name)) values.set(name, read(name, ...more));
			return values.get(name);
		};
	};
}

/**
 * A parameter with the columns that its expressions read; undefined where n8n has to evaluate one. It
 * leaves texts, numbers and booleans as they are.
 */
function filledFrom(row: JsonObject, parameter: unknown): unknown {
	let isFilled = true;
	const filled = JSON.parse(JSON.stringify(parameter), (_, value: unknown) => {
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		// Any other expression is n8n's. A row may well have a column called ''.
		const [, column] = COLUMN.exec(value) ?? [];
		const isColumn = column !== undefined && Object.hasOwn(row, column) && !(column in {});
		const own = isColumn ? row[column] : undefined;
		const isText = typeof own === 'string' && !/\p{Surrogate}/u.test(own);
		isFilled &&= isText || ['number', 'boolean'].includes(typeof own);
		return own;
	}) as unknown;
	return isFilled ? filled : undefined;
}

/** The contexts of the rows, as the routing creates one. What is the same for all rows is made once. */
export function rowContexts(
	context: IExecuteFunctions,
	rows: Item[],
): (index: number) => IExecutePaginationFunctions {
	const parametersOf = rowParameters(context, rows);
	const node = context.getNode();
	// Read for its run index alone.
	const proxy = context.getWorkflowDataProxy(0);
	return (index) =>
		Object.assign(Object.create(context) as IExecutePaginationFunctions, {
			getItemIndex: () => index,
			getInputData: () => rows[index],
			getNode: () => node,
			getNodeParameter: parametersOf(index),
			getCredentials: async (type: string) => await context.getCredentials(type, index),
			getWorkflowDataProxy: () => proxy,
		});
}
