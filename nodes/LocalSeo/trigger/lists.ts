import {
	Collection,
	concurrently,
	type Connection,
	createdAt,
	idOf,
	isIdentified,
	isRecord,
	type JsonObject,
	type Paging,
	readPage,
	readRecords,
	timeOf,
} from '../client';
import * as resources from '../resources';
import { datedScans } from './scan';
import type { Listed, ListName, Scan } from './subject';

/** For how many keywords of a location scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** How lists are read. All functions that take it may throw ServiceError, as `readRecords` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
}

/** The locations of the account; one without an ID can't be compared with anything. */
export async function readLocations({ connection, paging }: Reader): Promise<JsonObject[]> {
	const request = resources.listRequest(resources.location);
	return (await readRecords(connection, request, paging)).filter(isIdentified);
}

/** What a comparison needs of a location. */
export async function readLists(
	{ connection, paging }: Reader,
	location: JsonObject,
	lists: ListName[],
	scansAfter: number,
): Promise<Listed> {
	const read = async (list: ListName, resource: resources.Resource) => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: idOf(location) ?? '' });
		return (await readRecords(connection, request, paging)).filter(isIdentified);
	};
	const keywords = await read('keywords', resources.keyword);
	const scans = lists.includes('scans')
		? await concurrently(
				keywords.map(
					(keyword) => async () => await readScans({ connection, paging }, keyword, scansAfter),
				),
				CONCURRENT_KEYWORDS,
			)
		: [];
	const posts = await read('posts', resources.post);
	return { location, keywords, scans, posts };
}

/** What a sample needs of a location: the first page of each list, and the scans of one keyword. */
export async function readFirstPages(
	{ connection, paging }: Reader,
	location: JsonObject,
	lists: ListName[],
): Promise<Listed> {
	const read = async (list: ListName, resource: resources.Resource) => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: idOf(location) ?? '' });
		const page = await readPage(connection, request, paging, 1);
		return newestFirst(page.records.filter(isIdentified));
	};
	const keywords = await read('keywords', resources.keyword);
	const [newest] = keywords;
	const scans =
		newest && lists.includes('scans')
			? [await readScans({ connection, paging }, newest, lastScannedAt(location))]
			: [];
	const posts = await read('posts', resources.post);
	return { location, keywords, scans, posts };
}

export function newestFirst(records: JsonObject[]): JsonObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

export function lastScannedAt({ last_scan_at: lastScan }: JsonObject): number {
	return timeOf(lastScan) ?? 0;
}

/**
 * The scans of a keyword, the latest first: all that are dated after a moment (milliseconds), and the
 * one before them if there is one. A list that begins with the latest is read no further than that.
 */
async function readScans(
	{ connection, paging }: Reader,
	keyword: JsonObject,
	after: number,
): Promise<Scan[]> {
	const request = resources.listRequest(resources.rankScan, { keywordId: idOf(keyword) ?? '' });
	const collection = new Collection([]);
	for (let number = 1; ; number++) {
		const { records, meta } = await readPage(connection, request, paging, number);
		const added = collection.add(records);
		const scans = datedScans(collection.records.filter(isRecord));
		const isComplete = meta.total !== undefined && collection.size >= meta.total;
		if (added === 0 || isComplete) return latestFirst(scans);
		const isLatestFirst = scans.every(({ at }, index) => index === 0 || at <= scans[index - 1].at);
		if (!isLatestFirst) {
			const all = await readRecords(connection, request, paging);
			return latestFirst(datedScans(all.filter(isRecord)));
		}
		if (scans.some(({ at }) => at <= after)) return scans;
	}
}

function latestFirst(scans: Scan[]): Scan[] {
	return [...scans].sort((a, b) => b.at - a.at);
}
