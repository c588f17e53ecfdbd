import { type ErrorFacts } from '../client';

export type Words = string | ((facts: ErrorFacts) => string);

export interface Meaning {
	/** Says what happened. */
	message: Words;
	/** Says what to do. */
	advice?: Words;
}

const CHECK_ADDRESS = "Check the 'Base URL' of the credential, and that n8n can reach it";

/** The longest list of names from a certificate (characters). */
const MAX_NAMES = 200;
const CHECK_PROXY =
	'n8n sends its requests through this proxy. Check Proxy under Request Options, in the settings of the node, and the environment variables HTTPS_PROXY and NO_PROXY of n8n';

/** Messages for a certificate that was refused, by the code or the text of its error. */
const INSECURE: Array<[RegExp, Meaning]> = [
	[
		/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
		{
			message: 'The certificate of the service is not trusted',
			advice:
				'n8n does not know the authority that issued it. Give n8n the certificate of that authority: put the path of its file into the environment variable NODE_EXTRA_CA_CERTS',
		},
	],
	[
		/CERT_HAS_EXPIRED/,
		{
			message: 'The certificate of the service has expired',
			advice: 'Whoever runs the service has to renew it',
		},
	],
	[
		/CERT_NOT_YET_VALID/,
		{
			message: 'The certificate of the service is not valid yet',
			advice: 'Check the clock of the machine that n8n runs on',
		},
	],
	[
		/ALTNAME|HOSTNAME_MISMATCH/,
		{
			message: 'The certificate of the service is for another host',
			advice: (facts) =>
				`The 'Base URL' of the credential has to use a name that the certificate is for${namesInCertificate(facts)}`,
		},
	],
	[/(?:)/, { message: 'No secure connection to the service is possible', advice: CHECK_ADDRESS }],
];

/** Messages for a connection that failed, by the kind of fault. */
export const CONNECTION_MEANINGS: Record<
	'unreachable' | 'unknown-host' | 'insecure' | 'connection-lost',
	Meaning
> = {
	unreachable: {
		message: (facts) => unreachableProxy(facts) ?? 'Could not connect to the service',
		advice: (facts) => {
			if (unreachableProxy(facts)) return CHECK_PROXY;
			return `No service is listening at the address in the credential. ${CHECK_ADDRESS}`;
		},
	},
	'unknown-host': {
		message: (facts) => unreachableProxy(facts) ?? 'The host name of the service was not found',
		advice: (facts) => (unreachableProxy(facts) ? CHECK_PROXY : CHECK_ADDRESS),
	},
	insecure: {
		message: (facts) => insecureMeaning(facts).message,
		advice: (facts) => insecureMeaning(facts).advice,
	},
	'connection-lost': {
		message: (facts) =>
			isOfHandshake(facts)
				? 'The service does not speak https at this port'
				: 'Connection lost before the response was complete',
		advice: (facts) =>
			isOfHandshake(facts)
				? "Check the port in the 'Base URL' of the credential. For a service on this machine, it may begin with http://"
				: /before secure TLS connection/.test(causeText(facts))
					? `The service ended the connection before it was secure. ${CHECK_ADDRESS}`
					: 'Try again later',
	},
};

interface Cause {
	code?: string;
	message?: string;
	/** The address of a proxy that could not be reached; empty if it is unknown. */
	proxy?: string;
}

const causeOf = (facts: ErrorFacts) => (('cause' in facts && facts.cause) || {}) as Cause;

/** True if no secure connection could be agreed on, as with a service that speaks http. */
function isOfHandshake(facts: ErrorFacts): boolean {
	return /^(EPROTO|ERR_SSL_)/.test(causeOf(facts).code ?? '');
}

function causeText(facts: ErrorFacts): string {
	const { code = '', message = '' } = causeOf(facts);
	return `${code} ${message}`;
}

/** The message for a proxy that could not be reached; undefined if it was the service. */
export function unreachableProxy(facts: ErrorFacts): string | undefined {
	const { proxy } = causeOf(facts);
	if (proxy === undefined) return undefined;
	return `The proxy${proxy === '' ? '' : ` ${proxy}`} could not be reached`;
}

function insecureMeaning(facts: ErrorFacts): Record<keyof Meaning, string> {
	const [, meaning] = INSECURE.find(([pattern]) => pattern.test(causeText(facts)))!;
	return wordsFor(meaning, facts);
}

/** True if an unknown authority issued the certificate; the user can choose to ignore that. */
export function isUntrusted(cause: unknown): boolean {
	const { code = '' } = Object(cause) as Cause;
	return INSECURE[0][0].test(code);
}

/** `: seo.example.com`, as Node.js lists the names */
function namesInCertificate(facts: ErrorFacts): string {
	const [, names] = /altnames: (DNS:.*)$/.exec(causeText(facts)) ?? [];
	return names === undefined ? '' : `: ${names.replaceAll('DNS:', '').slice(0, MAX_NAMES)}`;
}

/** Fills the facts of an error into its message and its advice. */
export function wordsFor(
	{ message, advice = '' }: Meaning,
	facts: ErrorFacts,
): Record<keyof Meaning, string> {
	const filledIn = (words: Words) => (typeof words === 'string' ? words : words(facts));
	return { message: filledIn(message), advice: filledIn(advice) };
}
