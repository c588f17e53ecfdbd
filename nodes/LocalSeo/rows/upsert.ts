import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	idNames,
	idOf,
	isDate,
	isEmpty,
	type JsonObject,
	keyTextOf,
	MAX_COMPARED,
	plainText,
	type ServiceRequest,
	spaced,
	timeOf,
} from '../client';
import { InputError } from '../host/errors';
import { listed } from '../host/words';
import { isSetByUser } from '../service';
import { mayHaveActed } from './existing';
import { type Done, matchedRow, type MatchedRow, type Sending, SimilarExists } from './matching';

/** What else can be done with a row whose record can't be recognized. */
const OTHERWISE = 'use the operation Create';
/** How many records a message lists, and characters of each. */
const MAX_LISTED = 5;
const MAX_LABEL = 100;

interface Row extends MatchedRow {
	matchFields: string[];
}

/**
 * Updates the record that has the row's values in the match fields, with the fields that differ, or
 * creates one if there is none. Of several rows for the same record, the later ones update what the
 * first has created or updated.
 *
 * @param send what sends the row as a new record, or a change of one that exists
 * @throws as `matchedRow` does, `incomplete-list`, and InputError when several records match, or one
 * is so similar that it may be the same
 */
export async function upsert(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	send: Sending,
): Promise<Done> {
	const matched = await matchedRow(
		context,
		connection,
		request,
		({ matchFields = [] }) => matchFields,
		OTHERWISE,
	);
	const { existing, fields, index, chosen, resource } = matched;
	if (existing.incomplete) throw existing.incomplete;
	const matchFields = chosen ?? resource.matchFields ?? [];
	const row = { ...matched, matchFields };
	const key = JSON.stringify(matchFields.map((name) => keyTextOf(fields[name])));
	return await existing.inTurn(key, async () => {
		const twin = existing.madeBy(key, index);
		const record = twin?.record ?? recordOf(row);
		if (record) return { ...(await update(row, record, send.change)), twin: twin?.row };
		const { record: created, wasMade } = await existing.create(key, index, send.create);
		// What was sent counts: the service may have changed it.
		existing.latest.set(idOf(created) ?? '', { ...fields, ...created });
		return { record: created, became: wasMade ? 'unchanged' : 'created' };
	});
}

/**
 * The record that a row is about; undefined if it is a new one.
 *
 * @throws InputError if that is not certain
 */
function recordOf(row: Row): JsonObject | undefined {
	const { request, fields, resource, matchFields, existing } = row;
	const { id } = fields;
	const isById = matchFields.includes('id') && !isEmpty(id);
	const found = existing.indexBy(matchFields, resource).find(fields);
	// Others differ in case, which is not the same ID.
	const same = isById ? found.same.filter((record) => idOf(record) === String(id)) : found.same;
	if (same.length > 1) throw severalMatch(row, same);
	const [record] = same;
	if (!record && found.similar) {
		const advice = `If it is the same ${request.noun}, give the row the same values in ${matchFields.join(', ')}, or choose the fields that identify it in the option Match Fields. If it is a different one, ${OTHERWISE}.`;
		throw new SimilarExists(request, found.similar, matchFields, advice);
	}
	if (isEmpty(id)) return record;
	const own = existing.latest.get(String(id));
	if (own ? idOf(record) !== String(id) : isById) throw otherId(row, own);
	return record;
}

function severalMatch({ request: { noun }, matchFields }: Row, records: JsonObject[]): InputError {
	return new InputError(
		`${records.length} ${noun}s match this row: ${listed(records.map(labelOf), MAX_LISTED, '; ')}`,
		`This row was not sent. They have the same values in ${matchFields.join(', ')}. Add a field that distinguishes them to the option Match Fields, or use the operation Update with an ID.`,
	);
}

/** @param own the record that has the row's ID */
function otherId({ request: { noun }, fields, matchFields }: Row, own?: JsonObject): InputError {
	if (!own) {
		return new InputError(
			`No ${noun} has the ID "${String(fields.id)}"`,
			`This row was not sent. Check its ID, or ${OTHERWISE} for a new ${noun}.`,
		);
	}
	return new InputError(
		`The ID of this row belongs to another ${noun}: ${labelOf(own)}`,
		`This row was not sent, because its values in ${matchFields.join(', ')} are not those of that ${noun}. To find the ${noun} by its ID and change these values, set the option Match Fields to id. If the row is about another ${noun}, remove its ID.`,
	);
}

/** "Bakery East, Boston (loc_1)" */
function labelOf(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).join(', ').slice(0, MAX_LABEL);
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${label} (${id})`;
}

/** Sends the fields that differ, if there are any. */
async function update(row: Row, record: JsonObject, change: Sending['change']): Promise<Done> {
	const { request, fields, existing } = row;
	const id = idOf(record);
	if (id === undefined) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOf(record)}`,
		);
	}
	const before = existing.latest.get(id) ?? record;
	const differing = Object.entries(fields).filter(
		([name, value]) => isSetByUser(name) && !hasValue(before[name], value),
	);
	if (differing.length === 0) return { record: before, became: 'unchanged' };
	const changed = Object.fromEntries(differing);
	const shown = await change(patchOf(row, id, changed)).catch((error: unknown) => {
		// The values are then either, and are sent again by a row that has them.
		const certain = Object.entries(before).filter(([name]) => !(name in changed));
		if (mayHaveActed(error)) existing.latest.set(id, Object.fromEntries(certain));
		throw error;
	});
	const after = { ...before, ...changed, ...shown };
	existing.latest.set(id, after);
	return { record: after, became: 'updated' };
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
	if (isDate(stored) && isDate(sent)) return timeOf(stored) === timeOf(sent);
	if (typeof stored === 'number' || typeof sent === 'number') {
		return Number(stored) === Number(sent);
	}
	const [one, other] = [String(stored), String(sent)];
	if (spaced(one) === spaced(other)) return true;
	// A plain text lacks its links, and what is beyond the bound.
	const isPlain = !/https?:/i.test(one + other) && one.length + other.length < MAX_COMPARED;
	return isPlain && formOf(one) === formOf(other);
}

function formOf(text: string): string {
	return spaced(plainText(text).replace(/[‘’]/g, "'").replace(/[“”]/g, '"'));
}

/** The request of the operation Update, for one record. */
function patchOf({ request, resource }: Row, id: string, body: JsonObject): ServiceRequest {
	const operation = resource.operations.find(({ value }) => value === 'update');
	const { method, url: path } = operation!.routing.request;
	return { ...request, method, path, ids: { [idNames(path)[0]]: id }, body };
}
