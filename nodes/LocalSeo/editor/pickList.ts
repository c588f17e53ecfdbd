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
	type Paging,
	readPage,
	readRecords,
	type ServiceRequest,
	withoutAccents,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError, toNodeError } from '../host/errors';
import { asText } from '../host/words';
import { keyword, listRequest, location, type Resource } from '../service';
import { pagingOf, pickedLocation, withConnection } from './request';

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

/** Locations by name, city and country, and by status where that is not `active`. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await pickFrom(this, location, {}, filter, paginationToken);
}

/** The keywords of the location that is picked in the node. */
export async function searchKeywords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const locationId = await pickedLocation(this);
	if (locationId === undefined) {
		const missing = new InputError('Pick a location first, or enter the keyword by ID');
		throw toNodeError(this, missing);
	}
	return await pickFrom(this, keyword, { locationId }, filter, paginationToken);
}

/**
 * Results for a searchable list. Without a search term: one page of the service at a time. With one:
 * the matches from all pages, filtered here because the interface shows no search parameter.
 *
 * @param ids of the list's path
 * @throws NodeApiError, NodeOperationError if the list can't be read
 */
async function pickFrom(
	context: ILoadOptionsFunctions,
	resource: Resource,
	ids: Record<string, string>,
	filter = '',
	token = '',
): Promise<INodeListSearchResult> {
	const request = listRequest(resource, ids);
	const paging = pagingOf(context);
	return await withConnection(context, async (connection) => {
		if (filter.trim() === '') return await browse(connection, resource, request, paging, token);
		const read = async () => toItems(resource, await readRecords(connection, request, paging));
		const cache = lists.of(connection.account);
		const items = await getOrMake(cache, JSON.stringify([request, paging]), read, jsonBytes);
		const found = matching(items, filter);
		const end = Number(token) + RESULTS;
		const next = end < found.length ? String(end) : undefined;
		return { results: found.slice(Number(token), end), paginationToken: next };
	});
}

/** What has to be known of the pages before the next one; in the token, as JSON. */
interface Position {
	/** Which page comes next, from 1 on. */
	nth: number;
	/** How many there are; absent: not known. */
	pages?: number;
	/** Which number the service gave the first one. */
	currentPage?: number;
	/** The ID with which the previous page began. */
	before?: unknown;
}

async function browse(
	connection: Connection,
	resource: Resource,
	request: ServiceRequest,
	paging: Paging,
	token: string,
): Promise<INodeListSearchResult> {
	const position = (token === '' ? { nth: 1 } : JSON.parse(token)) as Position;
	const { nth, before, currentPage } = position;
	const { records, meta } = await readPage(connection, request, paging, nth, {
		meta: { currentPage },
	});
	const results = toItems(resource, records);
	const first = results[0]?.value;
	// A list without a total ends with an empty page; one that ignores the page parameter, with the same.
	if (first === undefined || first === before) return { results: [] };
	const total = meta.total ?? Infinity;
	const { pages = Math.ceil(total / records.length) } = position;
	const next = { nth: nth + 1, pages, currentPage: currentPage ?? meta.currentPage, before: first };
	return { results, paginationToken: nth < pages ? JSON.stringify(next) : undefined };
}

/**
 * Names and IDs alone: n8n would open a `url`, whatever it is. Where several have the same name, each
 * has its ID in it. What has no ID, or a number that has lost its last digits, can't be picked.
 */
export function toItems(
	{ label }: Resource,
	records: unknown[],
): Array<{ name: string; value: string }> {
	const items = records.filter(isIdentified).map((record) => {
		const value = String(record.id);
		return { name: asText(label?.(record) ?? value), value };
	});
	const counts = new Map<string, number>();
	for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1);
	return items.map(({ name, value }) => ({
		name: counts.get(name) === 1 ? name : `${name} (${value})`,
		value,
	}));
}

/** Items that contain every word of the filter, regardless of case and accents. */
function matching(items: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const folded = (text: string) => withoutAccents(text.toLowerCase());
	const words = folded(filter).split(/\s+/).filter(Boolean);
	return items.filter(({ name, value }) => {
		const text = folded(`${name} ${value}`);
		return words.every((word) => text.includes(word));
	});
}
