import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { deniesSuccess, isEnvelope, listIn, type Meta, readMeta } from '../exchange/records';
import type { ServiceRequest } from '../exchange/request';
import { attempt, unexpectedResponse } from '../exchange/send';

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

export interface Page {
	/** As it was asked for; undefined for the first one, which is asked for without a number. */
	number?: number;
	records: unknown[];
	meta: Meta;
	/** A list is paged; a single record stands alone. */
	isList: boolean;
	/** Whether the service says that it is another one than the one asked for. */
	isOther: boolean;
	/** Why there is none: it is past the end, or the service does not know how it was asked for. */
	refusal?: ServiceError;
	/** When the service answered, by its own clock, to the second; undefined where it does not say. */
	answeredAt?: number;
	/** When it was asked for, by this machine's clock; milliseconds since 1970. */
	sentAt?: number;
}

/** Statuses with which services refuse a page past the end of a list. */
const PAST_THE_END = [400, 404, 410, 416, 422];

const NO_PAGE = { records: [], meta: {}, isList: true, isOther: false };

/**
 * One page of a list. The first is requested without a page parameter; a page past the end is empty.
 *
 * @param nth which page it is, from 1 on
 * @param first the first page, which shows whether the service counts from 0; absent: it is that one
 * @throws ServiceError as `send` does, `unexpected-response` for a response without `data`, and
 * `wrong-page` for another page than the one asked for
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	nth = 1,
	first?: Pick<Page, 'meta'>,
): Promise<Page> {
	const number = first?.meta.currentPage === 0 ? nth - 1 : nth;
	const page = await requestPage(connection, request, paging, nth === 1 ? undefined : number);
	if (page.refusal && page.refusal.facts.status !== 404) throw page.refusal;
	if (page.isOther) throw wrongPage(request, paging);
	return page;
}

/**
 * As `readPage`, also where the service refuses a page or says that it is another one: what comes
 * may still show that the list is over.
 */
export async function requestPage(
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
	if (response instanceof ServiceError) {
		const { status = 0 } = response.facts;
		if (number === undefined || !PAST_THE_END.includes(status)) throw response;
		return { ...NO_PAGE, number, refusal: response };
	}
	const { sentAt } = response;
	if (response.status === 204) return { ...NO_PAGE, number, sentAt };
	if (!isEnvelope(response.body) || deniesSuccess(response.body))
		throw unexpectedResponse(request, response);
	const { data } = response.body;
	const meta = readMeta(response.body, number ?? 1);
	const { currentPage } = meta;
	const list = listIn(data);
	const isList = list !== undefined;
	const records = list ?? (data === null ? [] : [data]);
	// Only lists have further pages.
	if (number !== undefined && !isList && records.length > 0)
		throw unexpectedResponse(request, response);
	// A total below what this page alone holds says nothing.
	if ((meta.total ?? 0) < records.length) delete meta.total;
	return {
		number,
		records,
		meta,
		isList,
		// Some count their pages from 0.
		isOther: currentPage !== undefined && currentPage !== (number ?? Math.min(currentPage, 1)),
		answeredAt: Date.parse(String(response.headers.date)) || undefined,
		sentAt,
	};
}

export function wrongPage(request: ServiceRequest, { pageParameter }: Paging): ServiceError {
	return new ServiceError({ kind: 'wrong-page', request, pageParameter });
}
