import type { Quota } from '../pace/permit';
import type { FaultKind, HttpFault, HttpResponse, JsonObject, Method } from '../ports';
import { headerText } from '../textOf';
import { deniesReading, deniesSuccess, isRecord } from './records';

/** A response, or the fault that took its place. */
export type HttpOutcome = HttpResponse | HttpFault;

/**
 * - `done`: the response is the result
 * - `refused`: nothing was done, and sending it again would be refused again
 * - `look`: it may have been done, so the list of the records is checked
 * - `repeat`: the request is sent again
 * - `follow`: the request is sent to the address in `Location`
 */
export type Step = 'done' | 'refused' | 'look' | 'repeat' | 'follow';

type Effect = 'read' | 'change' | 'create';

interface Rule {
	outcome: string;
	applies: (outcome: HttpOutcome, effect: Effect) => boolean;
	/**
	 * `read` is GET. `change` is PATCH and DELETE, which are idempotent. `create` is POST, which makes
	 * two records if it is sent twice.
	 */
	steps: Record<Effect, Step>;
	because: string;
}

const all = (step: Step) => ({ read: step, change: step, create: step });
const isResponse = (outcome: HttpOutcome): outcome is HttpResponse => 'status' in outcome;
const when = (applies: (response: HttpResponse) => boolean) => (outcome: HttpOutcome) =>
	isResponse(outcome) && applies(outcome);
const hasStatus = (...statuses: number[]) => when(({ status }) => statuses.includes(status));
const isFault =
	(...kinds: FaultKind[]) =>
	(outcome: HttpOutcome) =>
		!isResponse(outcome) && kinds.includes(outcome.fault);

export function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

/** True if a response refuses because of the rate limit of the key. */
export function isRateLimit({ status, headers }: HttpResponse): boolean {
	if (status === 429 || status === 425) return true;
	// Some gateways use 403 for it. A key without the permission would not be told when to come back.
	return status === 403 && (Boolean(headers['retry-after']) || isUsedUp(headers));
}

/** True if the service itself, and no gateway before it, reports an internal error. */
export function isOwnError(outcome: HttpOutcome): boolean {
	return isResponse(outcome) && [500, 503].includes(outcome.status) && isRecord(outcome.body);
}

/** True if the body of a success reports a failure. */
export function isDenied(response: HttpResponse, effect: Effect): boolean {
	const denies = effect === 'read' ? deniesReading : deniesSuccess;
	return isSuccess(response) && denies(response.body);
}

/**
 * True for a web page, which begins with a tag, and for JSON that was cut off: the service sends JSON,
 * a short text or nothing. Frameworks label a short text as HTML, too, so the content type is not read.
 */
export function isNoAnswer({ body }: HttpResponse): boolean {
	return typeof body === 'string' && /^\s*[<{[]/.test(body);
}

function isSameOrigin({ headers: { location }, address }: HttpResponse): boolean {
	const target = headerText(location);
	if (target === '' || address === undefined || !URL.canParse(target, address)) return false;
	return new URL(target, address).origin === new URL(address).origin;
}

/** The first rule that applies decides. */
const RULES: Rule[] = [
	{
		outcome: '307, 308 to the same origin',
		applies: when((response) => [307, 308].includes(response.status) && isSameOrigin(response)),
		steps: all('follow'),
		because: 'nothing was done here, and the same request is asked for there',
	},
	{
		outcome: '301, 302 to the same origin',
		applies: when((response) => [301, 302].includes(response.status) && isSameOrigin(response)),
		steps: { read: 'follow', change: 'refused', create: 'refused' },
		because: 'a write would arrive there as a reading',
	},
	{
		outcome: '2xx whose body denies it',
		applies: (outcome, effect) => isResponse(outcome) && isDenied(outcome, effect),
		steps: all('refused'),
		because: 'some services report all errors with status 200',
	},
	{
		outcome: '2xx with a web page, or with JSON that is cut off',
		applies: when((response) => isSuccess(response) && isNoAnswer(response)),
		steps: { read: 'refused', change: 'repeat', create: 'look' },
		because: 'this is not the answer of the service, or not the whole of it',
	},
	{
		outcome: '202 to a reading',
		applies: hasStatus(202),
		steps: { read: 'repeat', change: 'done', create: 'done' },
		because: 'what was asked for is still being prepared; a write is accepted',
	},
	{
		outcome: '2xx',
		applies: when(isSuccess),
		steps: all('done'),
		because: 'the service says so, in whatever form',
	},
	{
		outcome: '429, 425, 403 that says when',
		applies: when(isRateLimit),
		steps: all('repeat'),
		because: 'the service refuses because of the rate limit, and has not acted',
	},
	{
		outcome: 'a known refusal of a gateway',
		applies: when(isGatewayRefusal),
		steps: all('repeat'),
		because: 'it was not passed on to the service',
	},
	{
		outcome: '501, 505',
		applies: hasStatus(501, 505),
		steps: all('refused'),
		because: 'the service cannot do this, now or later',
	},
	{
		outcome: 'no connection, or none of a gateway to the service: 521, 522, 523, 525, 526',
		applies: (outcome) =>
			isFault('unreachable', 'unknown-host')(outcome) ||
			hasStatus(521, 522, 523, 525, 526)(outcome),
		steps: all('repeat'),
		because: 'without a connection nothing was sent, and DNS can fail briefly',
	},
	{
		outcome: '408, another 5xx, a response that is late or lost',
		applies: (outcome) =>
			isFault('timeout', 'connection-lost')(outcome) ||
			when(({ status }) => status === 408 || status >= 500)(outcome),
		steps: { read: 'repeat', change: 'repeat', create: 'look' },
		because: 'the service may have acted, or may still be processing it',
	},
	{
		outcome: 'stopped while the request was in flight',
		applies: isFault('cancelled'),
		steps: { read: 'refused', change: 'refused', create: 'look' },
		because: 'nobody waits for the response, but the service may have acted',
	},
	{
		outcome: '303',
		applies: hasStatus(303),
		steps: { read: 'refused', change: 'done', create: 'done' },
		because: 'the service points to a page about what it has done, as it does for a form',
	},
	{
		outcome: 'anything else',
		applies: () => true,
		steps: all('refused'),
		because: 'the service has refused, and will again',
	},
];

export function effectOf(method: Method): Effect {
	return method === 'GET' ? 'read' : method === 'POST' ? 'create' : 'change';
}

/** Decides how to go on after an outcome of a request with this method. */
export function stepFor(method: Method, outcome: HttpOutcome): Step {
	const effect = effectOf(method);
	return RULES.find(({ applies }) => applies(outcome, effect))!.steps[effect];
}

/** A response that a gateway gives before it passes anything on to the service. */
interface Refusal {
	gateway: string;
	/** Documentation or code of the gateway that shows it. */
	source: string;
	applies: (response: HttpResponse, text: string) => boolean;
}

/**
 * Known refusals of gateways (503): nothing was done, so the request can be sent again, more slowly.
 * `test/support/gatewayPages.ts` has the pages as the real programs send them.
 */
const REFUSALS: Refusal[] = [
	{
		gateway: 'nginx (limit_req, limit_conn); AWS application load balancer without a target',
		source: 'ngx_http_special_response.c: upstream errors are 502 and 504; AWS: HTTP 503 of an ALB',
		applies: (_response, text) =>
			text.includes('<center><h1>503 Service Temporarily Unavailable</h1></center>'),
	},
	{
		gateway: 'HAProxy (maxconn with timeout queue, no server)',
		source: 'HAProxy configuration manual, section 1.3: status 503',
		applies: (_response, text) => text.includes('No server is available to handle this request.'),
	},
	{
		gateway: 'Envoy (overload manager, circuit breaker, no healthy host)',
		source: 'Envoy, router filter: x-envoy-overloaded; response flags UO, UF and UH',
		applies: ({ headers }, text) =>
			headers['x-envoy-overloaded'] !== undefined ||
			/^(no healthy upstream$|upstream connect error .*reset reason: (overflow|(remote )?connection failure))/s.test(
				text.trim(),
			),
	},
	{
		gateway: 'any that says when to come back',
		source: 'RFC 9110, 15.6.4; but Varnish and Fastly say so of a backend that may have acted',
		applies: ({ headers }, text) =>
			Boolean(headers['retry-after']) &&
			!/varnish/i.test(headerText(headers.server)) &&
			!/guru medit?ation/i.test(text),
	},
];

export function isGatewayRefusal(response: HttpResponse): boolean {
	if (response.status !== 503) return false;
	const text = typeof response.body === 'string' ? response.body : '';
	return REFUSALS.some(({ applies }) => applies(response, text));
}

/** Larger numbers are times since 1970, in seconds or milliseconds; smaller ones are waits. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e12;
/** Prefixes of the headers about a rate limit. */
const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * The wait that a response asks for (ms), in any usual form:
 *
 * - `Retry-After: 30` or an HTTP date (RFC 9110, 10.2.3)
 * - `RateLimit: "default";r=0;t=30`, `RateLimit: limit=100, remaining=0, reset=30` (drafts of
 *   draft-ietf-httpapi-ratelimit-headers)
 * - `RateLimit-Reset: 30`, `X-RateLimit-Reset: 30` or as a time since 1970
 *
 * Times are measured against the response's own `Date`, so that a wrong clock does no harm, or against
 * `now` if it has none. Undefined if the response states no time, or one that has passed.
 */
export function retryAfter(headers: JsonObject, now: number): number | undefined {
	const values = [headers['retry-after'], ...limitHeaders(headers, 't|reset', 'reset')].filter(
		isStated,
	);
	if (values.length === 0) return undefined;
	const respondedAt = Date.parse(headerText(headers.date)) || now;
	return values.map((value) => waitOf(headerText(value), respondedAt)).find((wait) => wait > 0);
}

/** The quota that a response says is left, and the time until it is reset (ms), stated as above; undefined if none is. */
export function quotaIn(headers: JsonObject, now: number): Quota | undefined {
	const left = remainingIn(headers);
	if (!/^\d{1,9}$/.test(left)) return undefined;
	return { left: Number(left), forMs: retryAfter({ ...headers, 'retry-after': '' }, now) };
}

function isUsedUp(headers: JsonObject): boolean {
	return remainingIn(headers) === '0';
}

function remainingIn(headers: JsonObject): string {
	const left = limitHeaders(headers, 'r|remaining', 'remaining').map(headerText);
	return left.find((text) => text !== '') ?? '';
}

const isStated = (value: unknown) => value !== undefined && value !== '';

/** The values of a member in the header `RateLimit` and in the headers that are named after it. */
function limitHeaders(headers: JsonObject, names: string, suffix: string): unknown[] {
	const own = PREFIXES.map((prefix) => headers[`${prefix}-${suffix}`]).filter(isStated);
	if (headers.ratelimit === undefined) return own;
	const member = new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*(\\d+)`, 'i');
	return [member.exec(headerText(headers.ratelimit))?.[1], ...own];
}

function waitOf(value: string, now: number): number {
	if (!/^\d+(\.\d+)?$/.test(value)) return value === '' ? 0 : Date.parse(value) - now;
	const number = Number(value);
	if (number >= FIRST_EPOCH_MILLISECONDS) return number - now;
	return number >= FIRST_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}
