import {
	idNames,
	idOf,
	isEmpty,
	type JsonObject,
	keyOf,
	type ServiceRequest,
	textOf,
} from '../../client';
import { isSetByUser } from '../../resources';
import { InputError } from '../../text/inputError';
import {
	alikeExists,
	labelOfRecord,
	lacksFields,
	otherId,
	repeatedOrEdited,
	severalMatch,
} from './ambiguous';
import type { Made } from './existing';
import type { MatchedRow } from './match';

/**
 * The plan for a row: its record is created, or changed, or nothing is sent, since the record
 * is there, or another row makes it.
 */
export type Plan =
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
export function planOf(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	return match.ifExists === 'skip' ? planIfNew(match, made, known) : planUpsert(match, made, known);
}

/** A record with the same values in the match fields is skipped, wherever it is known from. */
function planIfNew(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	const { request, existing, fields, matching } = match;
	// The list may show later what has just been created, or hide it (a draft).
	const record = existing.equal(fields, matching)[0] ?? known;
	if (record) return { action: 'skip', record };
	refuseUnclear(match);
	return made?.record ? { action: 'skip', record: made.record } : { action: 'create', request };
}

/** @throws InputError for a row that is not equal to a record, and may still be about it */
function refuseUnclear(match: MatchedRow): void {
	const { resource, existing, fields, matching, isChosen } = match;
	const [alike] = resource.isPermanent ? existing.alike(fields, matching) : [];
	if (alike) throw alikeExists(match, alike);
	const blank = matching.fields.filter((name) => keyOf(fields[name]) === '');
	if (resource.isPermanent && !isChosen && blank.length > 0) throw lacksFields(match, blank);
	const other = isChosen ? undefined : repeatedOrEditedIn(match);
	if (other) throw repeatedOrEdited(match, other);
}

/** A record with all texts of a row and another time, or with its time and one of its texts. */
function repeatedOrEditedIn({ existing, fields, matching }: MatchedRow): JsonObject | undefined {
	const { time } = matching;
	if (time === undefined || !matching.fields.includes(time)) return undefined;
	const texts = matching.fields.filter((name) => name !== time);
	const [repeated] = existing.equal(fields, { ...matching, fields: texts });
	const atSameTime = existing.equal(fields, { ...matching, fields: [time] });
	const isShared = (record: JsonObject) =>
		texts.some((name) => keyOf(fields[name]) !== '' && keyOf(record[name]) === keyOf(fields[name]));
	return repeated ?? atSameTime.find(isShared);
}

/** A record with the row's values in the match fields gets the fields that differ, if there are any. */
function planUpsert(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	const { request, fields, existing, mapping } = match;
	// The list may show later what has just been created; what it shows with other values was changed since.
	const isListed = known !== undefined && existing.latest.has(idOf(known) ?? '');
	const found = ownOf(match, matched(match) ?? (isListed ? undefined : known));
	if (!found) refuseUnclear(match);
	const record = found ?? ownOf(match, made?.record);
	if (!record) return { action: 'create', request };
	const isPlanned = made?.isPlanned === true;
	const id = isPlanned ? undefined : idOf(record);
	if (id === undefined && !isPlanned) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOfRecord(record)}`,
		);
	}
	const before = (id === undefined ? undefined : existing.latest.get(id)) ?? record;
	// A heading may be that of a field which the service sets itself; what the user has added is meant.
	const isMeant = (name: string) =>
		!mapping.names.has(name) || mapping.added.has(name) || isSetByUser(name);
	const differing = Object.entries(fields).filter(
		([name, value]) => isMeant(name) && keyOf(before[name]) !== keyOf(value),
	);
	if (differing.length === 0) return { action: 'unchanged', record: before };
	const changes = Object.fromEntries(differing);
	return { action: 'update', request: patchOf(match, id, changes), record: before };
}

/** The request of the operation Update, for one record; what is only planned has no ID. */
function patchOf(
	{ request, resource }: MatchedRow,
	id: string | undefined,
	body: JsonObject,
): ServiceRequest {
	const operation = resource.operations.find(({ value }) => value === 'update');
	const { method, url: path } = operation!.routing.request;
	return {
		...request,
		method,
		path,
		ids: id === undefined ? {} : { [idNames(path)[0]]: id },
		body,
	};
}

/**
 * The record that a row is about; undefined if there is none.
 *
 * @throws InputError if there are several
 */
function matched(match: MatchedRow): JsonObject | undefined {
	const [record, ...others] = match.existing.equal(match.fields, match.matching);
	if (record && others.length > 0) throw severalMatch(match, [record, ...others]);
	return record;
}

/**
 * The record of a row, if the row's own ID does not say that it is another one.
 *
 * @throws InputError if it does
 */
function ownOf(match: MatchedRow, record: JsonObject | undefined): JsonObject | undefined {
	const { fields, matching, existing } = match;
	const { id } = fields;
	if (isEmpty(id)) return record;
	const own = existing.latest.get(textOf(id));
	if (own ? idOf(record) !== textOf(id) : matching.fields.includes('id')) throw otherId(match, own);
	return record;
}
