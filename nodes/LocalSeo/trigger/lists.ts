import {
	concurrently,
	type Connection,
	isIdentified,
	type JsonObject,
	type Paging,
	readList,
	readPage,
	ServiceError,
	type ServiceRequest,
} from '../client';
import * as resources from '../service';
import { isRateLimit } from '../text/messages';
import { capitalized } from '../text/words';
import { idIn, newestFirst } from './records';
import { datedScans } from './scan';
import type { Listed, ListName, Scan } from './subject';

/** For how many keywords of a location scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** Of how many keywords of a location the scans are read for a sample. */
export const SAMPLED_KEYWORDS = 5;

/** How lists are read. All functions that take it may throw ServiceError, as `readRecords` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
	/** What was left out of them and why: sentences without a full stop, each once. */
	notes: Set<string>;
}

/** A check of a location, and what need not be read for it. */
export interface Check {
	/** Scans dated up to this moment (milliseconds) are known. */
	until: number;
	/** Called for a keyword whose scans can't be read; they are left out. */
	onFailure(error: Error): void;
}

export async function readLocations(reader: Reader): Promise<JsonObject[]> {
	const { location } = resources;
	return identified(reader, location, await readAll(reader, resources.listRequest(location)));
}

/** Records that have an ID; others can't be recognized. */
function identified(
	{ notes }: Reader,
	{ noun }: resources.Resource,
	records: unknown[],
): JsonObject[] {
	const found = records.filter(isIdentified);
	if (found.length < records.length) {
		notes.add(`${capitalized(noun)}s without an ID are left out: they can't be recognized`);
	}
	return found;
}

/** @throws ServiceError as `readRecords` does, and `unexpected-response` for what is no list */
async function readAll(
	{ connection, paging, notes }: Reader,
	request: ServiceRequest,
): Promise<unknown[]> {
	const { records, isList, incomplete, isFirstPageOnly } = await readList(
		connection,
		request,
		paging,
	);
	// Without its list, everything would seem to be removed.
	if (!isList) throw new ServiceError({ kind: 'unexpected-response', request });
	// A mock says of its one example that there are more, and gives it for every page.
	const isExample = incomplete?.facts.pageParameter !== undefined && records.length === 1;
	if (incomplete && !isExample) throw incomplete;
	if (isExample) {
		notes.add(`The service says that there are more ${request.noun}s than the one that it gives`);
	}
	if (isFirstPageOnly) {
		notes.add(
			`The service refused the second page of ${request.noun}s, so those of the first page are watched`,
		);
	}
	return records;
}

/**
 * What a comparison needs of a location.
 *
 * @param check absent: for a sample, the first page of each list and the scans of some keywords will do
 */
export async function readLists(
	reader: Reader,
	location: JsonObject,
	lists: ListName[],
	check?: Check,
): Promise<Listed> {
	const read = async (list: ListName, resource: resources.Resource): Promise<JsonObject[]> => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: idIn(location) });
		if (check) return identified(reader, resource, await readAll(reader, request));
		const { records } = await readPage(reader.connection, request, reader.paging);
		return newestFirst(identified(reader, resource, records));
	};
	const keywords = await read('keywords', resources.keyword);
	let isComplete = true;
	const scanned = lists.includes('scans')
		? keywords.slice(0, check ? undefined : SAMPLED_KEYWORDS)
		: [];
	const scansOf = (keyword: JsonObject) => async () =>
		await readScans(reader, keyword, check).catch((error: Error) => {
			if (!check || !isUnreadable(error)) throw error;
			check.onFailure(error);
			isComplete = false;
			return [];
		});
	const scans = (await concurrently(scanned.map(scansOf), CONCURRENT_KEYWORDS))
		.flat()
		.sort((a, b) => b.at - a.at);
	return { location, keywords, scans, isComplete, posts: await read('posts', resources.post) };
}

/**
 * The scans of a keyword. Of a list that begins with the latest, one page is enough if it goes back to
 * those that are known.
 */
async function readScans(reader: Reader, keyword: JsonObject, check?: Check): Promise<Scan[]> {
	const request = resources.listRequest(resources.rankScan, { keywordId: idIn(keyword) });
	const { records, meta } = await readPage(reader.connection, request, reader.paging);
	const first = datedScans(records, keyword);
	const isEnough = !check || meta.total === records.length || goesBack(first, check.until);
	const all = isEnough ? records : await readAll(reader, request);
	const scans = isEnough ? first : datedScans(all, keyword);
	if (scans.length < all.length) {
		reader.notes.add(
			"Rank scans without a date are left out: they can't be told apart from old ones",
		);
	}
	return scans;
}

/** Whether a list shows that it begins with the latest scan, and goes back to those that are known. */
function goesBack(scans: Scan[], until: number): boolean {
	const steps = scans.slice(1).map(({ at }, index) => at - scans[index].at);
	// One scan does not show the order, nor do several of the same time.
	const isLatestFirst = steps.every((step) => step <= 0) && steps.some((step) => step < 0);
	return isLatestFirst && scans[scans.length - 1].at <= until;
}

/** Whether the service refuses all requests for now. */
export function isRefusedForNow(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	return error.kind === 'not-sent' || isRateLimit(error.facts);
}

/** Whether the service is there, and refuses or does not respond for now. */
export function isForNow(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	const isOwnFault = kind === 'rejected' && status >= 500;
	return isOwnFault || isRefusedForNow(error) || ['timeout', 'connection-lost'].includes(kind);
}

/** Kinds of errors that say nothing of a list: it was not asked for, and can be later. */
const NOT_SENT: Array<ServiceError['kind']> = ['rate-limited', 'not-sent', 'cancelled'];

/** Whether an error says that something can't be read, while others may be readable. */
export function isUnreadable(error: Error): boolean {
	return !(error instanceof ServiceError && NOT_SENT.includes(error.kind));
}
