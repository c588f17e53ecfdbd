import type { IHttpRequestMethods } from 'n8n-workflow';

import { FAULTS } from './fault';
import type { ApiAnswer } from './request';

/** What a request came to: an answer of any status, or the code of a fault without one. */
export type Outcome = { answer: ApiAnswer } | { code: string; thrown: unknown };

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

const status = (outcome: Outcome) => ('answer' in outcome ? outcome.answer.status : undefined);
const hasStatus =
	(...statuses: number[]) =>
	(outcome: Outcome) =>
		statuses.includes(status(outcome) ?? 0);
const hasCode = (codes: string[]) => (outcome: Outcome) =>
	'code' in outcome && codes.includes(outcome.code);

/** Which outcomes may be repeated: the first row that applies decides. */
export const RULES: Rule[] = [
	{
		outcome: '429',
		applies: hasStatus(429),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'the service refuses by the rate alone, and has not acted',
	},
	{
		outcome: '503 with Retry-After',
		applies: (outcome) =>
			hasStatus(503)(outcome) &&
			'answer' in outcome &&
			Boolean(outcome.answer.headers['retry-after']),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'the service says that it takes nothing now, and when it will',
	},
	{
		outcome: '408, or another 5xx that may pass',
		applies: hasStatus(408, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 529),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the service, or a gateway before it, gave up; it may have acted by then',
	},
	{
		outcome: 'the service was not reached',
		applies: hasCode(FAULTS.notReached.codes),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'without a connection nothing was sent',
	},
	{
		outcome: 'the name is not known',
		applies: hasCode(FAULTS.notFound.codes),
		read: 'repeat',
		change: 'repeat',
		create: 'repeat',
		because: 'without an address nothing was sent, and name servers fail for moments',
	},
	{
		outcome: 'no answer in time',
		applies: hasCode(FAULTS.timeout.codes),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the service may have acted, or may still be at it',
	},
	{
		outcome: 'the connection broke',
		applies: hasCode(FAULTS.broken.codes),
		read: 'repeat',
		change: 'repeat',
		create: 'look',
		because: 'the answer is lost, and what was done is not known',
	},
	{
		outcome: 'a success without a record',
		applies: (outcome) => (status(outcome) ?? 0) >= 200 && (status(outcome) ?? 0) < 300,
		read: 'fail',
		change: 'fail',
		create: 'look',
		because: 'what was created can be seen in the list only',
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

export function stepFor(method: IHttpRequestMethods, rule: Rule): Step {
	if (method === 'GET') return rule.read;
	return method === 'POST' ? rule.create : rule.change;
}
