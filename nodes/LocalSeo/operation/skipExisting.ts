import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	fieldsOf,
	getOrMake,
	idOf,
	isDate,
	isRecord,
	jsonBytes,
	type JsonObject,
	readExisting,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import { namesIn } from '../parameters/names';
import { type Resource, resourceOf } from '../resources';
import { ExistingRecords, matchKeyOf } from './existingRecords';
import { isDryRun, readOptions } from './options';
import { readPaging } from './readRequest';
import { runKeyOf } from './runKey';

/** Fields in which a record need not have what was sent: the service gives them values of its own. */
const SET_BY_SERVICE = ['id', 'location_id', 'status', 'created_at', 'updated_at'];
/** Characters of a text, and names, that a message shows. */
const MAX_TEXT = 100;
const MAX_NAMES = 10;
/** How many sets of match fields a list is indexed by: rows with other empty cells may need another one. */
const MAX_INDEXES = 10;
/** What to do for a row that is new without doubt. */
const CREATE_ANYWAY = 'set If It Already Exists to Create Another One';
/** What records take with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

/** A list of existing records, and what a run adds to it. */
interface Existing {
	records: JsonObject[];
	/** Names of the fields that its records have. */
	seen: Set<string>;
	/** By the match fields. */
	indexes: Map<string, ExistingRecords>;
	/** What this run has created, or is creating, by match key. */
	created: Map<string, Promise<unknown>>;
	/** Creates of this run that may have been done, by match key: no other row does the same. */
	inDoubt: Map<string, { row: number; error: unknown }>;
	bytes: number;
}

/** Lists by run and path: each is read once per run, not once per row. */
const lists = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Existing>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * Creates a record unless one with the same values in the match fields exists, or is being created by
 * an earlier row of this run; in that case it returns that one, with `skipped: true`.
 *
 * @throws InputError when the match fields are not in the row, or in none of the records, and when a
 * record is so similar that it may be the same
 */
export async function skipExisting(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	create: () => Promise<unknown[]>,
): Promise<unknown[]> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const fields = fieldsOf(request);
	const chosen = chosenMatchFields(context, resource);
	assertMatchable(fields, chosen ?? identifying(fields));
	const existing = await existingOf(context, connection, request);
	const matchFields = chosen ?? matchFieldsOf(resource, fields, existing);
	assertKnown(request, existing, matchFields, chosen !== undefined);

	const dates = chosen
		? []
		: datesIn(fields, existing).filter((name) => !matchFields.includes(name));
	const match = indexOf(existing, matchFields, dates, resource).find(fields);
	if (match?.likeness === 'same') return [{ ...match.record, skipped: true }];
	if (match) throw new SimilarExists(request, match.record, [...matchFields, ...dates]);
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = existing.seen.size > 0 || matchFields.every((field) => field in fields);
	const compared = isKnown ? [...matchFields, ...dates] : Object.keys(fields);
	const key = JSON.stringify([compared, matchKeyOf(fields, compared, resource.areTerms)]);
	return await createUnlessCreated(existing, key, context.getItemIndex(), create);
}

/** Whether a record is one that exists, and was returned instead of a new one. */
export function isSkipped(record: unknown): boolean {
	return isRecord(record) && record.skipped === true;
}

/** Rows with the same key follow one another: the first one that succeeds is the only one. */
async function createUnlessCreated(
	{ created, inDoubt }: Existing,
	key: string,
	row: number,
	create: () => Promise<unknown[]>,
): Promise<unknown[]> {
	for (let known = created.get(key); known !== undefined; known = created.get(key)) {
		const record = await known;
		if (isRecord(record)) return [{ ...record, skipped: true }];
	}
	const doubt = inDoubt.get(key);
	if (doubt && doubt.row !== row) throw doubt.error;
	const creation = create();
	created.set(
		key,
		creation
			.then(([record]) => {
				inDoubt.delete(key);
				return record;
			})
			.catch((error: unknown) => {
				created.delete(key);
				const mayExist = !(error instanceof ServiceError) || error.mayHaveActed;
				if (mayExist && !(error instanceof InputError)) inDoubt.set(key, { row, error });
			}),
	);
	return await creation;
}

async function existingOf(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Existing> {
	const read = async () => await newExisting(context, connection, request);
	const runKey = runKeyOf(context);
	if (runKey === undefined) return await read();
	// Rows of a dry run are not created: none that is sent counts as one of them.
	const key = JSON.stringify([runKey, request.path, request.ids, isDryRun(context)]);
	return await getOrMake(lists.of(connection.account), key, read, ({ bytes }) => bytes);
}

async function newExisting(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Existing> {
	const listed = await readExisting(connection, request, readPaging(context));
	const records = listed.filter(isRecord);
	return {
		records,
		seen: new Set(records.flatMap((record) => Object.keys(record))),
		indexes: new Map(),
		created: new Map(),
		inDoubt: new Map(),
		bytes: INDEX_FACTOR * jsonBytes(records),
	};
}

function indexOf(
	{ records, indexes }: Existing,
	matchFields: string[],
	dates: string[],
	{ areTerms }: Resource,
): ExistingRecords {
	const key = JSON.stringify([matchFields, dates]);
	const index = indexes.get(key) ?? new ExistingRecords(records, matchFields, { dates, areTerms });
	indexes.set(key, index);
	const [oldest] = indexes.keys();
	if (indexes.size > MAX_INDEXES) indexes.delete(oldest);
	return index;
}

/** The option Match Fields, unless it says what the node would do without it. */
function chosenMatchFields(
	context: IExecutePaginationFunctions,
	{ matchFields = [] }: Resource,
): string[] | undefined {
	const names = namesIn(readOptions(context).matchFields);
	return names.length === 0 || names.join() === matchFields.join() ? undefined : names;
}

/**
 * The usual match fields. Where the row lacks one of them, or no record has it (the service calls it
 * otherwise, say), the others alone would make different rows the same; then whatever else the row
 * sends has to be the same as well.
 *
 * @throws InputError for a row that has none of them, although the records do
 */
function matchFieldsOf(
	{ matchFields: usual = [] }: Resource,
	fields: JsonObject,
	{ seen }: Existing,
): string[] {
	const isUsual = (field: string) =>
		!isEmpty(fields[field]) && (seen.size === 0 || seen.has(field));
	if (usual.length > 0 && usual.every(isUsual)) return usual;
	if (usual.some((field) => seen.has(field))) assertMatchable(fields, usual);
	const others = identifying(fields).filter((field) => seen.size === 0 || seen.has(field));
	return [...new Set([...usual, ...others])];
}

/**
 * The dates that a row sends: the same text may be posted every week. Whether another date makes
 * another post is left to the user, since a service may also change a date.
 */
function datesIn(fields: JsonObject, { seen }: Existing): string[] {
	return identifying(fields).filter(
		(field) => isDate(fields[field]) && (seen.size === 0 || seen.has(field)),
	);
}

function identifying(fields: JsonObject): string[] {
	return Object.keys(fields).filter((name) => !SET_BY_SERVICE.includes(name));
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** @throws InputError for a row that can't be told from others */
function assertMatchable(fields: JsonObject, matchFields: string[]): void {
	if (matchKeyOf(fields, matchFields) !== undefined) return;
	const names = matchFields.join(', ');
	throw new InputError(
		`The row has no value in any match field${names && `: ${names}`}`,
		`Fill these columns, change the option Match Fields, or ${CREATE_ANYWAY}.`,
	);
}

/** @throws InputError for fields by which no record can be recognized */
function assertKnown(
	{ noun }: ServiceRequest,
	{ seen }: Existing,
	matchFields: string[],
	isChosen: boolean,
): void {
	const unknown = matchFields.filter((field) => !seen.has(field));
	const isEnough = isChosen ? unknown.length === 0 : unknown.length < matchFields.length;
	if (seen.size === 0 || isEnough) return;
	const fields = [...seen];
	const more = fields.length > MAX_NAMES ? ', …' : '';
	throw new InputError(
		`None of the existing ${noun}s has a field "${unknown[0]}"`,
		`Without it, the node cannot recognize them. They have: ${fields.slice(0, MAX_NAMES).join(', ')}${more}. Change the option Match Fields, or ${CREATE_ANYWAY}.`,
	);
}

/** A record that may be what a row would create. */
export class SimilarExists extends InputError {
	constructor({ noun }: ServiceRequest, record: JsonObject, matchFields: string[]) {
		const [text] = matchFields.map((field) => record[field]).filter(Boolean);
		const id = idOf(record);
		super(
			`A similar ${noun} already exists: ${JSON.stringify(text ?? null).slice(0, MAX_TEXT)}${id === undefined ? '' : ` (ID ${id})`}`,
			`This row was not sent. If it is the same ${noun}, remove the row. If it is a different one, choose the fields that distinguish them in the option Match Fields, or run this row alone and ${CREATE_ANYWAY}.`,
		);
	}
}
