import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { parse } from 'yaml';

import { apiRoot, type Clock, type JsonObject, type Transport } from '../../nodes/LocalSeo/client';
import { readChecked, SOURCE } from '../../dev/scripts/assumptions';
import { readAccount } from '../../dev/scripts/check/account';
import { CHECKS } from '../../dev/scripts/check/checks';
import { tryKeyword } from '../../dev/scripts/check/keyword';
import { judge, linesOf, withSeen } from '../../dev/scripts/check/report';
import { type Answer, MOST, Service, transportTo } from '../../dev/scripts/check/service';
import { serve, startPrism } from '../support/mockServers';
import { useSandbox } from '../support/fixture';

const fixture = useSandbox();

const clock: Clock = {
	now: Date.now,
	sleep: async (ms, signal) => await setTimeout(ms, undefined, { signal, ref: false }),
};

interface Options {
	baseUrl: string;
	key: string;
	write: string;
	/** Changes what is sent, or what comes back. */
	around: (transport: Transport) => Transport;
}

/** What the check says of a service; of the sandbox where nothing else is named. */
async function checked(options: Partial<Options> = {}) {
	const { baseUrl = fixture.sandbox.baseUrl, key = fixture.sandbox.keys.write, write } = options;
	const { around = (transport) => transport } = options;
	const said: string[] = [];
	const serviceFor = (one: string) =>
		new Service(around(transportTo(apiRoot(baseUrl), one)), clock, (text) => said.push(text));
	const service = serviceFor(key);
	const evidence = await readAccount(service, serviceFor(''));
	if (write) evidence.keyword = await tryKeyword(service, write);
	const judged = judge(evidence);
	const otherwise = judged.filter(({ outcome }) => outcome === 'otherwise');
	const unseen = judged.filter(({ outcome }) => outcome === 'unseen').map(({ check }) => check);
	const { left } = evidence.keyword ?? {};
	return { judged, otherwise, unseen, said, left, lines: linesOf(judged) };
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
	expect(lines.pop()).toBe('36 as assumed, 0 otherwise, 10 not seen');
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

const without = (name: string) => (record: JsonObject) =>
	Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));

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

test('a keyword that can not be deleted: its text is told', async () => {
	const { account, faults } = fixture.sandbox;
	faults.add({ when: { method: 'DELETE' }, response: { status: 409, body: { message: 'No' } } });
	const [{ id }] = account.locations;
	const { otherwise, left } = await checked({ write: id });
	expect(otherwise.map(({ check, seen }) => [check, seen])).toEqual([
		['deleted', '409, and the keyword is still there'],
	]);
	expect(account.keywordsOf(id).map(({ keyword }) => keyword)).toContain(left);
});

// What json-server does otherwise is tried with it, below.
const VARIANTS: Array<[check: string, what: string, around: Options['around'], words: string]> = [
	[
		'page',
		'pages that are not to be chosen',
		withParameters({ page: '' }),
		"ignored: set Page Parameter Name to the name in your service's documentation",
	],
	[
		'page size',
		'a page size by another name',
		withParameters({ per_page: 'limit' }),
		'chosen with limit: set Page Size Parameter Name to limit',
	],
	[
		'page size',
		'pages of 50 at most',
		answering(({ body }, { query }) => {
			const { data, ...rest } = body as { data: unknown[] };
			return query.per_page === 100 ? { body: { ...rest, data: data.slice(0, 50) } } : {};
		}),
		'50 at most: set Page Size to 50 or less',
	],
	[
		'record post',
		'posts without a title',
		withRecords(/posts$/, without('title')),
		'no title: set Match Fields to fields that your records have',
	],
	[
		'record insight',
		'insights without a list',
		withRecords(/insights$/, without('days')),
		'no days: set Output to One Row per Location or Raw',
	],
	[
		'position',
		'scans without a position',
		withRecords(/scans$/, without('position')),
		'0 of 90 scans: nothing to do',
	],
	[
		'published',
		'posts without a status',
		withRecords(/posts$/, without('status')),
		'no status: nothing to do',
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
	expect(otherwise.map(({ check }) => check)).toEqual([name]);
	expect(lines.filter((line) => line.startsWith('✗'))).toEqual([expect.stringContaining(words)]);
});

test('Prism: a mock gives the same example, whatever is asked for', async () => {
	const prism = await startPrism();
	const { otherwise, said } = await checked({
		baseUrl: `${prism.origin}/api/v1`,
		write: 'loc_8f3k2m',
	}).finally(async () => await prism.close());
	expect(otherwise.map(({ check }) => check)).toEqual(['page size', 'status 404']);
	expect(said).toEqual([expect.stringMatching(/^Adding the keyword "local seo check .+"/)]);
});

test('a rate limit: it waits, and says so', async () => {
	const headers = { 'retry-after': '4' };
	const response = { status: 429, headers, body: { message: 'Too many' } };
	fixture.sandbox.faults.add({ times: 1, response });
	const { otherwise, unseen, said } = await checked();
	expect(otherwise).toEqual([]);
	expect(unseen).not.toContain('retry-after');
	expect(said).toEqual([expect.stringMatching(/^Rate limit reached: .* to wait another \d+ s/)]);
});

const MAIN = join(__dirname, '..', '..', 'dev', 'scripts', 'check', 'main.ts');
const TSX = join(__dirname, '..', '..', 'node_modules', '.bin', 'tsx');

/** The command, as someone runs it. */
async function runCommand(url: string, key: string, ...more: string[]) {
	const run = execa({ env: { LOCAL_SEO_KEY: key }, reject: false, all: true });
	const { exitCode: status, all: output } = await run(TSX, [MAIN, '--url', url, ...more]);
	return { status, output };
}

test('a service that can not be used: exit status 1, and why', async () => {
	const key = 'sk_refused_0123456789';
	const { baseUrl, keys } = fixture.sandbox;
	const refused = await runCommand(baseUrl, key);
	expect(refused).toEqual({
		status: 1,
		output: expect.stringMatching(/does not accept this API key/),
	});
	expect(refused.output).not.toContain(key);
	const { origin, close } = await serve(() => {});
	await close();
	const down = await runCommand(origin, keys.read);
	expect(down).toEqual({ status: 1, output: expect.stringMatching(/No service is listening/) });
	expect(await runCommand('seo.example.com', key)).toEqual({
		status: 1,
		output: expect.stringContaining('--url must be the address'),
	});
});

/** All texts in a value that someone has written: not those of dev/sandbox/openapi.yaml, such as `active`. */
function textsIn(value: unknown): string[] {
	const known = readFileSync(SOURCE, 'utf8');
	const all = Object.values(Object(value)).flatMap((one) =>
		typeof one === 'string' ? one : textsIn(one),
	);
	return [...new Set(all)].filter((text) => text !== '' && !known.includes(text));
}

test('the report has neither the key nor anything of the account; the copy of the interface has what was seen', async () => {
	const { baseUrl, keys, account, origin } = fixture.sandbox;
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-check-'));
	const report = join(folder, 'report.md');
	const { status, output } = await runCommand(baseUrl, `Bearer ${keys.read}`, '--report', report);
	expect({ status, output }).toEqual({
		status: 0,
		output: expect.stringContaining(' 0 otherwise, '),
	});
	const page = readFileSync(report, 'utf8');
	rmSync(folder, { recursive: true });
	expect(page).toContain(
		'| ✓ | Pages are chosen with page, counted from 1 | page 2 differs from page 1 | Page |',
	);
	const parents = account.locations.map(({ id }) => [
		account.keywordsOf(id),
		account.postsOf(id),
		account.insightOf(id),
	]);
	const texts = [...textsIn([account.locations, parents]), keys.read, origin];
	expect(texts.length).toBeGreaterThan(500);
	for (const text of texts)
		expect([page, output.replace(/^Reading .*/, '')].join()).not.toContain(text);
});

test('the copy of the interface has what was seen in place of what was assumed', async () => {
	const { judged } = await checked({ around: withParameters({ page: 'p' }) });
	const text = withSeen(readFileSync(SOURCE, 'utf8'), judged, '2026-03-02');
	const { Page, AnyOther } = parse(text).components.parameters;
	expect(Page).toMatchObject({
		'x-assumed': true,
		'x-seen': '2026-03-02, otherwise: ignored',
	});
	expect(AnyOther).toMatchObject({ 'x-seen': '2026-03-02, as assumed: ignored' });
	expect(AnyOther).not.toHaveProperty('x-assumed');
	expect(text).toContain('# leaves open. Everything that is open carries `x-assumed: true` with');
});
