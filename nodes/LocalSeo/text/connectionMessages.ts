import { type ErrorFacts } from '../client';
import { sentences, shortened } from './words';

export type Words = string | ((facts: ErrorFacts) => string);

export interface Meaning {
	/** Says what happened. */
	message: Words;
	/** Says what to do. */
	advice?: Words;
}

/** The longest text of Node.js that is shown (characters). */
const MAX_TEXT = 200;
const CHECK_ADDRESS =
	"Check the 'Base URL' of the credential, that n8n can reach it, and the proxy if n8n uses one (Request Options; HTTPS_PROXY and NO_PROXY of n8n)";
const CHECK_CERTIFICATE =
	"Check the 'Base URL' of the credential and the certificate of the service. If an authority of your own has issued it, put the path of the authority's certificate into the environment variable NODE_EXTRA_CA_CERTS of n8n";
const NO_HTTPS =
	"Check the port in the 'Base URL' of the credential. For a service on this machine, it may begin with http://";

/** Messages for a connection that failed, by the kind of fault. */
export const CONNECTION_MEANINGS: Record<
	'unreachable' | 'unknown-host' | 'insecure' | 'connection-lost',
	Meaning
> = {
	unreachable: {
		message: 'Could not connect to the service',
		advice: (facts) => withReason(facts, CHECK_ADDRESS),
	},
	'unknown-host': {
		message: 'The host name was not found',
		advice: (facts) => withReason(facts, CHECK_ADDRESS),
	},
	insecure: {
		message: 'No secure connection to the service is possible',
		advice: (facts) => withReason(facts, CHECK_CERTIFICATE),
	},
	'connection-lost': {
		message: (facts) =>
			isOfHandshake(facts)
				? 'The service does not speak https at this port'
				: 'Connection lost before the response was complete',
		advice: (facts) => (isOfHandshake(facts) ? NO_HTTPS : withReason(facts, 'Try again later')),
	},
};

interface Cause {
	code?: string;
	message?: string;
}

const causeOf = (facts: ErrorFacts) => (('cause' in facts && facts.cause) || {}) as Cause;

/** True if no secure connection could be agreed on, as with a service that speaks http. */
function isOfHandshake(facts: ErrorFacts): boolean {
	return /^(EPROTO|ERR_SSL_)/.test(causeOf(facts).code ?? '');
}

/** Advice after the words and the code of Node.js: they name the address, the certificate, or the proxy. */
function withReason(facts: ErrorFacts, advice: string): string {
	const { code = '', message = '' } = causeOf(facts);
	const text = shortened(message, MAX_TEXT);
	const said = text === '' ? code : text.includes(code) ? text : `${text} (${code})`;
	return sentences(said && `The reason is: ${said}`, advice);
}

/** True if an unknown authority issued the certificate; the user can choose to ignore that. */
export function isUntrusted(cause: unknown): boolean {
	const { code = '' } = Object(cause) as Cause;
	return /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code);
}

/** Fills the facts of an error into its message and its advice. */
export function wordsFor(
	{ message, advice = '' }: Meaning,
	facts: ErrorFacts,
): Record<keyof Meaning, string> {
	const filledIn = (words: Words) => (typeof words === 'string' ? words : words(facts));
	return { message: filledIn(message), advice: filledIn(advice) };
}
