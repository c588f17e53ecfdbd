import {
	endsWithId,
	type ErrorFacts,
	idNames,
	type Method,
	nounOfId,
	type ServiceRequest,
	textOf,
} from '../client';
import { asLabel, duration, shortened } from './words';

/** What happened, why, and one way out. */
export interface Meaning {
	message: string;
	why?: string;
	advice?: string;
}

type Kind = ErrorFacts['kind'];
type FactsOf<K extends Kind> = ErrorFacts & { kind: K };
type Paged = Pick<FactsOf<'incomplete-list'>, 'pageParameter' | 'pages' | 'total'>;

const TRY_LATER = 'Try again later';
const CORRECT = 'Correct what the service names, then run this again';
const CHECK_ADDRESS =
	"Check the 'Base URL' of the credential (https or http, host and port), and that n8n can reach it, directly or through its proxy";
const CHECK_CERTIFICATE =
	"Check the certificate of the service; for one of your own authority, put the path of the authority's certificate into the environment variable NODE_EXTRA_CA_CERTS of n8n";
const CREATE_ANYWAY =
	"The list is read to find rows that exist already. To create without comparing, set 'If It Already Exists' to 'Create Another One'";

/** The words that an error of n8n, of the credential or of our own has already. */
export function meaningOfOther(thrown: unknown): Meaning {
	const error = thrown instanceof Error ? thrown : new Error(textOf(thrown));
	if (error.name === 'AbortError') return { message: STOPPED };
	const { message, description } = error as Error & { description?: unknown };
	return { message, advice: typeof description === 'string' ? description : undefined };
}

const STOPPED = 'The execution was stopped before the service responded';

/** What an error means, by its kind; a refusal by its status. */
export function meaningOf(facts: ErrorFacts): Meaning {
	return (BY_KIND[facts.kind] as (facts: ErrorFacts) => Meaning)(facts);
}

const BY_KIND: { [K in Kind]: (facts: FactsOf<K>) => Meaning } = {
	'invalid-id': ({ idName, request }) => {
		const [noun, id] = [nounOfId(idName), request.ids[idName]];
		const [slash] = /[/\\]/.exec(id) ?? [];
		const isInvalid = `"${id}" is not a valid ${noun} ID${slash ? `: it contains "${slash}"` : ''}`;
		return {
			message: id ? isInvalid : `The ${noun} ID is empty`,
			advice: `Pick a ${noun} from the list, or check the expression for its ID`,
		};
	},
	'incomplete-list': (facts) => ({
		message: `Incomplete list: ${whatIsMissing(facts)}`,
		advice: pageAdvice(facts),
	}),
	'not-sent': ({ request, mayHaveActed, waitedMs }) => ({
		message: 'The service does not respond',
		why: `Could not ${describeRequest(request)}. Not sent${mayHaveActed ? ' again' : ''}: the service was failing for other items for ${duration(waitedMs)}`,
		advice: TRY_LATER,
	}),
	'rate-limited': ({ request, mayHaveActed, waitedMs, retryAfterMs }) => ({
		message: `Rate limit reached: the service asks to wait another ${duration(retryAfterMs)}`,
		why: `Could not ${describeRequest(request)}. This request waited ${duration(waitedMs)}${mayHaveActed ? '' : ' and had no effect'}`,
		advice: TRY_LATER,
	}),
	unconfirmed: ({ request }) => ({
		message: `Could not confirm whether the ${request.noun} was created`,
		why: 'The response was lost, and nothing since has settled it',
		advice: `Check ${describeOwner(request) ?? 'it'} before you run this row again`,
	}),
	'unexpected-response': ({ expected, came, isComparison }) => ({
		message: expected
			? `The response has no ${expected === 'data' ? "'data'" : `${expected} in 'data'`}, but: ${came || 'nothing'}`
			: 'Unexpected response: this does not look like the Local SEO API',
		why: expected || came === '' ? '' : `The response begins: "${came.slice(0, 100)}"`,
		advice: isComparison
			? CREATE_ANYWAY
			: "Check the 'Base URL' of the credential: it may point to a website or to a different service",
	}),
	unreachable: ofConnection,
	'unknown-host': ofConnection,
	insecure: ofConnection,
	'connection-lost': ofConnection,
	timeout: () => ({ message: 'The service did not respond in time', advice: TRY_LATER }),
	cancelled: () => ({ message: STOPPED }),
	other: ({ cause }) => meaningOfOther(cause),
	'refused-here': ({ cause }) => meaningOfOther(cause),
	rejected: (facts) => (BY_STATUS[statusKeyOf(facts)] ?? BY_STATUS['4xx'])(facts),
};

/** A connection that failed. The words and the code of Node.js name the address, the certificate or the proxy. */
function ofConnection({ kind, cause }: { kind: Kind; cause: unknown }): Meaning {
	const { code = '', message = '' } = Object(cause) as NodeJS.ErrnoException;
	const text = shortened(message, 200) || code;
	const why = text && `The reason is: ${text.includes(code) ? text : `${text} (${code})`}`;
	// No secure connection could be agreed on, as with a service that speaks http.
	const isOfHandshake = /^(EPROTO|ERR_SSL_)/.test(code);
	if (kind === 'connection-lost' && !isOfHandshake) {
		return { message: 'Connection lost before the response was complete', why, advice: TRY_LATER };
	}
	const advice = kind === 'insecure' ? CHECK_CERTIFICATE : CHECK_ADDRESS;
	return { message: 'Could not connect to the service', why, advice };
}

/** Messages by status; the interface lists none, so they have their meaning in HTTP. */
const BY_STATUS: Record<string, (facts: FactsOf<'rejected'>) => Meaning> = {
	'3xx': ({ redirectTo }) => ({
		message: `The service responded with a redirect${redirectTo ? ` to ${redirectTo}` : ''}, which was not followed`,
		why: 'The API key is only sent to the address in the credential',
		advice: "If the service has moved, change the 'Base URL' of the credential",
	}),
	'401': () => ({
		message: 'The service does not accept this API key',
		why: 'It may be mistyped, expired or revoked',
		advice: 'Copy it from the dashboard (Settings, API Keys) into the credential again',
	}),
	'403': ({ request }) => ({
		message: `This API key is not allowed to ${describeRequest(request)}`,
		advice:
			request.method === 'GET'
				? 'Check the scope of the key, and that it belongs to the organization that owns this record (dashboard: Settings, API Keys)'
				: 'A key with the read scope can only get data. Use a key with the write scope in the credential (dashboard: Settings, API Keys)',
	}),
	'404': ({ request: { path, ids } }) => {
		const [name] = idNames(path);
		if (name === undefined) {
			return {
				message: 'There is no Local SEO service at this address',
				advice:
					"Check the 'Base URL' of the credential: nothing follows /api/v1, as in https://seo.example.com/api/v1",
			};
		}
		const orName =
			name === 'locationId' ? ". If this is its name, set 'Location' to 'By Name'" : '';
		return {
			message: `There is no ${nounOfId(name)} with the ID "${ids[name]}"`,
			advice: `Check the ID${orName}`,
		};
	},
	'407': () => ({
		message: 'The proxy wants a login',
		advice:
			'Write it into the address of the proxy, as in http://user:password@host:port: in Proxy under Request Options, in the settings of the node, or in the environment variable HTTPS_PROXY of n8n',
	}),
	'429': ({ request, retryAfterMs }) => ({
		message: `Rate limit reached: could not ${describeRequest(request)}`,
		why: `The API key has used up its requests${retryAfterMs ? `. The service asks to come back in ${duration(retryAfterMs)}` : ' for now'}`,
		advice: TRY_LATER,
	}),
	'4xx': ({ request, status, isComparison }) => ({
		message: `The service rejected the request to ${describeRequest(request)}`,
		// A 400 or 422 of a list may mean the ID.
		advice:
			isComparison && status !== 400 && status !== 422
				? CREATE_ANYWAY
				: status === 403
					? ''
					: CORRECT,
	}),
	'5xx': ({ request }) => ({
		message: `The service was unable to ${describeRequest(request)}`,
		advice: TRY_LATER,
	}),
	'later page': (facts) => ({
		message: `The service returned ${facts.received}${facts.total === undefined ? '' : ` of ${facts.total}`} ${facts.request.noun}s, then refused the next page`,
		advice: facts.status >= 500 ? TRY_LATER : pageAdvice(facts),
	}),
};

/** The name of the status 403, which explains nothing. */
const FORBIDDEN = /^(403\W+)?forbidden\W*$/i;

function statusKeyOf(facts: FactsOf<'rejected'>): string {
	const { status, said, received } = facts;
	if (isRateLimitError(facts)) return '429';
	if (received !== undefined && status !== 401) return 'later page';
	// The service itself says why: the scope of the key is only one of many reasons.
	const isExplained = said.fields.length > 0 || (said.text && !FORBIDDEN.test(said.text));
	if (status === 403 && isExplained) return '4xx';
	const key = String(status === 410 ? 404 : status);
	return key in BY_STATUS ? key : `${key[0]}xx`;
}

/** True if a limit is why the request failed; a gateway may use 403 for it. */
export function isRateLimitError(facts: ErrorFacts): boolean {
	if (facts.kind !== 'rejected') return facts.kind === 'rate-limited';
	return facts.status === 429 || (facts.status === 403 && facts.isBusy);
}

function whatIsMissing(facts: FactsOf<'incomplete-list'>): string {
	const { request, received, total, pages } = facts;
	const records = `${request.noun}s`;
	if (pages !== undefined) return `the ${records} take more than ${pages} pages`;
	if (total === undefined) {
		return `after ${received} ${records}, the service returned a page again in place of the next`;
	}
	if (received <= total) return `the service returned ${received} of ${total} ${records}`;
	return `the service returned ${received} ${records}, but states a total of ${total}`;
}

/** The setting to change where a page comes again, or is refused, or where there are too many. */
function pageAdvice({ pageParameter, pages, total }: Paged): string {
	const set = "in the credential, under 'Own Page Parameters'";
	if (pages) return `Set 'Page Size' ${set}, to get more records per request`;
	if (pageParameter === undefined) return 'Run this again: the list may be changing';
	if (pageParameter === '') {
		return "'Page Parameter' in the credential is empty, so one page was requested. If there are more, enter what your service calls the number of the page";
	}
	const orNone = total === undefined ? ', or leave it empty if its lists have no pages' : '';
	return `If your service does not choose the page by "${pageParameter}", set 'Page Parameter' ${set} to its name for that${orNone}`;
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
	const owner = describeOwner(request);
	if (owner && endsWithId(path)) return `${VERBS[method]} ${owner}`;
	if (method === 'GET') return `get the ${noun}s${owner ? ` of ${owner}` : ''}`;
	return `${VERBS[method]} a ${noun}${owner ? ` for ${owner}` : ''}`;
}

/** The record that the path names: `location "loc_1"`, `location "Bakery East" (loc_1)`; undefined if it names none. */
export function describeOwner({ path, ids, names }: ServiceRequest): string | undefined {
	const [idName] = idNames(path);
	if (!idName) return undefined;
	const [noun, id, name] = [nounOfId(idName), ids[idName], names?.[idName]];
	return name ? `${noun} "${asLabel(name)}" (${id})` : `${noun} "${id}"`;
}
