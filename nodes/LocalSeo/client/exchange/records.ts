import type { HttpResponse, JsonObject } from '../ports';
import { hashOf } from './hashOf';
import { instantOf, timeOf } from './time';

/** The `meta` of a list; a number is absent if the service does not state it, or not as a count. */
export interface Meta {
	currentPage?: number;
	perPage?: number;
	total?: number;
	/** Whether the service says that there are pages after this one, or none, in one of the usual ways. */
	hasMore?: boolean;
}

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a body is the service's envelope (api/openapi.yaml: a `data` member). */
export function isEnvelope(body: unknown): body is JsonObject & { data: unknown } {
	return isRecord(body) && 'data' in body;
}

/** Reads `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown, requestedPage: number): Meta {
	const envelope = isRecord(body) ? body : {};
	const meta = isRecord(envelope.meta) ? envelope.meta : {};
	const currentPage = wholeNumber(meta.current_page);
	const total = wholeNumber(meta.total);
	const perPage = wholeNumber(meta.per_page) || undefined;
	return {
		currentPage,
		perPage,
		total,
		hasMore: readHasMore(envelope, meta, requestedPage, currentPage),
	};
}

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

/** The interface shows none of these, so each is taken for what it says where it is there. */
function readHasMore(
	envelope: JsonObject,
	meta: JsonObject,
	requestedPage: number,
	currentPage?: number,
): boolean | undefined {
	const inner = ['links', 'pagination', 'paging'];
	const places = [meta, envelope].flatMap((one) => [one, ...inner.map((name) => one[name])]);
	const signs = places
		.filter(isRecord)
		.flatMap((place) => [
			...LAST_PAGE.map((name) => wholeNumber(place[name])).map((last) =>
				isBefore(last, requestedPage, currentPage),
			),
			...MORE.map((name) => BOOLEANS.get(place[name])),
			...NEXT.map((name) => isNext(place[name])),
		])
		.concat(signsWithin(envelope.data, requestedPage));
	return signs.includes(true) || (signs.includes(false) ? false : undefined);
}

/** Of those names, the ones that a record can't have for something of its own. */
const CERTAIN_MORE = MORE.filter((name) => name !== 'more');
const CERTAIN_NEXT = NEXT.filter((name) => name !== 'next');

/** What is no list may hold one, and say there that it goes on: Laravel's pages in `data`, say. */
function signsWithin(data: unknown, requestedPage: number): Array<boolean | undefined> {
	if (!isRecord(data)) return [];
	return [data, data.meta, data.pagination, data.paging]
		.filter(isRecord)
		.flatMap((place) => [
			isBefore(wholeNumber(place.last_page), requestedPage, wholeNumber(place.current_page)),
			...CERTAIN_MORE.map((name) => BOOLEANS.get(place[name])),
			...CERTAIN_NEXT.map((name) => isNext(place[name])),
		]);
}

/** Whether a page is before the last one; where its number is not stated, it may count from 0. */
function isBefore(last: number | undefined, requestedPage: number, currentPage?: number) {
	if (last === undefined) return undefined;
	return currentPage === undefined ? last > requestedPage || undefined : last > currentPage;
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

/** The id of a record, or undefined where it has none. */
export function idOf(record: unknown): string | undefined {
	const id = isRecord(record) ? record.id : undefined;
	// Larger numbers have lost their last digits: several records would have the same.
	if (typeof id === 'number')
		return Number.isInteger(id) && !Number.isSafeInteger(id) ? undefined : String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What tells a record from others: its ID, or all that it holds where it has none. */
export function nameOf(record: unknown): string {
	return idOf(record) ?? hashOf(record);
}

/** A record that can be found again. */
export function isIdentified(value: unknown): value is JsonObject {
	return isRecord(value) && idOf(value) !== undefined;
}

/** When a record was created: known for locations, assumed for the others; undefined if not known. */
export function createdAt(record: unknown): number | undefined {
	return isRecord(record) ? timeOf(record.created_at) : undefined;
}

/** The same, to be compared with a clock; undefined also where the zone is not known. */
export function createdAtByClock(record: unknown): number | undefined {
	return isRecord(record) ? instantOf(record.created_at) : undefined;
}

/** Levels of a value that are nested in each other; records have a few. */
const MAX_DEPTH = 200;

/** Whether a JSON value is nested so deeply that functions that call themselves fail on it. */
export function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		const next: unknown[] = [];
		for (const one of level) {
			if (typeof one !== 'object' || one === null) continue;
			for (const inner of Object.values(one)) {
				if (typeof inner === 'object' && inner !== null) next.push(inner);
			}
		}
		level = next;
	}
	return false;
}

/** Whether a body says that something went wrong, whatever the status: itself, or within `data`. */
export function deniesSuccess(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const { success, ok, status, error, errors, data } = body;
	if (success === false || ok === false) return true;
	// A record may have a status and errors of its own.
	if (idOf(body) !== undefined) return false;
	const isBad = typeof status === 'string' && /^(error|fail)/i.test(status);
	return saysSomething(error) || saysSomething(errors) || isBad || deniesSuccess(data);
}

/** Some successes carry `errors: {}` or `error: { code: 0, message: "" }`. */
function saysSomething(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isRecord(value) ? Object.values(value).some(Boolean) : Boolean(value);
}

/**
 * The records of a list: as an array, or, as PHP writes one from which some were filtered out, as an
 * object with their numbers as keys. Undefined for what is no list.
 */
export function listIn(data: unknown): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	const entries = isRecord(data) ? Object.entries(data) : [];
	const isNumbered = entries.every(([key, value]) => /^\d+$/.test(key) && isIdentified(value));
	return entries.length > 0 && isNumbered ? entries.map(([, value]) => value) : undefined;
}

/** The records of a response: under `data`, as the interface says, or bare. */
export function recordsIn({ body }: HttpResponse): JsonObject[] {
	const payload = isEnvelope(body) ? body.data : body;
	return (listIn(payload) ?? [payload]).filter(isRecord);
}
