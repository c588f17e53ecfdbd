import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import {
	change,
	type Connection,
	create,
	hashOf,
	type JsonObject,
	type RowKey,
	type ServiceRequest,
} from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { isSwitchedOn, readRequestOptions } from '../host/requestSettings';
import { dryRun } from './dryRun';
import { Findings } from './findings';
import { fitted } from './fit';
import { failedItem, hasErrorOutput, messageOfRow, withColumns } from './items';
import { withRealIds } from './location';
import { type Plan, settle } from './plan';
import { read } from './read';
import { readPaging, readPatience, readRequest } from './readRequest';
import { asJson, type Outcome, type Performed, type RowResult } from './results';
import { ifExistsOf, isDryRun, oncePerRun, readOptions } from './row';

/**
 * Runs the operation for one item when the node is run by n8n's routing: as a tool. It is declared as
 * the pagination function, because that is where the routing hands over whole requests, including
 * writes (docs/dev/n8n-facts.md, section 3).
 */
export async function runRouted(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	try {
		return itemsOf(this, await runItem(this, requestData.options));
	} catch (thrown) {
		const failure = toNodeError(this, thrown);
		if (this.continueOnFail()) return [failedItem(this, failure)];
		failure.message = messageOfRow(this, failure.message);
		throw failure;
	}
}

/** The items of a row, with its own columns beside the result where the option says so. */
export function itemsOf(
	context: IExecutePaginationFunctions,
	{ items, includesInput, forecast }: RowResult,
): INodeExecutionData[] {
	if (forecast?.action === 'invalid' && hasErrorOutput(context)) {
		return [failedItem(context, { message: forecast.problem ?? '' })];
	}
	if (!includesInput) return items;
	const { json } = context.getInputData();
	const isDryRun = forecast !== undefined;
	return items.map((item) => ({ ...item, json: withColumns(json, item.json, isDryRun) }));
}

/**
 * A row in, items out: what the row says is read, planned and performed.
 *
 * @param key of the row in its run; absent as a tool, of which parallel calls may share one
 * @throws whatever made the row fail: `toNodeError` says it in words
 */
export async function runItem(
	context: IExecutePaginationFunctions,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
	key?: RowKey,
): Promise<RowResult> {
	const isWrite = (declared.method ?? 'GET') !== 'GET';
	const findings = isWrite && isDryRun(context) ? new Findings(context) : undefined;
	const given = readRequest(context, declared, findings?.attempt);
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout, ...settings } = readRequestOptions(context);
	const patienceMs = readPatience(context);
	const { includeInputFields } = readOptions(context);
	const includesInput = isSwitchedOn('Include Input Fields', includeInputFields);
	const own = { ...settings, timeoutMs: timeout, patienceMs };
	const connection = await connect(context, own);
	const { records, ...result } = findings
		? await looked(context, connection, given, findings)
		: await performed(context, connection, given, key);
	const pairedItem = { item: context.getItemIndex() };
	const items = records.map((record) => ({ json: asJson(record), pairedItem }));
	return { ...result, items, includesInput };
}

async function looked(
	context: IExecutePaginationFunctions,
	connection: Connection,
	given: ServiceRequest,
	findings: Findings,
): Promise<Performed> {
	const forecast = await dryRun(context, connection, given, findings);
	return { records: [forecast], outcome: 'dry run', forecast, notes: [] };
}

async function performed(
	context: IExecutePaginationFunctions,
	connection: Connection,
	given: ServiceRequest,
	key?: RowKey,
): Promise<Performed> {
	if (given.method === 'GET') return await read(context, connection, given);
	const addressed = await withRealIds(context, connection, given);
	const request = await fitted(context, connection, addressed);
	return await writeOnce(context, connection, request, key);
}

/**
 * Performs a row's write once, even if n8n runs the node again: Retry On Fail repeats every row,
 * including those that succeeded (docs/dev/n8n-facts.md, section 1). Execution, node, run, row and content
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
	return { ...done, records: structuredClone(done.records) };
}

async function write(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	key?: RowKey,
): Promise<Performed> {
	if (request.method !== 'POST') {
		const outcome = request.method === 'PATCH' ? 'updated' : 'deleted';
		const record = { ...(await change(connection, request)), outcome };
		return { records: [record], outcome: 'done', notes: [] };
	}
	const paging = readPaging(context);
	const ifExists = ifExistsOf(context);
	if (ifExists === 'create') {
		const { record } = await create(connection, request, paging, { row: key });
		return { records: [{ ...record, outcome: 'created' }], outcome: 'done', notes: [] };
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
	const { outcome, fields } = ENDS[ifExists][wasMade ? 'known' : plan.action]!;
	return {
		records: [{ ...record, ...fields }],
		outcome,
		notes: isPartlyCompared ? [{ say: () => partlyCompared(request.noun) }] : [],
	};
}

const partlyCompared = (noun: string) =>
	`The list of ${noun}s is incomplete: not all of them could be compared with your rows.`;

interface End {
	outcome: Outcome;
	/** What the item says of it. */
	fields: JsonObject;
}

const ended = (outcome: Outcome): End => ({ outcome, fields: { outcome, [outcome]: true } });

/** What a plan that was performed has come to; `known`: another execution has made it meanwhile. */
const ENDS: Record<'skip' | 'update', Partial<Record<Plan['action'] | 'known', End>>> = {
	skip: {
		create: { outcome: 'done', fields: { outcome: 'created' } },
		skip: ended('skipped'),
		known: ended('skipped'),
	},
	update: {
		create: ended('created'),
		update: ended('updated'),
		unchanged: ended('unchanged'),
		known: ended('unchanged'),
	},
};
