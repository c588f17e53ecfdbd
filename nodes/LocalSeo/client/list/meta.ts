import { isRecord } from '../http/records';
import type { JsonObject } from '../ports';

/** The `meta` of a list; a number is absent if the service does not state it, or not as a count. */
export interface Meta {
	currentPage?: number;
	perPage?: number;
	total?: number;
	/** Whether the service says that there are pages after this one, or none, in one of the usual ways. */
	hasMore?: boolean;
}

/** Reads `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown, requestedPage: number): Meta {
	const envelope = isRecord(body) ? body : {};
	const meta = isRecord(envelope.meta) ? envelope.meta : {};
	const perPage = wholeNumber(meta.per_page);
	// Zeros are those of a mock, or of a service that fills in nothing.
	const { current_page, total } = perPage === 0 ? ({} as JsonObject) : meta;
	const currentPage = wholeNumber(current_page);
	const signs = [
		...placesIn(meta, envelope).map((place) => signIn(place, currentPage ?? requestedPage)),
		...signsWithin(envelope.data, requestedPage),
	];
	return {
		currentPage,
		perPage: perPage || undefined,
		total: wholeNumber(total),
		hasMore: signs.includes(true) || (signs.includes(false) ? false : undefined),
	};
}

/** The interface shows none of these, so each is taken for what it says where it is there. */
const LAST_PAGE = ['last_page', 'total_pages', 'page_count', 'pages'];
const MORE = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage', 'more'];
const NEXT = [
	'next',
	'next_page',
	'next_page_url',
	'next_cursor',
	'nextCursor',
	'next_page_token',
	'nextPageToken',
	'nextLink',
	'@odata.nextLink',
];
/** Names of these that a record may have for something of its own. */
const UNCERTAIN = ['total_pages', 'page_count', 'pages', 'more', 'next'];

function placesIn(...objects: JsonObject[]): JsonObject[] {
	const inner = ['links', 'pagination', 'paging'];
	return objects.flatMap((one) => [one, ...inner.map((name) => one[name])]).filter(isRecord);
}

/** What is no list may hold one, and say there that it goes on: Laravel's pages in `data`, say. */
function signsWithin(data: unknown, requestedPage: number): Array<boolean | undefined> {
	if (!isRecord(data)) return [];
	const objects = [data, data.meta, data.pagination, data.paging].filter(isRecord);
	return objects.map((place) => {
		const certain = Object.entries(place).filter(([name]) => !UNCERTAIN.includes(name));
		return signIn(Object.fromEntries(certain), wholeNumber(place.current_page) ?? requestedPage);
	});
}

function signIn(place: JsonObject, page: number): boolean | undefined {
	const signs = [
		...LAST_PAGE.map((name) => isAfter(wholeNumber(place[name]), page)),
		...MORE.map((name) => BOOLEANS.get(place[name])),
		...NEXT.map((name) => isNext(place[name])),
	];
	return signs.includes(true) || (signs.includes(false) ? false : undefined);
}

function isAfter(last: number | undefined, page: number): boolean | undefined {
	return last === undefined ? undefined : last > page;
}

const BOOLEANS = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
]);

/** An address, a cursor or a number of a page; `null`, `false` and empty texts say that there is none. */
function isNext(value: unknown): boolean | undefined {
	if (value === undefined) return undefined;
	// JSON:API: `{ href: "…" }`
	if (isRecord(value)) return Object.keys(value).length > 0;
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
