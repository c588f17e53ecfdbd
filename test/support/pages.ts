import {
	Account,
	type Connection,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	ServiceError,
} from '../../nodes/LocalSeo/client';
import { readRecords } from '../../nodes/LocalSeo/client/lists/readRecords';
import { seededRandom, VirtualClock } from './virtualClock';

export const clock = new VirtualClock();
const request = {
	method: 'GET' as const,
	path: '/locations',
	ids: {},
	query: {},
	noun: 'location',
};
/** The header `Date` of a response now. */
export const date = () => new Date(clock.now()).toUTCString();

/** The response with a page of a list, dated by the clock. */
export const page = (
	data: unknown,
	meta: JsonObject = {},
	more: JsonObject = {},
): HttpResponse => ({
	status: 200,
	headers: { date: date() },
	body: { data, meta, ...more },
});

export const refusal = (status: number): HttpResponse => ({
	status,
	headers: { date: date() },
	body: {},
});

/** Answers a page by its number; the first one is asked for without. */
export type Pages = (number: number | undefined, request: HttpRequest) => HttpResponse;

type Reader = (...of: Parameters<typeof readRecords>) => Promise<unknown>;

/** Reads the list of a service that answers in 20 ms; `asked`: the numbers of the pages. */
export async function read(pages: Pages, paging: JsonObject = {}, reading: Reader = readRecords) {
	const asked: Array<number | undefined> = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 10_000,
		transport: async (one) => {
			const number = one.query.page === undefined ? undefined : Number(one.query.page);
			asked.push(number);
			await clock.sleep(20);
			return pages(number, one);
		},
	};
	const work = reading(connection, request, { ...DEFAULT_PAGING, ...paging });
	const result = (await clock.run(work.catch((error: Error) => error))) as
		| unknown[]
		| Record<string, unknown>
		| ServiceError;
	const facts = result instanceof ServiceError ? result.facts : undefined;
	return { result, facts, asked };
}
