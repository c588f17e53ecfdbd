import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import {
	concurrently,
	MAX_IN_FLIGHT,
	duringRun,
	readOnly,
	ServiceError,
	systemClock,
	withOwnSignal,
} from '../client';
import { connect, SharedCredential } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readBatchDelay, readRequestOptions } from '../host/requestSettings';
import {
	isWrite,
	operationOf,
	type Operation,
	type Resource,
	resourceOf,
	resources,
} from '../resources';
import { Batch } from './batch';
import { get } from './get/get';
import { asJson, type Item } from './item';
import { messageOf } from './labels';
import type { Performed } from './outcome';
import { Question } from './plan/asked';
import { plan } from './plan/plan';
import { credentialOf, SeveralCredentials } from './read/credential';
import { isSameForAll } from './read/expressions';
import { type Row, readRow } from './read/row';
import type { Options } from './read/parameters';
import { placeOf, rowContexts, sourceOf } from './read/source';
import { hintsOf, onceHint, stopOf } from './report/hints';
import { failedItem, withColumns } from './report/items';
import { inTable, type RowResult, type Run } from './report/results';
import { forecast } from './write/forecast';
import { Unproved } from './write/proof';
import { write } from './write/write';

type Context = IExecutePaginationFunctions;

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request is sent, and can return nothing besides
 * items; here it is evaluated once, and hints explain the results. For each row both do the same
 * (`runRow`): as a tool of an agent, the node is run by the routing (docs/dev/architecture.md, "Two ways
 * through the node").
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
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { parameters, onError } = this.getNode();
		const items = this.getInputData() as Item[];
		const isOnce = isSameForAll(parameters as Item['json'], resource, operation);
		const contextOf = rowContexts(this);
		const rows = isOnce ? items.slice(0, 1) : items;
		const read = await readRows(
			this,
			rows.map((_, index) => contextOf(index)),
			resource,
			operation,
		);
		const batch = new Batch(read.filter((row): row is Row => !(row instanceof Error)));
		const delayOf = readBatchDelay(this);
		const startedAt = systemClock.now();
		const credential = await credentialOf(read, contextOf).catch((error: Error) => error);
		const jobs = read.map((row, index) => async (): Promise<RowResult> => {
			const context = contextOf(index);
			try {
				if (row instanceof Error) throw row;
				if (credential instanceof Error) throw credential;
				const delay = startedAt + delayOf(index) - systemClock.now();
				if (delay > 0) {
					const { signal } = withOwnSignal({ signal: this.getExecutionCancelSignal() });
					await systemClock.sleep(delay, signal);
				}
				return resultOf(row, await runRow(row, batch, context, credential));
			} catch (thrown) {
				return failed(context, thrown);
			}
		});
		const hasErrorOutput = onError === 'continueErrorOutput';
		// As in the routing, all rows are processed before the first failure stops the node.
		const all = async () => await concurrently(jobs, 2 * MAX_IN_FLIGHT);
		const own = inTable(
			credential instanceof Error
				? await all()
				: await duringRun(credential.account, batch.rows[0]?.run, all),
			hasErrorOutput,
		);
		// A reading that is the same for all items is told for each of them if it failed.
		const isFailedOnce = isOnce && own[0]?.failure !== undefined;
		const ends = isFailedOnce
			? items.map((_, index) => failed(contextOf(index), own[0].failure))
			: own;
		const run: Run = {
			...{ resource, operation, ends, hasErrorOutput },
			rows: isFailedOnce ? items : rows,
			// Read unresolved: an expression that fails here must not lose the results.
			isRepeatable: parameters.ifExists !== 'create',
			isFiltered: Boolean((parameters.options as Options | undefined)?.queryParameters),
			zone: this.getTimezone(),
		};
		const stop = this.continueOnFail() ? undefined : stopOf(run);
		if (stop) {
			const { failure, words } = stop;
			// n8n's own "[item 0]" would be a second number for the row.
			delete (failure as ReturnType<typeof toNodeError>).context.itemIndex;
			throw Object.assign(failure, words);
		}
		const hints = [...hintsOf(run), ...onceHint(items, run.rows)];
		if (hints.length > 0) {
			this.addExecutionHints(
				...hints.map((message) => ({ message, location: 'outputPane' as const })),
			);
		}
		return [ends.flatMap((end, index) => itemsOf(contextOf(index), end))];
	};
}

/** Rows that are read before others in the process have their turn. */
const AT_A_TIME = 100;

/** Reads all rows before the first one is sent: some questions are about all of them. */
async function readRows(
	context: IExecuteFunctions,
	contexts: Context[],
	resource: Resource,
	operation: Operation,
): Promise<Array<Row | Error>> {
	const rows: Array<Row | Error> = [];
	for (const own of contexts) {
		if (rows.length % AT_A_TIME === AT_A_TIME - 1) {
			await systemClock.sleep(0, context.getExecutionCancelSignal());
		}
		try {
			rows.push(readRow(sourceOf(own), resource, operation, false));
		} catch (thrown) {
			rows.push(thrown as Error);
		}
	}
	return rows;
}

/**
 * Runs the operation for one item when the node is run by n8n's routing: as a tool. It is declared as
 * the pagination function, because that is where the routing hands over whole requests, including
 * writes (docs/dev/n8n-facts.md, section 3).
 */
export async function runRouted(this: Context): Promise<INodeExecutionData[]> {
	try {
		const resource = resourceOf(this.getNodeParameter('resource'));
		const operation = operationOf(resource, this.getNodeParameter('operation'));
		const row = readRow(sourceOf(this), resource, operation, true);
		const credential = await SharedCredential.of(this);
		const performed = await duringRun(
			credential.account,
			row.key?.run,
			async () => await runRow(row, new Batch([row]), this, credential),
		);
		return itemsOf(this, resultOf(row, performed));
	} catch (thrown) {
		const failure = toNodeError(this, thrown);
		const place = placeOf(this);
		if (this.continueOnFail()) return [failedItem(place, failure) as INodeExecutionData];
		failure.message = messageOf(place.rows, [place.index], failure.message);
		throw failure;
	}
}

/**
 * The way of a row: what it asks for is read, or a plan is made for it, which a dry run tells and a run
 * carries out, once even if n8n runs the node again.
 *
 * @throws whatever makes the row fail: `toNodeError` says it in words
 */
async function runRow(
	row: Row,
	batch: Batch,
	context: Context,
	credential: SharedCredential,
): Promise<Performed> {
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout: timeoutMs, ...settings } = readRequestOptions(context);
	const { patienceMs } = row;
	const how = { ...settings, timeoutMs, patienceMs, credential };
	const connected = await connect(context, how);
	const connection = row.isDryRun ? readOnly(connected) : connected;
	if (!isWrite(row.operation)) return await get(row, batch, connection);
	const carryOut = async (how: typeof write): Promise<Performed> => {
		const planned = await plan(row, batch, connection);
		const performed = await how(planned, batch, connection);
		return { ...performed, notes: [...performed.notes, ...planned.notes] };
	};
	if (row.isDryRun) return await carryOut(forecast);
	return await carryOut(write);
}

function resultOf(row: Row, { records, ...result }: Performed): RowResult {
	const pairedItem = { item: row.item };
	// A copy: whoever changes an item does not change what is remembered of the row.
	const own = isWrite(row.operation) ? (JSON.parse(JSON.stringify(records)) as unknown[]) : records;
	const items = own.map((record) => ({ json: asJson(record), pairedItem }));
	return { ...result, items, includesInput: row.includesInput };
}

function failed(context: Context, thrown: unknown): RowResult {
	const failure = toNodeError(context, thrown);
	return {
		...{ items: [failedItem(placeOf(context), failure)], includesInput: false, outcome: 'failed' },
		...{ failure, notes: [] },
		isUnclear: thrown instanceof ServiceError && thrown.kind === 'unconfirmed',
		isAsked: [Question, Unproved, SeveralCredentials].some((kind) => thrown instanceof kind),
	};
}

/** The items of a row, with its own columns beside the result where the option says so. */
function itemsOf(
	context: Context,
	{ items, includesInput, forecast: foreseen }: RowResult,
): INodeExecutionData[] {
	if (!includesInput && !foreseen) return items as INodeExecutionData[];
	const place = placeOf(context);
	if (foreseen?.action === 'invalid' && place.hasErrorOutput) {
		const { problem: message = '', advice: description } = foreseen;
		return [failedItem(place, { message, description }) as INodeExecutionData];
	}
	if (!includesInput) return items as INodeExecutionData[];
	const { json } = place.rows[place.index];
	const isDryRun = foreseen !== undefined;
	// An item that holds nothing but an error leaves by the error output: n8n adds the columns itself.
	const isApart = ({ json: own }: Item) =>
		place.hasErrorOutput && Object.keys(own).join() === 'error';
	return items.map((item) =>
		isApart(item) ? item : { ...item, json: withColumns(json, item.json, isDryRun) },
	) as INodeExecutionData[];
}
