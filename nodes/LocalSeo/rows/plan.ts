import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	idNames,
	idOf,
	isDate,
	isEmpty,
	type JsonObject,
	madeBefore,
	MAX_COMPARED,
	plainText,
	type ServiceRequest,
	spaced,
	textOf,
	timeOf,
} from '../client';
import { InputError } from '../text/inputError';
import { isSetByUser } from '../service';
import { labelOf, otherId, severalMatch, similarExists } from './ambiguous';
import { type MatchedRow, matchedRow } from './match';
import type { IfExists } from './row';

/** What is sent for a row: as a new record, or as a change of one that exists. */
export type Sending =
	| { action: 'create'; request: ServiceRequest }
	| { action: 'update'; request: ServiceRequest; record: JsonObject };

/** What is to be done with a row; nothing, where its record is there, or is made by another row. */
export type Plan = Sending | { action: 'skip' | 'unchanged'; record: JsonObject };

/** Carries out what sends something, and resolves to the record as it is then. */
type Act = (sending: Sending) => Promise<JsonObject>;

/** A plan that was carried out. */
export interface Settled {
	plan: Plan;
	/** What the row's record is now. */
	record: JsonObject;
	/** The row of this run that has made the record, where it was another one. */
	twin?: number;
	/** Whether not all records that exist could be compared with it. */
	isPartlyCompared: boolean;
}

/**
 * Decides what is to be done with a row whose record may exist, and has it done. Rows about the same
 * record follow one another: the later ones see what the first has made.
 *
 * @throws what `act` does; InputError for a row that can't be told from others, has no column that the
 * service knows, may be the same as a record, or that several match; ServiceError if the list can't be
 * read
 */
export async function settle(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	ifExists: Exclude<IfExists, 'create'>,
	act: Act,
): Promise<Settled> {
	const row = await matchedRow(context, connection, request, ifExists);
	const { existing, key } = row;
	const index = context.getItemIndex();
	const isPartlyCompared = existing.incomplete !== undefined;
	return await existing.inTurn(key, async (made) => {
		if (made?.error && made.row !== index) throw made.error;
		const isTwin = made?.record !== undefined && made.row !== index;
		const plan = PLANS[ifExists](row, isTwin ? made.record : undefined);
		const settled = { plan, twin: isTwin ? made.row : undefined, isPartlyCompared };
		if (!('request' in plan)) return { ...settled, record: plan.record };
		const shown = await act(plan).catch((error: unknown) => {
			existing.note(key, { row: index, error });
			throw error;
		});
		const isNew = plan.action === 'create';
		const sent = fieldsOf(plan.request);
		const record = isNew ? shown : { ...plan.record, ...sent, ...shown };
		if (isNew) existing.note(key, { row: index, record });
		// What was sent counts: the service may have changed it.
		existing.latest.set(idOf(isNew ? record : plan.record) ?? '', { ...sent, ...record });
		return { ...settled, record };
	});
}

type Planner = (row: MatchedRow, madeByTwin?: JsonObject) => Plan;

const PLANS: Record<MatchedRow['ifExists'], Planner> = { skip: planIfNew, update: planUpsert };

/**
 * A record with the same values in the match fields is skipped, if it is listed, or was created from the
 * same values by an earlier row of this run, or by this process within the hour.
 */
function planIfNew(row: MatchedRow, madeByTwin?: JsonObject): Plan {
	const { connection, request, existing, fields, resource, matchFields, dates } = row;
	if (madeByTwin) return { action: 'skip', record: madeByTwin };
	const { same, similar } = existing.indexBy(matchFields, resource, dates).find(fields);
	// The list may hide it (a draft), show it later, or with other texts.
	const known = same[0] ?? madeBefore(connection.account, request);
	if (known) return { action: 'skip', record: known };
	if (similar) throw similarExists(row, similar);
	return { action: 'create', request };
}

/** A record with the row's values in the match fields gets the fields that differ, if there are any. */
function planUpsert(row: MatchedRow, madeByTwin?: JsonObject): Plan {
	const { request, fields, existing } = row;
	if (existing.incomplete) throw existing.incomplete;
	const record = madeByTwin ?? matching(row);
	if (!record) return { action: 'create', request };
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
	if (differing.length === 0) return { action: 'unchanged', record: before };
	const changes = Object.fromEntries(differing);
	return { action: 'update', request: patchOf(row, id, changes), record: before };
}

/** The request of the operation Update, for one record. */
function patchOf({ request, resource }: MatchedRow, id: string, body: JsonObject): ServiceRequest {
	const operation = resource.operations.find(({ value }) => value === 'update');
	const { method, url: path } = operation!.routing.request;
	return { ...request, method, path, ids: { [idNames(path)[0]]: id }, body };
}

/**
 * The record that a row is about; undefined if it is a new one.
 *
 * @throws InputError if that is not certain
 */
function matching(row: MatchedRow): JsonObject | undefined {
	const { fields, resource, matchFields, existing } = row;
	const { id } = fields;
	const isById = matchFields.includes('id') && !isEmpty(id);
	const found = existing.indexBy(matchFields, resource).find(fields);
	// Others differ in case, which is not the same ID.
	const same = isById ? found.same.filter((record) => idOf(record) === textOf(id)) : found.same;
	if (same.length > 1) throw severalMatch(row, same);
	const [record] = same;
	if (!record && found.similar) throw similarExists(row, found.similar);
	if (isEmpty(id)) return record;
	const own = existing.latest.get(textOf(id));
	if (own ? idOf(record) !== textOf(id) : isById) throw otherId(row, own);
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
	if (isDate(stored) && isDate(sent)) return timeOf(stored) === timeOf(sent);
	if (typeof stored === 'number' || typeof sent === 'number') {
		return Number(stored) === Number(sent);
	}
	const [one, other] = [textOf(stored), textOf(sent)];
	if (spaced(one) === spaced(other)) return true;
	// A plain text lacks its links, and what is beyond the bound.
	const isPlain = !/https?:/i.test(one + other) && one.length + other.length < MAX_COMPARED;
	return isPlain && formOf(one) === formOf(other);
}

function formOf(text: string): string {
	return spaced(plainText(text).replace(/[‘’]/g, "'").replace(/[“”]/g, '"'));
}
