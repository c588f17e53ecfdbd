import mapValues from 'lodash/mapValues';

import {
	type Connection,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	isRecord,
	type JsonObject,
	readData,
	readList,
	send,
	type Transport,
	withoutKey,
} from '../../../nodes/LocalSeo/client';
import { toItems } from '../../../nodes/LocalSeo/editor/pickList';
import { toNodeError } from '../../../nodes/LocalSeo/host/errors';
import { dailyRows, rawItems, readDates, summaryRow } from '../../../nodes/LocalSeo/insights';
import { fieldNames, typeIn } from '../../../nodes/LocalSeo/lookup';
import { Directory } from '../../../nodes/LocalSeo/lookup/directory';
import { location, operationOf, post, type Resource } from '../../../nodes/LocalSeo/resources';
import type { RowEnd } from '../../../nodes/LocalSeo/rows/outcome';
import { readRow } from '../../../nodes/LocalSeo/rows/read/row';
import { runRows } from '../../../nodes/LocalSeo/rows/way';
import { InputError } from '../../../nodes/LocalSeo/text/inputError';
import { diff } from '../../../nodes/LocalSeo/trigger/diff';
import { connectionTo, POSTS } from '../../support/accountTransport';
import { contextTo, sourceOf } from '../../support/plainRows';
import { fc, RUNS } from '../../support/random';
import { VirtualClock } from '../../support/virtualClock';

// Whatever is answered ends soon, in a result or an error in words of ours, and the next request works.

const KEY = 'seo_live_8kJ2+vQ/x41=z';
const TEXTS = { title: 'Summer offer, all of July', content: 'Two for one.' };
const RECORD = { id: 'post_1', created_at: '2026-01-01T00:00:00Z', ...TEXTS, tags: ['a'] };
const get = { ...POSTS, method: 'GET' as const };
const deletion = { ...get, method: 'DELETE' as const, path: '/locations/{locationId}' };

/** What reads records: pickers, columns, locations by name, and the trigger. */
function readRecords(all: unknown[]) {
	const records = all.filter(isRecord);
	const columns = fieldNames(post, records);
	for (const name of columns) typeIn(records, name);
	const offered = toItems(location, records).flatMap(({ name, value }) => [name, value]);
	// n8n would run it as an expression.
	expect([...columns, ...offered].filter((text) => String(text).startsWith('='))).toEqual([]);
	const { list } = diff(undefined, records, { fields: [] });
	diff(JSON.parse(JSON.stringify(list)), [...records].reverse(), { fields: [], keeps: ['id'] });
	new Directory(records).adviceFor('Bakery');
}

function readInsights(data: unknown) {
	const insights = { location: { id: 'loc_1', name: 'Bakery' }, data, beside: {}, isWhole: false };
	for (const form of [dailyRows, summaryRow, rawItems])
		form(insights, { dates: readDates(undefined), acceptsIncomplete: false });
}

/** Runs rows all the way but for n8n. */
const rows =
	(resource: Resource, name: string, more: JsonObject = {}) =>
	async (to: Connection) => {
		const panel = {
			...{ locationId: 'loc_1', keywordId: 'loc_1', whenToPublish: 'now', options: { maxWait: 0 } },
			...{ fields: { mappingMode: 'autoMapInputData' }, ...more },
		};
		const sheet = [TEXTS, { ...TEXTS, title: 'Another' }].map((texts) =>
			resource === post ? texts : { name: texts.title, address: '1', city: 'York' },
		);
		const operation = operationOf(resource, name);
		const own = sheet.map((_, index) =>
			readRow(sourceOf(sheet, index, panel), resource, operation, false),
		);
		const ends: RowEnd[] = [];
		const credential = { account: to.account, data: { baseUrl: 'https://a', apiKey: KEY } };
		const contextOf = () => contextTo(to.transport, { timeout: 10_000 });
		await runRows(own, ends, { credential, contextOf });
		for (const end of ends) if (end instanceof Error) throw end;
	};

const CALLS: Record<string, (connection: Connection) => Promise<unknown>> = {
	'a list': async (to) => readRecords((await readList(to, get, DEFAULT_PAGING)).records),
	insights: async (to) => readInsights((await readData(to, get, DEFAULT_PAGING)).data),
	'rows that are created': rows(post, 'create'),
	'rows of a dry run': rows(post, 'create', { dryRun: true }),
	'Create Another One': rows(post, 'create', { ifExists: 'create' }),
	'Create or Update': rows(location, 'upsert'),
	'an update': rows(location, 'update'),
	'a location': rows(location, 'get'),
};

const ordinary = ({ method }: HttpRequest): HttpResponse => ({
	...{ status: method === 'POST' ? 201 : 200, headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } },
	body: method === 'GET' ? { data: [], meta: { current_page: 1, total: 0 } } : { data: RECORD },
});

const MISTAKE =
	/cannot convert|cannot read|is not a function|is not iterable|call stack|invalid (array|string|time|code)/i;
const picker = { getNode: () => ({ name: 'Local SEO', type: 'x', parameters: {} }) };

/** Makes a call of a service that answers so, and then is well again. */
async function check(name: string, answers: HttpResponse[], patienceMs = 100_000) {
	const clock = new VirtualClock();
	const left = [...answers];
	const transport: Transport = async (request) => {
		await clock.sleep(20);
		return withoutKey(left.shift() ?? ordinary(request), KEY);
	};
	const connection = { ...connectionTo(transport, clock, patienceMs), timeoutMs: 10_000 };
	const work = CALLS[name](connection).then(() => undefined);
	const error: unknown = await clock.run(work.catch((thrown: unknown) => thrown));
	if (error !== undefined) {
		const { message, description } = toNodeError(picker as never, error);
		expect(`${message} ${description}`).not.toMatch(MISTAKE);
		if (!(error instanceof InputError)) expect(error).toHaveProperty('facts');
		expect(error).not.toMatchObject({ kind: 'other' });
	}
	// Requests that went out beside one that failed.
	await clock.pass(200_000);
	expect(connection.account.isIdle).toBe(true);
	left.length = 0;
	const next = send({ ...connection, patienceMs: 3_600_000 }, deletion);
	expect((await clock.run(next)).status).toBe(200);
}

const unheard: unknown[] = [];
const note = (reason: unknown) => unheard.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(() => expect(unheard).toEqual([]));

/** Names that an object has anyway, that programs ask values for, and that readers look for. */
const NAMES = [
	...['toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'length', 'then', '', '0'],
	...['id', '$oid', 'name', 'status', 'data', 'total', 'next', 'error', 'message', '={{ 1 }}'],
];
const texts = fc.constantFrom(...'| |0|null|2026-01-01|2026-02-30|={{ 1 }}|\ud800'.split('|'));
/** Longer or deeper than a list of arguments, a text that is read, and a stack may be. */
const long = fc.constantFrom(
	Array.from({ length: 130_000 }, () => '2026-01-01'),
	'x'.repeat(100_000),
	JSON.parse(`${'[{"a":'.repeat(90)}1${'}]'.repeat(90)}`),
);
const anything = fc.anything({
	key: fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 4 })),
	values: [
		texts,
		fc.string({ maxLength: 12, unit: 'binary' }),
		fc.oneof(fc.integer(), fc.constantFrom(1e21, 1e308, 9_007_199_254_740_994, 0.1)),
		fc.constantFrom(null, true, false),
	],
	maxDepth: 4,
});
const oddJson = fc.oneof({ weight: 300, arbitrary: anything }, { weight: 1, arbitrary: long });

/** An ordinary value, and now and then an odd one, or none. */
const or = (value: unknown) =>
	fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: oddJson });
const objectOf = (values: object) =>
	fc.record(mapValues(values, or) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
const records = objectOf({ ...RECORD, name: 'Bakery East', city: 'Boston', status: 'active' });
const days = fc.record({
	totals: or({ views: 3 }),
	days: fc.array(objectOf({ date: '2026-03-01', views: 3 })),
});
const page = objectOf({ current_page: 1, total: 2, next: null });
const bodies = fc.oneof(
	fc.record({ data: fc.array(records, { maxLength: 3 }), meta: page }),
	fc.record({ data: fc.oneof(records, days, oddJson), links: page }),
	objectOf({
		message: 'Invalid',
		errors: [{ field: 'title', message: 'Too long' }],
		success: false,
	}),
	objectOf({
		errors: { title: ['Too long'], content: [{ message: 'No' }] },
		error: { message: 'No' },
	}),
	oddJson,
);
const headerNames = ['date', 'retry-after', 'ratelimit', 'x-ratelimit-remaining', 'location'];
const statuses = '200 200 201 202 303 400 401 403 404 409 422 429 500 502 503'.split(' ');
const answers = fc.record({
	status: fc.constantFrom(...statuses.map(Number)),
	headers: fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...headerNames), oddJson)),
	body: bodies,
});

test.each(Object.keys(CALLS))('%s, with whatever JSON', async (name) => {
	const several = fc.array(answers, { minLength: 1, maxLength: 8 });
	const property = fc.asyncProperty(
		several,
		async (all) => await check(name, all as HttpResponse[]),
	);
	await fc.assert(property, { endOnFailure: true, numRuns: 3 * RUNS });
});
