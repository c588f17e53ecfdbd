import { type Answer, metaOf, pageOf, type PageSwitches } from '../../../dev/sandbox/account';
import {
	type Connection,
	DEFAULT_PAGING,
	type HttpRequest,
	type JsonObject,
	type Paging,
	type ServiceRequest,
} from '../../../nodes/LocalSeo/client';
import { serviceAnswering } from '../../support/accountTransport';

/** Answers a page by its number; the first one is asked for without. */
export type Pages = (number: number | undefined, request: HttpRequest) => Answer;

export const answer = (body: unknown, status = 200): Answer => ({ status, body });

/** Locations with the numbers from one on. */
export const some = (count: number, from = 1): JsonObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: `loc_${from + index}` }));

/** A service with these records, which says of its pages what the interface shows, or what a test wants. */
export function serviceWith(
	records: JsonObject[],
	paging: Partial<PageSwitches> = {},
	meta?: (page: number) => JsonObject,
): Pages {
	return (number) => {
		const page = pageOf(records, { page: number }, paging);
		if (!('data' in page)) return page;
		return answer({ data: page.data, meta: meta?.(page.number) ?? metaOf(page) });
	};
}

/** A service that is another one each time its list is read; the last one stays. */
export function inTurn(...services: Pages[]): Pages {
	let readings = 0;
	return (number, request) => {
		if (number === undefined) readings++;
		return services[Math.min(readings, services.length) - 1](number, request);
	};
}

type Reader<T> = (connection: Connection, request: ServiceRequest, paging: Paging) => Promise<T>;

/** Reads the list of a service that answers in 20 ms. */
export async function read<T>(reader: Reader<T>, pages: Pages, paging: Partial<Paging> = {}) {
	const { clock, connection, requests, run } = serviceAnswering(
		(request) => {
			const { page } = request.query;
			return pages(page === undefined ? undefined : Number(page), request);
		},
		{ patienceMs: 10_000 },
	);
	const startedAt = clock.now();
	const get = { method: 'GET' as const, path: '/locations', ids: {}, query: {} };
	const request = { ...get, noun: 'location' };
	const work = reader(connection, request, { ...DEFAULT_PAGING, ...paging });
	const result = await run(work.catch((error: Error) => error));
	/** The queries of the requests. */
	const asked = requests.map(({ query }) => query);
	return { result, asked, tookMs: clock.now() - startedAt };
}
