import { type Connection, withOwnSignal } from '../connection';
import { type ErrorFacts, ServiceError } from '../errors';
import type { Ending, GivenUp, Permit } from '../pace/pace';
import type { HttpResponse } from '../ports';
import type { ServiceRequest } from '../request';
import { withinTime } from '../time';
import { endingOf, factsOf, type HttpOutcome, effectOf } from './outcome';
import { fillPath } from './path';

/** The most attempts of a request if the service does not say when to retry, and the first backoff (ms), which doubles. */
export const MAX_ATTEMPTS = 6;
const FIRST_BACKOFF = 300;
/** Timeout of one attempt if the caller sets none (ms): as in n8n's routing. */
const DEFAULT_TIMEOUT = 300_000;
/** Time for the transport to report its own timeout, which has more details (ms). */
const GRACE = 500;

/**
 * Sends a request until it succeeds, as its outcomes and the pace of the key allow.
 *
 * @throws ServiceError for every outcome that is not done
 */
export async function send(connection: Connection, request: ServiceRequest): Promise<HttpResponse> {
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
): Promise<HttpResponse | ServiceError> {
	const attempts = new Attempts(connection, request);
	const result = await attempts.run();
	const error = result instanceof ServiceError ? result : undefined;
	connection.run?.noteResult(request.method, error);
	return result;
}

/** All attempts of one call. */
class Attempts {
	private count = 1;
	/** Attempts that failed for another reason than a limit. */
	private faults = 0;
	private mayHaveActed = false;
	/** True while a request was sent whose outcome is not judged yet. */
	private isOpen = false;
	private readonly calledAt: number;
	/** Since when the service has been busy or has not responded, and the failure of the attempt before. */
	private failedAt?: number;
	private last?: ErrorFacts;

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
	) {
		this.calledAt = connection.since ?? connection.account.clock.now();
	}

	async run(): Promise<HttpResponse | ServiceError> {
		const { request, connection } = this;
		const { clock } = connection.account;
		const { query, body } = request;
		try {
			const target = { path: fillPath(request), query, body: body && JSON.stringify(body) };
			for (; ; this.count++) {
				const permit = await this.acquire();
				if (!('startedAt' in permit)) return this.notSent(permit);
				const refusal = this.refusal(permit);
				if (refusal) return refusal;
				this.isOpen = true;
				const outcome = await exchange(connection, request, target, permit);
				const end = this.endOf(permit, outcome);
				this.isOpen = false;
				if (typeof end === 'object') return end;
				// After a refusal because of a limit, the next permit comes after the pause of the key.
				if (end > 0) await clock.sleep(end, connection.signal);
			}
		} catch (cause) {
			if (cause instanceof ServiceError) return cause;
			// After a mistake of ours, nobody knows what became of a request that was sent.
			const mayHaveActed = this.mayHaveActed || (this.isOpen && request.method !== 'GET');
			const kind = connection.signal?.aborted ? 'cancelled' : 'other';
			return new ServiceError({ kind, request, mayHaveActed, cause });
		}
	}

	private async acquire(): Promise<Permit | GivenUp<ErrorFacts>> {
		const { patienceMs, urgency, signal, account } = this.connection;
		return await account.pace.acquire({
			patienceMs,
			urgency: urgency ?? (this.count > 1 ? 'repeat' : 'row'),
			kind: `${this.request.method} ${this.request.path}`,
			since: this.failedAt ?? this.calledAt,
			signal,
		});
	}

	/** The refusal of the key by which the run has ended; nothing more is sent then. */
	private refusal(permit: Permit): ServiceError | undefined {
		const { connection, request, mayHaveActed } = this;
		const { refusal } = connection.run ?? {};
		if (!refusal) return undefined;
		connection.account.pace.ended(permit, { kind: 'cancelled' });
		return new ServiceError({ ...refusal.facts, request, mayHaveActed });
	}

	/** The result of the call, or how long to wait before the next attempt (ms). */
	private endOf(
		{ stalledSince }: Permit,
		outcome: HttpOutcome,
	): HttpResponse | ServiceError | number {
		const { connection, request, calledAt, count } = this;
		const { clock, pace, random } = connection.account;
		const { method } = request;
		const meaning = effectOf(method, outcome);
		if (meaning === 'done') return outcome as HttpResponse;
		// An earlier attempt deleted the record, and its response was lost.
		const isGone = method === 'DELETE' && this.mayHaveActed;
		if (isGone && 'status' in outcome && outcome.status === 404) {
			return { status: 204, headers: {}, body: '' };
		}
		this.failedAt ??= Math.max(calledAt, stalledSince);
		this.mayHaveActed ||= meaning === 'lost' && method !== 'GET';
		this.last = factsOf(request, outcome, clock.wall());
		const facts = { ...this.last, mayHaveActed: this.mayHaveActed };
		const isStopped = facts.kind === 'cancelled';
		const isRepeated = meaning === 'repeat' || (meaning === 'lost' && method !== 'POST');
		if (isStopped || !isRepeated) return new ServiceError(facts);
		const isBusy = facts.kind === 'rejected' && facts.isBusy;
		const wait = isBusy
			? Math.max(pace.pauseMs, facts.retryAfterMs ?? 0)
			: random() * FIRST_BACKOFF * 2 ** ++this.faults;
		const waitedMs = clock.now() - this.failedAt;
		if (waitedMs + wait > connection.patienceMs || this.faults >= MAX_ATTEMPTS) {
			return new ServiceError({ ...facts, attempts: count, waitedMs });
		}
		return isBusy ? 0 : wait;
	}

	/** The error of a request that the pace did not let start. */
	private notSent({ waitedMs, failure }: GivenUp<ErrorFacts>): ServiceError {
		const { request, mayHaveActed, count, last } = this;
		const { pauseMs: retryAfterMs } = this.connection.account.pace;
		// The refusal of the last attempt says more than that the request was not sent again.
		if (last && !failure) {
			return new ServiceError({ ...last, mayHaveActed, attempts: count - 1, waitedMs });
		}
		const kind = retryAfterMs > 0 ? 'rate-limited' : 'not-sent';
		const cause = failure && new ServiceError(failure);
		return new ServiceError({ kind, request, mayHaveActed, waitedMs, cause, retryAfterMs });
	}
}

/** Sends one request and tells the pace how it ended. Every request leaves the client here. */
async function exchange(
	{ account, transport, signal, noCache, timeoutMs = DEFAULT_TIMEOUT }: Connection,
	request: ServiceRequest,
	target: { path: string; query: ServiceRequest['query']; body?: string },
	permit: Permit,
): Promise<HttpOutcome> {
	const { clock, pace } = account;
	const { method } = request;
	const headers: Record<string, string> = { Accept: 'application/json' };
	// Some frameworks reject a content type without content.
	if (target.body !== undefined) headers['Content-Type'] = 'application/json';
	if (noCache) headers['Cache-Control'] = 'no-cache';
	let ending: Ending<ErrorFacts> = { kind: 'cancelled' };
	try {
		// A dripping response, or none at all, may outlive the transport's own timeout.
		const response = await withinTime(
			clock,
			timeoutMs + GRACE,
			async (ended) => await transport({ method, ...target, headers, timeoutMs }, ended),
			signal,
		);
		const outcome = response ?? {
			fault: 'timeout',
			cause: new Error('The response took too long'),
		};
		ending = endingOf(request, outcome, clock.wall());
		return outcome;
	} catch (cause) {
		return { fault: signal?.aborted ? 'cancelled' : 'other', cause: cause as Error };
	} finally {
		// A permit that is not returned would hold up the key until n8n is restarted.
		pace.ended(permit, ending);
	}
}
