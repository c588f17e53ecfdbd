import { getEventListeners } from 'node:events';
import mapValues from 'lodash/mapValues';

import { Account as Service, type Answer } from '../../../dev/sandbox/account';
import {
	change,
	create,
	type CreateHow,
	DEFAULT_PAGING,
	duringRun,
	type HttpFault,
	type HttpRequest,
	type JsonObject,
	noteReader,
	readExisting,
	ServiceError,
	withoutDeleted,
} from '../../../nodes/LocalSeo/client';
import { Entry } from '../../../nodes/LocalSeo/client/create/entry';
import { memoryOf } from '../../../nodes/LocalSeo/client/create/memory';
import { versionsOf } from '../../../nodes/LocalSeo/client/create/versions';
import { connectionTo, fail, fault, transportTo, unreadable } from '../../support/accountTransport';
import { VirtualClock } from '../../support/virtualClock';

// A create whose response is lost is looked for in its list, and sent again only where it is surely absent.

const MATCHING = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
const POST = { title: 'Summer offer', content: 'All of July' };
const AHEAD = { ...POST, publish_at: '2999-01-01T09:00:00Z' };

type Reply = Answer | HttpFault;
/** What the service answers to a create; `act` makes the post. */
type Answers = (attempt: number, act: () => Answer, clock: VirtualClock) => Reply | Promise<Reply>;

const busy: Answer = { status: 503, body: { message: 'Service Unavailable' } };
const taken: Answer = { status: 409, body: { message: 'Title is taken' } };
const own500: Answer = { status: 500, body: { message: 'Mail hook failed' } };
const lost = fault('connection-lost');
/** The first response is this one. */
const made =
	(reply: Reply): Answers =>
	(attempt, act) => {
		const answer = act();
		return attempt === 1 ? reply : answer;
	};
const notMade =
	(first: Reply, second?: Reply): Answers =>
	(attempt, act) =>
		attempt === 1 ? first : (second ?? act());

const unnotable = { data: Object.defineProperty({ id: 1 }, 'created_at', { get: fail }) };

const tooLong: Answers = async (_, act, clock) => {
	act();
	await clock.sleep(300_000);
	return fault('timeout');
};
/** The service acts so long after the gateway has given up (ms). */
const actsAfter =
	(ms: number): Answers =>
	(_, act, clock) => {
		void clock.sleep(ms).then(act);
		return busy;
	};

interface Situation {
	answers?: Answers;
	/** The last reading after the fault that throws, counted from 1. */
	throwsTo?: number;
	/** By how much the list lags (ms). */
	lag?: number;
	/** How long a reading after the fault takes (ms). */
	takes?: number;
	/** How old a list says that it is (s). */
	age?: string;
	keeps?: (text: string) => string;
	/** True if the list shows nothing that goes live later. */
	hidesAhead?: boolean;
	/** When someone else posts (ms). */
	otherAt?: number;
	/** True if the list is not read before, as with Create Another One. */
	isUnread?: boolean;
	/** True if the list lacks records until a post is sent. */
	isCutBefore?: boolean;
	/** True if each list counts its IDs by itself. */
	hasOwnIds?: boolean;
}

/** A service in virtual time, and how posts are created there as with Skip the Row. */
async function serviceWith(situation: Situation = {}) {
	const { answers = (_, act) => act(), lag = 0, age, keeps, hidesAhead } = situation;
	const clock = new VirtualClock();
	const isShown = ({ created_at, publish_at }: JsonObject) =>
		Date.parse(String(created_at)) <= clock.now() - lag &&
		!(hidesAhead && Date.parse(String(publish_at)) > clock.now());
	const service = new Service(clock, {
		id: (number, _, { length }) => ({ id: situation.hasOwnIds ? length + 1 : number }),
		shows: (records) => records.filter(isShown),
		...(keeps && { stores: (fields) => mapValues(fields, (text) => keeps(String(text))) }),
	});
	service.add('locations', { id: 'loc_1' });
	const requests: Array<{ method: string; at: number; cache: unknown }> = [];
	const sent = (method: string) => requests.filter((request) => request.method === method);
	const respond = async (request: HttpRequest, signal?: AbortSignal) => {
		const { method, headers } = request;
		requests.push({ method, at: clock.now(), cache: headers['Cache-Control'] });
		const act = () => service.handle(request);
		if (method === 'POST') return answers(sent('POST').length, act, clock);
		if (situation.isCutBefore && sent('POST').length === 0)
			return { body: { data: [], meta: { total: 1 } } };
		const earlier = sent('GET').length - 1;
		if (earlier > 0 && situation.takes) await clock.sleep(situation.takes, signal);
		const throws = earlier > 0 && earlier <= (situation.throwsTo ?? 0);
		const answer = throws ? { body: { data: [unreadable] } } : act();
		return { ...answer, headers: { ...answer.headers, ...(age && { age }) } };
	};
	const connection = connectionTo(transportTo(respond, clock), clock);
	const requestFor = (body: JsonObject, path = 'posts') => ({
		...{ method: 'POST' as const, path: `/locations/{locationId}/${path}`, body },
		...{ ids: { locationId: 'loc_1' }, query: {}, noun: 'content post' },
	});
	const listed = async () => await readExisting(connection, requestFor(POST), DEFAULT_PAGING);
	const before = situation.isUnread ? undefined : (await clock.run(listed())).before;
	const post = async (body: JsonObject = POST, row = 0, run = 'run', more: object = {}) => {
		const fields = MATCHING.fields.filter((name) => name in body);
		const matching = { ...MATCHING, fields };
		const how = {
			paging: DEFAULT_PAGING,
			matching,
			before,
			row: { execution: run, run, row },
			...more,
		};
		return await create({ ...connection, ...more }, requestFor(body), how).then(
			({ record }) => ({ end: 'done', record }),
			(error: Error) => {
				if (!(error instanceof ServiceError)) throw error;
				return { end: error.kind, facts: error.facts };
			},
		);
	};
	const { otherAt } = situation;
	if (otherAt)
		void clock.sleep(otherAt).then(() => service.create('posts', { title: 'Else' }, 'loc_1'));
	const posts = () => service.list('posts', 'loc_1');
	const run = async <T>(work: Promise<T>) => await clock.run(work);
	return { clock, connection, requests, requestFor, service, post, posts, run, sent };
}

type Ending = [end: 'done' | ServiceError['kind'], sent: number, posts: number];

test.each<[string, Situation, Ending]>([
	['that was made is found', { answers: made(lost) }, ['done', 1, 1]],
	['is found after a 503 without Retry-After', { answers: made(busy) }, ['done', 1, 1]],
	['is found after a body that throws', { answers: made({ body: unreadable }) }, ['done', 1, 1]],
	['is found although readings throw', { answers: made(lost), throwsTo: 2 }, ['done', 1, 1]],
	['whose list throws', { answers: made(lost), throwsTo: 99 }, ['unconfirmed', 1, 1]],
	['whose list hangs', { answers: made(lost), takes: 400_000 }, ['unconfirmed', 1, 1]],
	[
		'whose answer throws when it is noted',
		{ answers: made({ body: unnotable }) },
		['unconfirmed', 1, 1],
	],
	['that took all of the patience is looked for', { answers: tooLong }, ['done', 1, 1]],
	['whose gateway gave up before its service', { answers: actsAfter(70_000) }, ['done', 1, 1]],
	['that was not made is sent again', { answers: notMade(busy) }, ['done', 2, 1]],
	// What is taken may be its own.
	['whose second sending is refused', { answers: notMade(lost, taken) }, ['unconfirmed', 2, 0]],
	['that was translated', { answers: made(lost), keeps: () => 'Sommer' }, ['unconfirmed', 1, 1]],
	// Theirs may be it, rewritten.
	['beside others who post', { answers: notMade(lost), otherAt: 30_000 }, ['unconfirmed', 1, 1]],
	['with Create Another One', { answers: made(lost), isUnread: true }, ['unconfirmed', 1, 1]],
	['whose list lacked records', { answers: made(busy), isCutBefore: true }, ['unconfirmed', 1, 1]],
	['is in doubt beside a cache', { answers: notMade(lost), age: '200' }, ['unconfirmed', 1, 0]],
	['that a young cache lacks is sent again', { answers: notMade(lost), age: '1' }, ['done', 2, 1]],
	// The cache is older than the fault.
	['of an own 500', { answers: made(own500), lag: 300_000, age: '200' }, ['unconfirmed', 1, 1]],
	['that is late', { answers: actsAfter(40_000), lag: 300_000, age: '85' }, ['unconfirmed', 1, 1]],
])('a create without an answer %s', async (_, situation, ending) => {
	const { run, post, sent, posts, connection, clock } = await serviceWith(situation);
	const { end } = await run(post());
	expect([end, sent('POST').length, posts().length]).toEqual(ending);
	await run(clock.sleep(1));
	expect(connection.account.isIdle).toBe(true);
});

test.each([
	[0, [1]],
	[4_000, [1, 5]],
	[25_000, [1, 5, 15, 30]],
	[70_000, [1, 5, 15, 30, 60, 90]],
	[Infinity, [1, 5, 15, 30, 60, 90, 95]],
	// A cache shows the list as it was ten seconds before.
	[Infinity, [1, 5, 15, 30, 60, 90, 95, 105, 110], '10'],
])(
	'a list that lags by %d ms is looked at past caches after %j s',
	async (lag, looks, age = '') => {
		const answers = lag === Infinity ? notMade(busy) : made(busy);
		const { run, post, sent, requests } = await serviceWith({ answers, lag, age });
		const { end } = await run(post());
		expect(end).toBe('done');
		const [failed, again] = sent('POST').map(({ at }) => at);
		const [before, ...readings] = sent('GET');
		expect(readings.map(({ at }) => Math.round((at - failed) / 1_000))).toEqual(looks);
		expect(requests.map(({ cache }) => cache).filter(Boolean)).toEqual(
			sent('GET').map(() => 'no-cache'),
		);
		expect(before.cache).toBe('no-cache');
		if (lag === Infinity) expect(Math.round((again - failed) / 1_000)).toBe(looks.at(-1));
	},
);

test('a row that was refused is sent again by a later try, without a look', async () => {
	const { run, post, requests } = await serviceWith({ answers: notMade(taken) });
	expect(await run(post())).toMatchObject({ end: 'rejected' });
	expect(await run(post())).toMatchObject({ end: 'done' });
	expect(requests.map(({ method }) => method).join(' ')).toBe('GET POST POST');
});

test('a tool gives up at its Max Wait', async () => {
	const { run, post, clock, connection } = await serviceWith({ answers: () => lost });
	const startedAt = clock.now();
	connection.patienceMs = 30_000;
	expect(await run(post(POST, 0, 'run', { isBrief: true }))).toMatchObject({ end: 'unconfirmed' });
	expect(clock.now() - startedAt).toBeLessThanOrEqual(30_000);
});

test('a lost row with a time is sent again only if its list has shown a time to come', async () => {
	const hidden = await serviceWith({ answers: made(lost), hidesAhead: true });
	expect(await hidden.run(hidden.post(AHEAD))).toMatchObject({ end: 'unconfirmed' });
	expect(hidden.sent('POST')).toHaveLength(1);
	const answers: Answers = (attempt, act) => (attempt === 2 ? lost : act());
	const shown = await serviceWith({ answers });
	await shown.run(shown.post({ ...AHEAD, title: 'First' }));
	expect(await shown.run(shown.post(AHEAD, 1))).toMatchObject({ end: 'done' });
	expect(shown.posts()).toHaveLength(2);
});

test("the service's own 500 is looked at for 15 s: found, or its words, and never sent again", async () => {
	const found = await serviceWith({ answers: made(own500), lag: 6_000 });
	expect(await found.run(found.post())).toMatchObject({ end: 'done', record: POST });
	expect(found.requests.map(({ method }) => method).join(' ')).toBe('GET POST GET GET GET');

	const late = { answers: made(own500), lag: 20_000 };
	const { run, post, posts, sent, clock } = await serviceWith(late);
	const startedAt = clock.now();
	const said = { text: 'Mail hook failed' };
	const facts = { status: 500, mayHaveActed: true, isUnseen: true, said };
	expect(await run(post())).toMatchObject({ end: 'rejected', facts });
	expect(clock.now() - startedAt).toBeLessThan(16_000);
	for (let attempt = 0; attempt < 4; attempt++) await run(post());
	expect([posts().length, sent('POST').length]).toEqual([1, 1]);
});

describe('which post is whose', () => {
	test('a row without a time does not claim the post of one with the same texts', async () => {
		// Of both, the one with a time alone is made at first.
		const answers: Answers = (attempt, act) => (attempt === 1 ? lost : (act(), lost));
		const { run, post, posts } = await serviceWith({ answers });
		const rows = [POST, { ...POST, publish_at: '2027-01-07T09:00:00Z' }];
		const ends = await run(Promise.all(rows.map(async (row, index) => await post(row, index))));
		expect(ends.map(({ end }) => end)).toEqual(['unconfirmed', 'unconfirmed']);
		expect(posts()).toHaveLength(1);
	});

	test('a post of an earlier run, whose ID is gone, hides no new one', async () => {
		const answers: Answers = (attempt, act) => (act(), attempt === 1 ? { status: 204 } : lost);
		const { run, post, posts, service, clock, sent } = await serviceWith({ answers });
		await run(post());
		service.remove('posts', posts()[0]);
		clock.advance(700_000);
		expect(await run(post(POST, 0, 'another run'))).toMatchObject({ end: 'done' });
		expect(sent('POST')).toHaveLength(2);
	});

	test('a post that was given the ID of a removed one is not taken for that: nothing is sent again', async () => {
		const answers: Answers = (attempt, act) => (attempt === 1 ? act() : (act(), lost));
		const keeps = (text: string) => text.replace('Second', 'Zweiter');
		const { run, post, posts, service, sent } = await serviceWith({
			...{ answers, keeps, hasOwnIds: true },
		});
		await run(post());
		service.remove('posts', posts()[0]);
		const second = await run(post({ ...POST, title: 'Second' }, 1));
		expect([second.end, sent('POST').length, posts().length]).toEqual(['unconfirmed', 2, 1]);
	});

	test('rows in doubt beside a long list are all remembered: tried again, none is sent a third time', async () => {
		const { run, post, sent } = await serviceWith({ answers: () => lost });
		const versions = versionsOf(Array.from({ length: 10_000 }, (_, id) => ({ id })));
		const before = { readAt: 0, versions };
		const row = async (_: unknown, index: number) =>
			(await post({ title: `Offer ${index}`, content: 'New' }, index, 'run', { before })).end;
		const all = async () => await run(Promise.all(Array.from({ length: 80 }, row)));
		const ends = await all();
		expect(ends).toEqual(ends.map(() => 'unconfirmed'));
		expect([await all(), sent('POST').length]).toEqual([ends, 160]);
	});

	test('a post of a row that is still under way is no riddle: the lost one is sent again', async () => {
		const answers: Answers = async (attempt, act, clock) => {
			if (attempt === 1) return lost;
			const answer = act();
			if (attempt === 2) await clock.sleep(20_000);
			return answer;
		};
		const { run, post, posts, clock } = await serviceWith({ answers });
		const other = async () => await post({ ...POST, title: 'Other' }, 1);
		const ends = await run(Promise.all([post(), clock.sleep(85_000).then(other)]));
		expect([ends.map(({ end }) => end), posts().length]).toEqual([['done', 'done'], 2]);
	});

	test('what was deleted is forgotten, and nothing of another list that has the same ID', async () => {
		const { run, connection, requestFor, sent } = await serviceWith({ hasOwnIds: true });
		const before = { readAt: connection.account.clock.now() };
		const how = { paging: DEFAULT_PAGING, matching: { fields: ['title'] }, before };
		const post = requestFor(POST);
		const keyword = { ...requestFor({ title: 'plumber' }, 'keywords'), noun: 'keyword' };
		const became = async (request: typeof post) =>
			(await run(create(connection, request, how))).became;
		expect([await became(post), await became(keyword)]).toEqual(['created', 'created']);
		const deletion = { path: '/keywords/{keywordId}', ids: { keywordId: '1' }, query: {} };
		await run(change(connection, { ...deletion, method: 'DELETE', noun: 'keyword' }));
		expect([await became(post), await became(keyword)]).toEqual(['equal', 'created']);
		expect(sent('POST')).toHaveLength(3);
		// Its ID was given again.
		expect(withoutDeleted(connection.account, 'keyword', [{ id: 1 }])).toHaveLength(1);
	});
});

test('a row is sent again once in all, tries of Retry On Fail included', async () => {
	const { post, sent, run, clock } = await serviceWith({ answers: notMade(lost, lost) });
	const stop = new AbortController();
	void clock.sleep(10_000).then(() => stop.abort());
	await run(post(POST, 0, 'run', { signal: stop.signal }));
	expect(await run(post())).toMatchObject({ end: 'unconfirmed' });
	expect(sent('POST')).toHaveLength(2);
});

describe('what runs remember of each other', () => {
	/** Creates posts and keywords as rows of runs that read the list when the service was set up. */
	const runsOf = async (situation: Situation = {}) => {
		const made = await serviceWith(situation);
		const { connection, requestFor, run, clock } = made;
		const readAt = clock.now();
		const row = (
			name: string,
			body: JsonObject,
			{ isTerm, ...more }: Partial<CreateHow> & { isTerm?: true } = {},
		) => {
			const matching = { fields: Object.keys(body), isTerm, time: 'publish_at' };
			const [execution] = name.split(' ');
			return create(connection, requestFor(body), {
				...{ paging: DEFAULT_PAGING, matching, before: { readAt, versions: new Map() } },
				...{ row: { execution, run: name, row: 0 }, ...more },
			}).then(
				({ became, changed }) => [became, ...changed].join(' '),
				(error: ServiceError) => error.kind,
			);
		};
		const ends = async (...rows: Array<Promise<string>>) => await run(Promise.all(rows));
		return { ...made, row, ends };
	};

	test.each([
		[['title', 'content'], ['title']],
		[['title'], ['title', 'content']],
	])('a run that compares %j, and one that compares %j', async (...both) => {
		const { row, ends, sent } = await runsOf();
		const rows = both.map((fields, at) => row(`${at} a`, POST, { matching: { fields } }));
		expect(await ends(...rows)).toEqual(['created', 'equal']);
		expect(sent('POST')).toHaveLength(1);
	});

	test('a doubt is kept as long as a run goes on that has read the list before', async () => {
		const situation = { answers: made(lost), throwsTo: 8 };
		const { row, clock, connection, requestFor, run, sent } = await runsOf(situation);
		const { account } = connection;
		const key = { execution: '2', run: '2 a' };
		const work = async () => {
			noteReader(account, key, requestFor(POST), { readAt: clock.now() });
			const first = await row('1 a', POST);
			await clock.sleep(120_000);
			return [first, await row('2 a', POST)];
		};
		expect(await run(duringRun(account, key, work))).toEqual(['unconfirmed', 'equal']);
		expect(sent('POST')).toHaveLength(1);
	});

	test('a search term in another case is created once, by two at the same moment and in the next round', async () => {
		const { row, ends, sent, clock } = await runsOf();
		const term = { isTerm: true as const };
		const rows = ['Pizza', 'pizza'].map((title, at) => row(`${at} a`, { title }, term));
		expect(await ends(...rows)).toEqual(['created', 'equal']);
		clock.advance(90_000);
		expect(await ends(row('2 b', { title: 'pizza' }, term))).toEqual(['equal']);
		expect(sent('POST')).toHaveLength(1);
	});

	test('a list may lag by 95 s: after that, what it does not show was deleted, and is created', async () => {
		const { row, ends, clock, sent } = await runsOf();
		await ends(row('1 a', POST));
		clock.advance(96_000);
		const before = { readAt: clock.now(), versions: new Map() };
		expect(await ends(row('2 a', POST, { before }))).toEqual(['created']);
		expect(sent('POST')).toHaveLength(2);
	});

	test('of another execution, all match fields but one that are equal are asked about; of its own, not', async () => {
		const { row, ends, sent } = await runsOf();
		const edited = { ...POST, content: 'All of August' };
		expect(await ends(row('1 a', POST))).toEqual(['created']);
		expect(await ends(row('1 b', edited))).toEqual(['created']);
		expect(await ends(row('2 a', { ...POST, content: 'New' }))).toEqual(['alike content']);
		// Only what the user has named is compared.
		expect(await ends(row('3 a', { ...POST, content: 'New' }, { isExact: true }))).toEqual([
			'created',
		]);
		expect(await ends(row('4 a', { title: 'Else', content: 'Else' }))).toEqual(['created']);
		expect(sent('POST')).toHaveLength(4);
	});

	test('two locations of two runs that differ in punctuation alone are asked about', async () => {
		const { row, ends, sent } = await runsOf();
		const matching = { fields: ['name', 'address'], isPermanent: true };
		const [one, other] = ['12 Main St.', '0012 main st'].map((address) => ({
			name: 'Bakery',
			address,
		}));
		expect(await ends(row('1 a', one, { matching }), row('2 a', other, { matching }))).toEqual([
			'created',
			'similar address',
		]);
		expect(sent('POST')).toHaveLength(1);
	});

	test.each<[string, Answers, ends: string[], sent: number]>([
		['refused: the other one is sent', notMade(taken), ['rejected', 'created'], 2],
		['not confirmed: the other one neither', () => lost, ['unconfirmed', 'unconfirmed'], 2],
	])(
		'an equal row of another run waits for one that is %s',
		async (_, answers, expected, count) => {
			const { row, ends, sent } = await runsOf({ answers });
			expect(await ends(row('1 a', POST), row('2 a', POST))).toEqual(expected);
			expect(sent('POST')).toHaveLength(count);
		},
	);

	test('a doubt that nobody settled is settled by an equal row of the next run, for 95 s after its last look', async () => {
		const answers = notMade(lost);
		const next = await runsOf({ answers, throwsTo: 8 });
		expect(await next.ends(next.row('1 a', POST))).toEqual(['unconfirmed']);
		expect(await next.ends(next.row('2 a', POST))).toEqual(['created']);
		expect(next.sent('POST')).toHaveLength(2);
		const late = await runsOf({ answers, throwsTo: 8 });
		await late.ends(late.row('1 a', POST));
		const looks = late.sent('GET').length;
		late.clock.advance(96_000);
		await late.ends(late.row('2 a', POST));
		expect(late.sent('GET')[looks]?.at ?? Infinity).toBeGreaterThan(late.sent('POST')[1].at);
	});

	test('a record that a try of the same row has made keeps its warning', async () => {
		const { row, ends } = await runsOf({ keeps: (text) => text.slice(0, 6) });
		expect(await ends(row('1 a', POST))).toEqual(['created title content']);
		expect(await ends(row('1 a', POST))).toEqual(['created title content']);
	});

	test('someone who is stopped does not spoil the reading that others wait for', async () => {
		const answers: Answers = (attempt, act) => (act(), attempt <= 3 ? lost : act());
		const { clock, post, run, sent } = await serviceWith({ answers, takes: 2_000 });
		const stop = new AbortController();
		// The reading of the first one is its own, the others share the next.
		const signals = [{}, { signal: stop.signal }, {}];
		const rows = signals.map((more, index) =>
			post({ ...POST, title: `Offer ${index}` }, index, 'run', more),
		);
		void clock.sleep(3_500).then(() => stop.abort(new Error('Stopped')));
		const ends = await run(Promise.all(rows));
		expect(ends.map(({ end }) => end)).toEqual(['done', 'cancelled', 'done']);
		expect(sent('GET')).toHaveLength(3);
	});

	test('200,000 rows that are done keep a few bytes each, and none is sent again', async () => {
		const { connection, requestFor, run, sent, clock } = await serviceWith();
		const { account } = connection;
		const key = { execution: '1', run: 'a' };
		const entry = (row: number) => {
			const fields = { ...POST, title: `Offer ${row}` };
			return new Entry(fields, MATCHING, { readAt: clock.now() }, { ...key, row }, 0);
		};
		const work = async () => {
			const ledger = memoryOf(account).ledgerOf(requestFor(POST));
			for (let row = 0; row < 200_000; row++) {
				ledger.add(entry(row), { id: `post_${row}`, created_at: '2026-01-01' }, clock.now());
				memoryOf(account).noteDone(entry(row).row, { id: `post_${row}` });
			}
			clock.advance(4_000_000);
			const how = { paging: DEFAULT_PAGING, matching: MATCHING, row: { ...key, row: 0 } };
			return await create(connection, requestFor(POST), how);
		};
		const { record } = await run(duringRun(account, key, work));
		expect([record.id, sent('POST').length]).toEqual(['post_0', 0]);
	});
});

describe('an execution that is stopped', () => {
	const reason = new Error('Stopped by the user');
	const stoppable = () => {
		const stop = new AbortController();
		return { abort: () => stop.abort(reason), more: { signal: stop.signal } };
	};

	test('before, or in the moment in which a create begins: it is not sent', async () => {
		const { run, post, sent, connection } = await serviceWith();
		const { abort, more } = stoppable();
		const late = post(POST, 0, 'run', more);
		abort();
		expect(await run(late)).toMatchObject({ end: 'cancelled' });
		await expect(run(post(POST, 0, 'run', more))).rejects.toBe(reason);
		expect([sent('POST'), connection.account.isIdle]).toEqual([[], true]);
	});

	test('while an equal create of another run goes on: it ends at once, and is not sent', async () => {
		const { run, post, posts, clock } = await serviceWith();
		const { abort, more } = stoppable();
		const [first, second] = [post(), post(POST, 1, 'other', more)];
		const startedAt = clock.now();
		abort();
		await expect(second).rejects.toBe(reason);
		expect(clock.now()).toBe(startedAt);
		await run(first);
		await run(clock.sleep(1_000));
		expect(posts()).toHaveLength(1);
		expect(getEventListeners(more.signal, 'abort')).toEqual([]);
	});

	test.each<[string, Answers, methods: string[], later: number]>([
		['was made: a repeat finds it', made(lost), ['GET', 'POST', 'GET'], 0],
		['was not: after two readings it is sent again', notMade(lost), [], 95_000],
	])('while a create is looked for that %s', async (_, answers, methods, later) => {
		const { run, post, posts, clock, requests, sent } = await serviceWith({ answers });
		const { abort, more } = stoppable();
		void clock.sleep(500).then(abort);
		const facts = { mayHaveActed: true };
		expect(await run(post(POST, 0, 'run', more))).toMatchObject({ end: 'cancelled', facts });
		expect(await run(post())).toMatchObject({ end: 'done' });
		if (methods.length > 0) expect(requests.map(({ method }) => method)).toEqual(methods);
		const [first, last = first] = sent('POST').map(({ at }) => at);
		expect([posts().length, last - first >= later]).toEqual([1, true]);
	});
});
