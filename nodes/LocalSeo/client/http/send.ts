import { type Connection, withOwnSignal } from '../account';
import { type ErrorFacts, ServiceError } from '../errors';
import type { GivenUp, Permit } from '../pace/permit';
import type { HttpResponse } from '../ports';
import type { ServiceRequest } from '../request';
import { headerText } from '../textOf';
import { exchange, type Target, TOO_SLOW } from './exchange';
import { factsOf, type OutcomeFacts } from './facts';
import { fillPath } from './path';
import { type HttpOutcome, mayHaveActed, type Step, stepFor } from './rules';
import { beginningOf } from './words';

/** The most attempts of a request if the service does not say when to retry. */
export const MAX_ATTEMPTS = 6;
/** The most redirects that one request follows. */
const MAX_REDIRECTS = 5;
/** Timeout of one attempt if the caller sets none (ms): as in n8n's routing. */
const DEFAULT_TIMEOUT = 300_000;
/** The first backoff (ms): it doubles with each attempt, with full jitter. */
const FIRST_BACKOFF = 300;

/** A success, with the time at which its request was sent, by the account's clock. */
export type Success = HttpResponse & { sentAt: number };

/**
 * Sends a request until it succeeds, as the rules and the pace of the key allow.
 *
 * @throws ServiceError for every outcome that the rules do not call done
 */
export async function send(connection: Connection, request: ServiceRequest): Promise<Success> {
	const result = await trySend(withOwnSignal(connection), request);
	if (result instanceof ServiceError) throw result;
	return result;
}

/**
 * Does the same as `send`, but returns the error as a value: a create looks at the list before it fails.
 *
 * @param connection with a signal of its own
 */
export async function trySend(
	connection: Connection,
	request: ServiceRequest,
): Promise<Success | ServiceError> {
	return await new Attempts(connection, request).run();
}

/** The error for a success that breaks the interface. */
export function unexpectedResponse(
	request: ServiceRequest,
	{ status, body }: HttpResponse,
	expected?: 'list' | 'record' | 'data',
): ServiceError {
	const came = beginningOf(body) ?? '';
	return new ServiceError({ kind: 'unexpected-response', request, status, expected, came });
}

/** One attempt: its last response or fault, what follows, and its permit. */
interface Tried {
	permit: Permit;
	outcome: HttpOutcome;
	step: Step;
}

/** All attempts of one call. */
class Attempts {
	/** Below the API root, or absolute after a redirect. */
	private target: Target = { path: '', query: {} };
	/** The number of attempts; of these, those that failed for another reason than a limit. */
	private count = 1;
	private faults = 0;
	/** When the call was made, and since when the service has been busy or has not responded. */
	private readonly calledAt: number;
	private failedAt?: number;
	private mayHaveActed = false;
	/** True while a request is sent whose outcome is not judged yet. */
	private isOpen = false;
	/** The failure of the attempt before. */
	private last?: OutcomeFacts;

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
	) {
		this.calledAt = connection.since ?? connection.account.clock.now();
	}

	async run(): Promise<Success | ServiceError> {
		const { request, connection } = this;
		try {
			const { query, body } = request;
			const json = typeof body === 'object' ? JSON.stringify(body) : body;
			this.target = { path: fillPath(request), query, body: json };
			for (; ; this.count++) {
				const tried = await this.attempt();
				const end = 'outcome' in tried ? this.endOf(tried) : this.notSent(tried);
				this.isOpen = false;
				if (typeof end === 'object') return end;
				// After a refusal because of a limit, the next permit comes after the pause of the key.
				if (end > 0) await connection.account.clock.sleep(end, connection.signal);
			}
		} catch (cause) {
			if (cause instanceof ServiceError) return cause;
			// After a mistake of ours, nobody knows what became of a request that was sent.
			const mayHaveActed = this.mayHaveActed || (this.isOpen && request.method !== 'GET');
			const kind = connection.signal?.aborted ? 'cancelled' : 'other';
			return new ServiceError({ kind, request, mayHaveActed, cause });
		}
	}

	/** Sends the request and follows its redirects, all within one timeout. The rules keep to the origin. */
	private async attempt(): Promise<Tried | GivenUp<ErrorFacts>> {
		const { connection, request } = this;
		const { flight, timeoutMs = DEFAULT_TIMEOUT } = connection;
		let timeLeftMs = timeoutMs;
		for (let redirects = 0; ; redirects++) {
			const permit = await this.acquire();
			if (!('startedAt' in permit)) return permit;
			flight?.begins();
			this.isOpen = true;
			const outcome = await exchange(connection, request, this.target, permit, timeLeftMs);
			const step = stepFor(request.method, outcome);
			if (step === 'follow' || step === 'repeat') flight?.ends();
			if (step !== 'follow' || redirects === MAX_REDIRECTS) return { permit, outcome, step };
			const { headers, address } = outcome as HttpResponse;
			const { href: path } = new URL(headerText(headers.location), address);
			this.target = { ...this.target, path, query: {} };
			timeLeftMs -= connection.account.clock.now() - permit.startedAt;
			if (timeLeftMs > 0) continue;
			return { permit, outcome: TOO_SLOW, step: stepFor(request.method, TOO_SLOW) };
		}
	}

	private async acquire(): Promise<Permit | GivenUp<ErrorFacts>> {
		const { patienceMs, urgency, signal, account } = this.connection;
		return await account.governor.acquire({
			patienceMs,
			urgency: urgency ?? (this.count > 1 ? 'repeat' : 'row'),
			kind: `${this.request.method} ${this.request.path}`,
			since: this.failedAt ?? this.calledAt,
			signal,
		});
	}

	/** The result of the call, or how long to wait before the next attempt (ms). */
	private endOf({ permit, outcome, step }: Tried): Success | ServiceError | number {
		const { connection, request, calledAt, count } = this;
		const { clock, governor, random } = connection.account;
		const { startedAt: sentAt, stalledSince } = permit;
		const status = 'status' in outcome ? outcome.status : 0;
		// An earlier attempt deleted the record, and its response was lost.
		if (request.method === 'DELETE' && this.mayHaveActed && status === 404) {
			return { status: 204, headers: {}, body: '', sentAt };
		}
		if (step === 'done') return { ...(outcome as HttpResponse), sentAt };
		this.failedAt ??= Math.max(calledAt, stalledSince);
		this.mayHaveActed ||= mayHaveActed(request.method, outcome);
		const { mayHaveActed: hasActed } = this;
		this.last = factsOf(request, outcome, clock.wall());
		const facts = { ...this.last, mayHaveActed: hasActed };
		if (step !== 'repeat') return new ServiceError(facts);
		const isBusy = facts.kind === 'rejected' && facts.isBusy;
		const wait = isBusy
			? Math.max(governor.pauseMs, facts.retryAfterMs ?? 0)
			: random() * FIRST_BACKOFF * 2 ** ++this.faults;
		const waitedMs = clock.now() - this.failedAt;
		if (waitedMs + wait > connection.patienceMs || this.faults >= MAX_ATTEMPTS) {
			return new ServiceError({ ...facts, attempts: count, waitedMs });
		}
		return isBusy ? 0 : wait;
	}

	/** The error of a request that the governor did not let start. */
	private notSent({ waitedMs, failure }: GivenUp<ErrorFacts>): ServiceError {
		const { request, mayHaveActed, count, last } = this;
		const { pauseMs: retryAfterMs } = this.connection.account.governor;
		// The refusal of the last attempt says more than that the request was not sent again.
		if (last && !failure) {
			return new ServiceError({ ...last, mayHaveActed, attempts: count - 1, waitedMs });
		}
		const kind = retryAfterMs > 0 ? 'rate-limited' : 'not-sent';
		const cause = failure && new ServiceError(failure);
		const facts = { kind, request, mayHaveActed, waitedMs, cause } as const;
		return new ServiceError({ ...facts, retryAfterMs });
	}
}
