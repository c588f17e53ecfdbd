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
	"Check the 'Base URL' of the credential (https or http, host and port), and that n8n can reach it, directly or through its proxy";
const CHECK_CERTIFICATE =
	"Check the certificate of the service; for one of your own authority, put the path of the authority's certificate into the environment variable NODE_EXTRA_CA_CERTS of n8n";

const NOT_CONNECTED = 'Could not connect to the service';

const UNREACHABLE: Meaning = {
	message: NOT_CONNECTED,
	advice: (facts) => withReason(facts, CHECK_ADDRESS),
};

/** Messages for a connection that failed, by the kind of fault. */
export const CONNECTION_MEANINGS: Record<
	'unreachable' | 'unknown-host' | 'insecure' | 'connection-lost',
	Meaning
> = {
	unreachable: UNREACHABLE,
	'unknown-host': UNREACHABLE,
	insecure: { message: NOT_CONNECTED, advice: (facts) => withReason(facts, CHECK_CERTIFICATE) },
	'connection-lost': {
		message: (facts) =>
			isOfHandshake(facts) ? NOT_CONNECTED : 'Connection lost before the response was complete',
		advice: (facts) => withReason(facts, isOfHandshake(facts) ? CHECK_ADDRESS : 'Try again later'),
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

/** Advice after the words and the code of Node.js, which name the address, the certificate or the proxy. */
function withReason(facts: ErrorFacts, advice: string): string {
	const { code = '', message = '' } = causeOf(facts);
	const text = shortened(message, MAX_TEXT);
	const said = text === '' ? code : text.includes(code) ? text : `${text} (${code})`;
	return sentences(said && `The reason is: ${said}`, advice);
}

/** Fills the facts of an error into its message and its advice. */
export function wordsFor(
	{ message, advice = '' }: Meaning,
	facts: ErrorFacts,
): Record<keyof Meaning, string> {
	const filledIn = (words: Words) => (typeof words === 'string' ? words : words(facts));
	return { message: filledIn(message), advice: filledIn(advice) };
}
