import {
	comparedKeys,
	fillPath,
	hashOf,
	idNames,
	type JsonObject,
	keyOf,
	type Matching,
	type ServiceRequest,
} from '../../client';
import { takes } from '../../resources';
import { addressOf, type Facts } from '../learn/facts';
import type { Live } from '../outcome';
import type { Row } from '../read/row';
import { bodyOf, comparedValues, liveOf, refuseOver } from './body';
import { matchingOf } from './match';
import type { Draft } from './plan';

export function draft(row: Row, facts: Facts): Draft {
	const { problems, operation } = row;
	const { columns, fields: account, now } = facts;
	let request = addressedRequest(row, facts);
	let fields: JsonObject = {};
	let live: Live | undefined;
	if (takes('fields')(operation) && account && columns) {
		const { body, refused } = bodyOf(row, account, columns);
		request = { ...request, body };
		fields = { ...comparedValues(row, columns), ...body };
		// A time that was refused is not empty.
		if (!refused.has(row.publishTime ?? ''))
			live = problems.noting(() => liveOf(row, body), row.publishTime);
	}
	const matching = matchingOf(row, columns?.matchFields ?? [], fields);
	// A new post whose time is over is refused later: one that exists is skipped.
	if (problems.error) problems.noting(() => refuseOver(row, live, now));
	else problems.noting(() => fillPath(request));
	return {
		row,
		request,
		fields,
		matching,
		live,
		address: addressOf(request),
		keys: comparedKeys(fields, matching),
		content: contentOf(request, matching),
		error: problems.error,
	};
}

/** The request of a row with the ID of its location, and its name; what is wrong with it is noted. */
function addressedRequest(row: Row, { named, locations }: Facts): ServiceRequest {
	const { request, isByName, problems } = row;
	const { locationId: given } = request.ids;
	if (!given) return request;
	const found = isByName ? named.get(given) : given;
	if (found instanceof Error) {
		problems.noting(() => {
			throw found;
		}, 'location_id');
		return request;
	}
	const locationId = found ?? given;
	const { name, error } = locations.get(locationId) ?? {};
	if (error) problems.fail(error);
	const ids = { ...request.ids, locationId };
	return { ...request, ids, ...(name && { names: { locationId: name } }) };
}

/** Rows that send the same: to a list by the keys of their values, to a record as they are. */
function contentOf(request: ServiceRequest, { isTerm }: Matching): string {
	const { path, ids, body } = request;
	const fields = Object.entries((body ?? {}) as JsonObject);
	const isKept = isOfRecord(request);
	const keys = fields
		.map(([name, value]) => [name, isKept ? value : keyOf(value, isTerm)] as const)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return hashOf([path, ids, keys]);
}

/** True if a request names a record itself, by its last ID. */
export const isOfRecord = ({ path }: ServiceRequest): boolean =>
	path.endsWith('}') && idNames(path).length > 0;
