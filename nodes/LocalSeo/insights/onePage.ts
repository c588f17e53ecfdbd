import { isRecord, type JsonObject } from '../client';

/** True if insights say, in any object of theirs, that they are one page of several. */
export function isOnePageOfSeveral(said: unknown): boolean {
	if (isRecord(said) && saysMore(said)) return true;
	return typeof said === 'object' && Object.values(said ?? {}).some(isOnePageOfSeveral);
}

function saysMore(object: JsonObject): boolean {
	const { current_page, page, per_page, total, last_page, total_pages, has_more } = object;
	const { next_page_url, next_cursor, nextPageToken } = object;
	// The first page was asked for; some services count it as 0.
	const number = Number(current_page ?? page) || 1;
	return (
		Number(current_page) * Number(per_page) < Number(total) ||
		Number(last_page) > number ||
		Number(total_pages) > number ||
		has_more === true ||
		[next_page_url, next_cursor, nextPageToken].some(Boolean)
	);
}
