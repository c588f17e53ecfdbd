import { apiRoot, type Clock, type JsonObject, type Transport } from '../../nodes/LocalSeo/client';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import jsonServer from 'json-server';
import { parse } from 'yaml';

import { readAccount } from '../../tools/check/account';
import { CHECKS } from '../../tools/check/checks';
import { tryKeyword } from '../../tools/check/keyword';
import { judge, linesOf, withSeen } from '../../tools/check/report';
import { type Answer, MOST, Service, transportTo } from '../../tools/check/service';
import { readChecked, SOURCE } from '../../tools/assumptions';
import { serve, startPrism } from '../mocks/servers';
import { useSandbox } from '../support/fixture';
import { VirtualClock } from '../support/virtualClock';

const fixture = useSandbox();

const realClock: Clock = {
	now: Date.now,
	sleep: async (ms, signal) => await setTimeout(ms, undefined, { signal, ref: false }),
};

interface Options {
	baseUrl: string;
	key: string;
	write: string;
	/** Changes what is sent, or what comes back. */
	around: (transport: Transport) => Transport;
	clock: Clock;
}

/** What the check says of a service; of the sandbox where nothing else is named. */
async function checked(options: Partial<Options> = {}) {
	const { baseUrl = fixture.sandbox.baseUrl, key = fixture.sandbox.keys.write, write } = options;
	const { around = (transport) => transport, clock = realClock } = options;
	const said: string[] = [];
	const serviceFor = (one: string) =>
		new Service(around(transportTo(apiRoot(baseUrl), one)), clock, (text) => said.push(text));
	const service = serviceFor(key);
	const evidence = await readAccount(service, serviceFor(''));
	if (write) evidence.keyword = await tryKeyword(service, write, evidence);
	const judged = await judge(evidence);
	const otherwise = judged.filter(({ outcome }) => outcome === 'otherwise');
	const unseen = judged.filter(({ outcome }) => outcome === 'unseen').map(({ check }) => check);
	return { judged, otherwise, unseen, said, lines: linesOf(judged) };
}

test('every assumption has a title, and a check or a reason why there is none', () => {
	const named = readChecked();
	expect(named.filter(({ title }) => title === 'undefined')).toEqual([]);
	const unchecked = named.filter(({ check = '' }) => !(check in CHECKS));
	expect(unchecked.map(({ check }) => check)).toEqual(unchecked.map(() => 'none'));
	expect(unchecked.filter(({ uncheckedBecause = '' }) => uncheckedBecause.length < 10)).toEqual([]);
	expect(Object.keys(CHECKS).filter((name) => !named.some(({ check }) => check === name))).toEqual(
		[],
	);
});

const NOT_HERE = ['status 429', 'retry-after', 'status 403'];
const UNCHECKED = Array<string>(7).fill('none');

test('the sandbox is as assumed', async () => {
	const { sandbox } = fixture;
	sandbox.setRateLimit(1_000);
	const { id } = sandbox.account.addLocation({ name: 'Without an address' });
	const { otherwise, unseen, lines } = await checked({ write: id });
	expect(otherwise).toEqual([]);
	expect(unseen.sort()).toEqual([...NOT_HERE, ...UNCHECKED].sort());
	expect(lines.pop()).toBe('34 as assumed, 0 otherwise, 10 not seen');
	expect(lines).toContain(
		'✓ Lists have data and meta                       locations, keywords, scans, posts',
	);
	expect(sandbox.requests.length).toBeLessThanOrEqual(60);
	const writes = fixture.requests().filter((request) => !request.startsWith('GET'));
	expect(writes).toEqual([
		`POST /locations/${id}/keywords`,
		expect.stringMatching(/^DELETE \/keywords\/kw_/),
	]);
	expect(sandbox.account.keywordsOf(id)).toEqual([]);
});

test('without --write, nothing but reads is sent; a key that only reads is reported', async () => {
	const { account, keys } = fixture.sandbox;
	await checked();
	expect(fixture.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
	expect(fixture.requests().length).toBeLessThanOrEqual(MOST.read);
	const { lines, otherwise } = await checked({ key: keys.read, write: account.locations[0].id });
	expect(otherwise).toEqual([]);
	expect(lines.join('\n')).toMatch(
		/✓ What the scope does not allow gets 403 +the key has the scope read/,
	);
	expect(lines.join('\n')).toMatch(
		/\? A deletion is answered with 204 +not seen: the key has the scope read/,
	);
});

type Change = (answer: Answer, request: { path: string; query: JsonObject }) => unknown;

/** The sandbox with another body, or another status, on the way. */
const answering =
	(change: Change) =>
	(transport: Transport): Transport =>
	async (request, signal) => {
		const outcome = await transport(request, signal);
		if (!('status' in outcome)) return outcome;
		const answer = { ...structuredClone(outcome), method: request.method };
		return { ...answer, ...(change(answer, request) as object) };
	};

/** The same with other records in lists, or another one by itself. */
const withRecords = (path: RegExp, change: (record: JsonObject) => JsonObject) =>
	answering(({ status, body }, request) => {
		if (!path.test(request.path) || status !== 200) return {};
		const { data, ...rest } = body as { data: JsonObject | JsonObject[] };
		const changed = Array.isArray(data) ? data.map((one) => change(one)) : change(data);
		return { body: { ...rest, data: changed } };
	});

const without =
	(...names: string[]) =>
	(record: JsonObject) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const renamed = (from: string, to: string) => (record: JsonObject) => ({
	...without(from)(record),
	[to]: record[from],
});

/** The names of query parameters are these: the service ignores all others. */
const withParameters =
	(names: Record<string, string>) =>
	(transport: Transport): Transport =>
	async (request, signal) => {
		const known = Object.entries(request.query).flatMap(([name, value]) => {
			const isOld = Object.keys(names).includes(name);
			const [own = name] = Object.keys(names).filter((one) => names[one] === name);
			return isOld ? [] : [[own, value]];
		});
		return await transport({ ...request, query: Object.fromEntries(known) }, signal);
	};

/** With another status, for what is refused. */
const instead = (status: number, other: number) =>
	answering((answer) => (answer.status === status ? { status: other } : {}));

const isList = (body: unknown): body is { data: unknown[] } => Array.isArray(Object(body).data);

const VARIANTS: Array<[check: string, what: string, around: Options['around'], words: string]> = [
	[
		'list',
		'lists without meta',
		answering(({ body }) => (isList(body) ? { body: { data: body.data } } : {})),
		'locations: no meta, keywords: no meta, scans: no meta, posts: no meta: nothing to do',
	],
	[
		'one location',
		'a location without an envelope',
		answering(({ body, status }, { path }) =>
			status === 200 && /^\/locations\/\w+$/.test(path) ? { body: Object(body).data } : {},
		),
		'no object in data: nothing to do',
	],
	[
		'page',
		'pages that are not to be chosen',
		withParameters({ page: '' }),
		"ignored: set Technical: Page Parameter to the name in your service's documentation",
	],
	[
		'page',
		'pages by another name',
		withParameters({ page: 'p' }),
		'chosen with p: set Technical: Page Parameter to p',
	],
	[
		'page size',
		'a page size by another name',
		withParameters({ per_page: 'limit' }),
		'chosen with limit: set Technical: Page Size Parameter to limit',
	],
	[
		'page size',
		'pages of 50 at most',
		answering(({ body }, { query }) =>
			isList(body) && query.per_page === 100
				? { body: { ...body, data: body.data.slice(0, 50) } }
				: {},
		),
		'50 at most: set Technical: Page Size to 50 or less',
	],
	[
		'other parameters',
		'unknown parameters refused',
		answering((_, { query }) =>
			'local_seo_check' in query
				? { status: 422, body: { message: 'Unknown', errors: { local_seo_check: ['Unknown'] } } }
				: {},
		),
		'refused (422): nothing to do',
	],
	['status 401', 'a missing key', instead(401, 403), '403: nothing to do'],
	['status 404', 'an unknown ID', instead(404, 410), '410: nothing to do'],
	['status 422', 'a wrong parameter', instead(422, 400), '400: nothing to do'],
	[
		'error',
		'errors by another name',
		answering(({ status, body }) =>
			status >= 400 ? { body: { error: Object(body).message } } : {},
		),
		'no message: nothing to do',
	],
	[
		'record post',
		'posts with a headline',
		withRecords(/posts$/, renamed('title', 'headline')),
		'no title, headline besides: set Match Fields to fields that your records have',
	],
	[
		'record keyword',
		'keywords called terms',
		withRecords(/keywords$/, renamed('keyword', 'term')),
		'no keyword, term besides: set Match Fields to fields that your records have',
	],
	[
		'record location',
		'locations without a rank score',
		withRecords(/locations(\/\w+)?$/, without('rank_score')),
		'no rank_score: nothing to do',
	],
	[
		'record insight',
		'insights without a list',
		withRecords(/insights$/, without('days')),
		'no days: set Output to One Row per Location or Raw',
	],
	[
		'keyword IDs',
		'other IDs',
		(transport) => async (request, signal) => {
			const path = request.path.replace('/word_', '/kw_');
			const outcome = await transport({ ...request, path }, signal);
			return JSON.parse(JSON.stringify(outcome).replaceAll('"kw_', '"word_')) as typeof outcome;
		},
		'0 of 7 keywords: nothing to do',
	],
	[
		'position',
		'scans without a position',
		withRecords(/scans$/, without('position')),
		'0 of 90 scans: set Only Position Changes to off',
	],
	[
		'scan date',
		'scans without a date',
		withRecords(/scans$/, without('scanned_at')),
		'nothing to do',
	],
	[
		'created_at post',
		'posts without a date',
		withRecords(/posts$/, without('created_at')),
		'0 of 3 posts: nothing to do',
	],
	[
		'no value',
		'empty texts',
		withRecords(/locations(\/\w+)?$/, (one) => ({ ...one, address: '' })),
		'left out or empty: nothing to do',
	],
	[
		'paused',
		'closed locations',
		withRecords(/locations(\/\w+)?$/, (one) => ({ ...one, status: 'closed' })),
		'another status: nothing to do',
	],
	[
		'time zones',
		'times without a zone',
		answering(({ body }) => ({
			body: JSON.parse(JSON.stringify(body).replace(/(:\d\d\.\d+)Z/g, '$1')),
		})),
		'none in last_scan_at, created_at, scanned_at, publish_at, updated_at: nothing to do',
	],
	[
		'keywords_count',
		'another count',
		withRecords(/locations(\/\w+)?$/, (one) => ({ ...one, keywords_count: 99 })),
		'another number: nothing to do',
	],
	[
		'last_scan_at',
		'an old last scan',
		withRecords(/locations(\/\w+)?$/, (one) => ({ ...one, last_scan_at: '2020-01-01T00:00:00Z' })),
		'a scan is later: nothing to do',
	],
	[
		'reset header',
		'seconds from now',
		answering(({ headers }) => ({
			headers: {
				...headers,
				'x-ratelimit-limit': 9,
				'x-ratelimit-remaining': 8,
				'x-ratelimit-reset': 30,
			},
		})),
		'another number: nothing to do',
	],
];

test.each(VARIANTS)('%s: %s', async (name, _, around, words) => {
	const { otherwise, lines } = await checked({ around });
	const checks = otherwise.map(({ check = '' }) => check.replace(/^list .*/, 'list'));
	expect([...new Set(checks)]).toEqual([name]);
	expect(lines.filter((line) => line.startsWith('✗'))).toEqual([expect.stringContaining(words)]);
});
