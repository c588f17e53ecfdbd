import { type ErrorFacts, fieldsOf, idNames, nounOfId, type ServiceRequest } from '../client';
import { describeRequest } from './describeRequest';
import { noDate } from './fieldTypes';
import type { FailureCause, Report } from './report';

type Words = (request: ServiceRequest) => string;

/** What a rejection means to the user. The interface lists no status codes: these are standard HTTP. */
interface Meaning {
	happened: Words;
	advice: Words;
	/** That it was refused before anything was done. */
	noEffect?: string;
	cause: FailureCause;
}

const MEANINGS: Record<string, Meaning> = {
	'3xx': {
		happened: () => 'The service responded with a redirect, which was not followed',
		advice: () =>
			'The API key is only sent to the address in the credential. If the service has moved, change the Base URL of the credential.',
		cause: 'configuration-invalid',
	},
	'401': {
		happened: () => 'The service does not accept this API key',
		advice: () =>
			'It may be mistyped, expired or revoked. Check it in the dashboard under Settings, API Keys, and enter it in the credential again.',
		cause: 'credential-invalid',
	},
	'403': {
		happened: (request) => `This API key is not allowed to ${describeRequest(request)}`,
		advice: ({ method }) =>
			method === 'GET'
				? 'Check the scope of the key, and that it belongs to the organisation that owns this record (dashboard: Settings, API Keys).'
				: 'A key with the read scope can only get data. Use a key with the write scope in the credential (dashboard: Settings, API Keys).',
		cause: 'configuration-invalid',
	},
	'404': {
		happened: ({ path, ids }) => {
			const [name] = idNames(path);
			if (name === undefined) return 'There is no Local SEO service at this address';
			const id = `"${ids[name]}"`;
			return isLocationName(name, ids[name])
				? `${id} looks like a name, not like the ID of a location`
				: `There is no ${nounOfId(name)} with the ID ${id}`;
		},
		advice: ({ path, ids }) => {
			const [name] = idNames(path);
			if (name === undefined) {
				return 'Check the Base URL of the credential: it ends before /locations, as in https://seo.example.com/api/v1';
			}
			const advice = isLocationName(name, ids[name])
				? 'Set Location to By Name, or pick a location from the list.'
				: 'Check the ID, or pick from the list.';
			return `${advice} If every ID is rejected, check the Base URL of the credential.`;
		},
		cause: 'configuration-invalid',
	},
	'422': {
		happened: (request) => `Invalid data: could not ${describeRequest(request)}`,
		advice: () => 'Correct the fields that the service names, then run this again.',
		noEffect: ' Nothing was saved.',
		cause: 'configuration-invalid',
	},
	'429': {
		happened: (request) => `Rate limit reached: could not ${describeRequest(request)}`,
		advice: () => 'The API key has used up its requests for now.',
		noEffect: ' This request had no effect.',
		cause: 'rate-limited',
	},
	'4xx': {
		happened: (request) => `The service rejected the request to ${describeRequest(request)}`,
		advice: () => 'Compare the parameters of this node with what the service says.',
		cause: 'configuration-invalid',
	},
	'5xx': {
		happened: (request) => `The service was unable to ${describeRequest(request)}`,
		advice: () => 'Try again later.',
		cause: 'temporarily-unavailable',
	},
};

/** Whether an ID that no location has is more likely its name: several words, or one of letters alone. */
function isLocationName(name: string, id: string): boolean {
	return (
		name === 'locationId' && !/^loc_/i.test(id) && (/\s/.test(id) || /^[\p{L}\p{M}]+$/u.test(id))
	);
}

/** The list was read for the sake of a row that is to be skipped if it exists already. */
const WITHOUT_COMPARING =
	" The list is read to find rows that exist already. To create without comparing, set 'If It Already Exists' to 'Create Another One'.";

const SAME_MEANING: Record<string, string> = { '400': '422', '410': '404' };

/** What the service says of fields, as the end of a sentence: " (title: 80 at most)" */
export function fieldsIn(said: ErrorFacts['said']): string {
	return said && said.fields.length > 0 ? ` (${said.fields.join('; ')})` : '';
}

/** What the service said, as the end of a message; empty if it said nothing. */
export function quoteOf(said: ErrorFacts['said']): string {
	return said?.text ? `The service said: "${said.text}"` : '';
}

/** Describes a response other than 2xx: what happened, what to do, and what the service said. */
export function rejection(facts: ErrorFacts): Report {
	const { request, said, redirectOrigin, retryAfterMs, mayHaveActed, isUnsent, isBusy } = facts;
	const sent = fieldsOf(request);
	const undated = (facts.undated ?? []).map((name) => ` ${noDate(name, sent[name])}`).join('');
	const status = String(facts.status);
	// A gateway may say the same with another status.
	const isLimit = isBusy && status === '403';
	const meaning =
		MEANINGS[isLimit ? '429' : (SAME_MEANING[status] ?? status)] ??
		MEANINGS[`${status[0]}xx`] ??
		MEANINGS['4xx'];
	const unsent = ' It was refused for another request, so this one was not sent';
	const effect = isUnsent
		? `${unsent}${mayHaveActed ? ' again' : ''}.`
		: mayHaveActed
			? ''
			: (meaning.noEffect ?? '');
	const target = redirectOrigin ? ` The redirect points to ${redirectOrigin}.` : '';
	// Many services repeat what they say of the first field.
	const isRepeated = said?.fields.some((field) => field.endsWith(said.text ?? ''));
	const quote = isRepeated ? '' : quoteOf(said);
	return {
		message: meaning.happened(request) + fieldsIn(said),
		description:
			meaning.advice(request) +
			(facts.isComparison && status !== '401' ? WITHOUT_COMPARING : '') +
			undated +
			effect +
			target +
			(quote && ` ${quote}`),
		httpCode: status,
		failure: { cause: meaning.cause, retryAfterMs },
	};
}
