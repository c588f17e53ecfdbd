import { isRecord } from '../http/records';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';

/** The `meta` of a list; a number is absent if the service does not state it as a count. */
export interface Meta {
	/** 0 for the first page of a service that counts from 0, in whatever way it says so. */
	currentPage?: number;
	perPage?: number;
	total?: number;
	/** The largest total of a list that is not `meta.total`: it may count a page, or more than this list. */
	otherTotal?: number;
	/** True if the service announces further pages in one of the usual ways, false if it denies them. */
	hasMore?: boolean;
}

/** The parameters of a request for a page, as `readPage` takes them. */
export interface Asked {
	number?: number;
	first?: number;
	pageSize?: number;
	pageParameter?: string;
	/** The name of the list in its path, `posts`; absent where the response may be anything. */
	listName?: string;
}

/** Members that only describe a page; JSON-LD's and OData's begin with `@`. */
const OF_PAGES =
	/^(meta|links?|pagination|paging|path|from|to|limit|offset|size|success|status|number|next|prev(ious)?|first|last|empty|sort|has_?more|has_?next)$|page|paging|cursor|^@/i;
/** Lists that describe a page: addresses of others, and orders. */
const LISTS_OF_PAGES = /^(pages|sort)$|links?$|^@/i;
/** Members that say how many records there are, of the list or of its page. */
const TOTAL =
	/^(hydra:|@odata\.)?(total|count|(total|number|nb)_?(of_?)?(count|elements|items|results|records|rows|entries|docs))$/i;

/** Whether a member of an object describes the page that the object holds. */
export function isOfPage(name: string, value: unknown): boolean {
	// Some services call the list itself `pageItems`.
	if (Array.isArray(value) && value.every(isRecord) && !LISTS_OF_PAGES.test(name)) return false;
	return (
		OF_PAGES.test(name) || (TOTAL.test(name) && (value === null || asCount(value) !== undefined))
	);
}

/** What the `meta` beside a list and the one around it say together. */
export function both(beside: Meta, around: Meta): Meta {
	return {
		currentPage: beside.currentPage ?? around.currentPage,
		perPage: beside.perPage ?? around.perPage,
		total: beside.total ?? around.total,
		otherTotal: beside.otherTotal ?? around.otherTotal,
		hasMore: anyOf([beside.hasMore, around.hasMore]),
	};
}

/** True if one announces further pages, else false if one denies them. */
function anyOf(signs: Array<boolean | undefined>): boolean | undefined {
	return signs.includes(true) || (signs.includes(false) ? false : undefined);
}

const AROUND_PAGES = [
	...['metadata', '_meta', 'links', 'pagination', 'paging', 'page', 'page_info', 'pageInfo'],
];

/** Reads the `meta` of a list; numbers may come as text. */
export function readMeta(
	body: unknown,
	{ number, first = 1, pageParameter, listName }: Asked,
): Meta {
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
		otherTotal: listName === undefined ? undefined : totalIn(members),
		hasMore: anyOf(signs),
	};
}

/**
 * The largest total among the members around a list: `count` may be that of its page, and beside `offset`
 * it is what was asked for.
 */
function totalIn(members: Array<[string, unknown]>): number | undefined {
	const isAsked = members.some(([name]) => /^(start|offset|skip)$/i.test(name));
	const totals = members
		.filter(([name]) => TOTAL.test(name) && !(isAsked && name === 'count'))
		.flatMap(([, value]) => asCount(value) ?? []);
	return totals.length > 0 ? Math.max(...totals) : undefined;
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
