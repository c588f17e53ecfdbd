import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { idOf, isEnvelope, type Meta, readMeta } from './envelope';
import { unreadable } from './refusal';
import { type ApiRequest, type Host, inWords } from './request';
import { send } from './send';
import { sideBySide } from './sideBySide';

/** A list that changes while it is read is read again this often before it is given up. */
const READINGS = 3;

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

interface Page {
	number: number;
	records: unknown[];
	meta: Meta;
	/** A list is paged; a single record stands alone. */
	isList: boolean;
}

/**
 * The records behind a GET: of a list those of as many pages as the limit needs, each record once;
 * of a single record that one; of an empty answer none.
 *
 * Page 1 is asked for without a page parameter and says how many there are (`meta.total`); the
 * others follow side by side. Without a total, pages follow one another until one is short, empty
 * or holds nothing new.
 *
 * @throws NodeApiError as `send` does, and for an answer without `data`
 * @throws NodeOperationError when the service ignores the page parameter, or when the records do not
 * add up to its total after three readings
 */
export async function readRecords(host: Host, request: ApiRequest, paging: Paging) {
	for (let reading = 1; ; reading++) {
		const { records, total, isComplete } = await readOnce(host, request, paging);
		if (isComplete) return records.slice(0, paging.limit);
		if (reading === READINGS) throw doesNotAddUp(host.getNode(), request, records.length, total);
	}
}

/** One page of a list, for a picker that shows more on scrolling. */
export async function readPage(host: Host, request: ApiRequest, paging: Paging, number: number) {
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
	return { number, records: isList ? data : data === null ? [] : [data], meta, isList };
}

async function readOnce(host: Host, request: ApiRequest, paging: Paging) {
	const limit = paging.limit ?? Infinity;
	const read = async (number: number) => await readPage(host, request, paging, number);
	const first: Page = await read(1);
	const collection = new Collection(first.records);
	const size = first.records.length;
	const { total } = first.meta;

	if (!first.isList || size === 0 || size >= limit) {
		return {
			records: collection.records,
			total,
			isComplete: !first.isList || size >= limit || !total,
		};
	}
	if (total === undefined) {
		for (let page = first; page.records.length >= size && collection.size < limit; ) {
			page = await read(page.number + 1);
			if (collection.add(page.records) === 0) break;
		}
		return { records: collection.records, total, isComplete: true };
	}

	// The first page is full if there is a second one, so its length is the true page size.
	const last = Math.ceil(Math.min(total, limit) / size);
	const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
	const pages: Page[] = await sideBySide(numbers.map((number) => async () => await read(number)));
	let isSteady = true;
	for (const page of pages) {
		const added = collection.add(page.records);
		if (added === 0 && page.records.length > 0 && page.meta.currentPage === undefined) {
			throw ignoresPages(host.getNode(), request, paging);
		}
		if (added < page.records.length || page.meta.total !== total) isSteady = false;
	}
	const isComplete = collection.size >= limit || (isSteady && collection.size >= total);
	return { records: collection.records, total, isComplete };
}

/** Records in order, none twice: by id, and as they are where they have none. */
class Collection {
	readonly records: unknown[] = [];
	private readonly seen = new Set<string>();

	constructor(records: unknown[]) {
		this.add(records);
	}

	get size() {
		return this.records.length;
	}

	/** Returns how many were new. A record without an id is new unless its whole page is known. */
	add(page: unknown[]): number {
		const pageKey = JSON.stringify(page);
		if (this.seen.has(pageKey)) return 0;
		this.seen.add(pageKey);
		const fresh = page.filter((record) => {
			const id = idOf(record);
			if (id === undefined) return true;
			const key = `id ${id}`;
			return this.seen.has(key) ? false : this.seen.add(key);
		});
		this.records.push(...fresh);
		return fresh.length;
	}
}

function ignoresPages(node: INode, request: ApiRequest, paging: Paging) {
	return new NodeOperationError(
		node,
		`The service gave another page than the one asked for, while this node was to ${inWords(request)}`,
		{
			description: `It was asked with the query parameter "${paging.pageParameter}". If the service names it otherwise, add the options Page Parameter and Page Size Parameter and enter its names.`,
		},
	);
}

function doesNotAddUp(node: INode, request: ApiRequest, count: number, total?: number) {
	return new NodeOperationError(
		node,
		`The service says that there are ${total} records but gave ${count}, while this node was to ${inWords(request)}`,
		{
			description: `The list was read ${READINGS} times: it may be changing at this moment, so run this again. If it stays so, turn off Return All and set Limit to ${count}.`,
		},
	);
}
