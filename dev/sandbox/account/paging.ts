import type { Answer, Fields } from './exchange';

export interface Page {
	data: Fields[];
	all: readonly Fields[];
	/** As the service counts its pages. */
	number: number;
	size: number;
	/** The number of the last page. */
	last: number;
}

/** How a service divides its lists. */
export interface PageSwitches {
	pageSize: number;
	/** A page never has more, whatever is asked for. */
	maxPageSize: number;
	firstPage: number;
	pageParameter: 'known' | 'ignored' | 'refused';
	/** What comes beyond the last page; `clamped`: the last one. */
	pastEnd: 'empty' | 'clamped' | Answer;
}

export const PAGING: PageSwitches = {
	pageSize: 15,
	maxPageSize: Infinity,
	firstPage: 1,
	pageParameter: 'known',
	pastEnd: 'empty',
};

/** The page that a request asks for, or why there is none. */
export function pageOf(
	all: readonly Fields[],
	query: Fields,
	paging: Partial<PageSwitches>,
): Page | Answer {
	const { pageSize, maxPageSize, firstPage, pageParameter, pastEnd } = { ...PAGING, ...paging };
	if (pageParameter === 'refused' && query.page !== undefined) {
		return { status: 400, body: { message: 'page: unknown' } };
	}
	const size = Math.min(maxPageSize, Number(query.per_page ?? pageSize));
	const asked = pageParameter === 'known' ? Number(query.page ?? firstPage) - firstPage : 0;
	const last = Math.max(0, Math.ceil(all.length / size) - 1);
	if (asked > last && typeof pastEnd === 'object') return pastEnd;
	const index = pastEnd === 'clamped' ? Math.min(asked, last) : asked;
	const data = all.slice(index * size, (index + 1) * size);
	return { data, all, number: index + firstPage, size, last: last + firstPage };
}

/** What the interface says of a page. */
export function metaOf({ number, size, all }: Page): Fields {
	return { current_page: number, per_page: size, total: all.length };
}
