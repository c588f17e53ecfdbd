import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import countBy from 'lodash/countBy';

import { folded, idOf, type JsonObject, readList, readCompleteList } from '../client';
import { toNodeError } from '../host/errors';
import { InputError } from '../text/inputError';
import { keyword, listRequest, location, type Resource } from '../resources';
import { asLabel } from '../text/words';
import { onceAMinute, pickedLocation, withConnection } from './request';

/** Results per call: the editor renders all of them, and requests more on scrolling. */
const RESULTS = 100;

/** The editor's arguments for a searchable list: the text typed, and the offset of the next results. */
type SearchArguments = [filter?: string, paginationToken?: string];

/** All locations by name, for a multi-select list, which can't be searched. */
export async function getLocations(this: ILoadOptionsFunctions): Promise<INodeListSearchItems[]> {
	return await withConnection(this, async (connection) => {
		const records = await readCompleteList(connection, listRequest(location), connection.paging);
		return toItems(location, records).sort((a, b) => a.name.localeCompare(b.name));
	});
}

/** Locations by name, city and country, and by status if it is not `active`. */
export async function searchLocations(
	this: ILoadOptionsFunctions,
	...search: SearchArguments
): Promise<INodeListSearchResult> {
	return await pickFrom(this, location, {}, search);
}

/** The keywords of the location that is picked in the node. */
export async function searchKeywords(
	this: ILoadOptionsFunctions,
	...search: SearchArguments
): Promise<INodeListSearchResult> {
	const locationId = await pickedLocation(this);
	if (locationId === undefined) {
		throw toNodeError(this, new InputError('Pick a location first, or enter the keyword by ID'));
	}
	return await pickFrom(this, keyword, { locationId }, search);
}

/**
 * The results of a searchable list. All of its records are read and filtered here, because the
 * interface shows no search parameter. An incomplete list shows the records that came.
 *
 * @param ids the IDs in the list's path
 * @throws NodeApiError, NodeOperationError if the list can't be read
 */
async function pickFrom(
	context: ILoadOptionsFunctions,
	resource: Resource,
	ids: Record<string, string>,
	[filter = '', token = '0']: SearchArguments,
): Promise<INodeListSearchResult> {
	const request = listRequest(resource, ids);
	return await withConnection(context, async (connection) => {
		const { paging } = connection;
		const items = await onceAMinute(connection, [request, paging], async () =>
			toItems(resource, (await readList(connection, request, paging)).records),
		);
		const found = containing(items, filter);
		const end = Number(token) + RESULTS;
		const paginationToken = end < found.length ? String(end) : undefined;
		return { results: found.slice(Number(token), end), paginationToken };
	});
}

/**
 * The entries of a picker: names and IDs alone, because n8n would open any `url`. Records that share a
 * name show their ID with it. A record can't be picked if it has no ID, if its ID is a number that has
 * lost its last digits, or if n8n would run the ID as an expression.
 */
export function toItems({ label }: Resource, records: unknown[]): INodeListSearchItems[] {
	const items = records.flatMap((record) => {
		const value = idOf(record);
		if (value === undefined || value.startsWith('=')) return [];
		return { name: asLabel(label!(record as JsonObject, value)) || value, value };
	});
	const counts = countBy(items, 'name');
	return items.map(({ name, value }) => ({
		name: counts[name] === 1 ? name : `${name} (${value})`,
		value,
	}));
}

/** Keeps the entries that contain every word of the filter, regardless of case and accents. */
function containing(items: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const words = folded(filter).split(/\s+/).filter(Boolean);
	return items.filter(({ name, value }) => {
		const text = folded(`${name} ${value}`);
		return words.every((word) => text.includes(word));
	});
}
