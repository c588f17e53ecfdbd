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
import * as resources from '../resources';
import { isRateLimitError } from '../text/messages';
import { capitalized } from '../text/words';
import { idIn, newestFirst } from './records';
import { datedScans, isOver, isScanning } from './scan';
import type { Listed, ListName, Scan } from './subject';

/** The most keywords of a location whose scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** The most keywords of a location whose scans are read for a sample. */
export const SAMPLED_KEYWORDS = 5;

/**
 * Everything that reading lists needs. Functions that take it may throw ServiceError like `readCompleteList`.
 */
export interface Reader {
	connection: Connection;
	paging: Paging;
	/** Says what was left out of the lists and why: sentences without a period, none twice. */
	notes: Set<string>;
}

/** Limits what a check of a location reads, and handles its failures. */
export interface Check {
	/** Scans dated up to this time (ms) are known. */
	until: number;
	/** Scans that began between these times (ms) may go on. */
	goingOn: { since: number; now: number };
	/** Called for a keyword whose scans can't be read; they are left out. */
	onFailure(error: Error): void;
}

export async function readLocations(reader: Reader): Promise<JsonObject[]> {
	const { location } = resources;
	return identified(reader, location, await readAll(reader, resources.listRequest(location)));
}

/** Keeps the records that have an ID; others can't be recognized. */
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

/** @throws ServiceError as `readCompleteList` does */
async function readAll(
	{ connection, paging, notes }: Reader,
	request: ServiceRequest,
): Promise<unknown[]> {
	const { records, incomplete, endsWithRepeat } = await readList(connection, request, paging);
	if (incomplete) throw incomplete;
	if (endsWithRepeat) {
		notes.add(
			`The service returned a page of ${request.noun}s again in place of the next one, so those that came are watched`,
		);
	}
	return records;
}

/**
 * Reads the lists of a location that a comparison needs.
 *
 * @param check absent for a sample: it reads the first page of each list, and the scans of some
 * keywords
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
		const first = await readPage(reader.connection, request, reader.paging);
		return newestFirst(identified(reader, resource, first!.records));
	};
	const keywords = await read('keywords', resources.keyword);
	let isComplete = true;
	let isAnyGoingOn = false;
	const scanned = lists.includes('scans')
		? keywords.slice(0, check ? undefined : SAMPLED_KEYWORDS)
		: [];
	const scansOf = (keyword: JsonObject) => async () =>
		await readScans(reader, keyword, check).then(
			({ scans, isGoingOn }) => {
				isAnyGoingOn ||= isGoingOn;
				return scans;
			},
			(error: Error) => {
				if (!check || !isUnreadable(error)) throw error;
				check.onFailure(error);
				isComplete = false;
				return [];
			},
		);
	const scans = (await concurrently(scanned.map(scansOf), CONCURRENT_KEYWORDS))
		.flat()
		.sort((a, b) => b.at - a.at);
	const posts = await read('posts', resources.post);
	return { location, keywords, scans, isComplete, isScanning: isAnyGoingOn, posts };
}

/**
 * Reads the scans of a keyword. If its list begins with the latest, the first page is enough as soon as
 * it reaches scans that are known.
 */
async function readScans(
	reader: Reader,
	keyword: JsonObject,
	check?: Check,
): Promise<{ scans: Scan[]; isGoingOn: boolean }> {
	const request = resources.listRequest(resources.rankScan, { keywordId: idIn(keyword) });
	const page = await readPage(reader.connection, request, reader.paging);
	const { records, total } = page!;
	const first = datedScans(records, keyword);
	const isAll = total === records.length;
	const isEnough = !check || isAll || reachesKnownScans(first, check.until);
	const all = isEnough ? records : await readAll(reader, request);
	const scans = isEnough ? first : datedScans(all, keyword);
	if (scans.length < all.filter(isOver).length) {
		reader.notes.add(
			"Rank scans without a date are left out: they can't be told apart from old ones",
		);
	}
	const isGoingOn = check !== undefined && all.some((one) => isScanning(one, check.goingOn));
	return { scans, isGoingOn };
}

/** True if a page shows that its list begins with the latest scan, and reaches scans that are known. */
function reachesKnownScans(scans: Scan[], until: number): boolean {
	const steps = scans.slice(1).map(({ at }, index) => at - scans[index].at);
	// One scan does not show the order, nor do several of the same time.
	const isLatestFirst = steps.every((step) => step <= 0) && steps.some((step) => step < 0);
	return isLatestFirst && scans[scans.length - 1].at <= until;
}

/** True if the service refuses all requests for now. */
export function isRefusingAll(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	return error.kind === 'not-sent' || isRateLimitError(error.facts);
}

/** True if the service is reachable, but refuses or does not respond for now. */
export function isTemporary(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status } = error;
	const isOwnFault = kind === 'rejected' && status >= 500;
	return isOwnFault || isRefusingAll(error) || ['timeout', 'connection-lost'].includes(kind);
}

/** Errors that say nothing about a list: it was not requested, and can be later. */
const NOT_SENT: Array<ServiceError['kind']> = ['rate-limited', 'not-sent', 'cancelled'];

/** True if this list can't be read, while others may be readable. */
export function isUnreadable(error: Error): boolean {
	return !(error instanceof ServiceError && NOT_SENT.includes(error.kind));
}
