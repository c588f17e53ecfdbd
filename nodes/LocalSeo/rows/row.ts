import type {
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import {
	type Account,
	BoundedMap,
	type Connection,
	getOrMake,
	isRecord,
	jsonBytes,
	type JsonObject,
	type Paging,
	readCompleteList,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../text/inputError';
import { type PageOptions, readSwitch } from '../host/requestSettings';
import { isUpsert, type Operation, operationOf, resourceOf } from '../service';

/** What a row's parameters are read from. */
type Parameters = Pick<IExecuteSingleFunctions, 'getNodeParameter'>;

/** The `options` collection as n8n provides it; every option may be absent. */
export interface Options extends PageOptions {
	additionalFields?: { fields?: Array<{ name?: string; type?: string; value?: unknown }> };
	dryRun?: unknown;
	excludeColumns?: unknown;
	includeInputFields?: unknown;
	matchFields?: unknown;
	/** Seconds. */
	maxWait?: number;
	queryParameters?: { parameters?: Array<{ name?: string; value?: unknown }> };
	simplify?: unknown;
}

export type IfExists = 'create' | 'skip' | 'update';

export function readOptions(context: Parameters): Options {
	return context.getNodeParameter('options', {}) as Options;
}

/** The operation that the node is set to. */
export function declarationOf(context: Parameters): Operation {
	const resource = resourceOf(context.getNodeParameter('resource'));
	return operationOf(resource, context.getNodeParameter('operation'));
}

/**
 * What is done with a row whose record already exists: as the operation says or, where that leaves it
 * open, the parameter If It Already Exists; only the value that says so creates without looking.
 */
export function ifExistsOf(context: Parameters): IfExists {
	if (isUpsert(declarationOf(context))) return 'update';
	return context.getNodeParameter('ifExists', 'skip') === 'create' ? 'create' : 'skip';
}

/** The option Dry Run: where its expression gives anything but a clear no, nothing is sent. */
export function isDryRun(context: Parameters): boolean {
	const options = readOptions(context);
	return 'dryRun' in options && readSwitch(options.dryRun) !== false;
}

/** `$json.city`, `$json["City Name"]`, `$json?.city`, and the same of `$input.item`. */
const COLUMN =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[(["'`])(.+?)\2\])/gu;

/** The columns of the row that the expression in a parameter reads, in their order. */
export function columnsRead(context: IExecutePaginationFunctions, name: string): string[] {
	return columnsIn(unresolved(context, name));
}

/** Whether a parameter is given by an expression. */
export function isExpression(context: IExecutePaginationFunctions, name: string): boolean {
	return String(unresolved(context, name)).startsWith('=');
}

/** A parameter as it stands in the panel. */
function unresolved(context: IExecutePaginationFunctions, name: string): unknown {
	const parameter: unknown = context.getNode().parameters[name];
	return isRecord(parameter) ? parameter.value : parameter;
}

/** The columns of the row that an expression reads, in their order; none, where it is a fixed value. */
export function columnsIn(expression: unknown): string[] {
	const text = String(expression);
	if (!text.startsWith('=')) return [];
	return [...text.matchAll(COLUMN)].map(([, dotted, , quoted]) => dotted ?? quoted);
}

/** Whether the name of a record is given in place of its ID. */
export function isByName(context: IExecutePaginationFunctions, name: string): boolean {
	const parameter: unknown = context.getNode().parameters[name];
	return isRecord(parameter) && parameter.mode === 'name';
}

/** The rows of the run; the one of the context, where n8n does not say more. */
export function rowsOfRun(context: IExecutePaginationFunctions): INodeExecutionData[] {
	return Object.values(context.getExecuteData().data)[0]?.[0] ?? [context.getInputData()];
}

/** A value as it appears in a URL; empty for anything but text, numbers and booleans. */
export function textInUrl(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

/** What n8n's expressions make of an invalid DateTime. */
const INVALID_DATE = 'Invalid DateTime';

/**
 * A value of a row as it is sent: its JSON, with dates (`Date`, and luxon's `DateTime` as in `$now`) as
 * their ISO text, at any depth.
 *
 * @param name of the value in messages: `field "title"`
 * @throws InputError for what JSON would change to null: an invalid date, a number that is not finite
 */
export function plainValue(name: string, value: unknown): unknown {
	return withDatesAsText(value, function (key, json) {
		const isOfDate = json === null && this[key] !== null;
		const isNumber = typeof json !== 'number' || Number.isFinite(json);
		if (isNumber && !isOfDate && json !== INVALID_DATE) return json;
		throw new InputError(
			`The ${name} ${key === '' ? 'is' : 'contains'} ${isNumber ? 'an invalid date' : String(json)}`,
			'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
		);
	});
}

/** A row as it comes out of the node: with its dates as ISO text. */
export function withDatesAsText<T>(
	row: T,
	replace?: (this: Record<string, unknown>, key: string, json: unknown) => unknown,
): T {
	return JSON.parse(JSON.stringify(row, replace) ?? 'null') as T;
}

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

/** What the rows of a run share: lists, mostly; the latest one stays, however large it is. */
const shared = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<unknown>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * What is read, or done, once for a run and not once for each of its rows; after a failure, the next
 * row tries again. Outside of executions, each call is a run of its own.
 *
 * @param what tells it from all else that the run shares
 * @param bytesOf what it takes in memory, roughly
 */
export async function oncePerRun<T>(
	context: IExecutePaginationFunctions,
	account: Account,
	what: unknown[],
	make: () => Promise<T>,
	bytesOf: (value: T) => number = jsonBytes,
): Promise<T> {
	const run = runKeyOf(context);
	if (run === undefined) return await make();
	const store = shared.of(account) as BoundedMap<Promise<T>>;
	return await getOrMake(store, JSON.stringify([run, ...what]), make, bytesOf);
}

/**
 * What is at a path, of a list the first entry; asked for once per run.
 *
 * @throws ServiceError as `readCompleteList` does
 */
export async function readFirst(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<JsonObject> {
	const read = async () => {
		const [record] = await readCompleteList(connection, request, { ...paging, limit: 1 });
		return isRecord(record) ? record : {};
	};
	return await oncePerRun(context, connection.account, [request.path, request.ids], read);
}
