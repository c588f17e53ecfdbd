import type { Connection } from '../account';
import { idOf, isEnvelope, isRecord } from '../http/records';
import { attempt, type Success, unexpectedResponse } from '../http/send';
import type { JsonObject } from '../ports';
import { ServiceError, type ServiceRequest } from '../request';

/** How a list is asked for. The names are assumptions: the interface shows no query parameters. */
export interface Paging {
	/** The most records to get; absent: all. */
	limit?: number;
	/** Records a page; absent: as many as the service gives of itself. */
	pageSize?: number;
	pageParameter: string;
	pageSizeParameter: string;
}

export const DEFAULT_PAGING: Paging = { pageParameter: 'page', pageSizeParameter: 'per_page' };

/** The `meta` of a list; a number is absent if the service does not state it, or not as a count. */
interface Meta {
	currentPage?: number;
	total?: number;
	/** Whether the service says that there are pages after this one, or none, in one of the usual ways. */
	hasMore?: boolean;
}

export interface Page {
	records: unknown[];
	meta: Meta;
	/** A list is paged; a single record stands alone. */
	isList: boolean;
	/** What was sent beside `data`. */
	beside?: JsonObject;
	/** The list's name in the object that holds it, with values of its own. */
	within?: { key: string; object: JsonObject };
	/** Whether the service says that it is another one than the one asked for; never the first one. */
	isOther: boolean;
	/** Why there is none: it is past the end, or the service does not know how it was asked for. */
	refusal?: ServiceError;
	/** When it was asked for; by the account's clock. */
	sentAt: number;
}

/** Statuses with which services say that there is no such page, and that they do not understand. */
const MISSING = [404, 410, 416];
const NOT_UNDERSTOOD = [400, 422];

/** The lists of a location, of which one without entries may be "not found". */
const OF_LOCATION = /^(\/locations\/\{locationId\})\/./;

const EMPTY = { records: [], isList: true, meta: {}, isOther: false };

/** Whether a service says that there is no such page. */
export function isMissing({ refusal }: Page): boolean {
	return MISSING.includes(refusal?.facts.status ?? 0);
}

/**
 * One page of a list. A page past the end is empty.
 *
 * @param number of the page, as the service counts; absent: the first one
 * @throws ServiceError as `send` does, and `unexpected-response` for a text
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	number?: number,
): Promise<Page> {
	const { pageParameter, pageSizeParameter, pageSize } = paging;
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number !== undefined) query[pageParameter] = number;
	const response = await attempt(connection, { ...request, query });
	if (!(response instanceof ServiceError)) return pageIn(request, response, number);
	const { status = 0, sentAt = 0 } = response.facts;
	if (number === undefined) {
		const isEmpty = status === 404 && (await isOfKnownLocation(connection, request));
		if (isEmpty) return { ...EMPTY, sentAt };
		throw response;
	}
	if (!MISSING.includes(status) && !NOT_UNDERSTOOD.includes(status)) throw response;
	return { ...EMPTY, refusal: response, sentAt };
}

/** Some services have no list where it would be empty: then the location itself is there. */
async function isOfKnownLocation(
	connection: Connection,
	request: ServiceRequest,
): Promise<boolean> {
	const [, path] = OF_LOCATION.exec(request.path) ?? [];
	if (path === undefined) return false;
	const location = await attempt(connection, { ...request, path, query: {} });
	return !(location instanceof ServiceError);
}

function pageIn(request: ServiceRequest, response: Success, number?: number): Page {
	const { body, sentAt } = response;
	const content = contentOf(body, number ?? 1);
	// Only lists have further pages.
	if (!content || (number !== undefined && !content.isList)) {
		const refusal = unexpectedResponse(request, response);
		if (number === undefined) throw refusal;
		return { ...EMPTY, refusal, sentAt };
	}
	const { meta } = content;
	// A total below what this page alone holds says nothing.
	if ((meta.total ?? 0) < content.records.length) delete meta.total;
	const isOther = number !== undefined && (meta.currentPage ?? number) !== number;
	return { ...content, isOther, sentAt };
}

/** Some leave out a list that is empty. */
const AROUND = ['meta', 'links'];
/** Members that only say where a page is. */
const OF_PAGES =
	/^(meta|links?|pagination|paging|page_?info|path|from|to|total|count|limit|offset|size|success|status)$|page/i;

type Content = Pick<Page, 'records' | 'isList' | 'meta' | 'beside' | 'within'>;

/** The records under `data`, or bare; undefined for what is neither a list nor a record. */
function contentOf(body: unknown, number: number): Content | undefined {
	const { data, ...beside } = isEnvelope(body) ? body : { data: body };
	const meta = readMeta(body, number);
	if (Array.isArray(data)) return { records: data as unknown[], isList: true, meta, beside };
	const isBlank = typeof data === 'string' && data.trim() === '';
	const isNothing = isRecord(data) && Object.keys(data).every((name) => AROUND.includes(name));
	if (isBlank || isNothing || data === null || data === undefined) {
		return { records: [], isList: true, meta };
	}
	if (!isRecord(data))
		return isEnvelope(body) ? { records: [data], isList: false, meta: {} } : undefined;
	// A single record may come with the `meta` of a list.
	const hasMore = goesOn(data, number) || (idOf(data) === undefined && meta.hasMore === true);
	return (
		listWithin(data, { ...meta, hasMore }, number) ?? {
			...{ records: [data], isList: false, beside },
			meta: { hasMore },
		}
	);
}

/**
 * The list in an object that holds one, where it comes in pages: as Laravel's paginator in `data`, or
 * with `meta` beside `data`.
 */
function listWithin(object: JsonObject, meta: Meta, number: number): Content | undefined {
	const lists = Object.entries(object).filter(([, value]) => Array.isArray(value));
	const [[key, list] = [], ...more] =
		number > 1 && lists.length === 1 ? lists : lists.filter(hasRecords);
	if (key === undefined || more.length > 0) return undefined;
	const records = list as unknown[];
	const isPaged = meta.hasMore === true || (meta.total ?? 0) > records.length || number > 1;
	const isPage = Object.keys(object).every((name) => name === key || OF_PAGES.test(name));
	if (!isPaged && !(isPage && Object.keys(object).length > 1)) return undefined;
	return { records, isList: true, meta, ...(!isPage && { within: { key, object } }) };
}

const hasRecords = ([, value]: [string, unknown]) =>
	(value as unknown[]).some((one) => Object(one) === one);

/** Reads `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown, requestedPage: number): Meta {
	const envelope = isRecord(body) ? body : {};
	const meta = isRecord(envelope.meta) ? envelope.meta : {};
	// Zeros are those of a mock, or of a service that fills in nothing.
	const { current_page, total } = wholeNumber(meta.per_page) === 0 ? ({} as JsonObject) : meta;
	const currentPage = wholeNumber(current_page);
	const signs = [meta, envelope]
		.flatMap((place) => [place, place.links, place.pagination, place.paging])
		.filter(isRecord)
		.flatMap(Object.entries)
		.map(([name, value]) => saysMore(name, value, currentPage ?? requestedPage));
	return {
		currentPage,
		total: wholeNumber(total),
		hasMore: signs.includes(true) || (signs.includes(false) ? false : undefined),
	};
}

/** Names of more pages that a record may have for something of its own. */
const UNCERTAIN = /^(total_?pages?|page_?count|pages|more|next)$/i;

/** Whether what is no list holds one, and says that this goes on: Laravel's pages in `data`, say. */
function goesOn(record: JsonObject, number: number): boolean {
	const { meta, pagination, paging, page_info } = record;
	return [record, meta, pagination, paging, page_info]
		.filter(isRecord)
		.flatMap((place) => Object.entries(place).map((member) => ({ place, member })))
		.filter(({ place, member: [name] }) => place !== record || !UNCERTAIN.test(name))
		.some(({ place, member }) => {
			const page = wholeNumber(place.current_page) ?? wholeNumber(place.page) ?? number;
			return saysMore(...member, page) === true;
		});
}

/** The interface shows none of these names; each is taken for what it says where it is there. */
const LAST_PAGE = /^(last_?page|total_?pages?|page_?count|pages)$/i;
const MORE = /^(more|has_?more|has_?next(_?page)?)$/i;
const BOOLEANS: Record<string, boolean | undefined> = { true: true, false: false };
/** An address with the next period is no further page. */
const OTHER_PERIOD =
	/[?&](since|until|from|to|start\w*|end\w*)=(?!.*[?&](page\w*|cursor|offset|after|token)=)/i;
const NEXT = /^(next(_?(page|cursor|link|page_?url|page_?token))?|@odata\.nextlink)$/i;

/** Whether a member says that there is a page after this one, or none. */
function saysMore(name: string, value: unknown, page: number): boolean | undefined {
	if (value === undefined) return undefined;
	if (LAST_PAGE.test(name)) {
		const last = wholeNumber(value);
		return last === undefined ? undefined : last > page;
	}
	if (MORE.test(name)) return BOOLEANS[String(value)];
	if (!NEXT.test(name)) return undefined;
	// An address, a cursor or a number; JSON:API: `{ href: "…" }`. `null` and empty texts: there is none.
	if (isRecord(value)) return Object.keys(value).length > 0;
	if (typeof value === 'string' && OTHER_PERIOD.test(value)) return undefined;
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
