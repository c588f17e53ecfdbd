import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isEnvelope, type Meta, readMeta } from './envelope';
import { unreadable } from './refusal';
import { type ApiRequest, type Host, inWords } from './request';
import { send } from './send';

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
 * One page of a list. Page 1 is asked for without a page parameter.
 *
 * @throws NodeApiError as `send` does, and for an answer without `data`
 * @throws NodeOperationError when it is another page than the one asked for
 */
export async function readPage(
	host: Host,
	request: ApiRequest,
	paging: Paging,
	number: number,
): Promise<Page> {
	const { pageParameter, pageSizeParameter, pageSize } = paging;
	const query = { ...request.query };
	if (pageSize !== undefined) query[pageSizeParameter] = pageSize;
	if (number > 1) query[pageParameter] = number;
	const answer = await send(host, { ...request, query });
	if (answer.status === 204) return { number, records: [], meta: {}, isList: true };
	if (!isEnvelope(answer.body)) throw unreadable(host.getNode(), request, answer);
	const { data } = answer.body;
	const meta = readMeta(answer.body);
	if (meta.currentPage !== undefined && meta.currentPage !== number) {
		throw ignoresPages(host.getNode(), request, paging);
	}
	const isList = Array.isArray(data);
	const records = isList ? data : data === null ? [] : [data];
	// A total below what this page alone holds says nothing.
	if ((meta.total ?? 0) < records.length) delete meta.total;
	return {
		number,
		records,
		meta,
		isList,
		answeredAt: Date.parse(String(answer.headers.date)) || undefined,
	};
}

export function ignoresPages(node: INode, request: ApiRequest, paging: Paging) {
	return new NodeOperationError(
		node,
		`The service gave another page than the one asked for, while this node was to ${inWords(request)}`,
		{
			description: `It was asked with the query parameter "${paging.pageParameter}". If the service names it otherwise, add the options Page Parameter and Page Size Parameter and enter its names.`,
		},
	);
}
