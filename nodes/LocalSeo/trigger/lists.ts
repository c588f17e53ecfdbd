import {
	Collection,
	concurrently,
	type Connection,
	createdAt,
	isRecord,
	type JsonObject,
	type Page,
	type Paging,
	readList,
	readPage,
	ServiceError,
	type ServiceRequest,
	timeOf,
} from '../client';
import * as resources from '../service';
import { Failures } from './failures';
import { type Identified, identified, keyOf } from './identified';
import { datedScans } from './scan';
import type { Listed, ListName, Scan } from './subject';

/** The most pages of scans of one keyword, for a service that never comes to an end. */
const MAX_PAGES = 1_000;
/** For how many keywords of a location scans are requested concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** How lists are read. All functions that take it may throw ServiceError, as `readRecords` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
}

/** A reader that goes on without what can't be read. */
export interface SkippingReader extends Reader {
	onFailure(error: ServiceError): void;
}

export async function readLocations(reader: Reader): Promise<Identified[]> {
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

/** Which scans need not be read: those dated up to a moment (milliseconds). */
interface KnownScans {
	until: number;
	/** Whether a date says anything about the order of a list. */
	isPlausible(time: number): boolean;
}

/** What a comparison needs of a location. */
export async function readLists(
	{ connection, paging, onFailure }: SkippingReader,
	location: Identified,
	lists: ListName[],
	known: KnownScans,
): Promise<Listed> {
	const read = async (list: ListName, resource: resources.Resource) => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: keyOf(location) });
		return identified(await readAll({ connection, paging }, request));
	};
	const keywords = await read('keywords', resources.keyword);
	const failures = new Failures(onFailure);
	const scansOf = (keyword: Identified) => async () =>
		await failures.skipFailed(async () => await readScans({ connection, paging }, keyword, known));
	const scans = lists.includes('scans')
		? await concurrently(keywords.map(scansOf), CONCURRENT_KEYWORDS)
		: [];
	const posts = await read('posts', resources.post);
	return { location, keywords, scans, posts };
}

/** What a sample needs of a location: the first page of each list, and the scans of one keyword. */
export async function readFirstPages(
	{ connection, paging }: Reader,
	location: Identified,
	lists: ListName[],
): Promise<Listed> {
	const read = async (list: ListName, resource: resources.Resource) => {
		if (!lists.includes(list)) return [];
		const request = resources.listRequest(resource, { locationId: keyOf(location) });
		const page = await readPage(connection, request, paging);
		return newestFirst(identified(page.records));
	};
	const keywords = await read('keywords', resources.keyword);
	const [newest] = keywords;
	const scans =
		newest && lists.includes('scans')
			? [
					await readScans({ connection, paging }, newest, {
						until: lastScannedAt(location),
						isPlausible: () => true,
					}),
				]
			: [];
	const posts = await read('posts', resources.post);
	return { location, keywords, scans, posts };
}

export function newestFirst<T extends JsonObject>(records: T[]): T[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

export function lastScannedAt({ last_scan_at: lastScan }: JsonObject): number {
	return timeOf(lastScan) ?? 0;
}

/**
 * The scans of a keyword, the latest first: all but those that are known, and the latest of these if
 * there is one. A list that begins with the latest is read no further than that.
 */
async function readScans(
	{ connection, paging }: Reader,
	keyword: Identified,
	{ until, isPlausible }: KnownScans,
): Promise<Scan[]> {
	const request = resources.listRequest(resources.rankScan, { keywordId: keyOf(keyword) });
	const collection = new Collection();
	let pageSize: number | undefined;
	let first: Page | undefined;
	for (let nth = 1; nth <= MAX_PAGES; nth++) {
		const page = await readPage(connection, request, paging, nth, first);
		first ??= page;
		const { records, meta } = page;
		const added = collection.add(records);
		const scans = datedScans(collection.records.filter(isRecord));
		// A total is a hint: after a full page there may be more.
		pageSize ??= meta.perPage ?? (collection.size === meta.total ? Infinity : records.length);
		const isComplete = collection.size >= (meta.total ?? Infinity) && records.length < pageSize;
		if (added === 0 || isComplete) return latestFirst(scans);
		const times = scans.map(({ at }) => at).filter(isPlausible);
		const steps = times.slice(1).map((time, index) => time - times[index]);
		if (steps.some((step) => step > 0)) {
			const all = await readAll({ connection, paging }, request);
			return latestFirst(datedScans(all.filter(isRecord)));
		}
		// One scan does not show the order of the list, nor do several of the same time.
		const isLatestFirst = steps.some((step) => step < 0);
		if (isLatestFirst && times.some((time) => time <= until)) return latestFirst(scans);
	}
	const received = collection.size;
	throw new ServiceError({ kind: 'incomplete-list', request, received, readings: 1 });
}

function latestFirst(scans: Scan[]): Scan[] {
	return [...scans].sort((a, b) => b.at - a.at);
}
