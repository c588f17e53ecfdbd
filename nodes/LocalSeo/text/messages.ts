import { asLabel, inLongUnits, seconds } from './words';
import {
	endsWithId,
	type ErrorFacts,
	idNames,
	type Method,
	nounOfId,
	type ServiceRequest,
} from '../client';
import { CONNECTION_MEANINGS, wordsFor, type Meaning } from './connectionMessages';

export const STOPPED = 'The execution was stopped before the service responded';
const TRY_LATER = 'Try again later';

type Kind = ErrorFacts['kind'];
type FactsOf<K extends Kind> = Extract<ErrorFacts, { kind: K }>;

/** The meaning of one kind of error, whose words read the facts of that kind. */
const meaning = <K extends Kind>(
	_kind: K,
	message: (facts: FactsOf<K>) => string,
	advice?: (facts: FactsOf<K>) => string,
): Meaning => ({
	message: (facts) => message(facts as FactsOf<K>),
	advice: advice && ((facts) => advice(facts as FactsOf<K>)),
});

/**
 * Messages by kind of error, and by status of a response. The interface lists no statuses, so these
 * have their meaning in HTTP.
 */
const MEANINGS: Record<string, Meaning> = {
	'invalid-id': meaning(
		'invalid-id',
		({ request, idName }) => {
			const id = request.ids[idName];
			const noun = nounOfId(idName);
			return id ? `"${id}" is not a valid ${noun} ID${whyInvalid(id)}` : `The ${noun} ID is empty`;
		},
		({ idName }) => `Pick a ${nounOfId(idName)} from the list, or check the expression for its ID`,
	),
	'incomplete-list': meaning(
		'incomplete-list',
		(facts) => `Incomplete list: ${whatIsMissing(facts)}`,
		({ pageParameter, pages, total }) => {
			if (pageParameter === '') {
				return "'Page Parameter' in the credential is empty, so one page was requested. If there are more, enter what your service calls the number of the page";
			}
			if (pageParameter !== undefined) return pageAdvice(pageParameter, total === undefined);
			if (pages !== undefined) {
				return "Set 'Page Size' in the credential, under 'Own Page Parameters', to get more records per request";
			}
			return 'It may be changing right now, so run this again';
		},
	),
	'not-sent': meaning(
		'not-sent',
		() => 'The service does not respond',
		({ request, waitedMs, mayHaveActed }) =>
			`Could not ${describeRequest(request)}. Not sent${mayHaveActed ? ' again' : ''}: the service was failing for other items for ${seconds(waitedMs)}. Run it again later`,
	),
	'rate-limited': meaning(
		'rate-limited',
		({ retryAfterMs }) =>
			`Rate limit reached: the service asks to wait another ${inLongUnits(retryAfterMs)}`,
		({ request, waitedMs, mayHaveActed }) =>
			`Could not ${describeRequest(request)}. This request waited ${seconds(waitedMs)}${mayHaveActed ? '' : ' and had no effect'}. Run it again later`,
	),
	unconfirmed: meaning(
		'unconfirmed',
		({ request }) => `Could not confirm whether the ${request.noun} was created`,
		({ request }) =>
			`The answer was lost, and nothing since says so for certain. Check ${describeOwner(request) ?? 'it'} before you run this row again`,
	),
	'unexpected-response': meaning(
		'unexpected-response',
		({ expected, came }) => {
			if (!expected) return 'Unexpected response: this does not look like the Local SEO API';
			const what = expected === 'data' ? "'data'" : `${expected} in 'data'`;
			return `The response has no ${what}, but: ${came === '' ? 'nothing' : came}`;
		},
		({ expected, came }) =>
			"Check the 'Base URL' of the credential: it may point to a website or to a different service" +
			(expected || came === '' ? '' : `. The response begins: "${came.slice(0, 100)}"`),
	),
	...CONNECTION_MEANINGS,
	timeout: { message: 'The service did not respond in time', advice: TRY_LATER },
	cancelled: { message: STOPPED },
	'3xx': meaning(
		'rejected',
		({ redirectTo }) =>
			`The service responded with a redirect${redirectTo ? ` to ${redirectTo}` : ''}, which was not followed`,
		() =>
			"The API key is only sent to the address in the credential. If the service has moved, change the 'Base URL' of the credential",
	),
	'401': {
		message: 'The service does not accept this API key',
		advice:
			'It may be mistyped, expired or revoked. Check it in the dashboard under Settings, API Keys, and enter it in the credential again',
	},
	'403': {
		message: ({ request }) => `This API key is not allowed to ${describeRequest(request)}`,
		advice: ({ request }) =>
			request.method === 'GET'
				? 'Check the scope of the key, and that it belongs to the organization that owns this record (dashboard: Settings, API Keys)'
				: 'A key with the read scope can only get data. Use a key with the write scope in the credential (dashboard: Settings, API Keys)',
	},
	/** The service itself says why: the scope of the key is only one of many reasons. */
	'403 with words': { message: ({ request }) => rejected(request) },
	'404': {
		message: ({ request: { path, ids } }) => {
			const [name] = idNames(path);
			if (name === undefined) return 'There is no Local SEO service at this address';
			return `There is no ${nounOfId(name)} with the ID "${ids[name]}"`;
		},
		advice: ({ request: { path, ids } }) => {
			const [name] = idNames(path);
			if (name === undefined) {
				return "Check the 'Base URL' of the credential: nothing follows /api/v1, as in https://seo.example.com/api/v1";
			}
			if (name === 'locationId' && /\s/.test(ids[name])) {
				return "This looks like a name: set 'Location' to 'By Name', or use the column with the ID";
			}
			const orName =
				name === 'locationId' ? ". If this is its name, set 'Location' to 'By Name'" : '';
			return `Check the ID, or pick from the list${orName}. If every ID is rejected, check the 'Base URL' of the credential`;
		},
	},
	'407': {
		message: 'The proxy wants a login',
		advice:
			'Write it into the address of the proxy, as in http://user:password@host:port: in Proxy under Request Options, in the settings of the node, or in the environment variable HTTPS_PROXY of n8n',
	},
	'422': {
		message: ({ request }) => `Invalid data: could not ${describeRequest(request)}`,
		advice: 'Correct the fields that the service names, then run this again',
	},
	'later page': meaning(
		'rejected',
		({ request: { noun }, received, total }) =>
			`The service returned ${received}${total === undefined ? '' : ` of ${total}`} ${noun}s, then refused the next page`,
		({ pageParameter, status }) => {
			if (pageParameter !== undefined) return pageAdvice(pageParameter, true);
			return status >= 500 ? TRY_LATER : '';
		},
	),
	'429': {
		message: ({ request }) => `Rate limit reached: could not ${describeRequest(request)}`,
		advice: (facts) =>
			`The API key has used up its requests${'retryAfterMs' in facts && facts.retryAfterMs ? `. The service asks to come back in ${inLongUnits(facts.retryAfterMs)}` : ' for now'}`,
	},
	'4xx': {
		message: ({ request }) => rejected(request),
		advice: 'Change what the service names',
	},
	'5xx': {
		message: ({ request }) => `The service was unable to ${describeRequest(request)}`,
		advice: TRY_LATER,
	},
};

const SAME_MEANING: Record<string, string> = { '400': '422', '410': '404' };

/** The message and the advice for an error. */
export function meaningOf(facts: ErrorFacts): Record<keyof Meaning, string> {
	return wordsFor(MEANINGS[meaningKeyOf(facts)] ?? MEANINGS['4xx'], facts);
}

/** The name of the status 403, which explains nothing. */
const FORBIDDEN = /^(403\W+)?forbidden\W*$/i;

function meaningKeyOf(facts: ErrorFacts): string {
	const { kind } = facts;
	if (kind !== 'rejected') return kind;
	const { status, said, received } = facts;
	if (isRateLimitError(facts)) return '429';
	if (received !== undefined && status !== 401) return 'later page';
	const isExplained = said.fields.length > 0 || (said.text && !FORBIDDEN.test(said.text));
	if (status === 403 && isExplained) return '403 with words';
	const key = SAME_MEANING[status] ?? String(status);
	return key in MEANINGS ? key : `${key[0]}xx`;
}

/** True if a limit is why the request failed; a gateway may use 403 for it. */
export function isRateLimitError(facts: ErrorFacts): boolean {
	if (facts.kind !== 'rejected') return facts.kind === 'rate-limited';
	return facts.status === 429 || (facts.status === 403 && facts.isBusy);
}

function whyInvalid(id: string): string {
	if (/^\.+$/.test(id)) return ': it has only dots';
	if (id.includes('/')) return ': it contains a slash';
	return id.includes('\\') ? ': it contains a backslash' : '';
}

function whatIsMissing(facts: FactsOf<'incomplete-list'>): string {
	const { request, received, total, pages, pageParameter } = facts;
	const { noun } = request;
	if (total === undefined && pageParameter) {
		return `after ${received} ${noun}s, the service returned a page again in place of the next`;
	}
	if (pages !== undefined) {
		return total !== undefined && total > received
			? `its ${total} ${noun}s take more than ${pages} pages`
			: `it did not end after ${pages} pages with ${received} ${noun}s`;
	}
	if (total === undefined) return `the service returned ${noun}s twice, so others may be missing`;
	if (received <= total) return `the service returned ${received} of ${total} ${noun}s`;
	return `the service returned ${received} ${noun}s, but states a total of ${total}`;
}

const rejected = (request: ServiceRequest) =>
	`The service rejected the request to ${describeRequest(request)}`;

/** The setting to name where a page comes again, or is refused. */
function pageAdvice(pageParameter: string, mayBeAll: boolean): string {
	const advice = `If your service does not choose the page by "${pageParameter}", enter its name for that as 'Page Parameter' in the credential, under 'Own Page Parameters'`;
	return mayBeAll ? `${advice}. If its lists have no pages, leave it empty` : advice;
}

const VERBS: Record<Method, string> = {
	GET: 'get',
	POST: 'create',
	PATCH: 'update',
	DELETE: 'delete',
};

/** A request in words: `create a content post for location "loc_1"`. */
function describeRequest(request: ServiceRequest): string {
	const { method, noun, path } = request;
	const verb = VERBS[method];
	const owner = describeOwner(request);
	if (owner && endsWithId(path)) return `${verb} ${owner}`;
	if (method === 'GET') return `${verb} the ${noun}s${owner ? ` of ${owner}` : ''}`;
	return `${verb} a ${noun}${owner ? ` for ${owner}` : ''}`;
}

/** The record that the path names: `location "loc_1"`, `location "Bakery East" (loc_1)`; undefined if it names none. */
export function describeOwner({ path, ids, names }: ServiceRequest): string | undefined {
	const [idName] = idNames(path);
	if (!idName) return undefined;
	const [noun, id, name] = [nounOfId(idName), ids[idName], names?.[idName]];
	return name ? `${noun} "${asLabel(name)}" (${id})` : `${noun} "${id}"`;
}
