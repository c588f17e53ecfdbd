import { type Connection, withOwnSignal } from '../connection';
import { ServiceError } from '../errors';
import { isEnvelope, isRecord } from '../http/records';
import { unexpectedResponse } from '../http/outcome';
import { trySend } from '../http/send';
import type { HttpResponse } from '../ports';
import type { ServiceRequest } from '../request';
import { headerText } from '../textOf';

/** The query parameters that ask for a page. Their names are assumptions: the interface shows none. */
export interface Paging {
	/** The most records to get; absent: all. */
	limit?: number;
	/** Records per page; absent: the service's default. */
	pageSize?: number;
	/** Empty: the service has no pages, so that the first one is all. */
	pageParameter: string;
	pageSizeParameter: string;
}

export const DEFAULT_PAGING: Paging = { pageParameter: 'page', pageSizeParameter: 'per_page' };

/** One page of a list: `data`, and the numbers in `meta` (interface, section 2). */
export interface Page {
	records: unknown[];
	/** `meta.total` */
	total?: number;
	/** `meta.current_page` */
	number?: number;
	/** True if it has as many records as fit on a page, as far as is known (`meta.per_page`). */
	isFull: boolean;
}

/**
 * Reads one page of a list.
 *
 * @param number absent: the first page, which is requested without a page parameter
 * @returns undefined for a further page that does not exist (404)
 * @throws ServiceError as `send` does, and `unexpected-response` if there is no list in `data`
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	{ pageParameter, pageSizeParameter, pageSize }: Paging,
	number?: number,
): Promise<Page | undefined> {
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number !== undefined) query[pageParameter] = number;
	const response = await trySend(withOwnSignal(connection), { ...request, query });
	if (!(response instanceof ServiceError)) return pageIn(request, response, pageSize);
	if (number !== undefined && response.status === 404) return undefined;
	throw response;
}

/** @throws ServiceError `unexpected-response` if there is no list in `data` */
export function pageIn(request: ServiceRequest, response: HttpResponse, pageSize = Infinity): Page {
	const { body } = response;
	const records = isEnvelope(body) ? (body.data ?? []) : undefined;
	if (!Array.isArray(records)) throw unexpectedResponse(request, response, 'list');
	const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
	const isFull = records.length > 0 && records.length >= (countIn(meta.per_page) ?? pageSize);
	return { records, total: countIn(meta.total), number: countIn(meta.current_page), isFull };
}

/** A whole number, also as a text (older Laravel); undefined for anything else. */
function countIn(value: unknown): number | undefined {
	const text = headerText(value);
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
