import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	getOrMake,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	nounOfId,
	readExisting,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import { namesIn } from '../parameters/names';
import type { Resource } from '../resources';
import { ExistingRecords, matchKeyOf } from './existingRecords';
import { isDryRun, readOptions } from './options';
import { readPaging } from './readRequest';
import { runKeyOf } from './runKey';

/** Characters of a text, and names, that a message shows. */
const MAX_TEXT = 100;
const MAX_NAMES = 10;
/** How many sets of match fields a list is indexed by: rows with other empty cells may need another one. */
const MAX_INDEXES = 10;
/** What records take with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

/** A list of existing records, and what a run adds to it. */
export interface Existing {
	records: JsonObject[];
	/** Those that belong to another location, say, than the one whose list shows them. */
	elsewhere: ReadonlySet<JsonObject>;
	/** Why they are not all, where they are not. */
	incomplete?: ServiceError;
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
 * The list that a create adds to, as it was when the run began, with what the run has added to it.
 *
 * @throws ServiceError as `readExisting` does
 */
export async function existingOf(
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
	const list = await readExisting(connection, request, readPaging(context)).catch(forComparison);
	const records = list.records.filter(isRecord);
	return {
		records,
		elsewhere: new Set(records.filter((record) => isElsewhere(record, request))),
		incomplete: list.incomplete,
		seen: new Set(records.flatMap((record) => Object.keys(record))),
		indexes: new Map(),
		created: new Map(),
		inDoubt: new Map(),
		bytes: INDEX_FACTOR * jsonBytes(records),
	};
}

/** The error says that the list was read to compare a row with it. */
function forComparison(error: unknown): never {
	if (!(error instanceof ServiceError)) throw error;
	throw new ServiceError({ ...error.facts, isComparison: true });
}

/** How an ID begins that shows of what it is: `loc_`. */
const KIND = /^[a-z]+_/i;

/** Whether a record names another owner than the path of its list; an ID of another kind says nothing. */
function isElsewhere(record: JsonObject, { ids }: ServiceRequest): boolean {
	return Object.entries(ids).some(([name, id]) => {
		const owner = record[`${nounOfId(name)}_id`];
		const [kind] = KIND.exec(String(owner)) ?? [];
		return owner !== id && kind !== undefined && id.startsWith(kind);
	});
}

/** @param dates fields with a date that the row sends, which do not identify it */
export function indexOf(
	{ records, elsewhere, indexes }: Existing,
	matchFields: string[],
	{ areTerms }: Resource,
	dates: string[] = [],
): ExistingRecords {
	const key = JSON.stringify([matchFields, dates]);
	const index =
		indexes.get(key) ?? new ExistingRecords(records, matchFields, { dates, areTerms, elsewhere });
	indexes.set(key, index);
	const [oldest] = indexes.keys();
	if (indexes.size > MAX_INDEXES) indexes.delete(oldest);
	return index;
}

/** Lets the rows to come find a record that was created, by what was sent. */
export function addTo({ records, indexes }: Existing, record: JsonObject): void {
	records.push(record);
	for (const index of indexes.values()) index.add(record);
}

/** The option Match Fields, unless it says what the node would do without it. */
export function chosenMatchFields(
	context: IExecutePaginationFunctions,
	{ matchFields = [] }: Resource,
): string[] | undefined {
	const names = namesIn(readOptions(context).matchFields);
	return names.length === 0 || names.join() === matchFields.join() ? undefined : names;
}

/**
 * @param otherwise what else the user can do, as the end of a sentence
 * @throws InputError for a row that can't be told from others
 */
export function assertMatchable(
	fields: JsonObject,
	matchFields: string[],
	otherwise: string,
): void {
	if (matchKeyOf(fields, matchFields) !== undefined) return;
	const names = matchFields.join(', ');
	throw new InputError(
		`The row has no value in any match field${names && `: ${names}`}`,
		`Fill these columns, change the option Match Fields, or ${otherwise}.`,
	);
}

/**
 * @param otherwise what else the user can do, as the end of a sentence
 * @throws InputError for a chosen match field that no record has
 */
export function assertKnown(
	{ noun }: ServiceRequest,
	{ seen }: Existing,
	matchFields: string[],
	otherwise: string,
): void {
	const unknown = matchFields.filter((field) => !seen.has(field));
	if (seen.size === 0 || unknown.length === 0) return;
	const fields = [...seen];
	const more = fields.length > MAX_NAMES ? ', …' : '';
	throw new InputError(
		`None of the existing ${noun}s has a field "${unknown[0]}"`,
		`Without it, the node cannot recognize them. They have: ${fields.slice(0, MAX_NAMES).join(', ')}${more}. Change the option Match Fields, or ${otherwise}.`,
	);
}

/** A record that may be what a row would create. */
export class SimilarExists extends InputError {
	/** @param advice what to do where it is the same record, and where it is another one */
	constructor({ noun }: ServiceRequest, record: JsonObject, matchFields: string[], advice: string) {
		const [text] = matchFields.map((field) => record[field]).filter(Boolean);
		const id = idOf(record);
		super(
			`A similar ${noun} already exists: ${JSON.stringify(text ?? null).slice(0, MAX_TEXT)}${id === undefined ? '' : ` (ID ${id})`}`,
			`This row was not sent. ${advice}`,
		);
	}
}
