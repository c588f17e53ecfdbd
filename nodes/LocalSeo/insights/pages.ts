import mapKeys from 'lodash/mapKeys';
import omitBy from 'lodash/omitBy';

import { isEmpty, isRecord, type JsonObject } from '../client';
import { InputError } from '../text/inputError';

/** The members that say where another page is, and that there is one, in the form of `folded`. */
const NEXT = ['nextpage', 'nextpageurl', 'nextpagetoken', 'nextcursor'];
const MORE = ['hasmore', 'hasnext', 'hasnextpage'];
/** The members that hold such. */
const HOLDERS = ['meta', 'links', 'pagination', 'pageinfo'];
const PAGE_MEMBERS = new Set([
	...['next', ...NEXT, ...MORE, ...HOLDERS],
	...`page currentpage pages pagecount lastpage totalpages perpage limit total from to count
	path`.split(/\s+/),
]);

/** "next_page_token" and "nextPageToken" are the same. */
const folded = (name: string): string => name.replaceAll('_', '').toLowerCase();

/**
 * The hint on insights that are one page of several.
 *
 * @param holders the objects around lists; they say so, or what they hold about pages
 * @throws InputError unless incomplete lists are accepted
 */
export function pageHints(holders: JsonObject[], acceptsIncomplete: boolean): string[] {
	if (!holders.some(saysMore)) return [];
	if (acceptsIncomplete) return ['These insights are one page of several'];
	throw new InputError(
		'These insights are one page of several, and the node does not know how to ask for the others',
		"Ask for all of them at once in the option 'Query Parameters', as the documentation of your service says. To take what came, add the option 'Accept Incomplete Lists'.",
	);
}

function saysMore(holder: JsonObject): boolean {
	let size = 0;
	for (const list of Object.values(holder))
		if (Array.isArray(list)) size = Math.max(size, list.length);
	return isPart(holder, size);
}

/** A number of pages counts only beside the number of this page: alone, it may be a metric. */
function isPart(object: JsonObject, size: number, isHolder = false): boolean {
	const said = mapKeys(object, (_, name) => folded(name));
	const { page = said.currentpage, pages, pagecount, lastpage, totalpages, total } = said;
	const perpage = Number(said.perpage ?? (isEmpty(total) ? undefined : said.limit));
	// The first page was asked for; some services count it as 0.
	const number = isEmpty(page) ? NaN : Number(page) === 0 ? 1 : Number(page);
	return (
		(isHolder ? ['next', ...NEXT] : NEXT).some((name) => Boolean(said[name])) ||
		MORE.some((name) => [true, 1, 'true', '1'].includes(said[name] as string)) ||
		[pages, pagecount, lastpage, totalpages].some((last) => Number(last) > number) ||
		number * perpage < Number(total) ||
		// A full page without a total does not say that it is the last one.
		(isEmpty(total) && perpage > 0 && size >= perpage) ||
		HOLDERS.some((name) => isRecord(said[name]) && isPart(said[name], size, true))
	);
}

/** The hint that names what a response says beside `data`, but for its pages. */
export function besideHints({ meta, ...beside }: JsonObject): string[] {
	const others = Object.entries(omitBy(beside, (_, name) => HOLDERS.includes(folded(name))));
	const filled = others.filter(
		([, value]) => typeof value === 'object' && Object.keys(value ?? {}).length > 0,
	);
	const inMeta = Object.keys(isRecord(meta) ? meta : {}).filter(
		(name) => !PAGE_MEMBERS.has(folded(name)),
	);
	const names = [...filled.map(([name]) => name), ...inMeta.map((name) => `meta.${name}`)];
	return names.length > 0 ? [`The response also has ${names.join(', ')} beside 'data'`] : [];
}
