import { isRecord, type JsonObject } from '../client';

/** True if insights, with what stands beside them, say in any object that they are one page of several. */
export function isOnePageOfSeveral({
	data,
	beside,
}: {
	data: unknown;
	beside?: JsonObject;
}): boolean {
	return isFull(data, Object(beside?.meta) as JsonObject) || [data, beside].some(mayGoOn);
}

/** A full page without a total does not say that it is the last one. */
const isFull = (data: unknown, { per_page, total }: JsonObject): boolean =>
	Array.isArray(data) && total === undefined && data.length > 0 && data.length >= Number(per_page);

function mayGoOn(said: unknown): boolean {
	if (isRecord(said) && saysMore(said)) return true;
	return typeof said === 'object' && Object.values(said ?? {}).some(mayGoOn);
}

function saysMore(object: JsonObject): boolean {
	const { current_page, page, per_page, total, last_page, total_pages, has_more, links } = object;
	const { next_page_url, next_cursor, nextPageToken } = object;
	const { next } = Object(links) as JsonObject;
	// The first page was asked for; some services count it as 0.
	const number = Number(current_page ?? page) || 1;
	return (
		(current_page !== undefined && number * Number(per_page) < Number(total)) ||
		Number(last_page) > number ||
		Number(total_pages) > number ||
		has_more === true ||
		[next_page_url, next_cursor, nextPageToken, next].some(Boolean)
	);
}
