import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isRecord } from '../client/envelope';
import { readRecords } from '../client/list';
import { Memory, remembered } from '../client/memory';
import { accountOf } from '../client/pacers';
import { readPage } from '../client/page';
import { type PickedRequest, pagingOf, requestOf } from './request';

/** A list to pick from. */
export interface PickList {
	request: PickedRequest;
	/** What the user reads of a record. */
	label: (record: Record<string, unknown>) => string;
}

/** Results that the editor gets at a time: it draws them all, and asks for more on scrolling. */
const RESULTS = 100;

/** Whole lists, for as long as someone may go on typing. */
const lists = new Memory<Promise<INodeListSearchItems[]>>({
	most: 20,
	forgetAfter: 60_000,
	since: 'set',
});

/**
 * Results for a searchable list. While nothing is searched: one page of the service at a time. On a
 * search: the matches of all pages, filtered here since the interface shows no search parameter.
 *
 * @throws NodeApiError, NodeOperationError as `send` does
 */
export async function pickFrom(
	context: ILoadOptionsFunctions,
	{ request, label }: PickList,
	filter = '',
	paginationToken = '',
): Promise<INodeListSearchResult> {
	const full = requestOf(request);
	const paging = pagingOf(context);
	const key = JSON.stringify([await accountOf(context), full, paging]);
	const toItems = (records: unknown[]): INodeListSearchItems[] =>
		records.filter(isRecord).map((record) => ({ name: label(record), value: String(record.id) }));

	if (filter.trim() !== '') {
		const items = await remembered(lists, key, async () =>
			toItems(await readRecords(context, full, paging)),
		);
		return slice(matching(items, filter), Number(paginationToken));
	}

	// The first page tells how many there are; a list that says no total goes on until one is empty.
	const [number, last, before] = paginationToken === '' ? [1] : parseToken(paginationToken);
	const { records, meta } = await readPage(context, full, paging, number);
	const results = toItems(records);
	const first = String(results[0]?.value ?? '');
	// A service that ignores the page without saying so would go on for ever.
	if (first === '' || first === before) return { results: [] };
	const pages = last ?? Math.ceil((meta.total ?? Infinity) / records.length);
	if (pages === 1) lists.set(key, Promise.resolve(results));
	return {
		results,
		paginationToken: number < pages ? `${number + 1} ${pages} ${first}` : undefined,
	};
}

/** Which page is next, of how many, and the ID that the one before began with. */
function parseToken(token: string): [number: number, last: number, before: string] {
	const [number, last, ...before] = token.split(' ');
	return [Number(number), Number(last), before.join(' ')];
}

/** Items in which every word of the filter occurs, whatever the case and the accents. */
function matching(items: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const words = folded(filter).split(/\s+/).filter(Boolean);
	return items.filter(({ name, value }) => {
		const text = folded(`${name} ${value}`);
		return words.every((word) => text.includes(word));
	});
}

function folded(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{Diacritic}/gu, '')
		.toLowerCase();
}

function slice(items: INodeListSearchItems[], start: number): INodeListSearchResult {
	const end = start + RESULTS;
	return {
		results: items.slice(start, end),
		paginationToken: end < items.length ? String(end) : undefined,
	};
}
