import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	getOrMake,
	idOf,
	isRecord,
	jsonBytes,
	type Paging,
	readPage,
	readRecords,
	ServiceError,
} from '../client';
import { PerAccount } from '../host/accounts';
import { listRequest, location } from '../service';
import { readPaging } from './readRequest';
import { nameByWhichFound } from './realIds';
import { rowsInRun } from './rowValues';
import { runKeyOf } from './runKey';

const MAX_BYTES = 16 * 1024 * 1024;

/** The names of an account's locations by ID; undefined if the list is not worth reading. */
type Names = Map<string, string> | undefined;

/** By run: the list is read once per run, not once per row. */
const names = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Names>>({ maxBytes: MAX_BYTES, forgetAfterMs: 3_600_000 }, clock),
);

/**
 * The name of a location, at the least cost: from the row, if it is the location's record (as after
 * Get Many); else from the list in which it was found by its name; else from the list of locations,
 * which a run with many rows reads once; else from the location itself. Undefined if it can't be
 * read: a row is worth more than the name in it.
 */
export async function readLocationName(
	context: IExecutePaginationFunctions,
	connection: Connection,
	id: string,
): Promise<string | undefined> {
	const own = nameInRow(context, id) ?? (await nameByWhichFound(context, connection, id));
	if (own !== undefined) return own;
	const listed = await namesInRun(context, connection);
	if (listed) return listed.get(id);
	const path = `${location.listPath}/{locationId}`;
	const request = { ...listRequest(location), path, ids: { locationId: id } };
	const [record] = await readRecords(connection, request, readPaging(context)).catch(noneIfFailed);
	return nameOf(record);
}

function noneIfFailed(error: unknown): [] {
	if (error instanceof ServiceError) return [];
	throw error;
}

function nameInRow(context: IExecutePaginationFunctions, id: string): string | undefined {
	const { json: row } = context.getInputData();
	// An item of the trigger holds the location inside.
	return nameOf([row, row.location].find((record) => idOf(record) === id));
}

function nameOf(record: unknown): string | undefined {
	const name = isRecord(record) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

/** The names of all locations, where a run with many rows is worth reading their list. */
export async function namesInRun(
	context: IExecutePaginationFunctions,
	connection: Connection,
): Promise<Names> {
	const run = runKeyOf(context);
	const rows = rowsInRun(context);
	if (run === undefined || rows === 1) return undefined;
	const paging = readPaging(context);
	const read = async () => await readNames(connection, rows, paging).catch(noNamesIfFailed);
	const sizeOf = (listed: Names) => jsonBytes([...(listed ?? [])]);
	return await getOrMake(names.of(connection.account), run, read, sizeOf);
}

/** Undefined where asking for each location takes fewer requests, or is all that is left. */
async function readNames(connection: Connection, rows: number, paging: Paging): Promise<Names> {
	const request = listRequest(location);
	const { records, meta } = await readPage(connection, request, paging);
	if ((meta.total ?? 0) / records.length > rows) return undefined;
	const listed = await readRecords(connection, request, paging);
	const entries = listed.flatMap((record): Array<[string, string]> => {
		const [id, name] = [idOf(record), nameOf(record)];
		return id === undefined || name === undefined ? [] : [[id, name]];
	});
	return jsonBytes(entries) > MAX_BYTES ? undefined : new Map(entries);
}

/** A list that does not add up says nothing about its records; any other failure would be theirs, too. */
function noNamesIfFailed(error: unknown): Names {
	if (!(error instanceof ServiceError)) throw error;
	return error.kind === 'incomplete-list' ? undefined : new Map();
}
