import type { Account, Answer } from '../../../dev/sandbox/account';
import type { Clock, HttpFault, HttpRequest, Transport } from '../../../nodes/LocalSeo/client';
import { transportTo } from '../../support/accountTransport';
import { REFUSALS } from '../../support/gatewayPages';
import { fc } from '../../support/random';

const gateway = '<html><title>Gateway</title></html>';
const status = (number: number): Answer => ({ status: number, body: { message: 'It is off' } });
const limited = (retryAfter?: string): Answer => ({
	status: 429,
	...(retryAfter && { headers: { 'retry-after': retryAfter } }),
	body: { message: 'Too many' },
});
const lost = (code: string): HttpFault => ({
	fault: 'connection-lost',
	cause: Object.assign(new Error(code), { code }),
});
const STATUSES = [400, 401, 403, 404, 408, 500, 502, 503, 504, 520, 599];
const CODES = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_CHUNK_SIZE', 'Z_DATA_ERROR', 'ERR_BAD_RESPONSE'];

/** Replies in place of an answer of the service, by name. */
export const REPLIES: Record<string, Answer | HttpFault> = {
	...Object.fromEntries(STATUSES.map((number) => [number, status(number)])),
	...Object.fromEntries(CODES.map((code) => [code, lost(code)])),
	'a page': { status: 200, body: '<html><title>Welcome</title></html>' },
	'cut off': { status: 201, body: '{"data":{"id":"po' },
	'no success': { status: 200, body: { success: false } },
	accepted: { status: 202, body: gateway },
	'bad gateway': { status: 502, body: gateway },
	'gateway timeout': { status: 504, body: gateway },
	busy: { status: 503, headers: { 'retry-after': '5' }, body: gateway },
	limited: limited(),
	'limited for 1 s': limited('1'),
	'limited for 5 s': limited('5'),
	'limited for 1,000 s': limited('1000'),
	nginx: REFUSALS['nginx, limit_req and limit_conn'],
};

/** The fate of a request; times in milliseconds after it has come. */
export interface Outcome {
	/** When the service acts; Infinity: never. */
	acts: number;
	/** When the answer comes; Infinity: never. */
	after: number;
	/** The reply that comes in place of it, a name of `REPLIES`. */
	reply?: string;
}
export const ANSWERED: Outcome = { acts: 0, after: 0 };
/** Something else comes, and the service does not act. */
export const instead = (reply: string): Outcome => ({ acts: Infinity, after: 0, reply });

/** Why the outcome is unknown to whoever sent it, if it is: `own` is an error of the service itself. */
export function doubtAfter(
	{ after, reply }: Outcome,
	timeout: number,
): 'own' | 'silent' | undefined {
	if (after > timeout) return 'silent';
	if (reply === undefined || /^(401|limited|busy|nginx)/.test(reply)) return undefined;
	return reply === '500' ? 'own' : 'silent';
}

/**
 * The way to an account in virtual time.
 *
 * @param latency there and back (ms)
 * @param met what a request meets when it arrives
 */
export function wayTo(
	account: Account,
	clock: Clock,
	latency: number,
	met: (request: HttpRequest) => Outcome,
	act = (request: HttpRequest) => account.act(request),
): Transport {
	const arrive: Parameters<typeof transportTo>[0] = async (request, signal) => {
		const { acts, after, reply } = met(request);
		const timeout = request.timeoutMs;
		const answer = acts === 0 ? act(request) : undefined;
		if (acts > 0 && acts < Infinity) void clock.sleep(acts).then(() => act(request));
		// If a service is silent, not even the transport's own timeout ends the wait.
		const wait = after === Infinity ? 10 * timeout : Math.min(after, timeout);
		if (wait > 0) await clock.sleep(wait, signal);
		if (after > timeout) return { fault: 'timeout', cause: new Error('timeout') };
		const come = (reply === undefined ? answer : REPLIES[reply])!;
		return 'fault' in come ? come : account.dressed(come);
	};
	return transportTo(arrive, clock, latency);
}

const some = fc.constantFrom;
const TIMEOUTS = [502, 503, 504, 408, 520, 599].map(String);

const atOnce = (acts: number[], replies: string[]): fc.Arbitrary<Outcome> =>
	fc.record({ acts: some(...acts), after: some(0), reply: some(...replies) });

/** Longer than any timeout (ms). */
const TOO_LATE = 300_001;

/** Faults of networks and gateways, before or behind which the service has acted, or has not. */
export const lostAt = (...acts: number[]): fc.Arbitrary<Outcome> =>
	fc.oneof(
		...[CODES, ['500', ...TIMEOUTS], ['a page', 'cut off']].map((one) => atOnce(acts, one)),
		fc.record({ acts: some(...acts), after: some(TOO_LATE, Infinity) }),
	);
/** The answer is late, or the request is refused for now. */
export const delayed: fc.Arbitrary<Outcome> = fc.oneof(
	fc.record({ acts: some(0), after: some(3_000, 30_000, 59_000, 61_000) }),
	atOnce([Infinity], ['busy', 'nginx', 'limited', 'limited for 1 s', 'limited for 5 s']),
);
/** A gateway answers at once, and the service acts later. */
export const late = atOnce(
	[500, 5_000, 20_000, 60_000],
	['accepted', 'bad gateway', 'gateway timeout'],
);
