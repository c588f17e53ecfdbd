import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { isEnvelope, type Meta, readMeta } from '../exchange/records';
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
	number: number;
	records: unknown[];
	meta: Meta;
	/** A list is paged; a single record stands alone. */
	isList: boolean;
	/** When the service answered, by its own clock, to the second; undefined where it does not say. */
	answeredAt?: number;
}

/**
 * One page of a list. Page 1 is requested without a page parameter; a page past the end is empty.
 *
 * @throws ServiceError as `send` does, `unexpected-response` for a response without `data`, and
 * `wrong-page` for another page than the one asked for
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	number: number,
): Promise<Page> {
	const { pageParameter, pageSizeParameter, pageSize } = paging;
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number > 1) query[pageParameter] = number;
	const response = await attempt(connection, { ...request, query });
	if (response instanceof ServiceError) {
		if (number > 1 && response.facts.status === 404) return endOfList(number);
		throw response;
	}
	if (response.status === 204) return endOfList(number);
	if (!isEnvelope(response.body)) throw unexpectedResponse(request, response);
	const { data } = response.body;
	const meta = readMeta(response.body, number);
	if (meta.currentPage !== undefined && meta.currentPage !== number) {
		throw wrongPage(request, paging);
	}
	const isList = Array.isArray(data);
	const records = isList ? (data as unknown[]) : data === null ? [] : [data];
	// A total below what this page alone holds says nothing.
	if ((meta.total ?? 0) < records.length) delete meta.total;
	return {
		number,
		records,
		meta,
		isList,
		answeredAt: Date.parse(String(response.headers.date)) || undefined,
	};
}

export function wrongPage(request: ServiceRequest, { pageParameter }: Paging): ServiceError {
	return new ServiceError({ kind: 'wrong-page', request, pageParameter });
}

function endOfList(number: number): Page {
	return { number, records: [], meta: {}, isList: true };
}

/** Whether a page is the first one again, and does not say otherwise: its number may be ignored. */
export function isRepeated(page: Page, other: Page): boolean {
	return (
		page.meta.currentPage === undefined &&
		page.records.length === other.records.length &&
		JSON.stringify(page.records) === JSON.stringify(other.records)
	);
}
