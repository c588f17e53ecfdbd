import {
	Account,
	BoundedMap,
	type Connection,
	DEFAULT_PAGING,
	type FaultKind,
	type HttpResponse,
	type JsonObject,
} from '../../nodes/LocalSeo/client';
import { type Doubt, ListWatch, type Snapshot } from '../../nodes/LocalSeo/client/writes/listWatch';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** How long a service may still act, and how old its list may be (docs/guarantees.md). */
const ANSWERED = 2 * SECOND;
const UNHEARD = 62 * SECOND;
const STALE = 32 * SECOND;

let clock: VirtualClock;
let account: Account;
let doubts: BoundedMap<Doubt>;
let watch: ListWatch;
/** When the create was first sent. */
let sentAt: number;

const mapOf = <T>() => new BoundedMap<T>({ maxBytes: 1024 * 1024, forgetAfterMs: HOUR }, clock);
const iso = (time: number) => new Date(time).toISOString();

beforeEach(() => {
	clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 30, 17, 250));
	account = new Account(clock, seededRandom());
	doubts = mapOf();
	watch = new ListWatch('1', mapOf(), mapOf(), doubts);
	sentAt = clock.now();
	clock.moveTo(sentAt + 10 * SECOND);
});

const TITLE = 'Winter offers for everyone';
const post = (id: string | undefined, title: string, created?: number): JsonObject => ({
	...(id && { id }),
	title,
	...(created !== undefined && { created_at: iso(created) }),
});

/** A create that was sent ten seconds ago and failed a second later. */
const doubtOf = (more: Partial<Doubt> = {}): Doubt => ({
	sent: { title: TITLE },
	watch,
	firstSentAt: sentAt,
	resends: 0,
	inDoubtSince: sentAt + SECOND,
	...more,
});
const shot = (records: JsonObject[], more: Partial<Snapshot> = {}): Snapshot => ({
	records,
	freshAsOf: clock.now(),
	isWhole: true,
	isPart: false,
	startedAt: clock.now(),
	...more,
});
const judge = (records: JsonObject[], doubt = doubtOf(), more: Partial<Snapshot> = {}) =>
	watch.judge(shot(records, more), doubt, { account } as Connection);

/** Another record was created here: it shows how the service dates its records. */
function learnClock(created = sentAt - 5 * MINUTE) {
	const now = clock.now();
	clock.moveTo(created + 50);
	const known = post('known', 'What is known', created);
	watch.claim(known, doubtOf({ sent: {} }), created - 50, account);
	clock.moveTo(now);
}

describe('a list without the record', () => {
	test.each([
		['the service has answered', {}, ANSWERED],
		['nobody has heard of it', { isUnheard: true }, UNHEARD],
	])('proves that it is absent as soon as it could not come any more: %s', (_, more, late) => {
		const at = sentAt + SECOND + late;
		expect(judge([], doubtOf(more), { freshAsOf: at })).toBe('absent');
		expect(judge([], doubtOf(more), { freshAsOf: at - 1 })).toBe('unclear');
	});

	test('proves nothing if it is not whole, or while the create is in flight', () => {
		expect(judge([], doubtOf(), { isWhole: false })).toBe('unclear');
		expect(judge([], doubtOf({ inDoubtSince: undefined }))).toBe('unclear');
	});

	test.each<[string, () => JsonObject]>([
		['says something else', () => post('a', 'Summer is nearly over', sentAt + 50)],
		['is days older', () => post('a', TITLE, sentAt - 51 * HOUR)],
		['was listed before', () => post('listed', TITLE)],
		['belongs to another row', () => post('taken', TITLE, sentAt + 50)],
	])('also where one %s', (_, record) => {
		learnClock();
		watch.note([post('listed', TITLE)], sentAt);
		watch.claim(post('taken', TITLE), doubtOf(), sentAt + 20, account);
		expect(judge([record()])).toBe('absent');
	});
});

describe('a list whose records keep their texts in objects', () => {
	const inObject = (id: string, title: object) => ({ ...post(id, '', sentAt + 80), title });
	const other = () => inObject('a', { rendered: 'Summer is nearly over' });
	const claim = (title: object) =>
		watch.claim(inObject('own', title), doubtOf(), sentAt - MINUTE, account);

	test('proves that one is absent once another has shown what was sent, and nothing else', () => {
		expect(judge([other()])).toBe('unclear');
		claim({ rendered: TITLE });
		expect(judge([other()])).toBe('absent');
	});

	test('proves nothing if the latest record that was created here shows more', () => {
		claim({ rendered: TITLE });
		claim({ format: 'html', rendered: TITLE });
		expect(judge([other()])).toBe('unclear');
	});

	test('has found one although others are in doubt whose text it does not have', () => {
		learnClock();
		const own = inObject('new', { rendered: TITLE });
		watch.begin(doubtOf({ sent: { title: 'Summer is nearly over' } }));
		expect(judge([own])).toBe('unclear');
		watch.claim(inObject('own', { rendered: TITLE }), doubtOf(), sentAt - MINUTE, account);
		expect(judge([own])).toEqual({ record: own });
	});
});

describe('a list that lacks a record that another reading showed, and that may have been its own', () => {
	const doubt = () => {
		const seen = doubtOf();
		expect(judge([post('gone', TITLE)], seen)).toBe('unclear');
		return seen;
	};

	test('proves nothing', () => {
		expect(judge([], doubt())).toBe('unclear');
	});

	test('proves nothing either if that record had no ID', () => {
		const seen = doubtOf();
		expect(judge([post(undefined, TITLE)], seen)).toBe('unclear');
		expect(judge([], seen)).toBe('unclear');
		expect(judge([post(undefined, 'Summer is nearly over')], seen)).toBe('unclear');
	});

	test('proves that the create is absent if that record turned out to be of another row', () => {
		const seen = doubt();
		watch.claim(post('gone', TITLE), doubtOf(), sentAt, account);
		expect(judge([], seen)).toBe('absent');
	});

	test('does not lack it if it is there with another text', () => {
		expect(judge([post('gone', 'Summer is nearly over')], doubt())).toBe('absent');
	});
});

describe('a record existed before a create was sent', () => {
	const isOld = (record: JsonObject) => watch.isOld(record, doubtOf(), account);

	test('if a list showed it by then', () => {
		watch.note([post('a', TITLE)], sentAt);
		watch.note([post('b', TITLE)], sentAt + 1);
		expect(isOld(post('a', TITLE))).toBe(true);
		expect(isOld(post('b', TITLE))).toBe(false);
	});

	test('if it is older by the clock that dates records', () => {
		learnClock();
		expect(isOld(post('a', TITLE, sentAt - MINUTE))).toBe(true);
		expect(isOld(post('a', TITLE, sentAt + 80))).toBe(false);
	});

	test('if it is older by the time of responses, where no other clock is known', () => {
		expect(isOld(post('a', TITLE, sentAt - MINUTE))).toBe(false);
		account.noteServiceTime(clock.now(), clock.now());
		expect(isOld(post('a', TITLE, sentAt - MINUTE))).toBe(true);
		expect(isOld(post('a', TITLE, sentAt + 80))).toBe(false);
	});
});

describe('a list with a record that seems hours older', () => {
	const older = () => post('a', TITLE, sentAt - 5 * HOUR);
	const known = (zone = 0) => post('known', 'What is known', sentAt - 5 * MINUTE + zone);
	beforeEach(learnClock);

	test('proves that it is absent if what was created here is dated as its response was', () => {
		expect(judge([older(), known()])).toBe('absent');
	});

	test.each<[string, () => JsonObject[]]>([
		['nothing shows whether it dates records in another zone', () => [older()]],
		['no date shows it', () => [older(), post('known', 'What is known')]],
		['it dates records in another zone', () => [older(), known(-5 * HOUR)]],
	])('leaves it open where %s', (_, records) => {
		expect(judge(records())).toBe('unclear');
	});

	test('leaves it open too if one that seems new is beside one that is dated in another zone', () => {
		const own = () => post('new', TITLE, sentAt + 80);
		expect(judge([own(), known()])).toEqual({ record: own() });
		expect(judge([own(), known(-5 * HOUR)])).toBe('unclear');
	});
});

describe('a list with a record that may be it', () => {
	const own = () => post('new', TITLE, sentAt + 80);

	test('has found it if it is the only new one with what was sent', () => {
		learnClock();
		const others = [post('old', TITLE, sentAt - HOUR), post('other', 'Another thing', sentAt + 90)];
		expect(judge([...others, own()])).toEqual({ record: own() });
		expect(judge([own()], doubtOf(), { isWhole: false })).toEqual({ record: own() });
	});

	test('has found it if it was made at about the time when the create was sent', () => {
		learnClock();
		const record = post('new', TITLE, sentAt + 20);
		expect(judge([record])).toEqual({ record });
	});

	test('has found it once another record shows that dates are not cut to the minute', () => {
		learnClock(Date.UTC(2026, 0, 5, 9, 25));
		expect(judge([own()])).toBe('unclear');
		watch.note([post('other', 'Another thing', sentAt - HOUR)], sentAt);
		expect(judge([own()])).toEqual({ record: own() });
	});

	test.each<[string, () => JsonObject[]]>([
		['has no ID', () => [post(undefined, TITLE, sentAt + 80)]],
		['is there twice', () => [own(), post('second', TITLE, sentAt + 90)]],
		['only resembles it', () => [post('new', `${TITLE} and more`, sentAt + 80)]],
		['has no date', () => [post('new', TITLE)]],
		['is from the future', () => [post('new', TITLE, sentAt + HOUR)]],
		['stands beside one that can be of any time', () => [own(), post('second', TITLE)]],
	])('leaves it open if that %s', (_, records) => {
		learnClock();
		expect(judge(records())).toBe('unclear');
	});

	test('leaves it open if it was listed after the create was sent', () => {
		watch.note([post('new', TITLE)], sentAt + 1);
		expect(judge([post('new', TITLE)])).toBe('unclear');
	});

	test('leaves it open if another record had its ID before, or none had one', () => {
		watch.note([post('reused', 'What had this ID before'), post(undefined, TITLE)], sentAt - 1);
		expect(judge([post('reused', TITLE)])).toBe('unclear');
		expect(judge([post(undefined, TITLE)])).toBe('unclear');
	});

	test('when it was listed first counts, not when last', () => {
		watch.note([post('listed', TITLE)], sentAt);
		watch.note([post('listed', TITLE)], sentAt + 5 * SECOND);
		expect(judge([post('listed', TITLE)])).toBe('absent');
	});

	test('leaves it open while another create may have made it', () => {
		learnClock();
		const doubt = doubtOf();
		watch.begin(doubt);
		expect(judge([own()], doubt)).toEqual({ record: own() });
		const rival = doubtOf();
		watch.begin(rival);
		expect(judge([own()], doubt)).toBe('unclear');
		watch.end(rival);
		const unlike = doubtOf({ sent: { title: 'Summer is nearly over' } });
		watch.begin(unlike);
		expect(judge([own()], doubt)).toEqual({ record: own() });
		const elsewhere = new ListWatch('2', mapOf(), mapOf(), doubts);
		doubts.set('elsewhere', doubtOf({ watch: elsewhere }), 8);
		expect(judge([own()], doubt)).toEqual({ record: own() });
		doubts.set('here', doubtOf(), 8);
		expect(judge([own()], doubt)).toBe('unclear');
	});

	test.each([1, SECOND, MINUTE, HOUR, 24 * HOUR])(
		'leaves it open if its date may be one that the row has set, cut to %i ms',
		(unit) => {
			const midnight = Date.UTC(2026, 0, 6);
			sentAt = midnight - 80;
			clock.moveTo(midnight + 10 * SECOND);
			learnClock();
			const record = { ...post('new', TITLE, midnight), note: 'No date' };
			const starts = iso(midnight + Math.floor(unit / 2));
			const found = (sent: JsonObject) => judge([{ ...record, ...sent }], doubtOf({ sent }));
			expect(found({ title: TITLE, note: 'No date', starts })).toBe('unclear');
			expect(found({ title: TITLE, note: 'No date' })).toEqual({ record });
		},
	);

	test('finds it by its own date where the row has set another', () => {
		learnClock();
		const sent = { title: TITLE, starts: iso(sentAt + 24 * HOUR) };
		const record = { ...own(), starts: sent.starts };
		expect(judge([record], doubtOf({ sent }))).toEqual({ record });
	});
});

describe("where nothing was created here that shows the service's clock", () => {
	/** A record with the same title from long ago, and the latest one of the list. */
	const listed = (latest: number) => [
		post('old', TITLE, sentAt - HOUR),
		post('latest', 'Another thing', latest),
	];
	const known = (offset = 0) => account.noteServiceTime(clock.now() + offset, clock.now());

	test('one is older if the latest record shows that the create came later', () => {
		known();
		expect(judge(listed(clock.now()))).toBe('absent');
		// Ten seconds since it was sent, and a minute for dates that are cut.
		const least = sentAt - 66 * SECOND;
		expect(judge([post('old', TITLE, least - 1), ...listed(clock.now())])).toBe('absent');
		expect(judge([post('old', TITLE, least), ...listed(clock.now())])).toBe('unclear');
	});

	test('also beside one without a date, and if the latest seems a minute ahead', () => {
		known();
		const undated = post('undated', 'One more thing');
		expect(judge([undated, ...listed(clock.now())])).toBe('absent');
		expect(judge(listed(clock.now() + 66 * SECOND))).toBe('absent');
	});

	test('also by a clock that is an hour ahead', () => {
		known(HOUR);
		const records = [post('old', TITLE, sentAt), post('latest', 'Another', clock.now() + HOUR)];
		expect(judge(records)).toBe('absent');
	});

	test.each<[string, () => void, () => number]>([
		['no response said the time', () => {}, () => clock.now()],
		['the latest is from the future', known, () => clock.now() + 67 * SECOND],
		[
			'the clock was set meanwhile',
			() => {
				known(HOUR);
				known();
			},
			() => clock.now(),
		],
		['the latest is as old', known, () => sentAt - HOUR],
	])('it is left open if %s', (_, prepare, latest) => {
		prepare();
		expect(judge(listed(latest()))).toBe('unclear');
	});
});

describe('further readings', () => {
	test('change nothing once every create is late, and the list is whole', () => {
		const late = sentAt + SECOND + ANSWERED;
		expect(watch.isSettled(shot([]))).toBe(true);
		expect(watch.isSettled(shot([], { isWhole: false }))).toBe(false);
		watch.begin(doubtOf());
		expect(watch.isSettled(shot([], { freshAsOf: late }))).toBe(true);
		expect(watch.isSettled(shot([], { freshAsOf: late - 1 }))).toBe(false);
		watch.begin(doubtOf({ inDoubtSince: undefined }));
		expect(watch.isSettled(shot([], { freshAsOf: late + HOUR }))).toBe(false);
	});
});

describe('a list may be from before', () => {
	const claim = (id: string, at: number) => watch.claim(post(id, 'Mine'), doubtOf(), at, account);

	test('until half a minute after what it lacks was created', () => {
		claim('first', sentAt);
		claim('second', sentAt + 3 * SECOND);
		const until = (shown: string[], at: number) =>
			watch.staleUntil(
				shown.map((id) => post(id, 'Mine')),
				at,
			);
		expect(until([], sentAt + 5 * SECOND)).toBe(sentAt + 3 * SECOND + STALE);
		expect(until(['second'], sentAt + 5 * SECOND)).toBe(sentAt + STALE);
		expect(until(['first', 'second'], sentAt + 5 * SECOND)).toBeUndefined();
		expect(until([], sentAt + 3 * SECOND + STALE)).toBeUndefined();
		expect(until([], sentAt + STALE - 1)).toBe(sentAt + 3 * SECOND + STALE);
		expect(until([], sentAt + STALE)).toBeUndefined();
	});

	test('but for no longer, also where it shows others that were created here long ago', () => {
		claim('long ago', sentAt - STALE);
		claim('first', sentAt);
		const shown = [post('long ago', 'Mine')];
		expect(watch.staleUntil(shown, sentAt + STALE - 1)).toBe(sentAt + STALE);
		expect(watch.staleUntil(shown, sentAt + STALE)).toBeUndefined();
	});

	test('what has no ID is not looked for', () => {
		watch.claim(post(undefined, 'Mine'), doubtOf(), sentAt, account);
		expect(watch.staleUntil([], sentAt + SECOND)).toBeUndefined();
		expect(watch.isTaken(post(undefined, 'Mine'))).toBe(false);
	});

	test('unless it shows nothing of what was created here long ago', () => {
		claim('long ago', sentAt - STALE);
		claim('now', sentAt);
		expect(watch.staleUntil([], sentAt + SECOND)).toBeUndefined();
		const shown = [post('long ago', 'Mine')];
		expect(watch.staleUntil(shown, sentAt + SECOND)).toBe(sentAt + STALE);
	});
});

describe('a reading', () => {
	const request = {
		method: 'POST' as const,
		path: '/posts',
		ids: {},
		query: { draft: true },
		body: {},
		noun: 'content post',
	};
	type Answer = HttpResponse | { fault: FaultKind; cause: Error };
	const page = (records: JsonObject[], meta: JsonObject = {}): HttpResponse => ({
		status: 200,
		headers: { date: new Date(clock.now()).toUTCString() },
		body: {
			data: records,
			meta: { current_page: 1, per_page: 100, total: records.length, ...meta },
		},
	});

	const answer = (status: number, body: unknown = ''): HttpResponse => ({
		status,
		headers: {},
		body,
	});

	/** An empty page behind another one, which says the same of the list. */
	const past = ({ body, ...more }: HttpResponse, number: unknown): HttpResponse => {
		const { meta } = body as { meta: JsonObject };
		return { ...more, body: { data: [], meta: { ...meta, current_page: number } } };
	};

	/** Reads once for each answer, ten seconds apart, while a create is in doubt. */
	async function readings(answers: Answer[], isWhole = true) {
		let asked = 0;
		const queries: JsonObject[] = [];
		const connection: Connection = {
			account,
			patienceMs: 0,
			transport: async ({ query }) => {
				queries.push(query);
				await clock.sleep(100);
				const first = answers[asked];
				const isFirst = query.page === undefined || !isWhole;
				return isFirst ? first : past(first as HttpResponse, query.page);
			},
		};
		const results = [];
		for (; asked < answers.length; asked++) {
			const since = clock.now();
			const reading = watch.read(connection, request, DEFAULT_PAGING, { since, isWhole });
			results.push(await clock.run(reading));
			await clock.run(clock.sleep(10 * SECOND));
		}
		return { results, queries };
	}
	/** A service that answers each request in the same way, and counts them. */
	function counting(given: Answer) {
		const seen = { requests: 0 };
		const connection: Connection = {
			account,
			patienceMs: 0,
			transport: async () => {
				seen.requests++;
				await clock.sleep(100);
				return given;
			},
		};
		return { connection, seen };
	}

	const wholeOf = async (answers: Answer[]) => {
		watch.begin(doubtOf());
		const { results } = await readings(answers);
		return results.map((one) => typeof one === 'object' && one.isWhole);
	};

	test.each<[string, Answer | undefined]>([
		['408', answer(408)],
		['429', answer(429)],
		['500', answer(500)],
		['503', answer(503)],
		['timeout', undefined],
		['connection-lost', undefined],
		['unreachable', undefined],
		['unknown-host', undefined],
	])('that fails with %s may do better a moment later', async (name, given) => {
		const failed = given ?? { fault: name as FaultKind, cause: new Error(name) };
		expect((await readings([failed])).results).toEqual([undefined]);
	});

	test('that is not sent because of the rate limit may do better a moment later', async () => {
		const limited = { ...answer(429), headers: { 'retry-after': '60' } };
		const { results, queries } = await readings([limited, limited]);
		expect(results).toEqual([undefined, undefined]);
		expect(queries).toHaveLength(1);
	});

	test('that is not sent, since the service has been down for long enough, ends the search', async () => {
		const { connection, seen } = counting({ fault: 'unreachable', cause: new Error('Down') });
		const readings: unknown[] = [];
		for (let reading = 0; reading < 5; reading++) {
			const options = { since: clock.now(), isWhole: true };
			const read = watch.read(connection, request, DEFAULT_PAGING, options);
			readings.push(await clock.run(read));
		}
		expect(seen.requests).toBe(4);
		expect(readings).toEqual([undefined, undefined, undefined, undefined, 'unreadable']);
	});

	describe('that rows share', () => {
		const many = Array.from({ length: 10 }, (_, index) => post(`p${index}`, `Number ${index}`));

		/** One of each, and the one behind them. */
		const pages = many.length + 1;

		/** Two rows that ask at the same time; each leaves when told. */
		function shared() {
			const [one, other] = [new AbortController(), new AbortController()];
			const seen = { pages: 0 };
			const connection: Connection = {
				account,
				patienceMs: 0,
				transport: async ({ query }) => {
					seen.pages++;
					await clock.sleep(SECOND);
					const number = Number(query.page ?? 1);
					const meta = { current_page: number, per_page: 1, total: many.length };
					return answer(200, { data: many.slice(number - 1, number), meta });
				},
			};
			const read = async ({ signal }: AbortController) =>
				await watch.read({ ...connection, signal }, request, DEFAULT_PAGING, {
					since: clock.now(),
					isWhole: true,
				});
			return { one, other, read, seen };
		}

		test('goes on for one when the other leaves', async () => {
			watch.begin(doubtOf());
			const { one, other, read, seen } = shared();
			const readings = [read(one), read(other)];
			await clock.run(clock.sleep(1_500));
			one.abort();
			const [, result] = await clock.run(Promise.all(readings));
			expect((result as Snapshot).records).toHaveLength(many.length);
			expect(seen.pages).toBe(pages);
		});

		test('ends when both leave, and is none for those who come later', async () => {
			watch.begin(doubtOf());
			const { one, other, read, seen } = shared();
			const readings = [read(one), read(other)];
			await clock.run(clock.sleep(500));
			// This one has to wait for the other.
			const late = new AbortController();
			readings.push(read(late));
			one.abort();
			other.abort();
			late.abort();
			const result = await clock.run(read(new AbortController()));
			expect((result as Snapshot).records).toHaveLength(many.length);
			expect(seen.pages).toBe(1 + pages);
		});
	});

	test.each<[string, Answer]>([
		['is refused', answer(403)],
		['is not found', answer(404)],
		['is no list', answer(200, { data: post('a', 'One') })],
		['is a page for people', answer(200, '<h1>Welcome</h1>')],
		['fails by itself', { fault: 'other', cause: new Error('A bug') }],
	])('that %s never will', async (_, given) => {
		expect((await readings([given])).results).toEqual(['unreadable']);
	});

	test('asks for the whole list, and shows records only, as old as they may be', async () => {
		const at = clock.now();
		const { results, queries } = await readings([page([post('a', 'One'), 'text' as never])]);
		expect(queries).toEqual([{}]);
		expect(results).toEqual([
			{
				records: [post('a', 'One')],
				startedAt: at,
				freshAsOf: at - STALE,
				isWhole: false,
				isPart: false,
			},
		]);
		watch.claim(post('a', 'One'), doubtOf(), at - SECOND, account);
		const [later] = (await readings([page([post('a', 'One')])])).results;
		expect(later).toMatchObject({ freshAsOf: at - SECOND });
	});

	test('proves something if it has all that the one before had', async () => {
		const [a, b, c] = ['a', 'b', 'c'].map((id) => post(id, `Number ${id}`));
		expect(await wholeOf([page([a, b]), page([a, b]), page([a, b, c])])).toEqual([
			false,
			true,
			true,
		]);
		expect(await wholeOf([page([a]), page([b]), page([b])])).toEqual([false, false, true]);
	});

	test('does not if it is empty after it was not, however often', async () => {
		const [filled, none] = [page([post('a', 'Number a')]), answer(204)];
		expect(await wholeOf([none, none])).toEqual([false, true]);
		expect(await wholeOf([none, none, filled, none, none])).toEqual([
			true,
			true,
			true,
			false,
			false,
		]);
	});

	test('does not if it is empty although something was created here, however late it may be', async () => {
		watch.claim(post('mine', 'Mine'), doubtOf(), clock.now(), account);
		expect(await wholeOf([answer(204), answer(204)])).toEqual([false, false]);
	});

	test('may prove something when it is empty, if it was not before the creates in doubt', async () => {
		const doubt = doubtOf();
		watch.begin(doubt);
		await readings([page([post('a', 'Number a')])]);
		watch.end(doubt);
		expect(await wholeOf([answer(204), answer(204)])).toEqual([false, true]);
	});

	test('does not if the service says that there is more, or another total', async () => {
		const a = post('a', 'Number a');
		const more = page([a], { has_more: true });
		expect(await wholeOf([page([a]), more, more])).toEqual([false, false, false]);
		const short = page([a], { total: 7 });
		// Twice the same settles it.
		expect(await wholeOf([page([a]), short, short])).toEqual([true, false, true]);
	});

	test('does not right after something that was no list', async () => {
		const a = page([post('a', 'Number a')]);
		const none = answer(200, { data: post('a', 'Number a') });
		expect(await wholeOf([a, none, a, a])).toEqual([false, false, false, true]);
	});

	test('proves as much where the dates of its records are in a zone that is hours ahead', async () => {
		const records = [-2, 6, 6].map((hours, index) =>
			post(`${index}`, `Number ${index}`, clock.now() + hours * HOUR),
		);
		let total = 2;
		const connection: Connection = {
			account,
			patienceMs: 0,
			transport: async ({ query: { page: number = 1 } }) => {
				await clock.sleep(100);
				const meta = { current_page: number, per_page: 1, total };
				return page(records.slice(0, total).slice(Number(number) - 1, Number(number)), meta);
			},
		};
		watch.begin(doubtOf());
		const read = async () => {
			const options = { since: clock.now(), isWhole: true };
			return await clock.run(watch.read(connection, request, DEFAULT_PAGING, options));
		};
		expect(await read()).toMatchObject({ records: records.slice(0, 2), isWhole: false });
		total = 3;
		expect(await read()).toMatchObject({ records, isWhole: true });
	});

	test('shows what existed before later creates', async () => {
		await readings([page([post('a', TITLE)])]);
		const later = doubtOf({ firstSentAt: clock.now(), inDoubtSince: clock.now() });
		expect(judge([post('a', TITLE)], later, { freshAsOf: clock.now() + HOUR })).toBe('absent');
	});

	test('does not if it lacks what was created here long ago', async () => {
		const [mine, other] = [post('mine', 'Mine'), post('other', 'Other')];
		watch.claim(mine, doubtOf(), clock.now(), account);
		expect(await wholeOf([page([other]), page([other])])).toEqual([false, true]);
		await clock.run(clock.sleep(STALE));
		expect(await wholeOf([page([other]), page([other, mine])])).toEqual([false, true]);
	});

	test('may lack what was created here up to half a minute ago', async () => {
		const other = page([post('other', 'Other')]);
		await wholeOf([other]);
		watch.claim(post('mine', 'Mine'), doubtOf(), clock.now() - STALE, account);
		expect(await wholeOf([other])).toEqual([true]);
		expect(await wholeOf([other])).toEqual([false]);
	});

	describe('shows everything', () => {
		/** How long before its reading began a list shows everything; each record: when it was created before that. */
		async function freshBefore(
			shown: Record<string, number>,
			missing: Record<string, number> = {},
		) {
			const at = clock.now();
			for (const [id, before] of Object.entries({ ...shown, ...missing })) {
				watch.claim(post(id, 'Mine'), doubtOf(), at - before, account);
			}
			const listed = Object.keys(shown).map((id) => post(id, 'Mine'));
			const [snapshot] = (await readings([page(listed)])).results;
			return at - (snapshot as Snapshot).freshAsOf;
		}

		test('up to the latest record that was created here', async () => {
			expect(await freshBefore({ a: 9 * SECOND, b: 5 * SECOND })).toBe(5 * SECOND);
		});

		test('also if an old one is not there any more', async () => {
			expect(await freshBefore({ a: 5 * SECOND }, { old: STALE })).toBe(5 * SECOND);
		});

		test.each([
			['an earlier', 6],
			['a later', 1],
			['another, sent at the same time,', 5],
		])(
			'up to half a minute before, for ten minutes, once it lacked %s that was there',
			async (_, seconds) => {
				const at = clock.now();
				expect(await freshBefore({ a: 5 * SECOND }, { late: seconds * SECOND })).toBe(STALE);
				clock.moveTo(at + 10 * MINUTE - 1);
				expect(await freshBefore({ again: 5 * SECOND })).toBe(STALE);
				clock.moveTo(at + 10 * MINUTE);
				expect(await freshBefore({ again: 5 * SECOND })).toBe(5 * SECOND);
			},
		);

		/** A list that shows one of five seconds ago, and lacks one of six, which is done meanwhile. */
		async function freshAfter(first: Answer) {
			const at = clock.now();
			watch.claim(post('later', 'Mine'), doubtOf(), at - 5 * SECOND, account);
			const answers = [first, page([post('later', 'Mine')])];
			const connection: Connection = {
				account,
				patienceMs: MINUTE,
				transport: async () => {
					await clock.sleep(100);
					if (answers.length === 2) {
						watch.claim(post('earlier', 'Mine'), doubtOf(), at - 6 * SECOND, account);
					}
					return answers.shift() as Answer;
				},
			};
			const options = { since: at, isWhole: true };
			const reading = await clock.run(watch.read(connection, request, DEFAULT_PAGING, options));
			const { freshAsOf, startedAt } = reading as Snapshot;
			return { freshAsOf: at - freshAsOf, freshBefore: startedAt - freshAsOf };
		}

		test('up to an earlier one that was done while the list was read', async () => {
			const first = page([post('later', 'Mine')]);
			expect(await freshAfter(first)).toMatchObject({ freshAsOf: 6 * SECOND });
		});

		test('up to half a minute before it was sent, if it lacked one that was done while it waited', async () => {
			const refused = { ...answer(429), headers: { 'retry-after': '5' } };
			expect(await freshAfter(refused)).toMatchObject({ freshBefore: STALE });
		});
	});

	test('of a long list shows its ends at first, where a record may be found, but not missed', async () => {
		const ends = page([post('a', 'One')], { total: 9, per_page: 1 });
		const { results, queries } = await readings([ends], false);
		expect(queries).toEqual([{}, { page: 9 }]);
		expect(results).toEqual([
			expect.objectContaining({ isPart: true, isWhole: true, records: expect.any(Array) }),
		]);
	});

	test('of a long list shows its ends again after the whole of it', async () => {
		await readings([page([post('a', 'One')])]);
		const ends = page([post('a', 'One')], { total: 9, per_page: 1 });
		expect((await readings([ends], false)).queries).toEqual([{}, { page: 9 }]);
	});

	test('of its ends is not enough for one that needs the whole list', async () => {
		watch.begin(doubtOf());
		const since = clock.now();
		const ends = page([post('a', 'One')], { total: 9, per_page: 1 });
		await readings([ends], false);
		const connection: Connection = {
			account,
			patienceMs: 0,
			transport: async () => await Promise.resolve(page([post('a', 'One')])),
		};
		const read = async (isWhole: boolean) =>
			await clock.run(watch.read(connection, request, DEFAULT_PAGING, { since, isWhole }));
		expect(await read(false)).toMatchObject({ isPart: true });
		expect(await read(true)).toMatchObject({ isPart: false });
		expect(await read(false)).toMatchObject({ isPart: false });
	});

	test('is shared by those who wait for it, and kept while a create is in doubt', async () => {
		const { connection, seen } = counting(page([post('a', 'One')]));
		const read = async (since: number) =>
			await watch.read(connection, request, DEFAULT_PAGING, { since, isWhole: true });
		const doubt = doubtOf();
		watch.begin(doubt);
		const other = doubtOf();
		watch.begin(other);
		const at = clock.now();
		await clock.run(Promise.all([read(at), read(at)]));
		watch.end(other);
		expect(seen.requests).toBe(1);
		await clock.run(read(at));
		expect(seen.requests).toBe(1);
		await clock.run(read(at + 1));
		expect(seen.requests).toBe(2);
		watch.end(doubt);
		await clock.run(read(at));
		expect(seen.requests).toBe(3);
	});
});

test('of what was created here, the latest hundred are known', () => {
	expect(watch.isIdle).toBe(true);
	const at = sentAt - HOUR;
	for (let index = 0; index < 101; index++) {
		watch.claim(post(`${index}`, 'Mine'), doubtOf(), at, account);
	}
	watch.claim(post('now', 'Mine'), doubtOf(), sentAt, account);
	// Shown is the first one, which is not looked for any more.
	expect(watch.staleUntil([post('0', 'Mine')], sentAt + SECOND)).toBeUndefined();
	expect(watch.staleUntil([post('1', 'Mine')], sentAt + SECOND)).toBeUndefined();
	expect(watch.staleUntil([post('2', 'Mine')], sentAt + SECOND)).toBe(sentAt + STALE);
	expect(watch.isTaken(post('0', 'Mine'))).toBe(true);
	expect(watch.isTaken(post(undefined, 'Mine'))).toBe(false);
});
