import type { FaultKind, HttpFault, HttpResponse, Method } from '../ports';

/** What a request came to. */
export type Outcome = HttpResponse | HttpFault;

/** `look`: whether it was done is not known, so look at the records before anything else. */
export type Step = 'fail' | 'look' | 'repeat';

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

/** Whether a response refuses because of the rate limit. */
export function isRateLimit(response: HttpResponse): boolean {
	const { status, headers } = response;
	return isOverLimit(response) || (status === 503 && Boolean(headers['retry-after']));
}

/** 429, or as some gateways say it: no key that may not do something may do it later. */
export function isOverLimit({ status, headers }: HttpResponse): boolean {
	return status === 429 || (status === 403 && Boolean(headers['retry-after']));
}

/** Whether the service, or a gateway before it, says that it can't serve a request now. */
export function isUnavailable({ status }: HttpResponse): boolean {
	return [502, 503, 504, 520, 521, 522, 523, 524, 529].includes(status);
}

/** Whether a response that is no refusal says that its result will come later. */
export function isUnfinished(outcome: Outcome): boolean {
	return 'status' in outcome && outcome.status === 202;
}

const hasStatus =
	(...statuses: number[]) =>
	(outcome: Outcome) =>
		'status' in outcome && statuses.includes(outcome.status);
const isServerError = (outcome: Outcome) => 'status' in outcome && outcome.status >= 500;
const isFault =
	(...kinds: FaultKind[]) =>
	(outcome: Outcome) =>
		'fault' in outcome && kinds.includes(outcome.fault);

/** Which outcomes may be repeated: the first rule that applies decides. */
export const RULES: Rule[] = [
	{
		outcome: '429',
		applies: (outcome) => 'status' in outcome && isOverLimit(outcome),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'the service refuses because of the rate limit, and has not acted',
	},
	{
		outcome: '503 with Retry-After',
		applies: (outcome) => 'status' in outcome && isRateLimit(outcome),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because:
			'the service says when it will accept requests again; a cache before it says the same of a backend that may have acted',
	},
	{
		outcome: '408, or another 5xx that may be temporary',
		applies: hasStatus(408, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 529),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the service, or a gateway before it, gave up; it may have acted by then',
	},
	{
		outcome: 'no connection',
		applies: isFault('unreachable', 'unknown-host'),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'without a connection nothing was sent, and DNS can fail briefly',
	},
	{
		outcome: 'no response in time',
		applies: isFault('timeout'),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the service may have acted, or may still be processing it',
	},
	{
		outcome: 'connection lost',
		applies: isFault('connection-lost'),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the response is lost, and what was done is not known',
	},
	{
		outcome: '202',
		applies: isUnfinished,
		read: 'repeat',
		change: 'fail',
		create: 'fail',
		because: 'what was asked for is still being prepared; for a write, 202 is a success',
	},
	{
		outcome: '303',
		applies: hasStatus(303),
		read: 'fail',
		change: 'fail',
		create: 'look',
		because: 'the service points to a page about what it has done, as it does for a form',
	},
	{
		outcome: 'another 5xx, or stopped while the request was in flight',
		applies: (outcome) => isFault('cancelled')(outcome) || isServerError(outcome),
		read: 'fail',
		change: 'fail',
		create: 'look',
		because: 'the service may have acted before it gave up',
	},
	{
		outcome: 'anything else',
		applies: () => true,
		read: 'fail',
		change: 'fail',
		create: 'fail',
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
