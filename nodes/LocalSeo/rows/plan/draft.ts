import { fillPath, idNames, type JsonObject, type ServiceRequest } from '../../client';
import { takes } from '../../resources';
import type { Facts } from '../learn/facts';
import type { Publishing } from '../outcome';
import type { Row } from '../read/row';
import { bodyOf, liveOf, refuseOver } from './body';
import type { Draft } from './plan';

/** Makes the request of a row; what is wrong with it is noted, and said at once. */
export function draft(row: Row, { fields: account, columns, now }: Facts): Draft {
	const { problems, operation, publishTime = '' } = row;
	let { request } = row;
	let fields: JsonObject = {};
	let live: Publishing | undefined;
	if (takes('fields')(operation) && account && columns) {
		const { body, refused } = bodyOf(row, account, columns);
		fields = body;
		request = { ...request, body };
		// A time that was refused is not empty.
		if (!refused.has(publishTime)) live = problems.noting(() => liveOf(row, body));
	}
	// A post whose time is over may exist: it is refused once that is known.
	if (problems.error) problems.noting(() => refuseOver(row, live, now));
	else problems.noting(() => fillPath(request));
	return { row, request, fields, live, error: problems.error };
}

/** True if a request names a record itself, by its last ID. */
export const isOfRecord = ({ path }: ServiceRequest): boolean =>
	path.endsWith('}') && idNames(path).length > 0;
