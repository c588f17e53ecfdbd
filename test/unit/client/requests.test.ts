import {
	Account,
	type Connection,
	fillPath,
	type HttpFault,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Method,
	readOnly,
	ServiceError,
	type ServiceRequest,
} from '../../../nodes/LocalSeo/client';
import { trySend } from '../../../nodes/LocalSeo/client/http/send';
import { fault } from '../../support/accountTransport';
import { VirtualClock } from '../../support/virtualClock';
import { seededRandom } from '../../support/random';

// How one request is sent, repeated and given up; client/responses has what each response means.

type Answer = HttpResponse | HttpFault;

const MAX_ATTEMPTS = 6;

const clock = new VirtualClock();
const ADDRESS = 'https://seo.example.com/api/v1/locations';
const answer = (status: number, headers: JsonObject = {}, body: unknown = ''): Answer => ({
	...{ status, headers, body, address: ADDRESS },
});
const ok = answer(200, {}, { data: { id: 'loc_1' } });
const limited = (seconds: string) => answer(429, { 'retry-after': seconds });
const request = (method: Method, body?: JsonObject): ServiceRequest => ({
	...{ method, path: '/locations/{locationId}', ids: { locationId: 'loc 1' } },
	...{ query: { a: 1 }, noun: 'location', ...(body && { body }) },
});

const freshAccount = () => new Account(clock, seededRandom());

interface Options extends Partial<Connection> {
	body?: JsonObject;
	/** How long the service takes (ms). */
	latency?: number;
}

/** Sends one request to a service that gives these answers, one after the other. */
async function send(method: Method, answers: Answer[], options: Options = {}) {
	const { body, latency = 20, ...own } = options;
	const sent: Array<{ request: HttpRequest; at: number }> = [];
	const from = clock.now();
	const left = [...answers];
	const connection: Connection = {
		account: freshAccount(),
		patienceMs: 300_000,
		transport: async (one) => {
			sent.push({ request: one, at: clock.now() - from });
			await clock.sleep(Math.min(latency, one.timeoutMs));
			if (latency > one.timeoutMs) return fault('timeout');
			return left.length > 1 ? left.shift()! : left[0];
		},
		...own,
	};
	const result = await clock.run(trySend(connection, request(method, body)));
	const isError = result instanceof ServiceError;
	const outcome = isError ? { facts: result.facts } : { response: result };
	return { ...outcome, facts: outcome.facts, sent, took: clock.now() - from, from };
}

describe('a request', () => {
	test('goes out with its path filled in, as JSON', async () => {
		const { sent } = await send('POST', [ok], { body: { name: 'Ann’s' }, timeoutMs: 7_000 });
		expect(sent[0].request).toEqual({
			...{ method: 'POST', path: '/locations/loc%201', query: { a: 1 }, timeoutMs: 7_000 },
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			body: '{"name":"Ann’s"}',
		});
	});

	test.each([
		['a b?c#d%2F', 'a%20b%3Fc%23d%252F'],
		['$&', '%24%26'],
		['a.b', 'a.b'],
		...[undefined, '', '.', '..', '...', 'loc_\uD800'].map((id) => [id, undefined]),
		...['a/2', '../locations/loc_9', '/', 'a\\b', '..\\a'].map((id) => [id, undefined]),
	])('has the ID %j in its path as %j; without one, it is not sent', (locationId, shown) => {
		const of = { ...request('GET'), ids: { locationId } as Record<string, string> };
		if (shown !== undefined) expect(fillPath(of)).toBe(`/locations/${shown}`);
		else {
			const facts = expect.objectContaining({ kind: 'invalid-id', idName: 'locationId' });
			expect(() => fillPath(of)).toThrow(expect.objectContaining({ facts }));
		}
	});

	test('of a connection that may only read is refused unless it is a get', async () => {
		const sent = jest.fn(async () => ok);
		const own = { account: freshAccount(), patienceMs: 0, transport: sent };
		const { transport } = readOnly(own);
		const asked = { path: '/', query: {}, headers: {}, timeoutMs: 1 };
		expect(await transport({ ...asked, method: 'GET' })).toBe(ok);
		for (const method of ['POST', 'PATCH', 'DELETE'] as const)
			expect(await transport({ ...asked, method })).toMatchObject({ fault: 'refused-here' });
		expect(sent).toHaveBeenCalledTimes(1);
	});
});

const [unreachable, gone] = [fault('unreachable'), answer(404)];
const acted = { facts: { mayHaveActed: true } };
const harmless = { facts: { mayHaveActed: false } };
const notFound = { facts: { status: 404, mayHaveActed: false } };
const deleted = { response: { status: 204, headers: {}, body: '' } };

test.each<[Method, Answer[], attempts: number, outcome: object]>([
	['GET', [answer(500)], MAX_ATTEMPTS, harmless],
	['DELETE', [fault('timeout')], MAX_ATTEMPTS, acted],
	['POST', [answer(500)], 1, acted],
	['POST', [answer(201, {}, '{"data":{')], 1, acted],
	['POST', [unreachable], MAX_ATTEMPTS, harmless],
	['POST', [fault('refused-here')], 1, harmless],
	// A deletion that finds nothing has succeeded only after a lost response.
	['DELETE', [fault('connection-lost'), gone], 2, deleted],
	['DELETE', [gone], 1, notFound],
])('%s, answered with %j: sent %d times', async (method, answers, attempts, outcome) => {
	const result = await send(method, answers);
	expect(result.sent).toHaveLength(attempts);
	expect(result).toMatchObject(outcome);
});

test('a fault that may be temporary is waited for longer each time, up to the sixth, and to the patience', async () => {
	const { sent, facts, took } = await send('GET', [answer(500)]);
	expect(facts).toMatchObject({ kind: 'rejected', attempts: MAX_ATTEMPTS, waitedMs: took });
	// 0.3 s, doubled each time, with full jitter.
	sent.slice(1).forEach(({ at }, index) => {
		const wait = at - sent[index].at - 20;
		expect(wait).toBeGreaterThanOrEqual(0);
		expect(wait).toBeLessThanOrEqual(300 * 2 ** (index + 1));
	});
	expect(sent.at(-1)!.at).toBeGreaterThan(1_000);
	const brief = await send('GET', [answer(500)], { patienceMs: 1_000 });
	expect(brief.took).toBeLessThanOrEqual(1_000);
	expect(brief.facts).toMatchObject({ status: 500, waitedMs: brief.took });
});

test('a transport that never answers is given up after its own time and half a second', async () => {
	const never = { transport: () => new Promise<never>(() => {}), patienceMs: 3_000 };
	const { facts, took } = await send('POST', [], { ...never, timeoutMs: 2_000 });
	expect(facts).toMatchObject({ kind: 'timeout', mayHaveActed: true });
	expect([took, (await send('POST', [], never)).took]).toEqual([2_500, 300_500]);
});

test('a rate limit ends when it says; longer than the patience, no one waits for it', async () => {
	const waited = await send('POST', [limited('3'), ok]);
	expect(waited).toMatchObject({ response: ok, sent: [{ at: 0 }, {}] });
	expect(waited.took).toBeGreaterThanOrEqual(3_020);
	expect(waited.took).toBeLessThan(4_500);
	const account = freshAccount();
	const { facts, took } = await send('GET', [limited('600'), ok], { account });
	expect(facts).toMatchObject({ status: 429, retryAfterMs: 600_000, attempts: 1 });
	expect(took).toBeLessThan(1_000);
	const next = await send('POST', [ok], { account, patienceMs: 1_000 });
	const retryAfterMs = expect.any(Number);
	expect(next.facts).toMatchObject({ kind: 'rate-limited', mayHaveActed: false, retryAfterMs });
	expect(next.sent).toEqual([]);
});

test.each([
	['https://login.example.com/path?token=secret#secret', 'https://login.example.com/path'],
	['https://user:secret@seo.example.org/api/v1/', 'https://seo.example.org/api/v1/'],
	['locations/?secret', `${ADDRESS}/`],
])('a redirect to %s is refused, and tells %s', async (location, redirectTo) => {
	const { facts, sent } = await send('GET', [answer(307, { location }, { message: 'Moved' })]);
	expect(facts).toMatchObject({ status: 307, redirectTo, said: { text: 'Moved', fields: [] } });
	expect(JSON.stringify(facts)).not.toContain('secret');
	expect(sent).toHaveLength(1);
});

test('the end of an execution: what is under way may have acted, and no more is sent', async () => {
	const stop = new AbortController();
	void clock.sleep(30).then(() => stop.abort());
	const account = new Account(clock, () => 0.9);
	const waiting = await send('PATCH', [answer(500)], { account, signal: stop.signal });
	const cancelled = { facts: { kind: 'cancelled', mayHaveActed: true } };
	expect(waiting).toMatchObject({ ...cancelled, sent: [{ at: 0 }] });
	const other = new AbortController();
	const transport = async () => {
		other.abort();
		return await new Promise<never>(() => {});
	};
	expect(await send('POST', [], { transport, signal: other.signal })).toMatchObject(cancelled);
});

describe('the pace', () => {
	test.each<[string, Answer[], object]>([
		['a rejection', [answer(401), answer(404), answer(408)], { kind: 'answered' }],
		['a rate limit', [limited('7')], { kind: 'limited', retryAfterMs: 7_000 }],
		['an error of its own', [500, 501, 505].map((one) => answer(one)), { kind: 'cancelled' }],
		['one that is busy', [502, 503, 520, 521, 599].map((one) => answer(one)), { kind: 'failed' }],
		['a lost connection', [fault('connection-lost')], { kind: 'failed' }],
		['a mistake of ours', [fault('other')], { kind: 'cancelled' }],
		['a rule of the host', [fault('refused-here')], { kind: 'cancelled' }],
	])('learns from %s', async (_, answers, ending) => {
		for (const first of answers) {
			const account = freshAccount();
			const ended = jest.spyOn(account.pace, 'ended');
			await send('GET', [first, ok], { account });
			expect(ended.mock.calls[0][1]).toMatchObject(ending);
		}
	});

	test('sends nothing more to a service that does not respond, and says why', async () => {
		const account = freshAccount();
		const lost = fault('connection-lost');
		for (let index = 0; index < 12; index++)
			await send('GET', [lost], { account, patienceMs: 10_000 });
		const { facts, sent } = await send('POST', [ok], { account, patienceMs: 1 });
		const cause = { kind: 'connection-lost' };
		expect([sent, facts]).toMatchObject([[], { kind: 'not-sent', mayHaveActed: false, cause }]);
	});
});
