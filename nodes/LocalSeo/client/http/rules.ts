import type { FaultKind, HttpFault, HttpResponse, Method } from '../ports';
import { isGatewayRefusal } from './gateways';
import { deniesSuccess, isRecord } from './records';

/** What a request came to. */
export type Outcome = HttpResponse | HttpFault;

/**
 * - `done`: it is what the response says
 * - `refused`: it was not done, and would be refused again
 * - `look`: it may have been done; the list of the records tells
 * - `repeat`: it is sent again
 * - `follow`: it is sent to the address that the response names
 */
export type Step = 'done' | 'refused' | 'look' | 'repeat' | 'follow';

export interface Rule {
	outcome: string;
	applies: (outcome: Outcome) => boolean;
	/** GET */
	read: Step;
	/** PATCH and DELETE: doing them twice comes to the same. */
	change: Step;
	/** POST: doing it twice makes two records. */
	create: Step;
	because: string;
}

const isResponse = (outcome: Outcome): outcome is HttpResponse => 'status' in outcome;
const when = (applies: (response: HttpResponse) => boolean) => (outcome: Outcome) =>
	isResponse(outcome) && applies(outcome);
const hasStatus = (...statuses: number[]) => when(({ status }) => statuses.includes(status));
const isFault =
	(...kinds: FaultKind[]) =>
	(outcome: Outcome) =>
		!isResponse(outcome) && kinds.includes(outcome.fault);

export function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

/** Whether a response refuses because of the rate limit of the key. */
export function isRateLimit({ status, headers }: HttpResponse): boolean {
	if (status === 429 || status === 425) return true;
	// As some gateways say it: no key that may not do something may do it later.
	const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
	return status === 403 && (Boolean(headers['retry-after']) || String(remaining) === '0');
}

/** Whether the service itself, and no gateway before it, reports an error of its own. */
export function isOwnError(outcome: Outcome): boolean {
	return isResponse(outcome) && [500, 503].includes(outcome.status) && isRecord(outcome.body);
}

/** A web page, or JSON that was cut off: the service speaks JSON, a short text or nothing. */
export function isNoAnswer({ headers, body }: HttpResponse): boolean {
	if (typeof body !== 'string' || body.trim() === '') return false;
	const isPage = /^text\/html/i.test(String(headers['content-type']));
	return isPage || /^\s*[<{[]/.test(body);
}

function isSameOrigin({ headers: { location }, address }: HttpResponse): boolean {
	if (!location || address === undefined || !URL.canParse(String(location), address)) return false;
	return new URL(String(location), address).origin === new URL(address).origin;
}

/** What is made of each outcome: the first rule that applies decides. */
const RULES: Rule[] = [
	{
		outcome: '307, 308 to the same origin',
		applies: when((response) => [307, 308].includes(response.status) && isSameOrigin(response)),
		read: 'follow',
		change: 'follow',
		create: 'follow',
		because: 'nothing was done here, and the same request is asked for there',
	},
	{
		outcome: '301, 302 to the same origin',
		applies: when((response) => [301, 302].includes(response.status) && isSameOrigin(response)),
		read: 'follow',
		change: 'refused',
		create: 'refused',
		because: 'a write would arrive there as a reading',
	},
	{
		outcome: '2xx whose body denies it',
		applies: when((response) => isSuccess(response) && deniesSuccess(response.body)),
		read: 'refused',
		change: 'refused',
		create: 'refused',
		because: 'some services report all errors with status 200',
	},
	{
		outcome: '2xx with a web page, or with JSON that is cut off',
		applies: when((response) => isSuccess(response) && isNoAnswer(response)),
		read: 'refused',
		change: 'repeat',
		create: 'look',
		because: 'this is not the answer of the service, or not the whole of it',
	},
	{
		outcome: '202 to a reading',
		applies: hasStatus(202),
		read: 'repeat',
		change: 'done',
		create: 'done',
		because: 'what was asked for is still being prepared; a write is accepted',
	},
	{
		outcome: '2xx',
		applies: when(isSuccess),
		read: 'done',
		change: 'done',
		create: 'done',
		because: 'the service says so, in whatever form',
	},
	{
		outcome: '429, 425, 403 that says when',
		applies: when(isRateLimit),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'the service refuses because of the rate limit, and has not acted',
	},
	{
		outcome: 'a known refusal of a gateway',
		applies: when(isGatewayRefusal),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'it was not passed on to the service',
	},
	{
		outcome: '501, 505',
		applies: hasStatus(501, 505),
		read: 'refused',
		change: 'refused',
		create: 'refused',
		because: 'the service cannot do this, now or later',
	},
	{
		outcome: 'no connection, or none of a gateway to the service: 521, 522, 523, 525, 526',
		applies: (outcome) =>
			isFault('unreachable', 'unknown-host')(outcome) ||
			hasStatus(521, 522, 523, 525, 526)(outcome),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'without a connection nothing was sent, and DNS can fail briefly',
	},
	{
		outcome: '408, another 5xx, a response that is late or lost',
		applies: (outcome) =>
			isFault('timeout', 'connection-lost')(outcome) ||
			when(({ status }) => status === 408 || status >= 500)(outcome),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the service may have acted, or may still be processing it',
	},
	{
		outcome: 'stopped while the request was in flight',
		applies: isFault('cancelled'),
		read: 'refused',
		change: 'refused',
		create: 'look',
		because: 'nobody waits for the response, but the service may have acted',
	},
	{
		outcome: '303',
		applies: hasStatus(303),
		read: 'refused',
		change: 'done',
		create: 'done',
		because: 'the service points to a page about what it has done, as it does for a form',
	},
	{
		outcome: 'anything else',
		applies: () => true,
		read: 'refused',
		change: 'refused',
		create: 'refused',
		because: 'the service has refused, and will again',
	},
];

export function ruleFor(outcome: Outcome): Rule {
	return RULES.find(({ applies }) => applies(outcome)) as Rule;
}

export function stepFor(method: Method, rule: Rule): Step {
	if (method === 'GET') return rule.read;
	return method === 'POST' ? rule.create : rule.change;
}
