import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import {
	type Account,
	change,
	type Connection,
	create,
	createUnlessMade,
	isRecord,
	readList,
	type RowKey,
	ServiceError,
	type ServiceRequest,
	type Stopwatch,
} from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readRequestOptions } from '../host/requestSettings';
import { resourceOf } from '../service';
import { type Became, saidOf } from './became';
import { dryRun, type Plan } from './dryRun';
import { failedItem, messageOfRow } from './failedItem';
import { fieldsInThePast, fieldsWithoutDate } from './fieldChecks';
import { Findings } from './findings';
import { withInputFields } from './inputFields';
import type { Done, Sending } from './matching';
import type { Note } from './note';
import { type IfExists, ifExistsOf, isDryRun, readOptions } from './options';
import { readPaging, readPatience, readRequest } from './readRequest';
import { withRealIds } from './realIds';
import { requireKnownColumn } from './requireKnownColumn';
import { simplified } from './simplify';
import { skipExisting } from './skipExisting';
import { tableOf } from './table';
import { upsert } from './upsert';
import { writeOnce } from './writeOnce';

/** What an operation declares, with the domains to which n8n restricts the credential. */
export type DeclaredRequest = DeclarativeRestApiSettings.HttpRequestOptions &
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
		const { items } = await runItem(this, () => requestData.options as DeclaredRequest);
		return readOptions(this).includeInputFields
			? withInputFields(this.getInputData(), items)
			: items;
	} catch (thrown) {
		const failure = toNodeError(this, thrown);
		if (this.continueOnFail()) return [failedItem(this, failure)];
		failure.message = messageOfRow(this, failure.message);
		throw failure;
	}
}

/** What a row knows of the run that it belongs to. */
export interface RowRun {
	key?: RowKey;
	/** Told which account the row is sent with. */
	uses?: (account: Account) => void;
	/** Measures the time for which creates in doubt look for their records. */
	looking?: Stopwatch;
}

/** What a row came to. */
export interface RowResult {
	/** One item per record, each paired with its input item. */
	items: INodeExecutionData[];
	/** What became of it, where its record may have existed already. */
	became?: Became;
	/** What would become of it, where it was only looked at. */
	plan?: Plan;
	/** What a user should know of its result. */
	notes: Note[];
}

/** What a row came to, before it becomes items. */
type Outcome = Omit<RowResult, 'items'> & { records: unknown[] };

/** @throws whatever made the row fail: `toNodeError` says it in words */
export async function runItem(
	context: IExecutePaginationFunctions,
	declare: () => DeclaredRequest,
	{ key, uses, looking }: RowRun = {},
): Promise<RowResult> {
	const declared = declare();
	const isWrite = (declared.method ?? 'GET') !== 'GET';
	const findings = isWrite && isDryRun(context) ? new Findings(context) : undefined;
	const given = readRequest(context, declared, findings?.attempt);
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout, ...settings } = readRequestOptions(context);
	const open = async () => {
		const { allowedDomains } = declared;
		const patienceMs = readPatience(context);
		const own = { ...settings, allowedDomains, timeoutMs: timeout, patienceMs };
		return { ...(await connect(context, own)), looking };
	};
	const connection = await open();
	const work = async (connected: Connection): Promise<Outcome> => {
		uses?.(connected.account);
		if (findings) {
			const plan = await dryRun(context, connected, given, findings);
			return { records: [plan], plan, notes: [] };
		}
		const request = await withRealIds(context, connected, given);
		return request.method === 'GET'
			? await read(context, connected, request)
			: await writeOnce(context, connected.account, request, async () => {
					return await write(context, connected, request, key);
				});
	};
	const { records, ...outcome } = await work(connection).catch(async (error: Error) => {
		if (!(error instanceof ServiceError && error.facts.isUnsent)) throw withUndated(error);
		// While this row waited, another one learned that the key is refused: it may have been replaced.
		const again = await open();
		if (again.account === connection.account) throw error;
		return await work(again);
	});
	const pairedItem = { item: context.getItemIndex() };
	return { ...outcome, items: records.map((record) => ({ json: asJson(record), pairedItem })) };
}

/** What the service has refused as invalid may be a date in a form that it does not read. */
function withUndated(error: Error): Error {
	if (!(error instanceof ServiceError) || ![400, 422].includes(error.facts.status ?? 0))
		return error;
	return new ServiceError({ ...error.facts, undated: fieldsWithoutDate(error.request) });
}

async function read(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Outcome> {
	const list = await readList(connection, request, readPaging(context));
	if (list.incomplete) throw list.incomplete;
	const records = await inForm(context, connection, request, list.records);
	return { records, notes: list.isFirstPageOnly ? ['first-page'] : [] };
}

/** Records in the form that the parameters ask for. */
async function inForm(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	records: unknown[],
): Promise<unknown[]> {
	const { leadingFields, tables } = resourceOf(context.getNodeParameter('resource'));
	if (tables) return await tableOf(context, connection, request, records.map(asJson));
	const { simplify } = readOptions(context);
	return simplify && leadingFields ? simplified(records, leadingFields) : records;
}

async function write(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	key?: RowKey,
): Promise<Outcome> {
	if (request.method !== 'POST') {
		await requireKnownColumn(context, connection, request);
		return { records: [await change(connection, request)], notes: [] };
	}
	const ifExists = ifExistsOf(context);
	const isLate = fieldsInThePast(connection, request).length > 0;
	const paging = readPaging(context);
	const send: Sending = {
		create: async () =>
			ifExists === 'create'
				? { record: await create(connection, request, paging, key) }
				: await createUnlessMade(connection, request, paging, key),
		change: async (update) => await change(connection, update),
	};
	const done = await CREATES[ifExists](context, connection, request, send);
	const became = saidOf(done.became, ifExists);
	return {
		records: [became ? { ...done.record, [became]: true } : done.record],
		became,
		notes: [
			...(isLate && done.became === 'created' ? ['late' as const] : []),
			...(done.isPartlyCompared ? ['partly-compared' as const] : []),
		],
	};
}

/** By what is done with a record that already exists. */
const CREATES: Record<IfExists, typeof upsert> = {
	create: createAnother,
	skip: skipExisting,
	update: upsert,
};

async function createAnother(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	send: Sending,
): Promise<Done> {
	await requireKnownColumn(context, connection, request);
	return { ...(await send.create()), became: 'created' };
}

function asJson(record: unknown): IDataObject {
	return isRecord(record) ? (record as IDataObject) : { value: record as IDataObject['value'] };
}
