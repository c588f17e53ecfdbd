import {
	concurrently,
	type Connection,
	idOf,
	isIdentified,
	isRecord,
	type JsonObject,
	type Paging,
	readCompleteList,
	readData,
	readPage,
	ServiceError,
} from '../client';
import { listRequest, location, operationOf, rankScan, type Resource } from '../resources';
import { InputError } from '../text/inputError';
import { isRateLimitError } from '../text/messages';
import { asValue, capitalized, listed } from '../text/words';
import { idIn } from './known';
import { lacksTime, overScans, type Scan } from './scans';
import type { Settings } from './settings';

/** The most picked locations that are requested concurrently. */
const CONCURRENT = 8;
/** The most fields in a message. */
const MAX_FIELDS = 20;

/** Everything that reading needs. Functions that take it throw ServiceError as `readCompleteList` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
	settings: Settings;
	/** The time by the service's clock (ms). */
	now(): number;
	/** Lines for n8n's log: sentences without a period, none twice. */
	notes: Set<string>;
}

/** The records of a list that have an ID; others can't be recognized. */
export async function readRecords(
	reader: Reader,
	resource: Resource,
	ids: Record<string, string> = {},
): Promise<JsonObject[]> {
	const { connection, paging } = reader;
	const records = await readCompleteList(connection, listRequest(resource, ids), paging);
	return identified(reader, resource, records);
}

/** The same of the first page alone. */
export async function readFirst(
	reader: Reader,
	resource: Resource,
	ids: Record<string, string> = {},
): Promise<JsonObject[]> {
	const page = await readPage(reader.connection, listRequest(resource, ids), reader.paging);
	return identified(reader, resource, page!.records);
}

function identified({ notes }: Reader, { noun }: Resource, records: unknown[]): JsonObject[] {
	const found = records.filter(isIdentified);
	if (found.length < records.length) {
		notes.add(`${capitalized(noun)}s without an ID are left out: they can't be recognized`);
	}
	return found;
}

/** Reads picked locations one by one, a request each; `failures` says by ID why others could not be read. */
export async function readPicked(
	{ connection, paging }: Reader,
	picked: string[],
): Promise<{ locations: JsonObject[]; failures: Map<string, Error> }> {
	const failures = new Map<string, Error>();
	const { method, url: path } = operationOf(location, 'get').routing.request;
	const jobs = picked.map((id) => async (): Promise<JsonObject[]> => {
		const request = { method, path, ids: { locationId: id }, query: {}, noun: location.noun };
		try {
			const record = (await readData(connection, request, paging)).data as JsonObject;
			return [idOf(record) === id ? record : { ...record, id }];
		} catch (error) {
			failures.set(id, error as Error);
			return [];
		}
	});
	return { locations: (await concurrently(jobs, CONCURRENT)).flat(), failures };
}

/**
 * The scans of a keyword that are over, in the order of `overScans`. They are read to the end, because
 * lists may be in any order.
 *
 * @throws InputError if none has a time that can be read
 */
export async function readScans(
	{ connection, paging, settings, now }: Reader,
	keyword: JsonObject,
): Promise<{ scans: Scan[]; isRunning: boolean }> {
	const request = listRequest(rankScan, { keywordId: idIn(keyword) });
	const records = await readCompleteList(connection, request, paging);
	const scans = overScans(records, settings, now());
	const timeless = records.filter(isRecord).find((record) => lacksTime(record, settings));
	if (timeless && scans.length === 0) {
		const fields = listed(Object.keys(timeless), MAX_FIELDS);
		throw new InputError(
			`No time of a rank scan can be read in ${asValue(settings.scanTimeField)}`,
			`A scan has: ${fields}. Name the field with the time at which it was over, such as 2026-11-20T09:00:00Z, in 'Scan Time Field' under Options.`,
		);
	}
	return { scans, isRunning: scans.length < records.length };
}

/** True if an error says nothing about a list: the service refuses everything for now, or the time is over. */
export function isOfAll(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	return ['cancelled', 'not-sent'].includes(error.kind) || isRateLimitError(error.facts);
}
