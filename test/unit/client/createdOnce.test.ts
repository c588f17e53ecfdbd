import { getEventListeners } from 'node:events';

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
	type RunMemory,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { fault, POSTS, serviceAnswering, soughtOf } from '../../support/accountTransport';
import { VirtualClock } from '../../support/virtualClock';

// A create whose response is lost is looked for in its list, and sent again only where it is surely absent. Here
// are its times and its ends; that no row is lost or doubled, simulation/worlds/rows shows.

const POST = { title: 'Summer offer', content: 'All of July' };
const AHEAD = { ...POST, publish_at: '2999-01-01T09:00:00Z' };

type Reply = Answer | HttpFault;
/** What the service answers to a create; `act` makes the post. */
type Answers = (attempt: number, act: () => Answer, clock: VirtualClock) => Reply | Promise<Reply>;

const busy: Answer = { status: 503, body: { message: 'Service Unavailable' } };
const taken: Answer = { status: 409, body: { message: 'Title is taken' } };
const own500: Answer = { status: 500, body: { message: 'Mail hook failed' } };
const lost = fault('connection-lost');
/** The first response is this one; the service has made the post, or has not. */
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

interface Situation {
	answers?: Answers;
	/** By how much the list lags, and how long a reading after the fault takes (ms). */
	lag?: number;
	takes?: number;
	/** The readings whose total says one more than they show: the first one, or the later ones. */
	lacks?: 'first' | 'later';
	/** How many readings after the fault are refused. */
	refused?: number;
	/** What the service makes of a title. */
	title?: string;
	/** True if the list shows nothing that goes live later. */
	hidesAhead?: boolean;
	/** True if the list is not read before, as with Create Another One. */
	isUnread?: boolean;
}

interface How {
	row?: number;
	/** By its name, which begins a try, or as it goes on. */
	run?: string | RunMemory;
	before?: Before;
	compareAs?: CompareAs;
	signal?: AbortSignal;
	isBrief?: boolean;
}

/** A service in virtual time, and how posts are created there as with Skip the Row. */
async function serviceWith(situation: Situation = {}) {
	const { answers = (_, act) => act(), lag = 0, title, hidesAhead } = situation;
	const clock = new VirtualClock();
	const isShown = ({ created_at, publish_at }: JsonObject) =>
		Date.parse(String(created_at)) <= clock.now() - lag &&
		!(hidesAhead && Date.parse(String(publish_at)) > clock.now());
	const service = new Service(clock, {
		shows: (records) => records.filter(isShown),
		stores: (fields) => (title === undefined ? fields : { ...fields, title }),
	});
	service.add('locations', { id: 'loc_1' });
	const posts = () => service.list('posts', 'loc_1');
	const sent = (method: string) => requests.filter((request) => request.method === method);
	const respond = async (request: HttpRequest, signal?: AbortSignal) => {
		const act = () => service.handle(request);
		if (request.method === 'POST') return answers(sent('POST').length, act, clock);
		const earlier = sent('GET').length - 1;
		if (earlier > 0 && situation.takes) await clock.sleep(situation.takes, signal);
		if (earlier > 0 && earlier <= (situation.refused ?? 0)) return { status: 403 };
		const isAfter = sent('POST').length > 0;
		if (situation.lacks !== (isAfter ? 'later' : 'first')) return act();
		return { body: { data: posts(), meta: { total: posts().length + 1 } } };
	};
	const { connection, requests, run } = serviceAnswering(respond, { clock });
	const requestFor = (body: JsonObject) => ({ ...POSTS, method: 'POST' as const, body });
	const { before } = await run(readExisting(connection, requestFor(POST), DEFAULT_PAGING));
	const post = async (body: JsonObject = POST, how: How = {}) => {
		const { row = 0, run = 'run', compareAs, signal, isBrief } = how;
		const matching = { fields: Object.keys(body), time: 'publish_at', compareAs };
		const ofRun = typeof run === 'string' ? connection.account.run(run) : run;
		const own = { ...connection, run: ofRun, signal };
		return await create(own, requestFor(body), {
			...{ paging: DEFAULT_PAGING, sought: soughtOf(body, matching), row, isBrief },
			before: situation.isUnread ? undefined : (how.before ?? before),
		}).then(
			({ record, became, changed }) => ({ end: [became, ...changed].join(' '), record }),
			(error: Error) => {
				if (!(error instanceof ServiceError)) throw error;
				return { end: error.kind, facts: error.facts };
			},
		);
	};
	/** What becomes of posts that are sent side by side. */
	const ends = async (...posts: Array<ReturnType<typeof post>>) =>
		(await run(Promise.all(posts))).map(({ end }) => end);
	return { clock, connection, requests, service, post, ends, posts, run, sent };
}

const outOfPatience: Answers = async (_, act, clock) => {
	act();
	await clock.sleep(300_000);
	return fault('timeout');
};

test.each<[string, Situation, [end: string, sent: number, posts: number]]>([
	['that was made is found', { answers: made(lost) }, ['created', 1, 1]],
	['that took all of the patience is found', { answers: outOfPatience }, ['created', 1, 1]],
	['that was not made is sent again', { answers: notMade(busy) }, ['created', 2, 1]],
	// What is taken may be its own.
	['whose second sending is refused', { answers: notMade(lost, taken) }, ['unconfirmed', 2, 0]],
	['that is never answered', { answers: () => lost }, ['unconfirmed', 2, 0]],
	['whose list lacked some', { answers: made(busy), lacks: 'first' }, ['unconfirmed', 1, 1]],
	['whose list lacks some', { answers: notMade(busy), lacks: 'later' }, ['unconfirmed', 1, 0]],
	['that was translated', { answers: made(lost), title: 'Sommer' }, ['unconfirmed', 1, 1]],
	['with Create Another One', { answers: made(lost), isUnread: true }, ['unconfirmed', 1, 1]],
])('a create without an answer %s', async (_, situation, ending) => {
	const { ends, post, sent, posts, connection } = await serviceWith(situation);
	expect([...(await ends(post())), sent('POST').length, posts().length]).toEqual(ending);
	expect(connection.account.isIdle).toBe(true);
	// Tried again, it is sent no more.
	const count = sent('POST').length;
	await ends(post());
	expect(sent('POST')).toHaveLength(count);
});

test('a list that can not be read is looked for no longer than two and a half minutes, and a sending', async () => {
	const { ends, post, clock } = await serviceWith({ answers: made(lost), takes: 400_000 });
	const startedAt = clock.now();
	expect(await ends(post())).toEqual(['unconfirmed']);
	expect(clock.now() - startedAt).toBeLessThan(160_000);
});

test('a tool gives up at its Max Wait', async () => {
	const { ends, post, clock, connection } = await serviceWith({ answers: () => lost });
	const startedAt = clock.now();
	connection.patienceMs = 30_000;
	expect(await ends(post(POST, { isBrief: true }))).toEqual(['unconfirmed']);
	expect(clock.now() - startedAt).toBeLessThanOrEqual(30_000);
});

test.each([
	[0, [1]],
	[4_000, [1, 5]],
	[70_000, [1, 5, 15, 30, 60, 95]],
	[Infinity, [1, 5, 15, 30, 60, 95]],
])('a list that lags by %d ms is looked at past caches after %j s', async (lag, looks) => {
	const answers = lag === Infinity ? notMade(busy) : made(busy);
	const { ends, post, sent } = await serviceWith({ answers, lag });
	expect(await ends(post())).toEqual(['created']);
	const [failed, again] = sent('POST').map(({ at }) => at);
	const [, ...readings] = sent('GET');
	expect(readings.map(({ at }) => Math.round((at - failed) / 1_000))).toEqual(looks);
	expect(sent('GET').every(({ headers }) => headers['Cache-Control'] === 'no-cache')).toBe(true);
	if (lag === Infinity) expect(Math.round((again - failed) / 1_000)).toBe(95);
});

test('a lost row with a time is sent again only if its list has shown a time to come', async () => {
	const hidden = await serviceWith({ answers: made(lost), hidesAhead: true });
	expect(await hidden.ends(hidden.post(AHEAD))).toEqual(['unconfirmed']);
	const answers: Answers = (attempt, act) => (attempt === 2 ? lost : act());
	const shown = await serviceWith({ answers });
	await shown.ends(shown.post({ ...AHEAD, title: 'First' }));
	expect(await shown.ends(shown.post(AHEAD, { row: 1 }))).toEqual(['created']);
	expect(shown.posts()).toHaveLength(2);
});

test("the service's own 500 is looked at for 15 s: found, or its words, and sent again by another run", async () => {
	const found = await serviceWith({ answers: made(own500), lag: 6_000 });
	expect(await found.ends(found.post())).toEqual(['created']);
	const { run, post, ends, sent, clock } = await serviceWith({ answers: notMade(own500) });
	const startedAt = clock.now();
	const said = { text: 'Mail hook failed' };
	const facts = { status: 500, mayHaveActed: true, isUnseen: true, said };
	expect(await run(post())).toMatchObject({ end: 'rejected', facts });
	expect(clock.now() - startedAt).toBeLessThan(16_000);
	expect(await ends(post())).toEqual(['rejected']);
	// Not before it is surely absent.
	expect(await ends(post(POST, { run: 'later' }))).toEqual(['created']);
	const [failed, again] = sent('POST').map(({ at }) => at);
	expect(again - failed).toBeGreaterThanOrEqual(95_000);
});

test('a post of a row that is still under way is no riddle: the lost one is sent again', async () => {
	const answers: Answers = async (attempt, act, clock) => {
		if (attempt === 1) return lost;
		const answer = act();
		if (attempt === 2) await clock.sleep(20_000);
		return answer;
	};
	const { ends, post, posts, clock } = await serviceWith({ answers });
	const other = async () => await post({ ...POST, title: 'Other' }, { row: 1 });
	const both = await ends(post(), clock.sleep(85_000).then(other));
	expect([both, posts().length]).toEqual([['created', 'created'], 2]);
});

describe('a key that is refused', () => {
	const refused: Answer = { status: 401, body: { message: 'Key revoked' } };

	test('before a write was accepted ends the run: what was not sent says so; another run asks again', async () => {
		const { run, ends, post, sent } = await serviceWith({ answers: () => refused });
		const rows = Array.from({ length: 500 }, (_, row) => post({ title: `${row}` }, { row }));
		const facts = { status: 401, said: { text: 'Key revoked' } };
		const rejected = { end: 'rejected', facts };
		expect(await run(Promise.all(rows))).toMatchObject(rows.map(() => rejected));
		// As many as may be under way at first.
		const { length } = sent('POST');
		expect(length).toBeLessThanOrEqual(8);
		await ends(post(POST, { run: 'another run' }));
		expect(sent('POST')).toHaveLength(length + 1);
	});

	test('after one was accepted concerns its row alone', async () => {
		const answers: Answers = (attempt, act) => (attempt === 2 ? refused : act());
		const { ends, post, connection } = await serviceWith({ answers });
		const run = connection.account.run('run');
		const became = [];
		for (const row of [0, 1, 2])
			became.push(...(await ends(post({ title: `${row}` }, { row, run }))));
		expect(became).toEqual(['created', 'rejected', 'created']);
	});
});

describe('what runs remember of each other', () => {
	const [one, other, third] = ['1', '2', '3'].map((run) => ({ run }));

	test('a search term in another case is created once, by two at the same moment and in the next round', async () => {
		const { post, ends, sent, clock } = await serviceWith();
		const term = (title: string, run: string) => post({ title }, { run, compareAs: 'term' });
		expect(await ends(term('Pizza', '1'), term('pizza', '2'))).toEqual(['created', 'equal']);
		clock.advance(90_000);
		expect(await ends(term('pizza', '3'))).toEqual(['equal']);
		expect(sent('POST')).toHaveLength(1);
	});

	test.each([
		['a list may lag by 95 s', 94_000, 'equal'],
		['after that, what it does not show was deleted', 96_000, 'created'],
	])('%s', async (_, ms, end) => {
		const { post, ends, clock } = await serviceWith();
		await ends(post(POST, one));
		clock.advance(ms);
		const before = { readAt: clock.now(), known: new Set<string>() };
		expect(await ends(post(POST, { ...other, before }))).toEqual([end]);
	});

	test('what was deleted is forgotten, and nothing of another resource', async () => {
		const { post, ends, connection, run, service } = await serviceWith();
		const removed = async (noun: string) => {
			const ids = { keywordId: String(service.create('keywords', {}, 'loc_1').id) };
			const path = '/keywords/{keywordId}';
			return await run(change(connection, { method: 'DELETE', path, ids, query: {}, noun }, 0));
		};
		await ends(post(POST, one));
		await removed('keyword');
		expect(await ends(post(POST, other))).toEqual(['equal']);
		await removed('content post');
		expect(await ends(post(POST, third))).toEqual(['created']);
	});

	test.each<[string, Answers, ends: string[], sent: number]>([
		['refused: the other one is sent', notMade(taken), ['rejected', 'created'], 2],
		// Each absence was proved, and each row is sent again once.
		['not confirmed: the other one neither', () => lost, ['unconfirmed', 'unconfirmed'], 4],
	])(
		'an equal row of another run waits for one that is %s',
		async (_, answers, expected, count) => {
			const { post, ends, sent } = await serviceWith({ answers });
			expect(await ends(post(POST, one), post(POST, other))).toEqual(expected);
			expect(sent('POST')).toHaveLength(count);
		},
	);

	test.each<[string, Situation, end: string]>([
		['could not be looked for: its record is found', { refused: 6 }, 'equal'],
		['was translated: it is not sent either', { title: 'Sommer' }, 'unconfirmed'],
	])('a doubt of an earlier run that %s', async (_, situation, end) => {
		const { post, ends, sent } = await serviceWith({ answers: made(lost), ...situation });
		expect(await ends(post(POST, one))).toEqual(['unconfirmed']);
		expect(await ends(post(POST, other))).toEqual([end]);
		expect(sent('POST')).toHaveLength(1);
	});

	test('a tool waits for an equal create of another run no longer than its Max Wait', async () => {
		const answers: Answers = async (_, act, clock) => {
			await clock.sleep(50_000);
			return act();
		};
		const { post, ends, connection, sent } = await serviceWith({ answers });
		const first = post(POST, one);
		connection.patienceMs = 30_000;
		const both = await ends(first, post(POST, { ...other, isBrief: true }));
		expect([both, sent('POST').length]).toEqual([['created', 'unconfirmed'], 1]);
	});

	test('a record that was found is no riddle for a row that was lost', async () => {
		const answers: Answers = (attempt, act) => {
			if (attempt === 2) return lost;
			const answer = act();
			return attempt === 1 ? lost : answer;
		};
		const { post, ends, posts } = await serviceWith({ answers });
		const rows = ['First', 'Second'].map((title, row) => post({ ...POST, title }, { row }));
		expect([await ends(...rows), posts().length]).toEqual([['created', 'created'], 2]);
	});

	test('a create that is refused does not hide the one before it', async () => {
		const answers: Answers = (attempt, act) => (attempt === 2 ? taken : act());
		const { post, ends, clock, sent } = await serviceWith({ answers });
		await ends(post(POST, one));
		// This one has read its list later.
		const before = { readAt: clock.now() + 96_000, known: new Set<string>() };
		expect(await ends(post(POST, { ...other, before }))).toEqual(['rejected']);
		expect(await ends(post(POST, third))).toEqual(['equal']);
		expect(sent('POST')).toHaveLength(2);
	});

	test('someone who is stopped does not spoil the reading that others wait for', async () => {
		const answers: Answers = (attempt, act) => (act(), attempt <= 3 ? lost : act());
		const { clock, post, ends, sent } = await serviceWith({ answers, takes: 2_000 });
		const stop = new AbortController();
		// The reading of the first one is its own; the second one begins the next, and is stopped.
		const rows = [undefined, stop.signal, undefined].map((signal, row) =>
			post({ ...POST, title: `Offer ${row}` }, { row, signal }),
		);
		void clock.sleep(3_500).then(() => stop.abort(new Error('Stopped')));
		expect(await ends(...rows)).toEqual(['created', 'cancelled', 'created']);
		expect(sent('GET')).toHaveLength(3);
	});

	test('a run that is tried again within the hour sends none of its rows again', async () => {
		const { post, run, clock, sent } = await serviceWith({ isUnread: true });
		const all = async () =>
			await run(Promise.all([0, 1].map(async (row) => await post(POST, { row }))));
		const first = await all();
		clock.advance(3_500_000);
		expect(await all()).toMatchObject(
			first.map((end) => ({ record: { id: 'record' in end && end.record.id } })),
		);
		expect(sent('POST')).toHaveLength(2);
	});
});

describe('an execution that is stopped', () => {
	const reason = new Error('Stopped by the user');
	const stoppable = () => {
		const stop = new AbortController();
		return { abort: () => stop.abort(reason), signal: stop.signal };
	};

	test('before, or in the moment in which a create begins: it is not sent', async () => {
		const { run, ends, post, sent, connection } = await serviceWith();
		const { abort, signal } = stoppable();
		const late = post(POST, { signal });
		abort();
		expect(await ends(late)).toEqual(['cancelled']);
		await expect(run(post(POST, { signal }))).rejects.toBe(reason);
		expect([sent('POST'), connection.account.isIdle]).toEqual([[], true]);
	});

	test('while an equal create of another run goes on: it ends at once, and is not sent', async () => {
		const { ends, post, posts } = await serviceWith();
		const { abort, signal } = stoppable();
		const [first, second] = [post(), post(POST, { row: 1, run: 'other', signal })];
		abort();
		await expect(second).rejects.toBe(reason);
		await ends(first);
		expect(posts()).toHaveLength(1);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test.each<[string, Answers, end: string, posts: number]>([
		['was made: a repeat finds it', made(lost), 'created', 1],
		['was not: a repeat looks for it, and does not send it', notMade(lost), 'cancelled', 0],
	])('while a create is looked for that %s', async (_, answers, end, count) => {
		const { run, ends, post, posts, clock, sent } = await serviceWith({ answers });
		const { abort, signal } = stoppable();
		void clock.sleep(500).then(abort);
		const facts = { mayHaveActed: true };
		expect(await run(post(POST, { signal }))).toMatchObject({ end: 'cancelled', facts });
		expect(await ends(post())).toEqual([end]);
		expect([posts().length, sent('POST').length]).toEqual([count, 1]);
		// A person runs it again: what is surely absent is sent.
		await ends(post(POST, { run: 'another run' }));
		expect(posts()).toHaveLength(1);
	});
});
