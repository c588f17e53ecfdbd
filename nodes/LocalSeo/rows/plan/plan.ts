import {
	idNames,
	idOf,
	isDate,
	isEmpty,
	type JsonObject,
	MAX_COMPARED,
	plainText,
	type ServiceRequest,
	spaced,
	textOf,
	timeOf,
} from '../../client';
import { isSetByUser } from '../../resources';
import { InputError } from '../../text/inputError';
import { labelOfRecord, otherId, severalMatch, similarExists } from './ambiguous';
import type { Made } from './existing';
import { codeOf, type MatchedRow } from './match';

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
 * @param known the record that this process has created from the same content within the hour
 * @throws InputError for a row that may be the same as a record, or that several match
 */
export function planOf(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	return match.ifExists === 'skip' ? planIfNew(match, made, known) : planUpsert(match, made, known);
}

/** A record with the same values in the match fields is skipped, wherever it is known from. */
function planIfNew(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	const { request, existing, fields, resource, matchFields, dates, values } = match;
	if (made?.record) return { action: 'skip', record: made.record };
	const { same, similar } = existing.indexBy(matchFields, resource, dates).find(fields, values);
	// The list may hide it (a draft), show it later, or with other texts.
	const record = same[0] ?? known;
	if (!known && record && isAtOnce(match, record)) throw similarExists(match, record);
	if (record) return { action: 'skip', record };
	if (similar) throw similarExists(match, similar);
	return { action: 'create', request };
}

/** Whether a record was published at once, where others were planned, and the row is to be later. */
function isAtOnce({ ahead, existing }: MatchedRow, record: JsonObject): boolean {
	return ahead.some(
		(field) =>
			Object.hasOwn(record, field) && isEmpty(record[field]) && existing.hasValuesOf(field),
	);
}

/** A record with the row's values in the match fields gets the fields that differ, if there are any. */
function planUpsert(match: MatchedRow, made?: Made, known?: JsonObject): Plan {
	const { request, fields, existing, mapping } = match;
	if (existing.incomplete) throw existing.incomplete;
	// The list may show later what has just been created; what it shows with other values was changed since.
	const isListed = known !== undefined && existing.latest.has(idOf(known) ?? '');
	const record = ownOf(match, made?.record ?? matching(match) ?? (isListed ? undefined : known));
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
		([name, value]) => isMeant(name) && !hasValue(before[name], value),
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
 * The record that a row is about; undefined if it is a new one.
 *
 * @throws InputError if that is not certain
 */
function matching(match: MatchedRow): JsonObject | undefined {
	const { fields, resource, matchFields, codes, existing, owner } = match;
	const { id } = fields;
	const isById = matchFields.includes('id') && !isEmpty(id);
	const found = existing.indexBy(matchFields, resource).find(fields, undefined, owner);
	// Others differ in case, which is not the same ID, and may not be the same code.
	const isSame = (record: JsonObject) =>
		(!isById || idOf(record) === textOf(id)) &&
		codes.every((name) => name === 'id' || codeOf(record[name]) === codeOf(fields[name]));
	const same = found.same.filter(isSame);
	if (same.length > 1) throw severalMatch(match, same);
	const [record] = same;
	const similar = found.similar ?? (isById ? undefined : found.same[0]);
	if (!record && similar) throw similarExists(match, similar);
	return record;
}

/**
 * The record of a row, if the row's own ID does not say that it is another one.
 *
 * @throws InputError if it does
 */
function ownOf(match: MatchedRow, record: JsonObject | undefined): JsonObject | undefined {
	const { fields, matchFields, existing } = match;
	const { id } = fields;
	if (isEmpty(id)) return record;
	const own = existing.latest.get(textOf(id));
	if (own ? idOf(record) !== textOf(id) : matchFields.includes('id')) throw otherId(match, own);
	return record;
}

/**
 * Whether a record already has a value that is sent: also with entities, tags and other white space, as
 * text, or as a date in another form. What a person may have corrected makes another value.
 */
function hasValue(stored: unknown, sent: unknown): boolean {
	if (isEmpty(stored) || isEmpty(sent)) return isEmpty(stored) && isEmpty(sent);
	if (typeof stored === 'object' || typeof sent === 'object') {
		return JSON.stringify(stored) === JSON.stringify(sent);
	}
	if (typeof stored === 'boolean') return textOf(stored) === textOf(sent).trim().toLowerCase();
	if (isDate(stored) && isDate(sent)) return timeOf(stored) === timeOf(sent);
	if (typeof stored === 'number' || typeof sent === 'number') {
		return Number(stored) === Number(sent);
	}
	const [one, other] = [textOf(stored), textOf(sent)];
	if (spaced(one) === spaced(other) || isWithoutZeros(one, other)) return true;
	// A plain text lacks its links, and what is beyond the bound.
	const isPlain = !/https?:/i.test(one + other) && one.length + other.length < MAX_COMPARED;
	return isPlain && formOf(one) === formOf(other);
}

/** Whether a number is all that a spreadsheet has left of a text: of "01060" 1060, of "+4930" 4930. */
function isWithoutZeros(stored: string, sent: string): boolean {
	return /^\+?\d+(\.\d+)?$/.test(stored) && String(Number(stored)) === sent.trim();
}

function formOf(text: string): string {
	return spaced(plainText(text).replace(/[‘’]/g, "'").replace(/[“”]/g, '"'));
}
