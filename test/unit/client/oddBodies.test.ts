import {
	Account,
	create,
	DEFAULT_PAGING,
	type HttpResponse,
	readCompleteList,
	readData,
	send,
	ServiceError,
	withoutKey,
} from '../../../nodes/LocalSeo/client';
import { MATCHING, UNREAD } from '../../support/creation';
import { VirtualClock } from '../../support/virtualClock';
import { seededRandom } from '../../support/random';

const MB = 1024 * 1024;
const KEY = 'seo_live_8kJ2+vQ/x41=z';
const times = (text: string) => text.repeat(Math.ceil(MB / text.length));
const many = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, i) => make(i));
const nested = (levels: number) =>
	JSON.parse(`${'{"data":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

/** Bodies of about a megabyte, of the kinds that make a reader slow or end its stack. */
const BODIES: Record<string, () => unknown> = {
	'a title that does not end': () => times('<title '),
	'tags that do not end': () => times('<a href="'),
	'white space': () => times(' \n'),
	backslashes: () => times('\\'),
	entities: () => times('&#x41;&amp;'),
	percents: () => times('%2525'),
	'almost the key': () => times(KEY.slice(0, -1)),
	'100,000 levels': () => nested(100_000),
	'100,000 lists in each other': () => JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)) as unknown,
	'50,000 fields': () => ({ data: Object.fromEntries(many(50_000, (i) => [`field_${i}`, i])) }),
	'100,000 records': () => ({ data: many(100_000, (i) => ({ id: i })), meta: { total: 100_000 } }),
	'100,000 records with one ID': () => ({ data: many(100_000, () => ({ id: 'a' })) }),
	'50,000 errors': () => ({ errors: many(50_000, (i) => ({ field: `f${i}`, message: 'no' })) }),
	'50,000 errors by field': () => ({
		errors: Object.fromEntries(many(50_000, (i) => [`f${i}`, ['no']])),
	}),
	'a message of a megabyte': () => ({ message: times('no ') }),
	'records with texts of a megabyte': () => ({ data: [{ id: 1, title: times('&amp;<b>') }] }),
};

/** No record was listed before. */
const NOTHING = { matching: MATCHING, counts: new Map<string, number>() };

/** The errors in which a reading, a change and a create end. */
async function errorsOf(status: number, body: unknown): Promise<unknown[]> {
	const clock = new VirtualClock();
	const connection = {
		account: new Account(clock, seededRandom(1)),
		patienceMs: 0,
		transport: async ({ method }: { method: string }): Promise<HttpResponse> => {
			const isRead = method === 'GET';
			const plain = { status: 200, headers: {}, body: { data: [], meta: { total: 0 } } };
			return isRead && status !== 200 ? plain : withoutKey({ status, headers: {}, body }, KEY);
		},
	};
	const list = { path: '/locations', ids: {}, query: {}, noun: 'location' };
	const post = { ...list, method: 'POST' as const, body: { title: 'Summer offer, all of July' } };
	const calls: Array<() => Promise<unknown>> = [
		async () =>
			await readCompleteList(
				connection,
				{ ...list, method: 'GET' },
				{ ...DEFAULT_PAGING, limit: 10 },
			),
		async () => await send(connection, { ...list, method: 'PATCH', body: {} }),
		async () => await create(connection, post, { ...UNREAD, before: NOTHING }),
		async () => await readData(connection, { ...list, method: 'GET' }, DEFAULT_PAGING),
	];
	const errors: unknown[] = [];
	for (const call of calls) {
		await clock.run(call().catch((error: unknown) => errors.push(error)));
	}
	return errors;
}

// Read in quadratic time, one of these would outlast jest's timeout by far.
describe.each([200, 422, 500])('with status %i', (status) => {
	test.each(Object.keys(BODIES))('%s: ends soon, and in no other error', async (name) => {
		const errors = await errorsOf(status, BODIES[name]());
		expect(errors.filter((error) => !(error instanceof ServiceError))).toEqual([]);
	});
});
