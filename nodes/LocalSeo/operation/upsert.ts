import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	idNames,
	idOf,
	isEmpty,
	type JsonObject,
	keyTextOf,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { InputError } from '../host/errors';
import { isSetByUser, type Resource, resourceOf } from '../resources';
import {
	addTo,
	assertKnown,
	assertMatchable,
	chosenMatchFields,
	type Existing,
	existingOf,
	indexOf,
	SimilarExists,
} from './existing';
import type { Note } from './note';
import { isSameValue } from './sameValue';

/** What else can be done with a row whose record can't be recognized. */
const OTHERWISE = 'use the operation Create';
/** How many records a message lists, and characters of each. */
const MAX_LISTED = 5;
const MAX_LABEL = 100;

/** How a row leaves; a dry run only looks at what would be sent. */
export interface Sending {
	create: () => Promise<{ record: JsonObject; wasMade?: boolean }>;
	change: (request: ServiceRequest) => Promise<JsonObject>;
	/** Told what a user should know of the row's result. */
	notes?: (note: Note) => void;
}

/** What a run knows of the records that it creates and updates. */
interface Written {
	/** The records of the list by ID, as far as is known as they are now. */
	latest: Map<string, JsonObject>;
	/** The row that wrote a field, by ID and name: of several rows, the last one counts. */
	writers: Map<string, Map<string, number>>;
	/** What the rows that wrote a record, by its ID, have in the match fields. */
	claims: Map<string, Texts>;
	/** Rows under way, and those that may have created a record. */
	turns: Turn[];
}

/** A row, and what is known to its run. */
interface Row {
	index: number;
	request: ServiceRequest;
	fields: JsonObject;
	resource: Resource;
	matchFields: string[];
	texts: Texts;
	existing: Existing;
	written: Written;
}

/** Values of match fields by name, as `keyTextOf` gives them. */
type Texts = Map<string, string>;

/** Rows that may be about the same record follow one another. */
interface Turn {
	row: number;
	texts: Texts;
	ended: Promise<void>;
	/** How its create failed, if it may have been done. */
	doubt?: { error: unknown };
}

const ofRun = new WeakMap<Existing, Written>();

/**
 * Updates the record that has the row's values in the match fields, with the fields that differ, or
 * creates one if there is none. The record comes out with `created: true`, `updated: true` or, if
 * nothing differs and nothing is sent, `unchanged: true`. Of several rows for the same record, the
 * later ones update what the first has created or updated; where they run in another order, the values
 * of the last one stay.
 *
 * @throws InputError when the match fields are not in the row, or in none of the records, when several
 * records match, and when one is so similar that it may be the same
 */
export async function upsert(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	send: Sending,
): Promise<unknown[]> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const chosen = chosenMatchFields(context, resource);
	const matchFields = chosen ?? resource.matchFields ?? [];
	const fields = fieldsOf(request);
	assertMatchable(fields, matchFields, OTHERWISE);
	const existing = await existingOf(context, connection, request);
	if (existing.incomplete) throw existing.incomplete;
	if (chosen) assertKnown(request, existing, chosen, OTHERWISE);
	const row: Row = {
		index: context.getItemIndex(),
		request,
		fields,
		resource,
		matchFields,
		existing,
		texts: new Map(matchFields.map((name) => [name, keyTextOf(fields[name])])),
		written: writtenIn(existing),
	};
	return [
		await inTurn(row, async (turn) => {
			const record = recordOf(row);
			if (record) return await update(row, record, send.change);
			const { record: created, wasMade } = await send.create().catch((error: unknown) => {
				const isSent = !(error instanceof InputError);
				const mayExist = isSent && (!(error instanceof ServiceError) || error.mayHaveActed);
				if (mayExist) turn.doubt = { error };
				throw error;
			});
			return wasMade ? { ...created, unchanged: true } : noteCreated(row, created);
		}),
	];
}

function writtenIn(existing: Existing): Written {
	const known = ofRun.get(existing);
	if (known) return known;
	const identified = existing.records.flatMap((record): Array<[string, JsonObject]> => {
		const id = idOf(record);
		return id === undefined ? [] : [[id, record]];
	});
	const written = { latest: new Map(identified), writers: new Map(), claims: new Map(), turns: [] };
	ofRun.set(existing, written);
	return written;
}

/** @throws what made the create of another row fail that may have been this row's record */
async function inTurn<T>(
	{ index, texts, written }: Row,
	work: (turn: Turn) => Promise<T>,
): Promise<T> {
	const before = written.turns.filter((turn) => mayBeSame(turn.texts, texts));
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const turn: Turn = { row: index, texts, ended };
	const leave = (isOver: (other: Turn) => boolean) => {
		written.turns = written.turns.filter((other) => !isOver(other));
	};
	let isDone = false;
	written.turns.push(turn);
	try {
		for (const other of before) await other.ended;
		const unclear = before.find((other) => {
			return other.doubt && other.row !== index && written.turns.includes(other);
		});
		if (unclear) throw unclear.doubt?.error;
		const result = await work(turn);
		isDone = true;
		return result;
	} finally {
		// What an earlier try of the row has left in doubt is settled once it has succeeded.
		leave((other) => (isDone ? other.row === index : other === turn && !turn.doubt));
		end();
	}
}

/** Whether rows may be about the same record: no match field that both have is another one. */
function mayBeSame(one: Texts, other: Texts): boolean {
	return [...one].every(([name, text]) => {
		const own = other.get(name) ?? '';
		return text === '' || own === '' || text === own;
	});
}

/**
 * The record that a row is about; undefined if it is a new one.
 *
 * @throws InputError if that is not certain
 */
function recordOf(row: Row): JsonObject | undefined {
	const { request, fields, resource, matchFields, texts, existing, written } = row;
	const { id } = fields;
	const isById = matchFields.includes('id') && !isEmpty(id);
	const found = indexOf(existing, matchFields, resource).findAll(fields);
	// Others differ in case, which is not the same ID.
	const same = isById ? found.same.filter((record) => idOf(record) === String(id)) : found.same;
	if (same.length > 1) throw severalMatch(row, same);
	const [record] = same;
	const claim = record && written.claims.get(idOf(record) ?? '');
	const similar = record ? claim && !mayBeSame(claim, texts) && record : found.similar;
	if (similar) {
		const advice = `If it is the same ${request.noun}, give the row the same values in ${matchFields.join(', ')}, or choose the fields that identify it in the option Match Fields. If it is a different one, ${OTHERWISE}.`;
		throw new SimilarExists(request, similar, matchFields, advice);
	}
	if (isEmpty(id)) return record;
	const own = written.latest.get(String(id));
	if (own ? idOf(record) !== String(id) : isById) throw otherId(row, own);
	return record;
}

function severalMatch({ request: { noun }, matchFields }: Row, records: JsonObject[]): InputError {
	const listed = records.slice(0, MAX_LISTED).map(labelOf).join('; ');
	const more = records.length - MAX_LISTED;
	return new InputError(
		`${records.length} ${noun}s match this row: ${listed}${more > 0 ? ` and ${more} more` : ''}`,
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
async function update(
	row: Row,
	record: JsonObject,
	change: Sending['change'],
): Promise<JsonObject> {
	const { request, index, texts, written } = row;
	const id = idOf(record);
	if (id === undefined) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOf(record)}`,
		);
	}
	written.claims.set(id, texts);
	const before = written.latest.get(id) ?? record;
	const writers = written.writers.get(id) ?? new Map<string, number>();
	written.writers.set(id, writers);
	const own = Object.entries(row.fields).filter(([name]) => (writers.get(name) ?? -1) <= index);
	const differing = own.filter(
		([name, value]) => isSetByUser(name) && !isSameValue(before[name], value),
	);
	const changed = Object.fromEntries(differing);
	const note = (latest: JsonObject) => {
		written.latest.set(id, latest);
		for (const [name] of own) writers.set(name, index);
	};
	if (differing.length === 0) {
		note(before);
		return { ...before, unchanged: true };
	}
	const shown = await change(patchOf(row, id, changed)).catch((error: unknown) => {
		const mayHaveActed = !(error instanceof ServiceError) || error.mayHaveActed;
		// The values are then either, and are sent again by a row that has them.
		const certain = Object.entries(before).filter(([name]) => !(name in changed));
		if (mayHaveActed) note(Object.fromEntries(certain));
		throw error;
	});
	const after = { ...before, ...changed, ...shown };
	note(after);
	return { ...after, updated: true };
}

/** The request of the operation Update, for one record. */
function patchOf({ request, resource }: Row, id: string, body: JsonObject): ServiceRequest {
	const operation = resource.operations.find(({ value }) => value === 'update');
	const { method, url: path } = operation!.routing.request;
	return { ...request, method, path, ids: { [idNames(path)[0]]: id }, body };
}

function noteCreated(
	{ index, fields, texts, existing, written }: Row,
	created: JsonObject,
): JsonObject {
	const id = idOf(created);
	// By what was sent: the service may have changed it.
	addTo(existing, { ...created, ...fields, id });
	if (id !== undefined) {
		written.latest.set(id, { ...fields, ...created });
		written.writers.set(id, new Map(Object.keys(fields).map((name) => [name, index])));
		written.claims.set(id, texts);
	}
	return { ...created, created: true };
}
