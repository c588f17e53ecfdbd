import { metaOf, pageOf, type PageSwitches } from '../../../dev/sandbox/account';
import {
	Account,
	type Connection,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Paging,
	type ServiceRequest,
} from '../../../nodes/LocalSeo/client';
import { responseOf } from '../../support/accountTransport';
import { VirtualClock } from '../../support/virtualClock';
import { seededRandom } from '../../support/random';

/** Answers a page by its number; the first one is asked for without. */
export type Pages = (number: number | undefined, request: HttpRequest) => HttpResponse;

export const answer = (body: unknown, status = 200) => ({
	status,
	headers: { 'content-type': 'application/json' },
	body,
});

/** Locations with the numbers from one on. */
export const some = (count: number, from = 1): JsonObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: `loc_${from + index}` }));

export interface Switches extends Partial<PageSwitches> {
	/** What it says of a page, by its number. */
	meta?: (page: number) => JsonObject;
}

/** A service with these records, which says of them what the interface shows, or what a test wants. */
export function serviceWith(records: unknown[], { meta, ...paging }: Switches = {}): Pages {
	return (number) => {
		const page = pageOf(records as JsonObject[], { page: number }, paging);
		if (!('data' in page)) return responseOf(page);
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
export async function read<T>(
	reader: Reader<T>,
	pages: Pages,
	{ path = '/locations', ...paging }: Partial<Paging> & { path?: string } = {},
) {
	const clock = new VirtualClock();
	const startedAt = clock.now();
	/** The path and the page of each request; the most at the same time. */
	const asked: string[] = [];
	let inFlight = 0;
	let most = 0;
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 10_000,
		transport: async (request) => {
			const { page } = request.query;
			asked.push(page === undefined ? request.path : `page ${String(page)}`);
			most = Math.max(most, ++inFlight);
			await clock.sleep(20);
			inFlight--;
			return pages(page === undefined ? undefined : Number(page), request);
		},
	};
	const ids = { locationId: 'loc_1' };
	const request: ServiceRequest = { method: 'GET', path, ids, query: {}, noun: 'location' };
	const work = reader(connection, request, { ...DEFAULT_PAGING, ...paging });
	const result = await clock.run(work.catch((error: Error) => error));
	return { result, asked, most, tookMs: clock.now() - startedAt };
}
