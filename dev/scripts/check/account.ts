import { idOf, isRecord, type JsonObject } from '../../../nodes/LocalSeo/client';
import type { Answer, Service } from './service';

/** How many locations, and keywords of one of them, are looked into at most. */
const MOST_LOCATIONS = 4;
const MOST_KEYWORDS = 6;
export const MOST_A_PAGE = 100;
/** The assumed name of the query parameter, and what else it is called. */
const PAGE_SIZE = ['per_page', 'limit', 'page_size', 'pageSize'];

const LOCATIONS = '/locations';
const LOCATION = '/locations/{locationId}';

export type Noun = 'location' | 'keyword' | 'scan' | 'post' | 'insight';

/** What was read of an account; absent: it was not to be had. */
export interface Evidence {
	all: readonly Answer[];
	/** By the names that checks have for them. */
	answers: Record<string, Answer | undefined>;
	records: Record<Noun, JsonObject[]>;
	/** The location that the keywords belong to. */
	parent?: JsonObject;
	/** Whether `page` has an effect, and which parameter sets the size of a page. */
	page?: boolean;
	pageSize?: string;
	isFromOne?: boolean;
	keyword?: Keyword;
}

/** What became of a keyword that was added and deleted again; absent: it is not known. */
export interface Keyword {
	created?: Answer;
	isFound?: boolean;
	deleted?: Answer;
	isGone?: boolean;
	/** Its text, where it may still be there. */
	left?: string;
}

export const isDone = (answer?: Answer) => answer !== undefined && answer.status < 300;

/** What is in the envelope, or without one the body. */
export function dataOf(answer?: Answer): unknown {
	const body = isDone(answer) ? answer?.body : undefined;
	return isRecord(body) && 'data' in body ? body.data : body;
}

export const recordsOf = (answer?: Answer) => [dataOf(answer)].flat().filter(isRecord);

export const metaOf = (answer?: Answer) => Object(Object(answer?.body).meta) as JsonObject;

/** How many records a list says to have, or has where it does not say. */
export const totalOf = (answer?: Answer) =>
	Number(metaOf(answer).total ?? recordsOf(answer).length);

/**
 * Reads what the checks look at.
 *
 * @param stranger the service as it is without a key
 * @throws ServiceError where the service can't be used
 */
export async function readAccount(service: Service, stranger: Service): Promise<Evidence> {
	// Someone who has mistyped the address need not wait; who has reached a limit has to.
	let list = await service.get(LOCATIONS, {}, '', 0);
	const { facts } = service.failure ?? {};
	if (facts?.kind === 'rejected' && facts.isBusy) list = await service.get(LOCATIONS);
	if (service.failure) throw service.failure;
	const records = { location: recordsOf(list), keyword: [], scan: [], post: [], insight: [] };
	const answers: Evidence['answers'] = { 'list location': list };
	const evidence: Evidence = { all: service.answers, answers, records };
	[stranger.left, service.left] = [1, service.left - 1];
	await readPages(service, evidence);
	const [size] = [evidence.pageSize, ...PAGE_SIZE].filter((name) => name !== undefined);
	answers['other parameters'] = await service.get(LOCATIONS, { local_seo_check: 1 });
	answers['status 422'] = await service.get(LOCATIONS, { [size]: 'none' });
	answers['status 404'] = await service.get(LOCATION, {}, 'loc_0_no_such_location');
	answers['status 401'] = await stranger.get(LOCATIONS, {}, '', 0);
	service.answers.push(...stranger.answers);
	await readLocations(service, evidence);
	return evidence;
}

/** Finds out the names of the parameters: with one location a page, so that few are enough. */
async function readPages(service: Service, evidence: Evidence): Promise<void> {
	const { answers, records } = evidence;
	const { length } = records.location;
	const idIn = (answer?: Answer) => idOf(recordsOf(answer)[0]);
	let first = answers['list location'];
	const size: JsonObject = {};
	for (const name of length > 1 ? PAGE_SIZE : []) {
		const answer = await service.get(LOCATIONS, { [name]: 1 });
		if (recordsOf(answer).length !== 1) continue;
		[evidence.pageSize, first, size[name]] = [name, answer, 1];
		const largest = await service.get(LOCATIONS, { [name]: MOST_A_PAGE });
		answers['page size'] = largest;
		if (totalOf(largest) > length && isDone(largest)) records.location = recordsOf(largest);
		break;
	}
	// Without a total, there may be another page.
	const { total = Infinity } = metaOf(first);
	if (length < 2 || Number(total) <= recordsOf(first).length) return;
	const id = idIn(await service.get(LOCATIONS, { ...size, page: 2 }));
	evidence.page = id !== undefined && id !== idIn(first);
	const one = await service.get(LOCATIONS, { ...size, page: 1 });
	evidence.isFromOne = idIn(one) === idIn(first);
}

/** Of the locations, until some have keywords and posts: those first that say to have keywords. */
async function readLocations(service: Service, evidence: Evidence): Promise<void> {
	const { answers, records } = evidence;
	const success = async (path: string, of: JsonObject) => {
		const answer = await service.get(path, {}, idOf(of));
		return isDone(answer) ? answer : undefined;
	};
	const locations = records.location.filter((location) => idOf(location) !== undefined);
	locations.sort((a, b) => Number(b.keywords_count !== 0) - Number(a.keywords_count !== 0));
	for (const location of locations.slice(0, MOST_LOCATIONS)) {
		answers['one location'] ??= await success(LOCATION, location);
		answers['one insight'] ??= await success(`${LOCATION}/insights`, location);
		for (const noun of ['keyword', 'post'] as const) {
			if (records[noun].length > 0) continue;
			if (noun === 'keyword') evidence.parent = location;
			answers[`list ${noun}`] = await success(`${LOCATION}/${noun}s`, location);
			records[noun] = recordsOf(answers[`list ${noun}`]);
		}
	}
	records.insight = [dataOf(answers['one insight'])].filter(isRecord);
	for (const keyword of records.keyword.slice(0, MOST_KEYWORDS)) {
		const scans = await success('/keywords/{keywordId}/scans', keyword);
		answers['list scan'] ??= scans;
		records.scan.push(...recordsOf(scans));
	}
}
