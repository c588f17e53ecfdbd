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
import { resourceOf } from '../resources';
import { type Became, becameOf } from './became';
import { dryRun, type Plan } from './dryRun';
import { failedItem, messageOfRow } from './failedItem';
import { fieldsInThePast, fieldsWithoutDate } from './fieldChecks';
import { Findings } from './findings';
import { withInputFields } from './inputFields';
import { type IfExists, ifExistsOf, isDryRun, readOptions } from './options';
import type { Note } from './note';
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
		const items = await runItem(this, () => requestData.options as DeclaredRequest);
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
	/** Told what would become of the row, where it is only looked at. */
	plans?: (plan: Plan) => void;
	/** Told what became of the row, where its record may exist already. */
	becomes?: (became: Became) => void;
	/** Told what a user should know of the row's result. */
	notes?: (note: Note) => void;
}

/**
 * Returns one item per record, each paired with its input item.
 *
 * @throws whatever made the row fail: `toNodeError` says it in words
 */
export async function runItem(
	context: IExecutePaginationFunctions,
	declare: () => DeclaredRequest,
	{ key, uses, looking, becomes, plans, notes }: RowRun = {},
): Promise<INodeExecutionData[]> {
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
	const work = async (connected: Connection) => {
		uses?.(connected.account);
		if (findings) {
			const plan = await dryRun(context, connected, given, findings);
			plans?.(plan);
			return [plan];
		}
		const request = await withRealIds(context, connected, given);
		return request.method === 'GET'
			? await read(context, connected, request, notes)
			: await write(context, connected, request, { key, notes });
	};
	const records = await work(connection).catch(async (error: Error) => {
		if (!(error instanceof ServiceError && error.facts.isUnsent)) throw withUndated(error);
		// While this row waited, another one learned that the key is refused: it may have been replaced.
		const again = await open();
		if (again.account === connection.account) throw error;
		return await work(again);
	});
	const became = given.method === 'POST' && becameOf(records, ifExistsOf(context));
	if (became) becomes?.(became);
	const pairedItem = { item: context.getItemIndex() };
	return records.map((record) => ({ json: asJson(record), pairedItem }));
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
	notes?: RowRun['notes'],
): Promise<unknown[]> {
	const { records, incomplete, isFirstPageOnly } = await readList(
		connection,
		request,
		readPaging(context),
	);
	if (incomplete) throw incomplete;
	if (isFirstPageOnly) notes?.('first-page');
	const { leadingFields, tables } = resourceOf(context.getNodeParameter('resource'));
	if (tables) return await tableOf(context, connection, request, records.map(asJson));
	const { simplify } = readOptions(context);
	return simplify && leadingFields ? simplified(records, leadingFields) : records;
}

/** Whatever was created before. */
const createAnother: typeof createUnlessMade = async (...request) => ({
	record: await create(...request),
	wasMade: false,
});

/** By what is done with a record that already exists. */
const CREATES: Record<IfExists, typeof upsert> = {
	create: async (_context, _connection, _request, send) => [(await send.create()).record],
	skip: skipExisting,
	update: upsert,
};

async function write(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	{ key, notes }: RowRun,
): Promise<unknown[]> {
	return await writeOnce(context, connection.account, request, async () => {
		await requireKnownColumn(context, connection, request);
		if (request.method === 'POST') {
			const isLate = fieldsInThePast(connection, request).length > 0;
			const ifExists = ifExistsOf(context);
			const paging = readPaging(context);
			const send = ifExists === 'create' ? createAnother : createUnlessMade;
			const records = await CREATES[ifExists](context, connection, request, {
				create: async () => await send(connection, request, paging, key),
				change: async (update) => await change(connection, update),
				notes,
			});
			if (isLate && becameOf(records, ifExists) === undefined) notes?.('late');
			return records;
		}
		return [await change(connection, request)];
	});
}

function asJson(record: unknown): IDataObject {
	return isRecord(record) ? (record as IDataObject) : { value: record as IDataObject['value'] };
}
