import {
	Account,
	type Connection,
	type HttpFault,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Method,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { trySend } from '../../../nodes/LocalSeo/client/http/send';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

type Answer = HttpResponse | HttpFault;

/** The most attempts of a request. */
const MAX_ATTEMPTS = 6;

const clock = new VirtualClock();
const answer = (status: number, headers: JsonObject = {}, body: unknown = ''): Answer => ({
	status,
	headers,
	body,
});
const fault = (kind: HttpFault['fault']): Answer => ({ fault: kind, cause: new Error(kind) });
const ok = answer(200, {}, { data: { id: 'loc_1' } });
const request = (method: Method, body?: JsonObject) => ({
	method,
	path: '/locations/{locationId}',
	ids: { locationId: 'loc 1' },
	query: { a: 1 },
	noun: 'location',
	...(body && { body }),
});

interface Sent {
	request: HttpRequest;
	/** Milliseconds since the first one. */
	at: number;
}

/** Sends one request to a service that gives these answers, one after the other and 20 ms each. */
async function send(
	method: Method,
	answers: Answer[],
	{ body, ...options }: Partial<Connection> & { body?: JsonObject } = {},
) {
	const sent: Sent[] = [];
	const from = clock.now();
	const left = [...answers];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: async (one) => {
			sent.push({ request: one, at: clock.now() - from });
			await clock.sleep(20);
			return left.length > 1 ? left.shift()! : left[0];
		},
		...options,
	};
	const result = await clock.run(trySend(connection, request(method, body)));
	const facts = result instanceof ServiceError ? result.facts : undefined;
	const response = result instanceof ServiceError ? undefined : result;
	return { response, facts, sent, took: clock.now() - from, from };
}

test('a request goes out with its path filled in, as JSON', async () => {
	const { sent, response } = await send('POST', [ok], {
		body: { name: 'Ann’s' },
		timeoutMs: 7_000,
	});
	expect(sent[0].request).toEqual({
		method: 'POST',
		path: '/locations/loc%201',
		query: { a: 1 },
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body: '{"name":"Ann’s"}',
		timeoutMs: 7_000,
	});
	expect(response).toMatchObject(ok);
});

describe('an answer that may be temporary', () => {
	const temporary: Array<[string, Answer]> = [
		...[408, 500, 502, 503, 504, 507, 520, 522, 524, 529, 599].map((status): [string, Answer] => [
			String(status),
			answer(status),
		]),
		['no response in time', fault('timeout')],
		['a lost connection', fault('connection-lost')],
		['a mistake of ours', fault('other')],
		['a web page', answer(200, {}, ' <html>Maintenance</html>')],
		['JSON that was cut off', answer(201, {}, '{"data":{"id":"loc')],
	];

	test.each(temporary)('%s: reads and changes are repeated', async (_, first) => {
		for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
			const { sent, response } = await send(method, [first, ok]);
			expect(sent).toHaveLength(2);
			expect(response).toMatchObject(ok);
		}
	});

	test.each(temporary)('%s: a create is not, and may have acted', async (_, first) => {
		const { sent, facts } = await send('POST', [first, ok]);
		expect(sent).toHaveLength(1);
		expect(facts?.mayHaveActed).toBe(true);
	});

	test.each([521, 523, 525, 526])('%d: all is repeated, nothing was sent', async (status) => {
		const { sent, facts } = await send('POST', [answer(status), answer(404)]);
		expect(sent).toHaveLength(2);
		expect(facts).toMatchObject({ status: 404, mayHaveActed: false });
	});

	test.each(['unreachable', 'unknown-host', 'insecure'] as const)(
		'%s: everything is repeated, since nothing was sent',
		async (kind) => {
			for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
				expect((await send(method, [fault(kind), ok])).response).toMatchObject(ok);
			}
			const { facts, sent } = await send('POST', [fault(kind)]);
			expect(facts).toMatchObject({ kind, mayHaveActed: false });
			expect(sent).toHaveLength(MAX_ATTEMPTS);
		},
	);

	test('waits longer each time, and gives up after so many', async () => {
		const { sent, facts, took } = await send('GET', [answer(500)]);
		expect(sent).toHaveLength(MAX_ATTEMPTS);
		expect(facts).toMatchObject({ kind: 'rejected', status: 500, attempts: MAX_ATTEMPTS });
		expect(facts?.waitedMs).toBe(took);
		expect(facts?.mayHaveActed).toBe(false);
		// 0.3 s, doubled each time, with full jitter.
		sent.slice(1).forEach(({ at }, index) => {
			const wait = at - sent[index].at - 20;
			expect(wait).toBeGreaterThanOrEqual(0);
			expect(wait).toBeLessThanOrEqual(300 * 2 ** (index + 1));
		});
		expect(sent.at(-1)!.at).toBeGreaterThan(1_000);
	});

	test('is given up when the patience ends, and says how long it was', async () => {
		const { facts, took } = await send('GET', [answer(500)], { patienceMs: 1_000 });
		expect(took).toBeLessThanOrEqual(1_000);
		expect(facts).toMatchObject({ status: 500, waitedMs: took });
	});
});

describe('a rate limit', () => {
	test('is waited for, also by a create', async () => {
		const { sent, response } = await send('POST', [answer(429, { 'retry-after': '3' }), ok]);
		expect(response).toMatchObject(ok);
		expect(sent.map(({ at }) => at)).toEqual([0, expect.any(Number)]);
		expect(sent[1].at).toBeGreaterThanOrEqual(3_020);
		expect(sent[1].at).toBeLessThan(4_500);
	});

	test('that is longer than the patience is not waited for', async () => {
		const { facts, took } = await send('GET', [answer(429, { 'retry-after': '600' }), ok]);
		expect(facts).toMatchObject({ status: 429, retryAfterMs: 600_000, attempts: 1 });
		expect(took).toBeLessThan(1_000);
	});
});

describe('a deletion', () => {
	test('that finds nothing after a lost response has succeeded', async () => {
		const { response } = await send('DELETE', [fault('connection-lost'), answer(404)]);
		expect(response).toMatchObject({ status: 204, headers: {}, body: '' });
	});

	test('that finds nothing at first has failed, and so has one after a refusal', async () => {
		expect((await send('DELETE', [answer(404)])).facts).toMatchObject({ status: 404 });
		const { facts } = await send('DELETE', [fault('unreachable'), answer(404)]);
		expect(facts).toMatchObject({ status: 404, mayHaveActed: false });
	});
});

describe('time', () => {
	test('a transport that never answers is left after its own time and half a second', async () => {
		const never = { transport: () => new Promise<never>(() => {}), patienceMs: 3_000 };
		const { facts, took } = await send('POST', [], { ...never, timeoutMs: 2_000 });
		expect(facts).toMatchObject({ kind: 'timeout', mayHaveActed: true });
		expect(took).toBe(2_500);
		expect((await send('POST', [], never)).took).toBe(300_500);
	});
});

describe('the end of an execution', () => {
	test('during the request: it may have acted', async () => {
		const stop = new AbortController();
		const transport = async () => {
			stop.abort();
			await new Promise<never>(() => {});
			return ok;
		};
		const { facts } = await send('POST', [], { transport, signal: stop.signal });
		expect(facts).toMatchObject({ kind: 'cancelled', mayHaveActed: true });
	});

	test('while it waits to repeat one: no more is sent', async () => {
		const stop = new AbortController();
		const sent: string[] = [];
		const transport = async ({ method }: HttpRequest) => {
			sent.push(method);
			void clock.sleep(30).then(() => stop.abort());
			await clock.sleep(20);
			return answer(500);
		};
		const account = new Account(clock, () => 0.9);
		const { facts } = await send('PATCH', [], { account, transport, signal: stop.signal });
		expect(sent).toHaveLength(1);
		expect(facts).toMatchObject({ kind: 'cancelled', mayHaveActed: true });
	});
});

test.each(['GET', 'POST', 'PATCH', 'DELETE'] as const)(
	'a rule of the host that keeps a %s from being sent is passed on at once',
	async (method) => {
		const cause = new Error('a rule of n8n');
		const { facts, sent } = await send(method, [{ fault: 'refused-here', cause }]);
		expect(facts).toMatchObject({ kind: 'refused-here', cause, mayHaveActed: false });
		expect(sent).toHaveLength(1);
	},
);

test.each<[string, Answer, object]>([
	['a success', ok, { kind: 'answered', isDone: true }],
	[
		'one after which nothing is left',
		answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }),
		{ kind: 'answered', quota: { left: 0, forMs: 9_000 } },
	],
	['a rejection', answer(404), { kind: 'answered', isDone: false }],
	['a rate limit', answer(429, { 'retry-after': '7' }), { kind: 'limited', retryAfterMs: 7_000 }],
	['an error of its own', answer(500), { kind: 'broken' }],
	['another one', answer(501), { kind: 'broken' }],
	['one that is busy', answer(502), { kind: 'failed' }],
	['a lost connection', fault('connection-lost'), { kind: 'failed' }],
	['a key that is refused', answer(401), { kind: 'key-refused' }],
	['a stopped execution', fault('cancelled'), { kind: 'cancelled' }],
	['a mistake of ours', fault('other'), { kind: 'cancelled' }],
	['a rule of the host', fault('refused-here'), { kind: 'cancelled' }],
])('what the pace learns from %s', async (_, first, ending) => {
	const account = new Account(clock, seededRandom());
	const ended = jest.spyOn(account.governor, 'ended');
	await send('GET', [first, ok], { account });
	expect(ended.mock.calls[0][1]).toMatchObject(ending);
});

test('a repeat goes before rows, and waits since the first failure', async () => {
	const account = new Account(clock, seededRandom());
	const acquire = jest.spyOn(account.governor, 'acquire');
	const { from } = await send('GET', [answer(500), answer(500), ok], { account });
	expect(acquire.mock.calls.map(([options]) => options)).toEqual([
		expect.objectContaining({ urgency: 'row', since: from }),
		expect.objectContaining({ urgency: 'repeat', since: from }),
		expect.objectContaining({ urgency: 'repeat', since: from }),
	]);
	acquire.mockClear();
	await send('GET', [answer(500), ok], { account, urgency: 'person' });
	expect(acquire.mock.calls.map(([{ urgency }]) => urgency)).toEqual(['person', 'person']);
});

test('a rejection keeps what the service said, and only the origin of where it sends us', async () => {
	const location = 'https://login.example.com/path?token=secret';
	const { facts } = await send('GET', [answer(302, { location }, { message: 'Sign in' })]);
	expect(facts).toMatchObject({
		redirectOrigin: 'https://login.example.com',
		said: { text: 'Sign in', fields: [] },
	});
	expect(JSON.stringify(facts)).not.toContain('secret');
	const without = await send('GET', [answer(400, { location: '/sign-in' })]);
	expect(without.facts).toMatchObject({ kind: 'rejected', redirectOrigin: undefined });
});

test('a key that was refused is not tried by those that wait', async () => {
	const sent: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: async ({ method }) => {
			sent.push(method);
			await clock.sleep(20);
			return answer(401);
		},
	};
	const all = Array.from({ length: 200 }, () => trySend(connection, request('POST')));
	const results = (await clock.run(Promise.all(all))) as ServiceError[];
	expect(results.every(({ facts }) => facts.kind === 'rejected' && facts.status === 401)).toBe(
		true,
	);
	const unsent = results.filter(({ facts }) => facts.kind === 'rejected' && facts.isUnsent);
	expect(unsent).toHaveLength(200 - sent.length);
	expect(unsent.length).toBeGreaterThan(100);
	expect(unsent[0].facts).toMatchObject({ mayHaveActed: false, request: { method: 'POST' } });
});

describe('a service that does not respond', () => {
	test('a request that had to wait for the others says why it was not sent', async () => {
		const account = new Account(clock, seededRandom());
		const options = { account, patienceMs: 10_000 };
		for (let index = 0; index < 12; index++) {
			await send('GET', [fault('connection-lost')], options);
		}
		const { facts, sent } = await send('POST', [ok], { account, patienceMs: 1 });
		expect(sent).toEqual([]);
		expect(facts).toMatchObject({
			kind: 'not-sent',
			mayHaveActed: false,
			cause: { kind: 'connection-lost' },
		});
	});

	/** Whether another request is sent after so many that got this answer. */
	const isSentAfter = async (first: Answer) => {
		const account = new Account(clock, seededRandom());
		for (let index = 0; index < 3; index++) await send('GET', [first], { account });
		return (await send('POST', [ok], { account, patienceMs: 1 })).sent.length > 0;
	};

	test.each([502, 503, 504, 507, 520, 521, 522, 523, 524, 529, 599])(
		'is one that answers %d: others wait',
		async (status) => expect(await isSentAfter(answer(status))).toBe(false),
	);

	test.each([500, 501, 404, 408])('is none that answers %d', async (status) => {
		expect(await isSentAfter(answer(status))).toBe(true);
	});

	test('a request that had to wait for the rate limit says how long', async () => {
		const account = new Account(clock, seededRandom());
		const limited = answer(429, { 'retry-after': '60' });
		await send('GET', [limited], { account, patienceMs: 1 });
		const { facts, sent } = await send('POST', [ok], { account, patienceMs: 1_000 });
		expect(sent).toEqual([]);
		expect(facts).toMatchObject({ kind: 'rate-limited', mayHaveActed: false });
		expect((facts as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(50_000);
	});
});
