import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isRecord } from '../client/envelope';
import { readRecords } from '../client/list';
import { DEFAULT_PAGING, type Paging, readPage } from '../client/page';
import type { ApiRequest } from '../client/request';

/** Milliseconds: a person waits before the editor. */
const PATIENCE = 10_000;

/** A list to pick from. */
export interface PickList {
	request: Pick<ApiRequest, 'template' | 'ids' | 'noun'>;
	/** What the user reads of a record. */
	label: (record: Record<string, unknown>) => string;
}

/**
 * Results for a searchable list: one page at a time while nothing is searched, and on a search the
 * matches of all pages, filtered here since the interface shows no search parameter.
 */
export async function pickFrom(
	context: ILoadOptionsFunctions,
	{ request, label }: PickList,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const full: ApiRequest = {
		...request,
		method: 'GET',
		query: {},
		settings: { maxWait: PATIENCE },
	};
	const paging = pagingOf(context);
	const toItems = (records: unknown[]): INodeListSearchItems[] =>
		records.filter(isRecord).map((record) => ({ name: label(record), value: String(record.id) }));

	if (filter) {
		const wanted = filter.toLowerCase();
		const items = toItems(await readRecords(context, full, paging));
		const matches = ({ name, value }: INodeListSearchItems) =>
			`${name} ${value}`.toLowerCase().includes(wanted);
		return { results: items.filter(matches) };
	}
	const number = Number(paginationToken ?? 1);
	const { records, meta } = await readPage(context, full, paging, number);
	// A full page is as long as the ones before it; a shorter last one only makes `seen` smaller.
	const seen = number * records.length;
	const hasMore = records.length > 0 && meta.total !== undefined && seen < meta.total;
	return { results: toItems(records), paginationToken: hasMore ? String(number + 1) : undefined };
}

/** The names of the page parameters that the user has set for this node. */
function pagingOf(context: ILoadOptionsFunctions): Paging {
	const options = (context.getCurrentNodeParameter('options') ?? {}) as Partial<Paging>;
	return {
		pageParameter: options.pageParameter || DEFAULT_PAGING.pageParameter,
		pageSizeParameter: options.pageSizeParameter || DEFAULT_PAGING.pageSizeParameter,
	};
}
