import { isRecord } from '../client';

/** True if insights say, in any object of theirs or beside them, that they are one page of several. */
export function isOnePageOfSeveral(...said: unknown[]): boolean {
	return said.filter(isRecord).some((one) => {
		const { last_page, current_page, total_pages, page, has_more } = one;
		const { next_page_url, next_cursor, nextPageToken } = one;
		return (
			Number(last_page) > Number(current_page) ||
			Number(total_pages) > Number(page) ||
			has_more === true ||
			[next_page_url, next_cursor, nextPageToken].some(Boolean) ||
			isOnePageOfSeveral(...Object.values(one))
		);
	});
}
