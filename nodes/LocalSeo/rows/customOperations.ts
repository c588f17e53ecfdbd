import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import {
	concurrently,
	isRecord,
	type JsonObject,
	MAX_IN_FLIGHT,
	ServiceError,
	systemClock,
} from '../client';
import { isReadable } from '../host/context';
import { toNodeError } from '../host/errors';
import { readBatchDelay } from '../host/requestSettings';
import { type Operation, type Resource, resources } from '../service';
import { failedItem } from './items';
import { hintsOf, stoppedBy } from './report';
import { inTable, type RowEnd, type Run } from './results';
import { runKeyOf } from './row';
import { itemsOf, runItem } from './runItem';

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/** `$json.title` or `$json["Title"]`, without anything that n8n or JavaScript would read otherwise. */
const QUOTED = String.raw`\["([^"'\\{}\r\n\u2028\u2029]+)"\]`;
const COLUMN = new RegExp(String.raw`^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|${QUOTED})\s*\}\}$`);

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/dev/n8n-facts.md, section 2), so n8n is asked as seldom as its results allow: a parameter without
 * expressions is read once, and one whose expressions all read a column of the row
 * (`{{ $json.title }}`) is filled in here. That goes for texts, numbers, booleans and missing values,
 * which an expression leaves as they are.
 */
export function rowParameters(context: IExecuteFunctions): (index: number) => ReadParameter {
	const { parameters } = context.getNode();
	const rows = context.getInputData();
	const shared = new Map<string, unknown>();
	const columns = new Map(
		Object.entries(parameters).map(([name, parameter]) => [name, columnsIn(parameter)]),
	);
	const read = (index: number, name: string, fallback?: unknown, options?: object) => {
		const ask = () => context.getNodeParameter(name, index, fallback, options) as unknown;
		const own = columns.has(name) ? columns.get(name) : [];
		// A path leads into a parameter that may have expressions.
		if (!own || name.includes('.')) return ask();
		if (own.length === 0) return getOrSet(shared, name, ask);
		const values = own.map((column) => valueIn(rows[index].json, column));
		if (values.includes(undefined)) return ask();
		const value = filled(parameters[name], values.values() as Iterator<{ value: unknown }>);
		return isLocator(value) && isRecord(options) && options.extractValue ? value.value : value;
	};
	return (index) => {
		const own = new Map<string, unknown>();
		return (name, fallback, options) =>
			getOrSet(own, name, () => read(index, name, fallback, options));
	};
}

function getOrSet(map: Map<string, unknown>, name: string, make: () => unknown): unknown {
	if (!map.has(name)) map.set(name, make());
	return map.get(name);
}

/** The columns that the expressions in a parameter read, in their order; undefined if one does more. */
function columnsIn(parameter: unknown): string[] | undefined {
	const found = expressionsIn(parameter).map((expression) => {
		const [, dotted, quoted] = COLUMN.exec(expression) ?? [];
		return dotted ?? quoted;
	});
	// n8n refuses some names, and takes others for what every object has.
	const isColumn = (name?: string) =>
		name !== undefined && !name.includes('constructor') && isReadable(name) && !(name in {});
	return found.every(isColumn) ? found : undefined;
}

function expressionsIn(parameter: unknown): string[] {
	if (typeof parameter === 'string') return parameter.startsWith('=') ? [parameter] : [];
	if (typeof parameter !== 'object' || parameter === null) return [];
	return Object.values(parameter).flatMap(expressionsIn);
}

/** The value of a column, also where the row has none; undefined where n8n would not give it as it is. */
function valueIn(row: JsonObject, column: string): { value: unknown } | undefined {
	return isPlain(row[column]) ? { value: row[column] } : undefined;
}

/** A value that comes out of every engine of n8n as it went in; half of a surrogate pair does not. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
	return value === null || ['boolean', 'number', 'undefined'].includes(typeof value);
}

/** A copy of a parameter, with the next value in place of each expression. */
function filled(parameter: unknown, values: Iterator<{ value: unknown }>): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=')
			? (values.next().value as { value: unknown }).value
			: parameter;
	}
	if (Array.isArray(parameter)) return parameter.map((entry) => filled(entry, values));
	if (typeof parameter !== 'object' || parameter === null) return parameter;
	return Object.fromEntries(
		Object.entries(parameter).map(([name, entry]) => [name, filled(entry, values)]),
	);
}

/** A resource locator holds its value beside the mode in which it was chosen. */
function isLocator(value: unknown): value is { mode: string; value: unknown } {
	return isRecord(value) && 'mode' in value && 'value' in value;
}

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated when its row is processed, if at all (`rowParameters`), and hints explain
 * the results. For each row both do the same (`runItem`): as a tool of an agent, the node is run by the
 * routing (docs/dev/architecture.md, "Two ways through the node").
 */
export const customOperations: NonNullable<INodeType['customOperations']> = Object.fromEntries(
	resources.map((resource) => [
		resource.value,
		Object.fromEntries(
			resource.operations.map((operation) => [operation.value, overRows(resource, operation)]),
		),
	]),
);

function overRows(resource: Resource, operation: Operation) {
	const { request } = operation.routing;
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const rows = this.getInputData();
		const contextOf = rowContexts(this);
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const jobs = rows.map((_, index) => async (): Promise<RowEnd> => {
			const context = contextOf(index);
			try {
				const delay = startedAt + delayOf(index) - systemClock.now();
				if (delay > 0) await systemClock.sleep(delay, this.getExecutionCancelSignal());
				const runKey = runKeyOf(context);
				const key = runKey === undefined ? undefined : { run: runKey, row: index };
				return await runItem(context, request, key);
			} catch (thrown) {
				const isUnclear = thrown instanceof ServiceError && thrown.kind === 'unconfirmed';
				return { failure: toNodeError(context, thrown), isUnclear };
			}
		});
		// As in the routing, all rows are processed before the first failure stops the node.
		const ends = inTable(await concurrently(jobs, 2 * MAX_IN_FLIGHT), this);
		// Read unresolved: an expression that fails here must not lose the results.
		const isRepeatable = this.getNode().parameters.ifExists !== 'create';
		const run: Run = { resource, operation, rows, ends, isRepeatable };
		const failure = this.continueOnFail() ? undefined : stoppedBy(run);
		if (failure) throw failure;
		const hints = hintsOf(this, run);
		if (hints.length > 0) this.addExecutionHints(...hints);
		const items = ends.map((end, index) => {
			const context = contextOf(index);
			return 'failure' in end ? [failedItem(context, end.failure)] : itemsOf(context, end);
		});
		return [items.flat()];
	};
}

/** Milliseconds for which a row uses what it has read of the credential: as long as it takes to begin. */
const CREDENTIAL_FRESH_FOR = 1_000;

/**
 * The contexts of the rows, as the routing creates one. What is the same for all rows is made once, and
 * the credential is read once for a row's beginning and its first requests: each reading takes about
 * 2 ms.
 */
function rowContexts(context: IExecuteFunctions): (index: number) => IExecutePaginationFunctions {
	const rows = context.getInputData();
	const parametersOf = rowParameters(context);
	const node = context.getNode();
	// Read for its run index alone.
	const proxy = context.getWorkflowDataProxy(0);
	const credentialOf = (index: number) => {
		let credential: { at: number; data: Promise<ICredentialDataDecryptedObject> } | undefined;
		return async (type: string) => {
			const now = systemClock.now();
			if (!credential || now - credential.at > CREDENTIAL_FRESH_FOR) {
				credential = { at: now, data: context.getCredentials(type, index) };
			}
			return await credential.data;
		};
	};
	return (index) =>
		Object.assign(Object.create(context) as IExecutePaginationFunctions, {
			getItemIndex: () => index,
			getInputData: () => rows[index],
			getNode: () => node,
			getNodeParameter: parametersOf(index),
			getCredentials: credentialOf(index),
			getWorkflowDataProxy: () => proxy,
		});
}
