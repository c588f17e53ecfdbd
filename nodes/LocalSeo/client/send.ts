import type {
	IDataObject,
	IHttpRequestOptions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { causeOf, faultError } from './fault';
import { nap } from './nap';
import type { GivenUp, Pacer } from './pacer';
import { pacerOf } from './pacers';
import { fillPath } from './path';
import { apiError, refusal } from './refusal';
import {
	type ApiAnswer,
	type ApiRequest,
	cancelSignalOf,
	CREDENTIAL,
	type Host,
	inWords,
	withOption,
} from './request';
import { type Outcome, ruleFor, stepFor } from './rules';
import { toldWait } from './toldWait';

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** How often a request is sent where the service does not say when to come again. */
export const TRIES = 6;
const FIRST_BACKOFF = 300;

/** A request that came to no answer of success. */
export interface Failure {
	error: NodeApiError | NodeOperationError;
	/** Whether the service may have done it all the same. */
	isInDoubt: boolean;
}

/**
 * Sends a request until it is answered, as the rules and the pacer of the key allow, and gives the
 * answer of a success.
 *
 * @throws NodeOperationError before anything is sent: an id or a credential that can't be used
 * @throws NodeApiError for every answer that is no success, and where none came
 */
export async function send(host: Host, request: ApiRequest): Promise<ApiAnswer> {
	const result = await attempt(host, request);
	if ('error' in result) throw result.error;
	return result;
}

/** As `send`, with a failure as a value: for a write, whose failure may be in doubt. */
export async function attempt(host: Host, request: ApiRequest): Promise<ApiAnswer | Failure> {
	const signal = cancelSignalOf(host);
	const { maxWait } = request.settings;
	/** When the service first did not take or answer it; waiting behind others does not count. */
	let failedAt: number | undefined;
	let faults = 0;
	let isInDoubt = false;

	try {
		const path = fillPath(host.getNode(), request.template, request.ids);
		const pacer = await pacerOf(host);
		for (let tries = 1; ; tries++) {
			const givenUp = await pacer.enter({ maxWait, isRepeated: tries > 1, signal });
			if (givenUp) return { error: keptWaiting(host, request, pacer, givenUp), isInDoubt };

			const startedAt = Date.now();
			const outcome = await exchange(host, pacer, { ...optionsOf(request), url: path });
			const status = 'answer' in outcome ? outcome.answer.status : 0;
			// A deletion whose first answer was lost finds nothing left to delete.
			const isDeleted = request.method === 'DELETE' && isInDoubt && status === 404;
			if (isDeleted) return { status: 204, headers: {}, body: '' };
			if ('answer' in outcome && status >= 200 && status < 300) return outcome.answer;

			const rule = ruleFor(outcome);
			const step = stepFor(request.method, rule);
			const error = await errorOf(host, request, outcome);
			if (step !== 'repeat') return { error, isInDoubt: step === 'look' };
			isInDoubt ||= rule.create === 'look';

			const isRefusal = 'answer' in outcome && isRefused(outcome.answer);
			const wait = isRefusal
				? Math.max(pacer.pause, toldWait(outcome.answer.headers) ?? 0)
				: Math.random() * FIRST_BACKOFF * 2 ** ++faults;
			failedAt ??= startedAt;
			const waited = Date.now() - failedAt;
			if (waited + wait > maxWait || faults >= TRIES) {
				return { error: withPatience(error, tries, waited), isInDoubt };
			}
			if (!isRefusal) await nap(wait, signal);
		}
	} catch (thrown) {
		return { error: faultError(host, thrown), isInDoubt };
	}
}

/** One request and what it came to; the one place where a request leaves the node. */
async function exchange(host: Host, pacer: Pacer, options: IHttpRequestOptions): Promise<Outcome> {
	const startedAt = Date.now();
	const { helpers } = host;
	try {
		const response = await helpers.httpRequestWithAuthentication.call(host, CREDENTIAL, options);
		const answer: ApiAnswer = {
			status: response.statusCode as number,
			headers: response.headers as IDataObject,
			body: await withoutKey(host, response.body),
		};
		const date = Date.parse(String(answer.headers.date));
		if (date) pacer.clockOffset = date - Date.now();
		if (isRefused(answer)) pacer.finish('refused', startedAt, toldWait(answer.headers));
		else pacer.finish(answer.status < 500 ? 'good' : 'unknown', startedAt);
		return { answer };
	} catch (thrown) {
		pacer.finish('unknown', startedAt);
		return { code: causeOf(thrown).code ?? '', thrown };
	}
}

function isRefused({ status, headers }: ApiAnswer): boolean {
	return status === 429 || (status === 503 && headers['retry-after'] !== undefined);
}

function optionsOf({
	method,
	query,
	body,
	settings,
}: ApiRequest): Omit<IHttpRequestOptions, 'url'> {
	const { timeout, proxy, allowedDomains, skipSslCertificateValidation } = settings;
	return {
		timeout,
		proxy,
		allowedDomains,
		skipSslCertificateValidation,
		method,
		qs: { ...query },
		arrayFormat: 'repeat',
		headers: { ...HEADERS },
		body: typeof body === 'object' ? JSON.stringify(body) : body,
		returnFullResponse: true,
		// Also switches off the host's own second try on 401, which would send a POST twice.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

async function errorOf(host: Host, request: ApiRequest, outcome: Outcome) {
	if ('thrown' in outcome) return faultError(host, outcome.thrown);
	const { answer } = outcome;
	return refusal(host.getNode(), request, {
		...answer,
		headers: JSON.parse(await withoutKey(host, JSON.stringify(answer.headers))) as IDataObject,
		body: JSON.parse(await withoutKey(host, JSON.stringify(answer.body ?? null))) as unknown,
	});
}

/** A service may repeat the key, as text or in a refusal; the node's reports must not. */
async function withoutKey<T>(host: Host, text: T): Promise<T> {
	if (typeof text !== 'string' || text === '') return text;
	const { apiKey } = await host.getCredentials(CREDENTIAL);
	const key = String(apiKey).trim();
	return text.replaceAll(key, '…').replaceAll(JSON.stringify(key).slice(1, -1), '…') as T & string;
}

function withPatience<E extends NodeApiError | NodeOperationError>(
	error: E,
	tries: number,
	waited: number,
): E {
	if (tries > 1) {
		error.description =
			`${error.description ?? ''} This request was sent ${tries} times in ${seconds(waited)}.`.trim();
	}
	return error;
}

function keptWaiting(host: Host, request: ApiRequest, pacer: Pacer, { waited }: GivenUp) {
	const again = withOption(host, 'Run it again later.', 'Or raise the option Max Wait.');
	return apiError(host.getNode(), {
		message: `The service lets no requests through at the moment, so this node could not ${inWords(request)}`,
		description: `The rate limit of the API key was reached, and the service asks to wait for another ${seconds(pacer.pause)}. This request waited ${seconds(waited)} and had no effect. ${again}`,
		httpCode: '429',
		failure: { cause: 'rate-limited', retryAfterMs: pacer.pause },
	});
}

function seconds(milliseconds: number): string {
	return `${Math.round(milliseconds / 100) / 10} s`;
}
