import type { Connection } from '../account';
import { trySend, type Success, unexpectedResponse } from '../http/send';
import { endsWithId, ServiceError, type ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { type Content, recordsIn } from './content';
import type { Asked } from './meta';

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

export interface Page extends Content {
	/** True if the page has as many records as fit on one, so that others may follow. */
	isFull: boolean;
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
	return { ...content, isFull, isOtherPage, sentAt, isFresh: !isKept };
}

/** True if this many records fill a page. If no page size is known, a round number does. */
function isPageOf(length: number, sizes: Array<number | undefined>): boolean {
	const isUnknown = sizes.every((size) => size === undefined);
	return isUnknown ? length >= 10 && length % 5 === 0 : sizes.includes(length);
}
