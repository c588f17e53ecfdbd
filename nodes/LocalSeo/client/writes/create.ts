import { createHash } from 'node:crypto';

import type { Connection, Doubt } from '../account';
import { ServiceError } from '../errors';
import { recordsIn } from '../exchange/records';
import { fieldsOf, type ServiceRequest } from '../exchange/request';
import { attempt, MAX_ATTEMPTS, unexpectedResponse } from '../exchange/send';
import type { Paging } from '../lists/page';
import type { HttpResponse, JsonObject } from '../ports';
import { claim, type Evidence, isFound, lookFor } from './evidence';

/** A doubt's two fields. */
const DOUBT_BYTES = 64;

/**
 * Creates a record once: where a response is lost, the records are looked at before anything is
 * sent again (docs/guarantees.md).
 *
 * Gives the records of the response, or what was sent where the service answers without any.
 *
 * @param paging how the pages of the list are asked for that the record belongs to
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<JsonObject[]> {
	const { creating, doubts } = connection.account;
	const { path, ids, body } = request;
	const key = createHash('sha256')
		.update(JSON.stringify([path, ids, body]))
		.digest('base64');
	const mine = (creating.get(key) ?? Promise.resolve()).then(async () => {
		const doubt = doubts.get(key) ?? { mayExist: false };
		doubts.delete(key);
		try {
			return await createInTurn(connection, request, paging, doubt);
		} finally {
			if (doubt.mayExist) doubts.set(key, doubt, DOUBT_BYTES);
		}
	});
	const settled = mine.then(
		() => {},
		() => {},
	);
	creating.set(key, settled);
	void settled.then(() => creating.get(key) === settled && creating.delete(key));
	return await mine;
}

async function createInTurn(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	doubt: Doubt,
): Promise<JsonObject[]> {
	const { clock } = connection.account;
	let last: ServiceError | undefined;
	for (let attempts = 1; ; attempts++) {
		if (doubt.mayExist) {
			const since = doubt.since ?? clock.now();
			const evidence = await lookFor(connection, request, paging, since);
			if (isFound(evidence)) return settle(connection, request, doubt, [evidence.record]);
			if (evidence === 'unclear' || attempts > MAX_ATTEMPTS) throw unconfirmed(request, last);
			doubt.mayExist = false;
		}
		doubt.since ??= clock.now();
		const result = await attempt(connection, request);
		doubt.mayExist = !(result instanceof ServiceError) || result.mayHaveActed;
		if (!(result instanceof ServiceError)) {
			const records = await created(connection, request, paging, result, doubt.since);
			return settle(connection, request, doubt, records);
		}
		if (!result.mayHaveActed) throw result;
		last = result;
	}
}

/** What a success says it created. Without a record in the response, the list shows it. */
async function created(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	response: HttpResponse,
	since: number,
): Promise<JsonObject[]> {
	const records = recordsIn(response);
	if (records.length > 0) return records;
	const evidence: Evidence = await lookFor(connection, request, paging, since);
	if (isFound(evidence)) return [evidence.record];
	// Where the list can't show it, the service is taken at its word, but not for a web page.
	const isEmpty = typeof response.body !== 'string' || response.body === '';
	if (evidence === 'unclear' && isEmpty) return [fieldsOf(request)];
	throw unexpectedResponse(request, response);
}

function settle(
	connection: Connection,
	request: ServiceRequest,
	doubt: Doubt,
	records: JsonObject[],
): JsonObject[] {
	doubt.mayExist = false;
	claim(connection.account, request, records);
	return records;
}

function unconfirmed(request: ServiceRequest, last?: ServiceError): ServiceError {
	const status = last?.facts.status;
	return new ServiceError({
		kind: 'unconfirmed',
		request,
		status,
		mayHaveActed: true,
		cause: last,
	});
}
