import { isRecord, type JsonObject } from '../client';

/** True if insights say that they are one page of several, in an object of theirs or beside them. */
export function isOnePageOfSeveral(data: unknown, beside: JsonObject = {}): boolean {
	const outer = [data, beside].filter(isRecord);
	return [...outer, ...outer.flatMap((one) => Object.values(one))].filter(isRecord).some(saysMore);
}

function saysMore(said: JsonObject): boolean {
	const { last_page, current_page, total_pages, page, has_more } = said;
	const { next_page_url, next_cursor, nextPageToken } = said;
	return (
		Number(last_page) > Number(current_page) ||
		Number(total_pages) > Number(page) ||
		has_more === true ||
		[next_page_url, next_cursor, nextPageToken].some(Boolean)
	);
}
