import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isEnvelope, isRecord } from './envelope';
import { claim, look, type Sight } from './look';
import { Memory } from './memory';
import { accountOf } from './pacers';
import type { Paging } from './page';
import { apiError, unreadable } from './refusal';
import { type ApiAnswer, type ApiRequest, type Host, inWords } from './request';
import { attempt, type Failure, TRIES } from './send';

/** How far the creation of one record has come. */
interface Trial {
	/** When it was first sent. */
	since?: number;
	/** Whether the record may be there although no answer said so. */
	isInDoubt: boolean;
}

/** Creates of the same record, one after the other: each must know what the one before came to. */
const queues = new Map<string, Promise<unknown>>();
/**
 * Creates of which it is not known what they came to. Who sends the same again within minutes (Retry
 * On Fail, a person, a model) wants that record, and not a second one.
 */
const doubtful = new Memory<Trial>({ most: 20_000, forgetAfter: 600_000, since: 'set' });

/**
 * Creates a record once: where an answer is lost, the records are looked at before anything is
 * sent again (docs/guarantees.md).
 *
 * Gives the records of the answer, or what was sent where the service answers without any.
 *
 * @throws NodeApiError as `send` does; where it can't be told whether the record was created, it
 * says that it may exist
 */
export async function create(host: Host, request: ApiRequest, paging: Paging): Promise<unknown[]> {
	const { template, ids, body } = request;
	const content = JSON.stringify([await accountOf(host), template, ids, body]);
	const key = createHash('sha256').update(content).digest('base64');
	const previous = queues.get(key);
	const mine = (previous ?? Promise.resolve()).then(async () => {
		const trial = doubtful.get(key) ?? { isInDoubt: false };
		doubtful.delete(key);
		try {
			return await createInTurn(host, request, paging, trial);
		} finally {
			if (trial.isInDoubt) doubtful.set(key, trial);
		}
	});
	const settled = mine.then(
		() => {},
		() => {},
	);
	queues.set(key, settled);
	void settled.then(() => queues.get(key) === settled && queues.delete(key));
	return await mine;
}

async function createInTurn(
	host: Host,
	request: ApiRequest,
	paging: Paging,
	trial: Trial,
): Promise<unknown[]> {
	const sent = bodyOf(request);
	let last: Failure | undefined;
	for (let tries = 1; ; tries++) {
		if (trial.isInDoubt) {
			const sight = await look(host, request, paging, sent, trial.since ?? Date.now());
			if (isThere(sight)) return await keep(host, request, trial, [sight.record]);
			if (sight === 'unclear' || tries > TRIES) throw mayExist(host, request, last);
			trial.isInDoubt = false;
		}
		trial.since ??= Date.now();
		const result = await attempt(host, request);
		trial.isInDoubt = !('error' in result) || result.isInDoubt;
		if (!('error' in result)) {
			const records = await recordsOf(host, request, paging, result, trial.since);
			return await keep(host, request, trial, records);
		}
		if (!result.isInDoubt) throw result.error;
		last = result;
	}
}

/** What a success says it created. Without a record in the answer, the list shows it. */
async function recordsOf(
	host: Host,
	request: ApiRequest,
	paging: Paging,
	answer: ApiAnswer,
	since: number,
) {
	const payload = payloadOf(answer);
	if (payload.length > 0) return payload;
	const sight = await look(host, request, paging, bodyOf(request), since);
	if (isThere(sight)) return [sight.record];
	// A service whose records can't be told apart is taken at its word, but not for a web page.
	const isWordless = typeof answer.body !== 'string' || answer.body === '';
	if (sight === 'unclear' && isWordless) return [bodyOf(request)];
	throw unreadable(host.getNode(), request, answer);
}

/** Records of an answer: under `data`, as the interface says, or bare. */
export function payloadOf({ body }: ApiAnswer): unknown[] {
	const payload = isEnvelope(body) ? body.data : body;
	return [payload].flat().filter(isRecord);
}

/** The body of a write as a record, also where the user wrote it as JSON. */
export function bodyOf({ body }: ApiRequest): IDataObject {
	return typeof body === 'string' ? (JSON.parse(body) as IDataObject) : { ...body };
}

function isThere(sight: Sight): sight is { record: IDataObject } {
	return typeof sight === 'object';
}

async function keep(host: Host, request: ApiRequest, trial: Trial, records: unknown[]) {
	trial.isInDoubt = false;
	await claim(host, request, records);
	return records;
}

function mayExist(host: Host, request: ApiRequest, last?: Failure) {
	const error = last?.error;
	const reason = error ? `${error.message}. ${error.description ?? ''} ` : '';
	return apiError(host.getNode(), {
		message: `It is not known whether the service did ${inWords(request)}`,
		description: `${reason}The ${request.noun}s do not tell: they could not be read, or hold one that is the same or much like it. Look there before you run this again.`,
		httpCode: error && 'httpCode' in error ? (error.httpCode ?? undefined) : undefined,
		failure: { cause: 'temporarily-unavailable' },
	});
}
