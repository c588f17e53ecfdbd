import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	fieldsOf,
	fillPath,
	getOrMake,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	listOf,
	type Method,
	readOnly,
	readRecords,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import { asText, sentences } from '../host/words';
import { listRequest, location, resourceOf } from '../service';
import { numbersOf } from './failedItem';
import { checkFields } from './fieldChecks';
import { type Findings, isOfRow } from './findings';
import { namesInRun } from './locationName';
import { type Done, type Sending, SimilarExists } from './matching';
import { type IfExists, ifExistsOf } from './options';
import { withRealIds } from './realIds';
import { requireKnownColumn } from './requireKnownColumn';
import { readPaging } from './readRequest';
import { isByName, isFixed, rowsOfRun } from './rowValues';
import { runKeyOf } from './runKey';
import { skipExisting } from './skipExisting';
import { upsert } from './upsert';

type Context = IExecutePaginationFunctions;

/** What would become of a row. */
export type Action = 'create' | 'update' | 'skip' | 'delete' | 'invalid';

/** What a dry run says about a row. */
export interface Plan {
	dryRun: true;
	/** What the node would do with the row; `invalid`: it would be refused. */
	action: Action;
	/** Why the row is invalid, in words. */
	problems: string[];
	/** What is worth a look, in words. */
	warnings: string[];
	/** The ID of the record that exists already, or would be changed; null if there is none. */
	id: string | null;
	/** The location below which a record would be created, also where it was given by its name. */
	location_id?: string;
	method: Method;
	/** Below the API root. IDs that are not known stand there as `{locationId}`. */
	path: string;
	query?: JsonObject;
	/** Null if there is none, or if it could not be read. */
	body: JsonObject | null;
}

/** A row that is looked at: its request with its real IDs, and what is found out about it. */
interface Row {
	context: Context;
	/** Sends nothing but reads. */
	connection: Connection;
	request: ServiceRequest;
	findings: Findings;
	/** Whether it is known which record, or whose, is meant. */
	isAddressed: boolean;
}

/** What would become of a row in which no problem was found, and the ID of the record that is there. */
type Verdict = Pick<Plan, 'action'> & Partial<Pick<Plan, 'id'>> & { sends?: ServiceRequest };

const VERDICTS: Record<Exclude<Method, 'GET'>, (row: Row) => Promise<Verdict>> = {
	POST: verdictOnCreate,
	PATCH: verdictOnUpdate,
	DELETE: verdictOnDelete,
};

/**
 * What would happen to a row, found out with reads alone: the connection refuses everything else.
 *
 * @param given the request with what could be read of the row
 * @param findings what was wrong with the rest
 * @throws ServiceError where nothing can be said about the row: the key is refused, the service is down
 */
export async function dryRun(
	context: Context,
	connected: Connection,
	given: ServiceRequest,
	findings: Findings,
): Promise<Plan> {
	const connection = readOnly(connected);
	const isGiven = Object.values(given.ids).every((id) => id !== '');
	const real = isGiven
		? await findings.check(async () => await withRealIds(context, connection, given))
		: undefined;
	const path = real && findings.attempt(() => fillPath(real));
	const isAddressed = path !== undefined;
	const request = real && isAddressed ? real : { ...given, ids: {} };
	const verdictOf = VERDICTS[request.method as keyof typeof VERDICTS];
	const verdict = await verdictOf({ context, connection, request, findings, isAddressed });
	const { problems, warnings } = findings;
	const isCreate = request.method === 'POST';
	// Create or Update may send something else than the row as a new record.
	const { sends = request } = verdict;
	return {
		dryRun: true,
		action: problems.size > 0 ? 'invalid' : verdict.action,
		problems: [...problems],
		warnings: [...warnings],
		id: verdict.id ?? null,
		...(isCreate && request.ids.locationId !== undefined
			? { location_id: request.ids.locationId }
			: {}),
		method: sends.method,
		path: sends === request ? (path ?? request.path) : pathOf(sends),
		...(Object.keys(request.query).length > 0 ? { query: request.query } : {}),
		body: sends.body === undefined ? null : fieldsOf(sends),
	};
}

async function verdictOnCreate(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	// A name was looked up in the list of locations.
	if (request.ids.locationId !== undefined && !isByName(context, 'locationId')) {
		await findings.check(async () => await assertLocation(row));
	}
	if (request.body === undefined) return { action: 'create' };
	if (findings.problems.size > 0) {
		await checkFields(context, connection, request, findings);
		return { action: 'create' };
	}
	return await VERDICTS_ON_CREATE[ifExistsOf(context)](row);
}

/**
 * Checks what would be sent.
 *
 * @throws InputError if it has a problem: a row that would be refused stands for no other one
 */
async function requireSound(
	{ context, connection, findings }: Row,
	request: ServiceRequest,
): Promise<void> {
	await checkFields(context, connection, request, findings);
	const [problem] = findings.problems;
	if (problem !== undefined) throw new InputError(problem);
}

const VERDICTS_ON_CREATE: Record<IfExists, (row: Row) => Promise<Verdict>> = {
	create: verdictAnyway,
	skip: verdictIfNew,
	update: verdictOnUpsert,
};

/** How an ID begins that stands for that of a record which a row would create. */
const PLANNED = 'planned by row ';

/** Stands for sending: checks what would be sent, and notes the change. */
function plans(row: Row, noteChange: (update: ServiceRequest) => void = () => {}): Sending {
	return {
		create: async () => {
			await requireSound(row, row.request);
			return { record: { id: `${PLANNED}${row.context.getItemIndex()}` } };
		},
		change: async (update) => {
			noteChange(update);
			await requireSound(row, update);
			return {};
		},
	};
}

/** Where what exists is skipped: only what would be sent is checked. */
async function verdictIfNew(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	const done = await findings.check(
		async () => await skipExisting(context, connection, request, plans(row)),
	);
	if (done?.became !== 'skipped') return { action: 'create' };
	findings.warnings.add(`${whatIsThere(row, done)}.`);
	return { action: 'skip', id: done.twin === undefined ? idOf(done.record) : undefined };
}

/** Where all is created: what exists is only mentioned, as far as it can be found. */
async function verdictAnyway(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	await findings.check(async () => await requireKnownColumn(context, connection, request));
	await checkFields(context, connection, request, findings);
	if (findings.problems.size > 0) return { action: 'create' };
	const existing = skipExisting(context, connection, request, plans(row));
	const done = await existing.catch((thrown: unknown) => {
		if (thrown instanceof SimilarExists) findings.warnings.add(asText(sentences(thrown.message)));
		// The row would be sent without a look at the list, whatever is wrong with that.
		else if (!(thrown instanceof InputError) && !isUnreadable(thrown)) throw thrown;
		return undefined;
	});
	if (done?.became === 'skipped') {
		findings.warnings.add(`${whatIsThere(row, done)}. Another one would be created.`);
	}
	return { action: 'create' };
}

/** "It already exists (ID post_1)", or the row of this run that would create it. */
function whatIsThere({ context }: Row, { record, twin }: Done): string {
	if (twin !== undefined) return `It is the same as row ${numberOf(context, twin)}`;
	const id = idOf(record);
	return `It already exists${id === undefined ? '' : ` (ID ${id})`}`;
}

/** Where what exists is updated: the fields that differ are all that would be sent. */
async function verdictOnUpsert(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	let sends: ServiceRequest | undefined;
	const sending = plans(row, (update) => (sends = update));
	const done = await findings.check(
		async () => await upsert(context, connection, request, sending),
	);
	const isPlanned = done?.twin !== undefined;
	if (sends) return { action: 'update', sends, id: isPlanned ? undefined : ownId(sends) };
	if (done?.became !== 'unchanged') return { action: 'create' };
	findings.warnings.add(
		isPlanned
			? `It is the same as the ${request.noun} of row ${numberOf(context, done.twin!)}.`
			: 'It exists already with these values: nothing would change.',
	);
	return { action: 'skip', id: isPlanned ? undefined : idOf(done.record) };
}

/** Below the API root; an ID that only an earlier row would bring about stays a template. */
function pathOf(request: ServiceRequest): string {
	const isPlanned = Object.values(request.ids).some((id) => id.startsWith(PLANNED));
	return isPlanned ? request.path : fillPath(request);
}

function isUnreadable(thrown: unknown): boolean {
	const kinds = ['incomplete-list', 'unexpected-response'];
	return thrown instanceof ServiceError && kinds.includes(thrown.kind);
}

/** An update is compared with the record that is there. */
async function verdictOnUpdate(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	const earlier = earlierRow(row);
	if (earlier !== undefined) {
		findings.warnings.add(
			`Row ${numberOf(context, earlier)} updates the same ${request.noun}. Which of them comes last is not certain.`,
		);
	}
	const record = await recordOf(row);
	if (request.body === undefined) return { action: 'update' };
	await findings.check(async () => await requireKnownColumn(context, connection, request));
	await checkFields(context, connection, request, findings);
	if (record && hasAlready(record, fieldsOf(request))) {
		findings.warnings.add(`The ${request.noun} has these values already: nothing would change.`);
	}
	return { action: 'update', id: record && ownId(request) };
}

function hasAlready(record: JsonObject, fields: JsonObject): boolean {
	return Object.entries(fields).every(
		([name, value]) => JSON.stringify(record[name]) === JSON.stringify(value),
	);
}

async function verdictOnDelete(row: Row): Promise<Verdict> {
	const { context, request, findings } = row;
	const earlier = earlierRow(row);
	if (earlier !== undefined) {
		findings.problems.add(`Row ${numberOf(context, earlier)} deletes the same ${request.noun}`);
	}
	const record = await recordOf(row);
	return { action: 'delete', id: record && ownId(request) };
}

/** The ID of the record that a request changes. */
function ownId({ ids }: ServiceRequest): string {
	return Object.values(ids)[0];
}

/** What can be read of the record that would be changed; undefined where it does not exist. */
async function recordOf(row: Row): Promise<JsonObject | undefined> {
	const { context, request, findings, isAddressed } = row;
	if (!isAddressed) return undefined;
	const { readableAt } = resourceOf(context.getNodeParameter('resource'));
	const path = readableAt ?? request.path;
	return await findings.check(async () => await readOnce(row, { ...listOf(request), path }));
}

/** @throws ServiceError for a location that does not exist */
async function assertLocation(row: Row): Promise<void> {
	const { context, connection, request } = row;
	const { locationId } = request.ids;
	// One that all rows share takes one request.
	const names = isFixed(context, 'locationId') ? undefined : await namesInRun(context, connection);
	if (names?.has(locationId)) return;
	const path = `${location.listPath}/{locationId}`;
	await readOnce(row, { ...listRequest(location), path, ids: { locationId } });
}

/** A record, or why there is none. */
interface Answer {
	record?: JsonObject;
	refusal?: ServiceError;
}

/** What a run has asked for by ID. */
const asked = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Answer>>({ maxBytes: 4 * 1024 * 1024, forgetAfterMs: 3_600_000 }, clock),
);

/** What is at a path, of a list the first entry; asked for once per run. */
async function readOnce(
	{ context, connection }: Row,
	request: ServiceRequest,
): Promise<JsonObject> {
	const paging = { ...readPaging(context), limit: 1 };
	const read = async () =>
		await readRecords(connection, request, paging).then(
			([record]): Answer => ({ record: isRecord(record) ? record : {} }),
			refusalOrThrow,
		);
	const run = runKeyOf(context);
	const key = JSON.stringify([run, request.path, request.ids]);
	const { record = {}, refusal } =
		run === undefined
			? await read()
			: await getOrMake(asked.of(connection.account), key, read, jsonBytes);
	if (refusal) throw refusal;
	return record;
}

/** Any other failure is not kept: the next row may have more luck. */
function refusalOrThrow(error: unknown): Answer {
	if (error instanceof ServiceError && isOfRow(error)) return { refusal: error };
	throw error;
}

/** Which row of a run was the first with a record, by the record's path. */
const firsts = new PerAccount(
	({ clock }) =>
		new BoundedMap<number>({ maxBytes: 4 * 1024 * 1024, forgetAfterMs: 3_600_000 }, clock),
);

/** The index of another row of this run that changes the same record, and came first. */
function earlierRow({ context, connection, request, isAddressed }: Row): number | undefined {
	const run = runKeyOf(context);
	if (run === undefined || !isAddressed) return undefined;
	const rows = firsts.of(connection.account);
	const key = JSON.stringify([run, request.path, request.ids]);
	const first = rows.get(key) ?? context.getItemIndex();
	rows.set(key, first, 0);
	return isOwnRow(context, first) ? undefined : first;
}

function isOwnRow(context: Context, index: number): boolean {
	return index === context.getItemIndex();
}

function numberOf(context: Context, index: number): string {
	return numbersOf(rowsOfRun(context), [index]);
}
