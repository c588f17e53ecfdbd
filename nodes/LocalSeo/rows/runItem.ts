import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import {
	change,
	type Connection,
	create,
	hashOf,
	isRecord,
	readList,
	type RowKey,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readRequestOptions } from '../host/requestSettings';
import { resourceOf } from '../service';
import { fieldsInThePast, fieldsWithoutDate, requireKnownColumn } from './checks';
import { dryRun } from './dryRun';
import { Findings } from './findings';
import { failedItem, messageOfRow, simplified, withColumns } from './items';
import { readLocationName, withRealIds } from './location';
import { type Plan, settle } from './plan';
import { readPaging, readPatience, readRequest } from './readRequest';
import type { Outcome, RowResult } from './report';
import { ifExistsOf, isDryRun, oncePerRun, type Progress, readOptions } from './row';

/** What an operation declares, with the domains to which n8n restricts the credential. */
type DeclaredRequest = DeclarativeRestApiSettings.HttpRequestOptions &
	Pick<IHttpRequestOptions, 'allowedDomains'>;

/**
 * Runs the operation for one item when the node is run by n8n's routing: as a tool. It is declared as
 * the pagination function, because that is where the routing hands over whole requests, including
 * writes (docs/n8n-facts.md, section 3).
 */
export async function runRouted(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	try {
		return itemsOf(this, await runItem(this, requestData.options as DeclaredRequest));
	} catch (thrown) {
		const failure = toNodeError(this, thrown);
		if (this.continueOnFail()) return [failedItem(this, failure)];
		failure.message = messageOfRow(this, failure.message);
		throw failure;
	}
}

/** The items of a row, with its own columns beside the result where the option says so. */
export function itemsOf(
	context: Pick<IExecutePaginationFunctions, 'getInputData'>,
	{ items, includesInput }: RowResult,
): INodeExecutionData[] {
	if (!includesInput) return items;
	const { json } = context.getInputData();
	return items.map((item) => ({ ...item, json: withColumns(json, item.json) }));
}

/** What a row came to, before its records become items. */
type Performed = Omit<RowResult, 'items' | 'includesInput'> & { records: unknown[] };

/**
 * A row in, items out: what the row says is read, planned and performed.
 *
 * @param run the run that the row belongs to; absent as a tool, of which parallel calls may share one
 * @throws whatever made the row fail: `toNodeError` says it in words
 */
export async function runItem(
	context: IExecutePaginationFunctions,
	declared: DeclaredRequest,
	run: { key?: RowKey; progress?: Progress } = {},
): Promise<RowResult> {
	const isWrite = (declared.method ?? 'GET') !== 'GET';
	const findings = isWrite && isDryRun(context) ? new Findings(context) : undefined;
	const given = readRequest(context, declared, findings?.attempt);
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout, ...settings } = readRequestOptions(context);
	const { allowedDomains } = declared;
	const patienceMs = readPatience(context);
	const own = { ...settings, allowedDomains, timeoutMs: timeout, patienceMs };
	const connection = { ...(await connect(context, own)), looking: run.progress?.looking };
	run.progress?.uses(connection.account);
	const { records, ...result } = findings
		? await looked(context, connection, given, findings)
		: await performed(context, connection, given, run.key);
	const pairedItem = { item: context.getItemIndex() };
	const items = records.map((record) => ({ json: asJson(record), pairedItem }));
	return { ...result, items, includesInput: Boolean(readOptions(context).includeInputFields) };
}

async function looked(
	context: IExecutePaginationFunctions,
	connection: Connection,
	given: ServiceRequest,
	findings: Findings,
): Promise<Performed> {
	const plan = await dryRun(context, connection, given, findings);
	return { records: [plan], outcome: 'dry run', notes: [] };
}

async function performed(
	context: IExecutePaginationFunctions,
	connection: Connection,
	given: ServiceRequest,
	key?: RowKey,
): Promise<Performed> {
	try {
		const request = await withRealIds(context, connection, given);
		return request.method === 'GET'
			? await read(context, connection, request)
			: await writeOnce(context, connection, request, key);
	} catch (error) {
		throw withUndated(error);
	}
}

/** What the service has refused as invalid may be a date in a form that it does not read. */
function withUndated(error: unknown): unknown {
	if (!(error instanceof ServiceError) || ![400, 422].includes(error.facts.status ?? 0))
		return error;
	return new ServiceError({ ...error.facts, undated: fieldsWithoutDate(error.request) });
}

async function read(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Performed> {
	const list = await readList(connection, request, readPaging(context));
	if (list.incomplete) throw list.incomplete;
	const records = await inForm(context, connection, request, list.records);
	return { records, outcome: 'done', notes: list.isFirstPageOnly ? ['first-page'] : [] };
}

/**
 * Records in the form that the parameters Output and Simplify ask for. A table is of the location that
 * was requested, whatever the row calls it; its name is read only if the table needs it.
 */
async function inForm(
	context: IExecutePaginationFunctions,
	connection: Connection,
	{ ids: { locationId: id } }: ServiceRequest,
	received: unknown[],
): Promise<unknown[]> {
	const { leadingFields, tables, locationName } = resourceOf(context.getNodeParameter('resource'));
	if (!tables) {
		const { simplify } = readOptions(context);
		return simplify && leadingFields ? simplified(received, leadingFields) : received;
	}
	const records = received.map(asJson);
	const table = tables[context.getNodeParameter('output') as string];
	if (!table || records.length === 0) return records;
	const name = locationName?.(records) ?? (await readLocationName(context, connection, id));
	return table(records, { id, name: name ?? null });
}

/**
 * Performs a row's write once, even if n8n runs the node again: Retry On Fail repeats every row,
 * including those that succeeded (docs/n8n-facts.md, section 1). Execution, node, run, row and content
 * are the same then; a loop, a second execution or different content is a new write.
 */
async function writeOnce(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	key?: RowKey,
): Promise<Performed> {
	const what = ['write', context.getItemIndex(), hashOf(request)];
	const done = await oncePerRun(context, connection.account, what, async () => {
		return await write(context, connection, request, key);
	});
	return structuredClone(done);
}

async function write(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	key?: RowKey,
): Promise<Performed> {
	if (request.method !== 'POST') {
		await requireKnownColumn(context, connection, request);
		return { records: [await change(connection, request)], outcome: 'done', notes: [] };
	}
	const isLate = fieldsInThePast(connection, request).length > 0;
	const late = isLate ? (['late'] as const) : [];
	const paging = readPaging(context);
	const ifExists = ifExistsOf(context);
	if (ifExists === 'create') {
		await requireKnownColumn(context, connection, request);
		const { record } = await create(connection, request, paging, { row: key });
		return { records: [record], outcome: 'done', notes: [...late] };
	}
	let wasMade = false;
	const { plan, record, isPartlyCompared } = await settle(
		context,
		connection,
		request,
		ifExists,
		async (planned) => {
			if (planned.action !== 'create') return await change(connection, planned.request);
			const created = await create(connection, request, paging, { row: key, unlessMade: true });
			wasMade = created.wasMade;
			return created.record;
		},
	);
	const outcome = OUTCOMES[ifExists][wasMade ? 'known' : plan.action]!;
	return {
		records: [outcome === 'done' ? record : { ...record, [outcome]: true }],
		outcome,
		notes: [
			...(plan.action === 'create' && !wasMade ? late : []),
			...(isPartlyCompared ? (['partly-compared'] as const) : []),
		],
	};
}

/** What a plan that was performed has come to; `known`: another execution has made it meanwhile. */
const OUTCOMES: Record<'skip' | 'update', Partial<Record<Plan['action'] | 'known', Outcome>>> = {
	skip: { create: 'done', skip: 'skipped', known: 'skipped' },
	update: { create: 'created', update: 'updated', unchanged: 'unchanged', known: 'unchanged' },
};

function asJson(record: unknown): IDataObject {
	return isRecord(record) ? (record as IDataObject) : { value: record as IDataObject['value'] };
}
