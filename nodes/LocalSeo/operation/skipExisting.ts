import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	fieldsOf,
	getOrMake,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	listOf,
	noteListed,
	readRecords,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import { namesIn } from '../parameters/names';
import { ExistingRecords, matchKeyOf } from './existingRecords';
import { readOptions } from './options';
import { readPaging } from './readRequest';
import { runKeyOf } from './runKey';

const DEFAULT_MATCH_FIELDS = ['title', 'content'];
/** Characters of a title that a message shows. */
const MAX_TITLE = 100;
/** What records take with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

interface Existing {
	listed: ExistingRecords;
	/** What this run has created, or is creating, by match key. */
	created: Map<string, Promise<unknown>>;
	/** Creates of this run that may have been done, by match key: no other row does the same. */
	inDoubt: Map<string, { row: number; error: unknown }>;
	/** Whether the list was empty, so that nothing shows which fields its records have. */
	isNew: boolean;
	bytes: number;
}

/** Lists by run and path: each is read once per run, not once per row. */
const lists = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Existing>>(
			{ maxBytes: 32 * 1024 * 1024, forgetAfterMs: 3_600_000 },
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
	const matchFields = readMatchFields(context);
	const fields = fieldsOf(request);
	if (matchKeyOf(fields, matchFields) === undefined) {
		throw new InputError(
			`The row has no value in any match field: ${matchFields.join(', ')}`,
			'Fill these columns, or change the option Match Fields.',
		);
	}
	const { listed, created, inDoubt, isNew } = await existing(
		context,
		connection,
		request,
		matchFields,
	);
	const match = listed.find(fields);
	if (match?.likeness === 'same') return [{ ...match.record, skipped: true }];
	if (match) throw similarExists(request, match.record, matchFields);
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = !isNew || matchFields.every((field) => field in fields);
	const key = matchKeyOf(fields, isKnown ? matchFields : Object.keys(fields)) ?? '';
	for (let known = created.get(key); known !== undefined; known = created.get(key)) {
		const record = await known;
		if (isRecord(record)) return [{ ...record, skipped: true }];
	}
	const row = context.getItemIndex();
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
				if (mayExist) inDoubt.set(key, { row, error });
			}),
	);
	return await creation;
}

async function existing(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	matchFields: string[],
): Promise<Existing> {
	const read = async () => await readExisting(context, connection, request, matchFields);
	const runKey = runKeyOf(context);
	if (runKey === undefined) return await read();
	const key = JSON.stringify([runKey, request.path, request.ids, matchFields]);
	return await getOrMake(lists.of(connection.account), key, read, ({ bytes }) => bytes);
}

async function readExisting(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	matchFields: string[],
): Promise<Existing> {
	const listed = await readRecords(connection, listOf(request), readPaging(context));
	noteListed(connection, request, listed);
	const records = listed.filter(isRecord);
	for (const field of matchFields) {
		if (records.length > 0 && !records.some((record) => field in record)) {
			throw new InputError(
				`None of the existing ${request.noun}s has a field "${field}"`,
				'Without it, the node cannot recognize them. Change the option Match Fields.',
			);
		}
	}
	return {
		listed: new ExistingRecords(records, matchFields),
		created: new Map(),
		inDoubt: new Map(),
		isNew: records.length === 0,
		bytes: INDEX_FACTOR * jsonBytes(records),
	};
}

function similarExists(
	{ noun }: ServiceRequest,
	record: JsonObject,
	matchFields: string[],
): InputError {
	const [title] = ['title', ...matchFields].map((field) => record[field]).filter(Boolean);
	const id = idOf(record);
	return new InputError(
		`A similar ${noun} already exists: ${JSON.stringify(title ?? null).slice(0, MAX_TITLE)}${id === undefined ? '' : ` (ID ${id})`}`,
		`This row was not sent. If it is the same ${noun}, remove the row. If it is a different one, choose the fields that distinguish them in the option Match Fields, or turn off Skip Existing for this row.`,
	);
}

function readMatchFields(context: IExecutePaginationFunctions): string[] {
	const names = namesIn(readOptions(context).matchFields);
	return names.length > 0 ? names : DEFAULT_MATCH_FIELDS;
}
