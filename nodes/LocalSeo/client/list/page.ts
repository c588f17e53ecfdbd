import type { Connection } from '../account';
import { isEnvelope, isIdentified, isRecord } from '../http/records';
import { attempt, type Success, unexpectedResponse } from '../http/send';
import type { JsonObject } from '../ports';
import { ServiceError, type ServiceRequest } from '../request';
import { headerText, textOf } from '../textOf';

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
	perPage?: number;
	total?: number;
	/** Whether the service says that there are pages after this one, or none, in one of the usual ways. */
	hasMore?: boolean;
}

export interface Page {
	records: unknown[];
	meta: Meta;
	/** A list is paged; a single record stands alone. */
	isList: boolean;
	/** Whether it may be only as long as it is because it is a page: it has as many as one holds. */
	isFull: boolean;
	/** Whether it speaks of records and has no list of them. */
	isLost: boolean;
	/** Whether the service says that it is another one than the one asked for; never the first one. */
	isOther: boolean;
	/** Why there is none: it is past the end, or the service does not know how it was asked for. */
	refusal?: ServiceError;
	/** When it was asked for; by the account's clock. */
	sentAt: number;
	/** Whether the service lets no cache keep it. */
	isFresh: boolean;
}

/** Statuses with which services say that there is no such page, and that they do not understand. */
const MISSING = [404, 410, 416];
const NOT_UNDERSTOOD = [400, 422];

/** The lists of a location, of which one without entries may be "not found". */
const OF_LOCATION = /^(\/locations\/\{locationId\})\/./;

const EMPTY = {
	...{ records: [], isList: true, meta: {} },
	...{ isFull: false, isLost: false, isOther: false, isFresh: false },
};

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
	if (!(response instanceof ServiceError)) return pageIn(request, response, pageSize, number);
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

/** What lets no cache keep a response; with a name behind it, only of a header. */
const UNCACHED = /\bno-(store|cache)\b(?!=)/i;

function pageIn(
	request: ServiceRequest,
	response: Success,
	pageSize?: number,
	number?: number,
): Page {
	const { body, headers, sentAt } = response;
	const content = recordsIn(body);
	// Only lists have further pages.
	if (!content || (number !== undefined && !content.isList)) {
		const refusal = unexpectedResponse(request, response);
		if (number === undefined) throw refusal;
		return { ...EMPTY, refusal, sentAt };
	}
	const meta = content.isList
		? readMeta(body, number ?? 1)
		: { hasMore: goesOn(content.records[0]) };
	// A total below what this page alone holds says nothing.
	if ((meta.total ?? 0) < content.records.length) delete meta.total;
	const isOther = number !== undefined && (meta.currentPage ?? number) !== number;
	const isFull = isPageOf(content.records.length, [meta.perPage, pageSize]);
	const isLost = content === NOTHING && (meta.total ?? 0) > 0;
	const isKept = !UNCACHED.test(headerText(headers['cache-control'])) || Boolean(headers.age);
	return { ...content, meta, isFull, isLost, isOther, sentAt, isFresh: !isKept };
}

/** Whether so many records are a full page. Where nobody says how many one has, it is a round number. */
function isPageOf(length: number, sizes: Array<number | undefined>): boolean {
	const isUnknown = sizes.every((size) => size === undefined);
	return isUnknown ? length >= 10 && length % 5 === 0 : sizes.includes(length);
}

/** Some leave out a list that is empty. */
const NOTHING = { records: [], isList: true };
const AROUND = ['meta', 'links'];
const WHOLE_NUMBER = /^\d+$/;

/** The records under `data`, or bare; undefined for what is neither a list nor a record. */
function recordsIn(body: unknown): Pick<Page, 'records' | 'isList'> | undefined {
	const data = isEnvelope(body) ? body.data : body;
	if (Array.isArray(data)) return { records: data as unknown[], isList: true };
	const isBlank = typeof data === 'string' && data.trim() === '';
	const isNothing = isRecord(data) && Object.keys(data).every((name) => AROUND.includes(name));
	if (isBlank || isNothing || data === null || data === undefined) return NOTHING;
	if (isRecord(data) && isKeyed(data)) return { records: Object.values(data), isList: true };
	return isEnvelope(body) || isRecord(data) ? { records: [data], isList: false } : undefined;
}

/** A list as PHP writes one that was filtered: `{"15": {…}, "17": {…}}`. Without IDs, the keys may be years. */
function isKeyed(data: JsonObject): boolean {
	return Object.entries(data).every(([key, one]) => WHOLE_NUMBER.test(key) && isIdentified(one));
}

/** Reads `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown, requestedPage: number): Meta {
	const envelope = isRecord(body) ? body : {};
	const meta = isRecord(envelope.meta) ? envelope.meta : {};
	// Zeros are those of a mock, or of a service that fills in nothing.
	const perPage = asCount(meta.per_page);
	const { current_page, total } = perPage === 0 ? ({} as JsonObject) : meta;
	const currentPage = asCount(current_page);
	const signs = [meta, envelope]
		.flatMap((place) => [place, place.links, place.pagination, place.paging])
		.filter(isRecord)
		.flatMap(Object.entries)
		.map(([name, value]) => saysMore(name, value, currentPage ?? requestedPage));
	return {
		currentPage,
		perPage: perPage || undefined,
		total: asCount(total),
		hasMore: signs.includes(true) || (signs.includes(false) ? false : undefined),
	};
}

/** Names of more pages that a record may have for something of its own. */
const UNCERTAIN = /^(total_?pages|page_?count|pages|more|next)$/i;

/** Whether what is no list holds one, and says that this goes on: Laravel's pages in `data`, say. */
function goesOn(record: unknown): boolean {
	const places = isRecord(record) ? [record, record.meta, record.pagination, record.paging] : [];
	return places
		.filter(isRecord)
		.flatMap((place) => Object.entries(place).map((member) => ({ place, member })))
		.filter(({ member: [name] }) => !UNCERTAIN.test(name))
		.some(({ place, member }) => saysMore(...member, asCount(place.current_page) ?? 1) === true);
}

/** The interface shows none of these names; each is taken for what it says where it is there. */
const LAST_PAGE = /^(last_?page|total_?pages|page_?count|pages)$/i;
const MORE = /^(more|has_?more|has_?next(_?page)?)$/i;
const BOOLEANS = new Map([
	['true', true],
	['false', false],
]);
const NEXT = /^(next(_?(page|cursor|link|page_?url|page_?token))?|@odata\.nextlink)$/i;

/** Whether a member says that there is a page after this one, or none. */
function saysMore(name: string, value: unknown, page: number): boolean | undefined {
	if (value === undefined) return undefined;
	if (LAST_PAGE.test(name)) {
		const last = asCount(value);
		return last === undefined ? undefined : last > page;
	}
	if (MORE.test(name)) return BOOLEANS.get(textOf(value));
	if (!NEXT.test(name)) return undefined;
	// An address, a cursor or a number; JSON:API: `{ href: "…" }`. `null` and empty texts: there is none.
	if (isRecord(value)) return Object.keys(value).length > 0;
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function asCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
