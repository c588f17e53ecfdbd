import {
	idNames,
	idOf,
	instantOfIso,
	isEmpty,
	type JsonObject,
	type ServiceRequest,
	textOf,
} from '../../client';
import { InputError } from '../../text/inputError';
import type { Made } from './existing';
import { labelOfRecord, type Match, refuseUnclear, theOnlyOne } from './match';

/** The fate of a row beside what exists: it is created, or changed, or nothing is sent. */
export type Decision =
	| { action: 'create'; request: ServiceRequest }
	| { action: 'update'; request: ServiceRequest; record: JsonObject }
	| { action: 'skip' | 'unchanged'; record: JsonObject };

/**
 * Decides what is to be done with a row whose record may exist.
 *
 * @param made what another row of this run has made of the same record
 * @param known the record that this process has created from the same content a few minutes ago
 * @throws InputError for a row that is asked about, or that several records match
 */
export function decide(
	match: Match,
	request: ServiceRequest,
	made?: Made,
	known?: JsonObject,
): Decision {
	return match.ifExists === 'skip'
		? decideIfNew(match, request, made, known)
		: decideUpsert(match, request, made, known);
}

/** A record with the same values in the match fields is skipped, wherever it is known from. */
function decideIfNew(
	match: Match,
	request: ServiceRequest,
	made?: Made,
	known?: JsonObject,
): Decision {
	const { existing, fields, matching } = match;
	// The list may show later what has just been created, or hide it (a draft).
	const record = existing.equal(fields, matching)[0] ?? known;
	if (record) return { action: 'skip', record };
	refuseUnclear(match, request.body as JsonObject);
	return made?.record ? { action: 'skip', record: made.record } : { action: 'create', request };
}

/** A record with the row's values in the match fields gets the fields that differ, if there are any. */
function decideUpsert(
	match: Match,
	request: ServiceRequest,
	made?: Made,
	known?: JsonObject,
): Decision {
	const { fields, existing, matching } = match;
	// The list may show later what has just been created; what it shows with other values was changed since.
	const isListed = known !== undefined && existing.latest.has(idOf(known) ?? '');
	const found =
		theOnlyOne(match, existing.equal(fields, matching)) ?? (isListed ? undefined : known);
	if (!found) refuseUnclear(match, request.body as JsonObject);
	const record = found ?? made?.record;
	if (!record) return { action: 'create', request };
	const isPlanned = made?.isPlanned === true;
	const id = isPlanned ? undefined : idOf(record);
	if (id === undefined && !isPlanned) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOfRecord(record)}`,
			'Use the operation Update.',
		);
	}
	const before = (id === undefined ? undefined : existing.latest.get(id)) ?? record;
	const changes = Object.entries(request.body as JsonObject).filter(
		([name, value]) => !isEqualText(before[name], value),
	);
	if (changes.length === 0) return { action: 'unchanged', record: before };
	const patch = patchOf(match, request, id, Object.fromEntries(changes));
	return { action: 'update', request: patch, record: before };
}

/** Only what is equal as text, or the same instant, is unchanged: "01060" can be corrected to "1060". */
function isEqualText(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((value) => (isEmpty(value) ? '' : textOf(value)));
	const instant = instantOfIso(a);
	return a === b || (instant !== undefined && instant === instantOfIso(b));
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
