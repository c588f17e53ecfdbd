import { type Connection, withOwnSignal } from '../account';
import { ServiceError } from '../errors';
import { isEnvelope, isRecord } from '../http/records';
import { type Success, trySend, unexpectedResponse } from '../http/send';
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
	/** True for a first page that is certainly the whole list. */
	isWhole: boolean;
	/** The page shows everything up to this time, by the account's clock (ms). */
	asOf: number;
}

/**
 * Reads one page of a list.
 *
 * @param number absent: the first page, which is requested without a page parameter
 * @returns undefined for a further page that does not exist (404)
 * @throws ServiceError as `send` does, and `unexpected-response` if there is no list in `data`; a further
 * page that is refused as invalid names the page parameter
 */
export async function readPage(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	number?: number,
): Promise<Page | undefined> {
	const { pageParameter, pageSizeParameter, pageSize } = paging;
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number !== undefined) query[pageParameter] = number;
	const response = await trySend(withOwnSignal(connection), { ...request, query });
	if (!(response instanceof ServiceError)) {
		return pageIn(request, paging, response, connection.account.clock.now());
	}
	const { facts, status } = response;
	if (number !== undefined && status === 404) return undefined;
	const isInvalid = number !== undefined && [400, 422].includes(status);
	if (!isInvalid || facts.kind !== 'rejected') throw response;
	throw new ServiceError({ ...facts, pageParameter });
}

/** @throws ServiceError `unexpected-response` if there is no list in `data` */
export function pageIn(
	request: ServiceRequest,
	{ pageParameter, pageSize = Infinity }: Paging,
	response: Success,
	now: number,
): Page {
	const { body, headers, sentAt } = response;
	const data = isEnvelope(body) ? (body.data ?? []) : undefined;
	if (!Array.isArray(data)) throw unexpectedResponse(request, response, 'list');
	const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
	// A cache keeps a page for so many seconds (RFC 9111, section 5.1).
	const age = Number(headerText(headers.age)) || 0;
	const records = data as unknown[];
	const total = countIn(meta.total);
	const isFull = records.length > 0 && records.length >= (countIn(meta.per_page) ?? pageSize);
	const isExact = records.length === total;
	return {
		records,
		total,
		number: countIn(meta.current_page),
		isFull,
		isWhole: pageParameter === '' ? isExact || total === undefined : isExact && !isFull,
		asOf: age > 0 ? Math.min(sentAt, now - age * 1000) : sentAt,
	};
}

/** A whole number, also as a text (older Laravel); undefined for anything else. */
function countIn(value: unknown): number | undefined {
	const text = headerText(value);
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
