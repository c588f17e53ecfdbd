import type { Connection } from '../account';
import { idOf, isEnvelope, isIdentified, isRecord } from '../http/records';
import { trySend, type Success, unexpectedResponse } from '../http/send';
import type { JsonObject } from '../ports';
import { endsWithId, ServiceError, type ServiceRequest } from '../request';
import { headerText, textOf } from '../textOf';

/** The query parameters that ask for a page. Their names are assumptions: the interface shows none. */
export interface Paging {
	/** The most records to get; absent: all. */
	limit?: number;
	/** Records per page; absent: the service's default. */
	pageSize?: number;
	pageParameter: string;
	pageSizeParameter: string;
}

export const DEFAULT_PAGING: Paging = { pageParameter: 'page', pageSizeParameter: 'per_page' };

/** The `meta` of a list; a number is absent if the service does not state it as a count. */
interface Meta {
	/** 0 for the first page of a service that counts from 0, in whatever way it says so. */
	currentPage?: number;
	perPage?: number;
	total?: number;
	/** True if the service announces further pages in one of the usual ways, false if it denies them. */
	hasMore?: boolean;
}

export interface Page {
	records: unknown[];
	meta: Meta;
	/** True for a list, which has pages; false for a single record. */
	isList: boolean;
	/** True if the page has as many records as fit on one, so that others may follow. */
	isFull: boolean;
	/** True if the page states a total and has no list of records. */
	hasLostRecords: boolean;
	/** The members of the body beside `data`. */
	beside?: JsonObject;
	/** The object that holds the list among values of its own, and the list's name in it. */
	within?: { key: string; object: JsonObject };
	/** True if the page states a number other than the one that was requested; never true of the first page. */
	isOtherPage: boolean;
	/** The error if the service refused the page: it is past the end, or the parameter is unknown. */
	refusal?: ServiceError;
	/** The time of the request, by the account's clock. */
	sentAt: number;
	/** Whether the service lets no cache keep it. */
	isFresh: boolean;
}

/** Statuses for a page that does not exist, and for a request that the service does not understand. */
const MISSING = [404, 410, 416];
const NOT_UNDERSTOOD = [400, 422];

/** Matches the lists of a location: some services answer 404 if one is empty. */
const OF_LOCATION = /^(\/locations\/\{locationId\})\/./;

const EMPTY_PAGE = {
	...{ records: [], isList: true, meta: {} },
	...{ isFull: false, hasLostRecords: false, isOtherPage: false, isFresh: false },
};

/** True if the service says that the page does not exist. */
export function isMissing({ refusal }: Page): boolean {
	return MISSING.includes(refusal?.facts.status ?? 0);
}

/**
 * Reads one page of a list. A page past the end is empty.
 *
 * @param number the page as the service counts; absent: the first one
 * @param first the number of the first page, as the service counts
 * @throws ServiceError as `send` does, and `unexpected-response` for a text
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	number?: number,
	first = 1,
): Promise<Page> {
	const { pageParameter, pageSizeParameter, pageSize } = paging;
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number !== undefined) query[pageParameter] = number;
	const response = await trySend(connection, { ...request, query });
	const listName = listNameOf(request);
	const asked = { number, first, pageSize, pageParameter, listName };
	if (!(response instanceof ServiceError)) return pageIn(request, response, asked);
	const { status = 0, sentAt = 0 } = response.facts;
	if (number === undefined) {
		const isEmpty = status === 404 && (await isOfKnownLocation(connection, request));
		if (isEmpty) return { ...EMPTY_PAGE, sentAt };
		throw response;
	}
	if (!MISSING.includes(status) && !NOT_UNDERSTOOD.includes(status)) throw response;
	return { ...EMPTY_PAGE, refusal: response, sentAt };
}

/** The name of a list of records; undefined where the response is a record, or may be anything. */
function listNameOf({ path, isOfAnyShape }: ServiceRequest): string | undefined {
	return isOfAnyShape || endsWithId(path) ? undefined : path.split('/').pop();
}

/** Whether a body is the list that a request asks for, in any of the shapes that are read. */
export function isListFor(request: ServiceRequest, body: unknown): boolean {
	return recordsIn(body, { listName: listNameOf(request) })?.isList === true;
}

/** Distinguishes an empty list from a missing location: after a 404, the location itself exists. */
async function isOfKnownLocation(
	connection: Connection,
	request: ServiceRequest,
): Promise<boolean> {
	const [, path] = OF_LOCATION.exec(request.path) ?? [];
	if (path === undefined) return false;
	const location = await trySend(connection, { ...request, path, query: {} });
	return !(location instanceof ServiceError);
}

/** The directives that let no cache keep a response; with a name behind it, only of a header. */
const UNCACHED = /\bno-(store|cache)\b(?!=)/i;

/** The parameters of a request for a page, as `readPage` takes them. */
interface Asked extends Partial<Pick<Paging, 'pageSize' | 'pageParameter'>> {
	number?: number;
	first?: number;
	/** The name of the list in its path, `posts`; absent where the response may be anything. */
	listName?: string;
}

function pageIn(request: ServiceRequest, response: Success, asked: Asked): Page {
	const { number, pageSize } = asked;
	const { body, headers, sentAt } = response;
	const content = recordsIn(body, asked);
	// A single record has no further pages.
	if (!content || (number !== undefined && !content.isList)) {
		const refusal = unexpectedResponse(request, response);
		if (number === undefined) throw refusal;
		return { ...EMPTY_PAGE, refusal, sentAt };
	}
	const { meta, records } = content;
	// A total below the length of this page alone is meaningless.
	if ((meta.total ?? 0) < records.length) delete meta.total;
	const isOtherPage = number !== undefined && (meta.currentPage ?? number) !== number;
	const isFull = isPageOf(records.length, [meta.perPage, pageSize]);
	const isKept = !UNCACHED.test(headerText(headers['cache-control'])) || Boolean(headers.age);
	return { hasLostRecords: false, ...content, isFull, isOtherPage, sentAt, isFresh: !isKept };
}

/** True if this many records fill a page. If no page size is known, a round number does. */
function isPageOf(length: number, sizes: Array<number | undefined>): boolean {
	const isUnknown = sizes.every((size) => size === undefined);
	return isUnknown ? length >= 10 && length % 5 === 0 : sizes.includes(length);
}

/** Some services omit an empty list. */
const AROUND = ['meta', 'links'];
/** Members that only describe a page; JSON-LD's and OData's begin with `@`. */
const OF_PAGES =
	/^(meta|links?|pagination|paging|path|from|to|limit|offset|size|success|status|number|next|prev(ious)?|first|last|empty|sort|has_?more|has_?next)$|page|paging|cursor|^@/i;
const TOTAL =
	/^(hydra:)?(total|count|(total|number)_?(of_?)?(count|elements|items|results|records|rows|entries|docs))$/i;
/** Members that say how a request went, or what the response is; Hydra's say both. */
const ABOUT =
	/^(msg|message|ok|errors?|etag|version|time(stamp)?|request_?id|view|search)$|^hydra:/i;
/** Of these, the value tells whether all is well, or whether it is a list. */
const CODE = [/^code$/i, /^(0|2\d\d|ok|success)$/i];
const KIND = [/^(kind|object|type)$/i, /list|collection/i];
const WHOLE_NUMBER = /^\d+$/;

type Content = Pick<Page, 'records' | 'isList' | 'meta' | 'beside' | 'within'> &
	Partial<Pick<Page, 'hasLostRecords'>>;

/** The records under `data`, or bare; undefined if the body is neither a list nor a record. */
function recordsIn(body: unknown, asked: Asked): Content | undefined {
	const { data, ...beside } = isEnvelope(body) ? body : { data: body };
	const meta = readMeta(body, asked);
	if (Array.isArray(data)) return { records: data as unknown[], isList: true, meta, beside };
	const isBlank = typeof data === 'string' && data.trim() === '';
	const isNothing = isRecord(data) && Object.keys(data).every((name) => AROUND.includes(name));
	if (isBlank || isNothing || data === null || data === undefined) {
		return { records: [], isList: true, meta, hasLostRecords: (meta.total ?? 0) > 0 };
	}
	if (!isRecord(data)) {
		return isEnvelope(body) ? { records: [data], isList: false, meta: {} } : undefined;
	}
	if (isKeyed(data)) return { records: Object.values(data), isList: true, meta, beside };
	const named = asked.listName === undefined ? undefined : listNamed(asked.listName, data);
	if (named) {
		const ofNamed = both(meta, readMeta(data, asked));
		const total = ofNamed.total ?? totalIn(data) ?? 0;
		const isArray = Object.values(data).some(Array.isArray);
		const hasLostRecords = named.length === 0 && !isArray && total > 0;
		const stated = hasLostRecords ? { ...ofNamed, total } : ofNamed;
		return { records: named, isList: true, meta: stated, hasLostRecords };
	}
	// A single record may come with the `meta` of a list.
	const ofData = metaWithin(data, asked);
	const isMore = idOf(data) === undefined && meta.hasMore === true;
	const hasMore = ofData.hasMore === true || isMore;
	const currentPage = meta.currentPage ?? ofData.currentPage;
	return (
		listWithin(data, { ...meta, currentPage, hasMore }, asked.number) ?? {
			...{ records: [data], isList: false, beside },
			meta: { hasMore },
		}
	);
}

/**
 * True for a list as PHP writes it after filtering: `{"15": {…}, "17": {…}}`. If the values have no
 * IDs, the keys may be years.
 */
function isKeyed(data: JsonObject): boolean {
	return Object.entries(data).every(([key, one]) => WHOLE_NUMBER.test(key) && isIdentified(one));
}

/** Names that frameworks give to the list in an object. */
const LIST_NAMES = ['data', 'items', 'results', 'records', 'rows', 'list', 'content', 'entries'];

/**
 * The list in the object that a list of records came as: the one that is called so, or else the only one.
 * HAL has it in `_embedded`, and leaves it out if it is empty.
 */
function listNamed(path: string, object: JsonObject): unknown[] | undefined {
	const { _embedded, _links, ...own } = object;
	const inner = isRecord(_embedded) ? { ...own, ..._embedded } : own;
	const isRecordItself = idOf(object) !== undefined;
	const names = isRecordItself ? [path] : [path, ...LIST_NAMES];
	const named = names.flatMap((name) => listIn(inner, name, path) ?? []);
	const list = named.find(({ records, isArray }) => isArray || records.length > 0) ?? named[0];
	if (list !== undefined) return list.records;
	const others = Object.entries(inner).filter(isListOfRecords);
	if (isRecordItself || others.length > 1) return undefined;
	const [[name, only] = ['', undefined]] = others;
	const beside = Object.entries(own).filter(([one]) => one !== name);
	const isPage = beside.every(([one, value]) => isOfPage(one, value) || isAbout(one, value));
	if (only === undefined) {
		const isEmpty = _links !== undefined && isPageAround(own, '');
		return isEmpty || (isPage && totalIn(own) === 0) ? [] : undefined;
	}
	if (isPage) return only;
	// `localPosts` on the path of posts.
	const isCalledSo = name.toLowerCase().includes(path.replace(/s$/, ''));
	const isList = only.length > 0 ? only.every(isIdentified) : totalIn(own) === 0;
	return isList && (isCalledSo || !beside.some(isOfRecord)) ? only : undefined;
}

/** Go writes `null` for an empty list, and PHP an object for one of which others were filtered out. */
function listIn(
	object: JsonObject,
	name: string,
	path: string,
): { records: unknown[]; isArray?: boolean } | undefined {
	const value = object[name];
	if (isListOfRecords([name, value])) return { records: value as unknown[], isArray: true };
	if (name !== path && !isPageAround(object, name)) return undefined;
	if (value === null) return { records: [] };
	return isRecord(value) && isKeyed(value) ? { records: Object.values(value) } : undefined;
}

function isListOfRecords(member: [string, unknown]): member is [string, unknown[]] {
	return Array.isArray(member[1]) && member[1].every(isRecord);
}

/** True for a text or another record beside a list: the list may belong to a record. */
function isOfRecord([name, value]: [string, unknown]): boolean {
	if (isOfPage(name, value) || isAbout(name, value)) return false;
	return typeof value === 'string' || idOf(value) !== undefined;
}

/** Whether a member says that a request went well, or that the response is a list. */
function isAbout(name: string, value: unknown): boolean {
	const says = [CODE, KIND].find(([names]) => names.test(name));
	return says ? says[1].test(textOf(value)) : ABOUT.test(name);
}

/** The total that an object states in one of the usual ways. */
function totalIn(object: JsonObject): number | undefined {
	const totals = Object.entries(object).filter(([name]) => TOTAL.test(name));
	return totals.map(([, value]) => asCount(value)).find((total) => total !== undefined);
}

/** What the `meta` beside a list and the one around it say together. */
function both(beside: Meta, around: Meta): Meta {
	return {
		currentPage: beside.currentPage ?? around.currentPage,
		perPage: beside.perPage ?? around.perPage,
		total: beside.total ?? around.total,
		hasMore: anyOf([beside.hasMore, around.hasMore]),
	};
}

/** True if one announces further pages, else false if one denies them. */
function anyOf(signs: Array<boolean | undefined>): boolean | undefined {
	return signs.includes(true) || (signs.includes(false) ? false : undefined);
}

/**
 * The list in an object that holds one, if it comes in pages: as Laravel's paginator in `data`, or with
 * `meta` beside `data`.
 */
function listWithin(object: JsonObject, meta: Meta, number = 1): Content | undefined {
	const lists = Object.entries(object).filter(([, value]) => Array.isArray(value));
	const [[key, list] = [], ...more] =
		number > 1 && lists.length === 1 ? lists : lists.filter(hasRecords);
	if (key === undefined || more.length > 0) return undefined;
	const records = list as unknown[];
	const isPaged = meta.hasMore === true || (meta.total ?? 0) > records.length || number > 1;
	const isPage = isPageAround(object, key);
	if (!isPaged && !(isPage && Object.keys(object).length > 1)) return undefined;
	return { records, isList: true, meta, ...(!isPage && { within: { key, object } }) };
}

/** True if an object says nothing but what page it is, and holds its list. */
function isPageAround(object: JsonObject, list: string): boolean {
	return Object.entries(object).every(([name, value]) => name === list || isOfPage(name, value));
}

function isOfPage(name: string, value: unknown): boolean {
	return (
		OF_PAGES.test(name) || (TOTAL.test(name) && (value === null || asCount(value) !== undefined))
	);
}

/** Names of further pages that a record may also have for a field of its own. */
const UNCERTAIN = /^(total_?pages?|page_?count|pages|more|next|last|page|number|index|current)$/i;

/** The `meta` of a list in `data`, as Laravel, Django and Spring write their pages. */
function metaWithin(data: JsonObject, asked: Asked): Meta {
	const lists = Object.keys(data).filter((name) => Array.isArray(data[name]));
	if (lists.length === 1 && isPageAround(data, lists[0])) return readMeta(data, asked);
	const certain = Object.entries(data).filter(([name]) => !UNCERTAIN.test(name));
	const { hasMore, currentPage } = readMeta(Object.fromEntries(certain), asked);
	return { hasMore, currentPage };
}

const hasRecords = ([, value]: [string, unknown]) =>
	(value as unknown[]).some((one) => Object(one) === one);

const AROUND_PAGES = ['links', 'pagination', 'paging', 'page', 'page_info', 'pageInfo'];

/** Reads the `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown, { number, first = 1, pageParameter }: Asked): Meta {
	const envelope = isRecord(body) ? body : {};
	const meta = isRecord(envelope.meta) ? envelope.meta : {};
	// Zeros come from a mock, or from a service that fills in nothing.
	const perPage = asCount(meta.per_page);
	const { current_page, total } = perPage === 0 ? ({} as JsonObject) : meta;
	const members = [meta, envelope]
		.flatMap((place) => [place, ...AROUND_PAGES.map((name) => place[name])])
		.filter(isRecord)
		.flatMap(Object.entries);
	const stated = asCount(current_page);
	const isFromZero =
		number === undefined &&
		perPage !== 0 &&
		!stated &&
		members.some((member) => countsFromZero(...member, pageParameter));
	const currentPage = stated ?? (isFromZero ? 0 : undefined);
	const page = currentPage ?? number ?? first;
	const signs = members.map(([name, value]) => saysMore(name, value, page, isFromZero ? 0 : first));
	return {
		currentPage,
		perPage: perPage || undefined,
		total: asCount(total),
		hasMore: anyOf(signs),
	};
}

const PAGE_NUMBER = /^(page|(page_?)?(number|index)|current(_?page)?)$/i;

/** True if a member of the first page calls it page 0, or the next one page 1. */
function countsFromZero(name: string, value: unknown, pageParameter = ''): boolean {
	if (PAGE_NUMBER.test(name)) return asCount(value) === 0;
	if (!NEXT.test(name) || /cursor|token/i.test(name)) return false;
	const address = textOf(isRecord(value) ? value.href : value);
	const [, query = `${pageParameter}=${address}`] = address.split('?');
	return new URLSearchParams(query).get(pageParameter) === '1';
}

/** The interface shows none of these names; each counts if it is present. */
const LAST_PAGE = /^last_?page$/i;
const PAGE_COUNT = /^(total_?pages?|page_?count|pages)$/i;
const MORE = /^(more|has_?more|has_?next(_?page)?)$/i;
const BOOLEANS = new Map([
	['true', true],
	['false', false],
]);
/** An address with the next period is no further page. */
const OTHER_PERIOD =
	/[?&](since|until|from|to|start\w*|end\w*)=(?!.*[?&](page\w*|cursor|offset|after|token)=)/i;
const NEXT = /^(next(_?(page|cursor|link|page_?url|page_?token))?|@odata\.nextlink)$/i;

/**
 * True if a member announces a page after this one, false if it denies one; undefined if it says neither.
 *
 * @param first the number of the first page, as the service counts
 */
function saysMore(name: string, value: unknown, page: number, first = 1): boolean | undefined {
	if (value === undefined) return undefined;
	const isCount = PAGE_COUNT.test(name);
	if (isCount || LAST_PAGE.test(name)) {
		const last = asCount(value);
		return last === undefined ? undefined : last > (isCount ? page + 1 - first : page);
	}
	if (MORE.test(name)) return BOOLEANS.get(textOf(value));
	if (name === 'last') return typeof value === 'boolean' ? !value : undefined;
	if (!NEXT.test(name)) return undefined;
	// An address, a cursor, a number or JSON:API's `{ href: "…" }` announces a page; `null` and `""` deny it.
	if (isRecord(value)) return Object.keys(value).length > 0;
	if (typeof value === 'string' && OTHER_PERIOD.test(value)) return undefined;
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function asCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
