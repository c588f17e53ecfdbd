import {
	concurrently,
	type Connection,
	isRecord,
	type JsonObject,
	type Paging,
	readList,
	readPage,
	ServiceError,
	type ServiceRequest,
	timeOf,
} from '../client';
import * as resources from '../service';
import { identified, keyOf, newestFirst } from './records';
import { datedScans } from './scan';
import type { Listed, ListName, Scan } from './subject';

/** For how many keywords of a location scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** How lists are read. All functions that take it may throw ServiceError, as `readRecords` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
}

/** A check of a location, and what need not be read for it. */
export interface Check {
	/** Scans dated up to this moment (milliseconds) are known. */
	until: number;
	/** Called for a keyword whose scans can't be read; they are left out. */
	onFailure(error: ServiceError): void;
}

export async function readLocations(reader: Reader): Promise<JsonObject[]> {
	return identified(await readAll(reader, resources.listRequest(resources.location)));
}

/** @throws ServiceError as `readRecords` does, and `unexpected-response` for what is no list */
async function readAll(
	{ connection, paging }: Reader,
	request: ServiceRequest,
): Promise<unknown[]> {
	const { records, isList, incomplete } = await readList(connection, request, paging);
	// Without its list, everything would seem to be removed.
	if (!isList) throw new ServiceError({ kind: 'unexpected-response', request });
	// A mock says of its one example that there are more, and gives it for every page.
	const isExample = incomplete?.facts.pageParameter !== undefined && records.length === 1;
	if (incomplete && !isExample) throw incomplete;
	return records;
}

/**
 * What a comparison needs of a location.
 *
 * @param check absent: for a sample, the first page of each list and the scans of one keyword will do
 */
export async function readLists(
	reader: Reader,
	location: JsonObject,
	lists: ListName[],
	check?: Check,
): Promise<Listed> {
	const { connection, paging } = reader;
	const read = async (list: ListName, resource: resources.Resource): Promise<JsonObject[]> => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: keyOf(location) });
		if (check) return identified(await readAll(reader, request));
		const { records } = await readPage(connection, request, paging);
		return newestFirst(identified(records));
	};
	const keywords = await read('keywords', resources.keyword);
	const scanned = lists.includes('scans') ? keywords.slice(0, check ? undefined : 1) : [];
	const scansOf = (keyword: JsonObject) => async () =>
		await readScans(reader, keyword, check).catch((error: Error) => {
			if (!check || !isUnreadable(error)) throw error;
			check.onFailure(error);
			return undefined;
		});
	const scans = await concurrently(scanned.map(scansOf), CONCURRENT_KEYWORDS);
	return { location, keywords, scans, posts: await read('posts', resources.post) };
}

export function lastScannedAt({ last_scan_at: lastScan }: JsonObject): number {
	return timeOf(lastScan) ?? 0;
}

/**
 * The scans of a keyword, the latest first. Of a list that begins with the latest, one page is enough
 * if it goes back to those that are known.
 */
async function readScans(reader: Reader, keyword: JsonObject, check?: Check): Promise<Scan[]> {
	const request = resources.listRequest(resources.rankScan, { keywordId: keyOf(keyword) });
	const { records, meta } = await readPage(reader.connection, request, reader.paging);
	const isEnough = !check || meta.total === records.length || goesBack(records, check.until);
	const all = isEnough ? records : await readAll(reader, request);
	return datedScans(all.filter(isRecord));
}

/** Whether a list shows that it begins with the latest scan, and goes back to those that are known. */
function goesBack(records: unknown[], until: number): boolean {
	const times = records
		.filter(isRecord)
		.flatMap((record) => datedScans([record]).map(({ at }) => at));
	const steps = times.slice(1).map((time, index) => time - times[index]);
	// One scan does not show the order, nor do several of the same time.
	const isLatestFirst = steps.every((step) => step <= 0) && steps.some((step) => step < 0);
	return isLatestFirst && times[times.length - 1] <= until;
}

/** Kinds of errors that say nothing of a list: it was not asked for, and can be later. */
const NOT_SENT: Array<ServiceError['kind']> = ['rate-limited', 'not-sent', 'cancelled'];

/** Whether an error says that something can't be read, while others may be readable. */
export function isUnreadable(error: Error): error is ServiceError {
	return error instanceof ServiceError && !NOT_SENT.includes(error.kind);
}
