import type { FaultKind, HttpFault, HttpResponse, Method } from '../ports';
import { headerText } from '../textOf';
import { isGatewayRefusal } from './gateways';
import { deniesSuccess, isIdentified, isRecord, recordIn } from './records';

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
	applies: (outcome: HttpOutcome) => boolean;
	/**
	 * `read` is GET. `change` is PATCH and DELETE, which are idempotent. `create` is POST, which makes
	 * two records if it is sent twice.
	 */
	steps: Record<Effect, Step>;
	because: string;
}

const all = (step: Step) => ({ read: step, change: step, create: step });
const when = (applies: (response: HttpResponse) => boolean) => (outcome: HttpOutcome) =>
	'status' in outcome && applies(outcome);
const hasStatus = (...statuses: number[]) => when(({ status }) => statuses.includes(status));
const isFault =
	(...kinds: FaultKind[]) =>
	(outcome: HttpOutcome) =>
		'fault' in outcome && kinds.includes(outcome.fault);

export function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

/** True for a success that says itself that it is none. */
function isDenied(response: HttpResponse): boolean {
	return isSuccess(response) && deniesSuccess(response.body);
}

/** True if the service, or a gateway in front of it, refuses because of a limit, and has not acted. */
export function isLimitRefusal(response: HttpResponse): boolean {
	return isRateLimit(response) || isGatewayRefusal(response);
}

/** True if a response refuses because of the rate limit of the key; some gateways use 403 for it. */
export function isRateLimit({ status, headers }: HttpResponse): boolean {
	return [429, 425].includes(status) || (status === 403 && Boolean(headers['retry-after']));
}

/** True if the service itself, and no gateway before it, reports that it failed. */
export function isOwnError(outcome: HttpOutcome): boolean {
	return when(({ status, body }) => status === 500 && isRecord(body))(outcome);
}

/**
 * True for a web page, which begins with a tag, and for JSON that was cut off: the service sends JSON,
 * a short text or nothing. Frameworks label a short text as HTML, too, so the content type is not read.
 */
function isNoAnswer({ body }: HttpResponse): boolean {
	return typeof body === 'string' && /^\s*[<{[]/.test(body);
}

function isSameOrigin({ headers: { location }, address }: HttpResponse): boolean {
	const target = headerText(location);
	if (target === '' || address === undefined || !URL.canParse(target, address)) return false;
	return new URL(target, address).origin === new URL(address).origin;
}

/** A gateway that asks for a login points to a page of its own. */
const pointsElsewhere = (response: HttpResponse) =>
	headerText(response.headers.location) !== '' && !isSameOrigin(response);

/** The first rule that applies decides. */
const RULES: Rule[] = [
	{
		outcome: '2xx that reports a failure, with an ID in `data`',
		applies: when((response) => isDenied(response) && isIdentified(recordIn(response))),
		steps: { read: 'refused', change: 'refused', create: 'done' },
		because: 'the record has been created, whatever failed besides',
	},
	{
		outcome: '2xx that reports a failure',
		applies: when(isDenied),
		steps: all('refused'),
		because: 'some services report all errors with status 200',
	},
	{
		outcome: '2xx with a web page, or with JSON that is cut off',
		applies: when((response) => isSuccess(response) && isNoAnswer(response)),
		steps: { read: 'repeat', change: 'repeat', create: 'look' },
		because: 'this is not the answer of the service, or not the whole of it',
	},
	{
		outcome: '2xx',
		applies: when(isSuccess),
		steps: all('done'),
		because: 'the service says so; what a read needs in `data` is checked where it is read',
	},
	{
		outcome: '429, 425; 403 and 503 that say when; a known refusal of a gateway',
		applies: when(isLimitRefusal),
		steps: all('repeat'),
		because: 'a limit is reached, and nothing was done',
	},
	{
		outcome: 'no connection, an unknown host, a refused certificate; 521, 523, 525, 526',
		applies: (outcome) =>
			isFault('unreachable', 'unknown-host', 'insecure')(outcome) ||
			hasStatus(521, 523, 525, 526)(outcome),
		steps: all('repeat'),
		because: 'without a connection nothing was sent, and networks recover',
	},
	{
		outcome: '501, 505',
		applies: hasStatus(501, 505),
		steps: all('refused'),
		because: 'the service cannot do this, now or later',
	},
	{
		outcome: '408, another 5xx; a response that is late or lost; a mistake of ours',
		applies: (outcome) =>
			isFault('timeout', 'connection-lost', 'other')(outcome) ||
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
		outcome: '303, but not to another origin',
		applies: when((response) => response.status === 303 && !pointsElsewhere(response)),
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

function effectOf(method: Method): Effect {
	return method === 'GET' ? 'read' : method === 'POST' ? 'create' : 'change';
}

/** Decides how to go on after an outcome of a request with this method. */
export function stepFor(method: Method, outcome: HttpOutcome): Step {
	return RULES.find(({ applies }) => applies(outcome))!.steps[effectOf(method)];
}

/** True if a request that changes something may have done so. */
export function mayHaveActed(method: Method, outcome: HttpOutcome): boolean {
	return method !== 'GET' && stepFor('POST', outcome) === 'look';
}
