import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	idOf,
	isDate,
	isEmpty,
	isRecord,
	jsonBytes,
	type JsonObject,
	keyTextOf,
	type List,
	matchKeyOf,
	nounOfId,
	readExisting,
	RecordIndex,
	ServiceError,
	type ServiceRequest,
	textOf,
	Turns,
} from '../client';
import { InputError } from '../host/errors';
import { listed } from '../host/words';
import { namesIn } from '../host/requestSettings';
import { isSchedule, type Resource, resourceOf } from '../service';
import { requireKnownColumn } from './checks';
import { readPaging } from './readRequest';
import { type IfExists, isDryRun, oncePerRun, readOptions } from './row';

/** What records take with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

/** How an ID begins that shows of what it is: `loc_`. */
const KIND = /^[a-z]+_/i;

/** What a row of this run has made: its record, or an error that leaves open whether it did. */
interface Made {
	row: number;
	record?: JsonObject;
	error?: unknown;
}

/** A list of existing records, and what the rows of a run add to it. */
class Existing {
	/** Why they are not all, where they are not. */
	readonly incomplete?: ServiceError;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** By ID, as far as is known as they are now. */
	readonly latest: Map<string, JsonObject>;
	readonly bytes: number;
	private readonly records: JsonObject[];
	private readonly indexes = new Map<string, RecordIndex>();
	/** By the key of their rows, as `turns`. */
	private readonly made = new Map<string, Made>();
	private readonly turns = new Turns();

	constructor({ records, incomplete }: List, request: ServiceRequest) {
		this.records = records.filter(isRecord).filter((record) => !isElsewhere(record, request));
		this.incomplete = incomplete;
		this.seen = new Set(this.records.flatMap((record) => Object.keys(record)));
		this.latest = new Map(this.records.map((record) => [idOf(record) ?? '', record]));
		this.bytes = INDEX_FACTOR * jsonBytes(this.records);
	}

	/** @param dates fields with a date that the row sends, which do not identify it */
	indexBy(matchFields: string[], { isSearchTerm }: Resource, dates: string[] = []): RecordIndex {
		const key = JSON.stringify([matchFields, dates]);
		const { records, indexes } = this;
		const index =
			indexes.get(key) ?? new RecordIndex(records, matchFields, { dates, isSearchTerm });
		indexes.set(key, index);
		return index;
	}

	/** Rows with the same key follow one another. */
	async inTurn<T>(key: string, work: (madeBefore?: Made) => Promise<T>): Promise<T> {
		return await this.turns.take(key, async () => await work(this.made.get(key)));
	}

	/** Notes what a row has made; an error counts only if it may have been done all the same. */
	note(key: string, made: Made): void {
		if (made.error === undefined || mayHaveActed(made.error)) this.made.set(key, made);
	}
}

/** Whether what failed may have been done all the same. */
function mayHaveActed(error: unknown): boolean {
	return error instanceof ServiceError ? error.mayHaveActed : !(error instanceof InputError);
}

/** Whether a record names another owner than the path of its list; an ID of another kind says nothing. */
function isElsewhere(record: JsonObject, { ids }: ServiceRequest): boolean {
	return Object.entries(ids).some(([name, id]) => {
		const owner = record[`${nounOfId(name)}_id`];
		const [kind] = KIND.exec(textOf(owner)) ?? [];
		return owner !== id && kind !== undefined && id.startsWith(kind);
	});
}

/**
 * The list that a create adds to, as it was when the run began, with what the run has added to it.
 *
 * @throws ServiceError as `readExisting` does; it says that the list was read to compare a row with it
 */
async function existingOf(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Existing> {
	const read = async () => {
		const list = await readExisting(connection, request, readPaging(context)).catch(
			(error: unknown) => {
				if (!(error instanceof ServiceError)) throw error;
				throw new ServiceError({ ...error.facts, isComparison: true });
			},
		);
		return new Existing(list, request);
	};
	// Rows of a dry run are not created: none that is sent counts as one of them.
	const what = ['existing', request.path, request.ids, isDryRun(context)];
	return await oncePerRun(context, connection.account, what, read, ({ bytes }) => bytes);
}

/** Names of fields that a message shows. */
const MAX_NAMES = 10;
/**
 * Fields that do not tell what a row is: the service gives them values of its own. Any other time may be
 * that of an event.
 */
const NOT_IDENTIFYING =
	/^(id|location_id|status|(created|updated|last_.+)_at|(.+_)?(count|score))$/;
/** What else can be done with a row that can't be told from others, as the end of a sentence. */
export const OTHERWISE = {
	skip: "set 'If It Already Exists' to 'Create Another One'",
	update: 'use the operation Create',
};

/** A row to be compared with what exists. */
export interface MatchedRow {
	context: IExecutePaginationFunctions;
	connection: Connection;
	request: ServiceRequest;
	fields: JsonObject;
	resource: Resource;
	existing: Existing;
	ifExists: Exclude<IfExists, 'create'>;
	/** The fields that identify its record, and dates in which it may differ from one that is much like it. */
	matchFields: string[];
	dates: string[];
	/** Rows with the same key are about the same record. */
	key: string;
}

/**
 * Reads what a row is compared with, and by which fields.
 *
 * @throws InputError for a row that can't be told from others, or has no column that the service knows,
 * and for chosen match fields that no record has; ServiceError if the list can't be read
 */
export async function matchedRow(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	ifExists: Exclude<IfExists, 'create'>,
): Promise<MatchedRow> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const fields = fieldsOf(request);
	const names = namesIn(readOptions(context).matchFields);
	const chosen = names.length > 0 ? names : undefined;
	const usual = ifExists === 'skip' ? identifying(fields) : (resource.matchFields ?? []);
	assertMatchable(fields, chosen ?? usual, OTHERWISE[ifExists]);
	const existing = await existingOf(context, connection, request);
	await requireKnownColumn(context, connection, request, existing.seen);
	const row = { context, connection, request, fields, resource, existing, ifExists };
	if (chosen) assertKnown(row, chosen);
	if (ifExists === 'update') {
		const matchFields = chosen ?? usual;
		const key = JSON.stringify(matchFields.map((name) => keyTextOf(fields[name])));
		return { ...row, matchFields, dates: [], key };
	}
	const matchFields = chosen ?? matchFieldsOf(row);
	const dates = chosen ? [] : datesIn(row).filter((name) => !matchFields.includes(name));
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = existing.seen.size > 0 || matchFields.every((field) => field in fields);
	const compared = isKnown ? [...matchFields, ...dates] : Object.keys(fields);
	const key = JSON.stringify([compared, matchKeyOf(fields, compared, resource.isSearchTerm)]);
	return { ...row, matchFields, dates, key };
}

/**
 * The usual match fields. Where the row lacks one of them, or no record has it (the service calls it
 * otherwise, say), the others alone would make different rows the same; then whatever else the row
 * sends has to be the same as well.
 *
 * @throws InputError for a row that has none of them, although the records do
 */
function matchFieldsOf({
	resource,
	fields,
	existing: { seen },
}: Omit<MatchedRow, 'matchFields' | 'dates' | 'key'>): string[] {
	const { matchFields: usual = [] } = resource;
	const isUsual = (field: string) =>
		!isEmpty(fields[field]) && (seen.size === 0 || seen.has(field));
	if (usual.length > 0 && usual.every(isUsual)) return usual;
	if (usual.some((field) => seen.has(field))) assertMatchable(fields, usual, OTHERWISE.skip);
	const others = identifying(fields).filter((field) => seen.size === 0 || seen.has(field));
	return [...new Set([...usual, ...others])];
}

/**
 * The dates that a row sends: the same text may be posted every week. Whether another date makes
 * another post is left to the user, since a service may also change a date. One that no record shows
 * may be that of an export, unless its name says when the post is to be published.
 */
function datesIn({
	fields,
	existing: { seen },
}: Pick<MatchedRow, 'fields' | 'existing'>): string[] {
	const tells = (field: string) => seen.size === 0 || seen.has(field) || isSchedule(field);
	return identifying(fields).filter((field) => isDate(fields[field]) && tells(field));
}

function identifying(fields: JsonObject): string[] {
	return Object.keys(fields).filter((name) => !NOT_IDENTIFYING.test(name));
}

/** @throws InputError for a row that can't be told from others */
function assertMatchable(fields: JsonObject, matchFields: string[], otherwise: string): void {
	if (matchKeyOf(fields, matchFields) !== undefined) return;
	const names = matchFields.join(', ');
	throw new InputError(
		`The row has no value in any match field${names && `: ${names}`}`,
		`Fill these columns, change the option 'Match Fields', or ${otherwise}.`,
	);
}

/** @throws InputError for a chosen match field that no record has */
function assertKnown(
	{
		request: { noun },
		existing: { seen },
		ifExists,
	}: Pick<MatchedRow, 'request' | 'existing' | 'ifExists'>,
	matchFields: string[],
): void {
	const unknown = matchFields.filter((field) => !seen.has(field));
	if (seen.size === 0 || unknown.length === 0) return;
	throw new InputError(
		`None of the existing ${noun}s has a field "${unknown[0]}"`,
		`Without it, the node cannot recognize them. They have: ${listed([...seen], MAX_NAMES)}. Change the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}
