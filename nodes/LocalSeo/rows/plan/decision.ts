import {
	idNames,
	idOf,
	instantOfIso,
	isEmpty,
	type JsonObject,
	requestForList,
	type ServiceRequest,
	textOf,
} from '../../client';
import type { Connected } from '../../host/connect';
import { InputError } from '../../text/inputError';
import { refuseOver } from './body';
import type { Made } from './existing';
import { labelOfRecord, type Match, refuseUnclear, theOnlyOne } from './match';
import type { Plan } from './plan';

/** The fate of a row that creates: its record is created, or changed, or nothing is sent. */
export type Decision =
	| { action: 'create'; request: ServiceRequest }
	| { action: 'update'; request: ServiceRequest; record: JsonObject }
	| { action: 'skip' | 'unchanged'; record: JsonObject };

/**
 * Decides what is to be done with a row that creates, and does it. Rows about the same record follow one
 * another.
 *
 * @param work gets what an equal row of this run has made, if there is one
 * @throws what is wrong with the row, or was with an equal one
 */
export async function decided<T>(
	{ row, match, request, live }: Plan,
	{ account }: Connected,
	work: (decision: Decision, twin?: Made) => Promise<T>,
): Promise<T> {
	const decision = (twin?: Made): Decision =>
		row.problems.must(() => {
			const made = match && decide(match, request, twin);
			// A post that exists already is skipped, whatever its time.
			if (!made || made.action === 'create') refuseOver(row, live, account.clock.wall());
			return made ?? { action: 'create', request };
		});
	if (!match) return await work(decision());
	return await match.existing.inTurn(match.key, async (before) => {
		const twin = before && before.row !== row.index ? before : undefined;
		// Equal rows of a run get what the first came to.
		if (twin?.error) throw twin.error;
		return await work(decision(twin), twin);
	});
}

/**
 * Decides about a row whose record may exist.
 *
 * @param made what another row of this run has made of the same record
 * @throws InputError for a row that is asked about, or that several records match
 */
export function decide(match: Match, request: ServiceRequest, made?: Made): Decision {
	const { existing, fields, matching, ifExists } = match;
	const equal = existing.equal(fields, matching);
	const isUpdate = ifExists === 'update';
	const found = isUpdate ? theOnlyOne(match, equal) : equal[0];
	if (!found) refuseUnclear(match, request.body as JsonObject);
	const record = found ?? made?.record;
	if (!record) return { action: 'create', request };
	if (!isUpdate) return { action: 'skip', record };
	return updateOf(match, request, record, made?.isPlanned === true);
}

/** The fields of a row that differ from its record, if there are any. */
export function updateOf(
	match: Match,
	request: ServiceRequest,
	record: JsonObject,
	isPlanned: boolean,
): Decision {
	const before = (isPlanned ? undefined : match.existing.latestOf(record)) ?? record;
	const changes = Object.entries(request.body as JsonObject).filter(
		([name, value]) => !isEqualText(before[name], value),
	);
	if (changes.length === 0) return { action: 'unchanged', record: before };
	const id = isPlanned ? undefined : idOf(record);
	if (id === undefined && !isPlanned) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOfRecord(record)}`,
			'Use the operation Update.',
		);
	}
	const patch = patchOf(match, request, id, Object.fromEntries(changes));
	return { action: 'update', request: patch, record: before };
}

/** Only what is equal as text, or the same instant, is unchanged: "01060" can be corrected to "1060". */
function isEqualText(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((value) => (isEmpty(value) ? '' : textOf(value)));
	const instant = instantOfIso(a);
	return a === b || (instant !== undefined && instant === instantOfIso(b));
}

/** The request that reads a record which a row is about. */
export function recordRequest(
	match: Match,
	request: ServiceRequest,
	record: JsonObject,
): ServiceRequest {
	return requestForList(patchOf(match, request, idOf(record), {}));
}

/** The request of the operation Update, for one record; what is only planned has no ID. */
function patchOf(
	{ row: { resource, operation } }: Match,
	request: ServiceRequest,
	id: string | undefined,
	body: JsonObject,
): ServiceRequest {
	const update = resource.operations.find(({ value }) => value === operation.updatesBy);
	const { method, url: path } = update!.routing.request;
	return {
		...request,
		...{ method, path, body },
		ids: id === undefined ? {} : { [idNames(path)[0]]: id },
	};
}
