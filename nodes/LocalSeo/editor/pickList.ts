import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	getOrMake,
	isIdentified,
	jsonBytes,
	type JsonObject,
	readPage,
	readRecords,
	withoutAccents,
} from '../client';
import { PerAccount } from '../host/accounts';
import { asText } from '../host/words';
import { listRequest, type Resource } from '../service';
import { pagingOf, withConnection } from './request';

/** Results per call: the editor renders all of them, and requests more on scrolling. */
const RESULTS = 100;

/** Whole lists, kept for as long as someone may be typing a search. */
const lists = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<INodeListSearchItems[]>>(
			{ maxBytes: 8 * 1024 * 1024, forgetAfterMs: 60_000, since: 'set' },
			clock,
		),
);

/** What the list shows for a record; n8n shows it as text. */
export function labelOf({ label }: Resource, record: JsonObject): string {
	return asText(label?.(record) ?? String(record.id));
}

/**
 * Results for a searchable list. Without a search term: one page of the service at a time. With one:
 * the matches from all pages, filtered here because the interface shows no search parameter.
 *
 * @param ids of the list's path
 * @throws NodeApiError, NodeOperationError if the list can't be read
 */
export async function pickFrom(
	context: ILoadOptionsFunctions,
	resource: Resource,
	ids: Record<string, string>,
	filter = '',
	paginationToken = '',
): Promise<INodeListSearchResult> {
	return await withConnection(context, async (connection) =>
		filter.trim() === ''
			? await browse(context, connection, resource, ids, paginationToken)
			: await search(context, connection, resource, ids, filter, Number(paginationToken)),
	);
}

async function search(
	context: ILoadOptionsFunctions,
	connection: Connection,
	resource: Resource,
	ids: Record<string, string>,
	filter: string,
	start: number,
): Promise<INodeListSearchResult> {
	const paging = pagingOf(context);
	const request = listRequest(resource, ids);
	const read = async () => toItems(resource, await readRecords(connection, request, paging));
	const cache = lists.of(connection.account);
	const items = await getOrMake(cache, JSON.stringify([request, paging]), read, jsonBytes);
	return slice(matching(items, filter), start);
}

async function browse(
	context: ILoadOptionsFunctions,
	connection: Connection,
	resource: Resource,
	ids: Record<string, string>,
	paginationToken: string,
): Promise<INodeListSearchResult> {
	const paging = pagingOf(context);
	const request = listRequest(resource, ids);
	// The first page says how many there are; a list without a total ends with an empty page.
	const { nth, last, from, before } = parseToken(paginationToken);
	const start = from === 0 ? { meta: { currentPage: 0 } } : undefined;
	const { records, meta } = await readPage(connection, request, paging, nth, start);
	const results = toItems(resource, records);
	const first = String(results[0]?.value ?? '');
	// A service that silently ignores the page parameter would never end.
	if (first === '' || first === before) return { results: [] };
	const pages = last ?? Math.ceil((meta.total ?? Infinity) / records.length);
	if (pages === 1) {
		const cache = lists.of(connection.account);
		cache.set(JSON.stringify([request, paging]), Promise.resolve(results), jsonBytes(results));
	}
	return {
		results,
		paginationToken:
			nth < pages ? `${nth + 1} ${pages} ${from ?? meta.currentPage ?? 1} ${first}` : undefined,
	};
}

/**
 * Names and IDs alone: n8n would open a `url`, whatever it is. Where several have the same name, each
 * has its ID in it. What has no ID, or a number that has lost its last digits, can't be picked.
 */
export function toItems(
	resource: Resource,
	records: unknown[],
): Array<{ name: string; value: string }> {
	const items = records
		.filter(isIdentified)
		.map((record) => ({ name: labelOf(resource, record), value: String(record.id) }));
	const counts = new Map<string, number>();
	for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1);
	return items.map(({ name, value }) => ({
		name: counts.get(name) === 1 ? name : `${name} (${value})`,
		value,
	}));
}

interface Token {
	/** Which page comes next, from 1 on. */
	nth: number;
	/** How many there are. */
	last?: number;
	/** Which number the service gave the first one. */
	from?: number;
	/** The ID with which the previous page began. */
	before?: string;
}

function parseToken(token: string): Token {
	if (token === '') return { nth: 1 };
	const [nth, last, from, ...before] = token.split(' ');
	return { nth: Number(nth), last: Number(last), from: Number(from), before: before.join(' ') };
}

/** Items that contain every word of the filter, regardless of case and accents. */
function matching(items: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const words = folded(filter).split(/\s+/).filter(Boolean);
	return items.filter(({ name, value }) => {
		const text = folded(`${name} ${value}`);
		return words.every((word) => text.includes(word));
	});
}

function folded(text: string): string {
	return withoutAccents(text.toLowerCase());
}

function slice(items: INodeListSearchItems[], start: number): INodeListSearchResult {
	const end = start + RESULTS;
	return {
		results: items.slice(start, end),
		paginationToken: end < items.length ? String(end) : undefined,
	};
}
