import { getEventListeners } from 'node:events';
import mapValues from 'lodash/mapValues';

import { Account as Service, type Answer } from '../../../dev/sandbox/account';
import {
	type Before,
	change,
	type CompareAs,
	create,
	DEFAULT_PAGING,
	type HttpFault,
	type HttpRequest,
	type JsonObject,
	readExisting,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { connectionTo, fault, transportTo, unreadable } from '../../support/accountTransport';
import { soughtOf } from '../../support/creation';
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
	keeps?: (text: string) => string;
	/** True if the list shows nothing that goes live later. */
	hidesAhead?: boolean;
	/** When someone else posts (ms). */
	otherAt?: number;
	/** True if the list is not read before, as with Create Another One. */
	isUnread?: boolean;
	hasNoIds?: boolean;
	/** True if the list lacks records until a post is sent. */
	isCutBefore?: boolean;
}

/** A service in virtual time, and how posts are created there as with Skip the Row. */
async function serviceWith(situation: Situation = {}) {
	const { answers = (_, act) => act(), lag = 0, keeps, hidesAhead } = situation;
	const clock = new VirtualClock();
	const isShown = ({ created_at, publish_at }: JsonObject) =>
		Date.parse(String(created_at)) <= clock.now() - lag &&
		!(hidesAhead && Date.parse(String(publish_at)) > clock.now());
	const service = new Service(clock, {
		id: (number) => (situation.hasNoIds ? {} : { id: number }),
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
		return throws ? { body: { data: [unreadable] } } : act();
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
		const sought = soughtOf(body, matching);
		const how = { paging: DEFAULT_PAGING, sought, before, row, ...more };
		const own = { ...connection, run: connection.account.run(run), ...more };
		return await create(own, requestFor(body), how).then(
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
])('a create without an answer %s', async (_, situation, ending) => {
	const { run, post, sent, posts, connection, clock } = await serviceWith(situation);
	const { end } = await run(post());
	expect([end, sent('POST').length, posts().length]).toEqual(ending);
	// A reading that others could share ends by itself.
	await run(clock.sleep(60_000));
	expect(connection.account.isIdle).toBe(true);
});

test('a list that can not be read is looked for no longer than two and a half minutes, and a sending', async () => {
	const { run, post, clock } = await serviceWith({ answers: made(lost), takes: 400_000 });
	const startedAt = clock.now();
	await run(post());
	expect(clock.now() - startedAt).toBeLessThan(160_000);
});

test.each([
	[0, [1]],
	[4_000, [1, 5]],
	[25_000, [1, 5, 15, 30]],
	[70_000, [1, 5, 15, 30, 60, 95]],
	[Infinity, [1, 5, 15, 30, 60, 95]],
])('a list that lags by %d ms is looked at past caches after %j s', async (lag, looks) => {
	const answers = lag === Infinity ? notMade(busy) : made(busy);
	const { run, post, sent, requests } = await serviceWith({ answers, lag });
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
});

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

test('rows in doubt are all remembered: tried again, none is sent a third time', async () => {
	const { run, post, sent } = await serviceWith({ answers: () => lost });
	const row = async (_: unknown, index: number) =>
		(await post({ title: `Offer ${index}`, content: 'New' }, index)).end;
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

test('an equal record of someone else is taken for the lost one, which is not sent again', async () => {
	const { run, post, service, clock, sent } = await serviceWith({ answers: notMade(lost) });
	void clock.sleep(10_000).then(() => service.create('posts', POST, 'loc_1'));
	expect(await run(post())).toMatchObject({ end: 'done', record: POST });
	expect(sent('POST')).toHaveLength(1);
});

test('of a service whose records have no ID, a lost row beside new ones is not sent again', async () => {
	const answers: Answers = (attempt, act) => (attempt === 1 ? lost : act());
	const { run, post, sent } = await serviceWith({ answers, hasNoIds: true });
	const rows = [post(), post({ ...POST, title: 'Other' }, 1)];
	const ends = await run(Promise.all(rows));
	expect(ends.map(({ end }) => end)).toEqual(['unconfirmed', 'done']);
	expect(sent('POST')).toHaveLength(2);
});

test('a row is sent again once in all, tries of Retry On Fail included', async () => {
	const { post, sent, run, clock } = await serviceWith({ answers: notMade(lost, lost) });
	const stop = new AbortController();
	void clock.sleep(10_000).then(() => stop.abort());
	await run(post(POST, 0, 'run', { signal: stop.signal }));
	expect(await run(post())).toMatchObject({ end: 'cancelled' });
	expect(await run(post())).toMatchObject({ end: 'cancelled' });
	expect(sent('POST')).toHaveLength(1);
});

describe('a key that is refused', () => {
	const refused: Answer = { status: 401, body: { message: 'Key revoked' } };

	test('before a write was accepted ends the run: what was not sent says so; another run asks again', async () => {
		const { run, post, sent } = await serviceWith({ answers: () => refused, isUnread: true });
		const row = async (_: unknown, index: number) => await post({ title: `${index}` }, index);
		const ends = await run(Promise.all(Array.from({ length: 500 }, row)));
		const facts = { status: 401, said: { text: 'Key revoked' } };
		expect(ends).toEqual(ends.map(() => expect.objectContaining({ end: 'rejected' })));
		expect(ends.at(-1)).toMatchObject({ facts });
		// As many as may be under way at first.
		expect(sent('POST').length).toBeLessThanOrEqual(8);
		const before = sent('POST').length;
		await run(post(POST, 0, 'another run'));
		expect(sent('POST')).toHaveLength(before + 1);
	});

	test('after one was accepted concerns its row alone', async () => {
		const answers: Answers = (attempt, act) => (attempt === 2 ? refused : act());
		const { run, post } = await serviceWith({ answers, isUnread: true });
		const ends = [];
		for (const row of [0, 1, 2]) ends.push((await run(post({ title: `${row}` }, row))).end);
		expect(ends).toEqual(['done', 'rejected', 'done']);
	});
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
			{ compareAs, ...more }: { compareAs?: CompareAs; before?: Before } = {},
		) => {
			const matching = { fields: Object.keys(body), compareAs, time: 'publish_at' };
			const own = { ...connection, run: connection.account.run(name) };
			return create(own, requestFor(body), {
				...{ paging: DEFAULT_PAGING, sought: soughtOf(body, matching), row: 0 },
				...{ before: { readAt, known: new Set<string>() }, ...more },
			}).then(
				({ became, changed }) => [became, ...changed].join(' '),
				(error: ServiceError) => error.kind,
			);
		};
		const ends = async (...rows: Array<Promise<string>>) => await run(Promise.all(rows));
		return { ...made, row, ends };
	};

	test('a search term in another case is created once, by two at the same moment and in the next round', async () => {
		const { row, ends, sent, clock } = await runsOf();
		const term = { compareAs: 'term' as const };
		const rows = ['Pizza', 'pizza'].map((title, at) => row(`${at}`, { title }, term));
		expect(await ends(...rows)).toEqual(['created', 'equal']);
		clock.advance(90_000);
		expect(await ends(row('2', { title: 'pizza' }, term))).toEqual(['equal']);
		expect(sent('POST')).toHaveLength(1);
	});

	test('posts of one text at two times are two', async () => {
		const { row, ends, sent } = await runsOf();
		const rows = ['09', '10'].map((hour) => ({ ...POST, publish_at: `2999-01-01T${hour}:00:00Z` }));
		expect(await ends(...rows.map((body, at) => row(`${at}`, body)))).toEqual([
			'created',
			'created',
		]);
		expect(sent('POST')).toHaveLength(2);
	});

	test('a list may lag by 95 s: after that, what it does not show was deleted, and is created', async () => {
		const { row, ends, clock, sent } = await runsOf();
		await ends(row('1', POST));
		clock.advance(96_000);
		const before = { readAt: clock.now(), known: new Set<string>() };
		expect(await ends(row('2', POST, { before }))).toEqual(['created']);
		expect(sent('POST')).toHaveLength(2);
	});

	test('what was deleted is forgotten, and nothing of another resource', async () => {
		const { row, ends, connection, run, service } = await runsOf();
		const path = '/keywords/{keywordId}';
		const removed = async (noun: string) => {
			const ids = { keywordId: String(service.create('keywords', {}, 'loc_1').id) };
			return await run(change(connection, { method: 'DELETE', path, ids, query: {}, noun }, 0));
		};
		await ends(row('1', POST));
		await removed('keyword');
		expect(await ends(row('2', POST))).toEqual(['equal']);
		await removed('content post');
		expect(await ends(row('3', POST))).toEqual(['created']);
	});

	test.each<[string, Answers, ends: string[], sent: number]>([
		['refused: the other one is sent', notMade(taken), ['rejected', 'created'], 2],
		// Each absence was proved, and each row is sent again once.
		['not confirmed: the other one neither', () => lost, ['unconfirmed', 'unconfirmed'], 4],
	])(
		'an equal row of another run waits for one that is %s',
		async (_, answers, expected, count) => {
			const { row, ends, sent } = await runsOf({ answers });
			expect(await ends(row('1', POST), row('2', POST))).toEqual(expected);
			expect(sent('POST')).toHaveLength(count);
		},
	);

	test("a later run of a row that met the service's own 500 looks until it is surely absent, and sends it", async () => {
		const { row, ends, sent } = await runsOf({ answers: notMade(own500) });
		expect(await ends(row('1', POST))).toEqual(['rejected']);
		expect(await ends(row('2', POST))).toEqual(['created']);
		const [failed, again] = sent('POST').map(({ at }) => at);
		expect(again - failed).toBeGreaterThanOrEqual(95_000);
	});

	test('a create that is refused does not hide the one before it', async () => {
		const answers: Answers = (attempt, act) => (attempt === 2 ? taken : act());
		const { row, ends, sent } = await runsOf({ answers });
		const another = { before: undefined };
		expect(await ends(row('1', POST, another))).toEqual(['created']);
		expect(await ends(row('2', POST, another))).toEqual(['rejected']);
		expect(await ends(row('3', POST))).toEqual(['equal']);
		expect(sent('POST')).toHaveLength(2);
	});

	test('a lost post whose time passes meanwhile is not taken for another one half an hour later', async () => {
		const { row, ends, posts, clock } = await runsOf({ answers: notMade(lost) });
		const slots = [30, 1_830].map((seconds) => new Date(clock.now() + 1_000 * seconds));
		const rows = slots.map((at, run) => row(`${run}`, { ...POST, publish_at: at.toISOString() }));
		await ends(...rows);
		expect(posts()).toHaveLength(2);
	});

	test('a doubt that nobody settled is settled by an equal row of a later run', async () => {
		const { row, ends, sent } = await runsOf({ answers: notMade(lost), throwsTo: 6 });
		expect(await ends(row('1', POST))).toEqual(['unconfirmed']);
		expect(await ends(row('2', POST))).toEqual(['created']);
		expect(sent('POST')).toHaveLength(2);
	});

	test('someone who is stopped does not spoil the reading that others wait for', async () => {
		const answers: Answers = (attempt, act) => (act(), attempt <= 3 ? lost : act());
		const { clock, post, run, sent } = await serviceWith({ answers, takes: 2_000 });
		const stop = new AbortController();
		// The reading of the first one is its own; the second one begins the next, and is stopped.
		const signals = [{}, { signal: stop.signal }, {}];
		const rows = signals.map((more, index) =>
			post({ ...POST, title: `Offer ${index}` }, index, 'run', more),
		);
		void clock.sleep(3_500).then(() => stop.abort(new Error('Stopped')));
		const ends = await run(Promise.all(rows));
		expect(ends.map(({ end }) => end)).toEqual(['done', 'cancelled', 'done']);
		expect(sent('GET')).toHaveLength(3);
	});

	test('a run that is tried again within the hour sends none of its rows again', async () => {
		const { post, run, clock, sent } = await serviceWith({ isUnread: true });
		const all = async () =>
			await run(Promise.all([0, 1].map(async (row) => await post(POST, row))));
		const ids = (await all()).map((end) => ('record' in end ? String(end.record.id) : end));
		clock.advance(3_500_000);
		expect(await all()).toMatchObject(ids.map((id) => ({ record: { id } })));
		expect(sent('POST')).toHaveLength(2);
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

	test.each<[string, Answers, end: string, posts: number]>([
		['was made: a repeat finds it', made(lost), 'done', 1],
		['was not: a repeat looks for it, and does not send it', notMade(lost), 'cancelled', 0],
	])('while a create is looked for that %s', async (_, answers, end, count) => {
		const { run, post, posts, clock, sent } = await serviceWith({ answers });
		const { abort, more } = stoppable();
		void clock.sleep(500).then(abort);
		const facts = { mayHaveActed: true };
		expect(await run(post(POST, 0, 'run', more))).toMatchObject({ end: 'cancelled', facts });
		expect(await run(post())).toMatchObject({ end });
		expect([posts().length, sent('POST').length]).toEqual([count, 1]);
	});

	test('is run again by a person: what is surely absent is sent', async () => {
		const { run, post, posts, clock } = await serviceWith({ answers: notMade(lost) });
		const { abort, more } = stoppable();
		void clock.sleep(500).then(abort);
		await run(post(POST, 0, 'run', more));
		expect(await run(post(POST, 0, 'another run'))).toMatchObject({ end: 'done' });
		expect(posts()).toHaveLength(1);
	});
});
