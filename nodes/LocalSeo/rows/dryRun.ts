import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	fillPath,
	idOf,
	type JsonObject,
	requestForList,
	readOnly,
	type ServiceRequest,
} from '../client';
import { InputError } from '../text/inputError';
import { isTime, resourceOf } from '../service';
import { checkFields } from './checks';
import type { Findings } from './findings';
import { fitted } from './fit';
import { labelOf } from './items';
import { nameOfLocation, withRealIds } from './location';
import { settle, type Settled } from './plan';
import { readPaging } from './readRequest';
import { ifExistsOf, readFirst, rowsOfRun } from './row';
import { asPeopleRead } from './times';

type Context = IExecutePaginationFunctions;

/** What would become of a row; `invalid`: it would be refused. */
export type Action = 'create' | 'update' | 'skip' | 'delete' | 'invalid';

/**
 * What a dry run says about a row: first the columns that a person looks at, then the fields of the
 * record, and how it would be sent. What is not known, or does not apply, is left out.
 */
export interface Forecast extends JsonObject {
	action: Action;
	/** Why the row is invalid, in words. */
	problem?: string;
	/** What is worth a look, in words. */
	warning?: string;
	/** The record that exists already, or would be changed. */
	id?: string;
	/** The location below which a record would be created, also where it was given by its name. */
	location_name?: string;
	location_id?: string;
	/** The request, where one would be sent: "POST /locations/loc_1/posts" */
	request?: string;
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
	/** Whether its fields are as the account's records have them; else it is said already why not. */
	isFitted: boolean;
}

/** What would become of a row in which no problem was found, and the ID of the record that is there. */
interface Verdict {
	action: Action;
	id?: string;
	/** Of the location below which a record would be created. */
	locationName?: string;
	/** Absent: the row's own request. */
	sends?: ServiceRequest;
}

/**
 * What would happen to a row: its plan, which is checked and not performed. All is found out with reads
 * alone: the connection refuses everything else.
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
): Promise<Forecast> {
	const connection = readOnly(connected);
	const isGiven = Object.values(given.ids).every((id) => id !== '');
	const real = isGiven
		? await findings.check(async () => await withRealIds(context, connection, given))
		: undefined;
	const path = real && findings.attempt(() => fillPath(real));
	const isAddressed = path !== undefined;
	const addressed = real && isAddressed ? real : { ...given, ids: {} };
	const fits = await findings.check(async () => await fitted(context, connection, addressed));
	const request = fits ?? addressed;
	const verdictOf = request.method === 'POST' ? verdictOnCreate : verdictOnChange;
	const isFitted = fits !== undefined;
	const row = { context, connection, request, findings, isAddressed, isFitted };
	const verdict = await verdictOf(row);
	const { problems, warnings } = findings;
	const { sends = request } = verdict;
	const action = problems.size > 0 ? 'invalid' : verdict.action;
	const isSent = action !== 'invalid' && action !== 'skip';
	const leading = {
		action,
		problem: [...problems].join(' ') || undefined,
		warning: [...warnings].join(' ') || undefined,
		id: verdict.id,
		location_name: verdict.locationName,
	};
	const technical = {
		location_id: request.method === 'POST' ? request.ids.locationId : undefined,
		request: isSent ? requestLine(sends) : undefined,
	};
	const fields = withLocalTimes(context, fieldsOf(sends));
	const columns = { ...leading, ...fields, ...leading, ...technical };
	const known = Object.entries(columns).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as Forecast;
}

/** The fields with each time beside it as a person reads it, so that a day that was misread is seen. */
function withLocalTimes(context: Context, fields: JsonObject): JsonObject {
	const columns = Object.entries(fields).flatMap(([name, value]): Array<[string, unknown]> => {
		const shown = isTime(name) ? asPeopleRead(context, value) : undefined;
		return shown
			? [
					[name, value],
					[`${name}_local`, shown],
				]
			: [[name, value]];
	});
	return Object.fromEntries(columns);
}

const LEADING = ['action', 'problem', 'warning', 'id', 'location_name'];
const TECHNICAL = ['location_id', 'request'];

/**
 * The same columns in all rows: n8n's table shows `undefined` where a row lacks one, and orders them as
 * the first row does.
 */
export function asTable(forecasts: Forecast[]): Forecast[] {
	const names = new Set(forecasts.flatMap((forecast) => Object.keys(forecast)));
	const fields = [...names].filter((name) => !LEADING.includes(name) && !TECHNICAL.includes(name));
	const columns = [...LEADING, ...fields, ...TECHNICAL].filter((name) => names.has(name));
	return forecasts.map(
		(forecast) =>
			Object.fromEntries(columns.map((name) => [name, forecast[name] ?? ''])) as Forecast,
	);
}

/** A request as it would be sent; without the ID that only an earlier row would bring about. */
function requestLine(request: ServiceRequest): string {
	const { method, query } = request;
	if (isPlanned(request)) return method;
	const pairs = Object.entries(query).flatMap(([name, values]) =>
		[values].flat().map((value): [string, string] => [name, String(value)]),
	);
	const search = new URLSearchParams(pairs).toString();
	return `${method} ${fillPath(request)}${search && `?${search}`}`;
}

/** How an ID begins that stands for that of a record which a row would create. */
const PLANNED = 'planned by row ';

/** Whether the record would be made by another row of the same run. */
function isPlanned({ ids }: ServiceRequest): boolean {
	return Object.values(ids).some((id) => id.startsWith(PLANNED));
}

async function verdictOnCreate(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	const { locationId } = request.ids;
	const locationName =
		locationId === undefined
			? undefined
			: await findings.check(async () => await nameOfLocation(context, connection, locationId));
	return { ...(await verdictOnNew(row)), locationName };
}

async function verdictOnNew(row: Row): Promise<Verdict> {
	const { context, connection, request, findings } = row;
	if (request.body === undefined) return { action: 'create' };
	const ifExists = ifExistsOf(context);
	if (ifExists === 'create' || findings.problems.size > 0) {
		await checkBody(row);
		return { action: 'create' };
	}
	const settled = await findings.check(
		async () =>
			await settle(context, connection, request, ifExists, async (planned) => {
				await checkFields(context, connection, planned.request, findings);
				const [problem] = findings.problems;
				// A row that is refused stands for no other one.
				if (problem !== undefined) throw new InputError(problem);
				return planned.action === 'create' ? { id: `${PLANNED}${context.getItemIndex()}` } : {};
			}),
	);
	return settled ? verdictOnPlan(row, settled) : { action: 'create' };
}

function verdictOnPlan(row: Row, { plan, record, twin }: Settled): Verdict {
	const { context, request, findings } = row;
	// Of what only another row would bring about, nobody knows the ID.
	const id = twin === undefined ? idOf(record) : undefined;
	switch (plan.action) {
		case 'create':
			return { action: 'create' };
		case 'update':
			return {
				action: 'update',
				sends: plan.request,
				id: isPlanned(plan.request) ? undefined : ownId(plan.request),
			};
		case 'skip':
			findings.warnings.add(`${whatIsThere(row, record, twin)}.`);
			return { action: 'skip', id };
		case 'unchanged':
			findings.warnings.add(
				twin === undefined
					? 'It exists already with these values: nothing would change.'
					: `It is the same as the ${request.noun} of ${labelOf(rowsOfRun(context), [twin])}.`,
			);
			return { action: 'skip', id };
	}
}

/** "It already exists (ID post_1)", or the row of this run that would create it. */
function whatIsThere({ context }: Row, record: JsonObject, twin?: number): string {
	if (twin !== undefined) return `It is the same as ${labelOf(rowsOfRun(context), [twin])}`;
	const id = idOf(record);
	return `It already exists${id === undefined ? '' : ` (ID ${id})`}`;
}

async function verdictOnChange(row: Row): Promise<Verdict> {
	const { request } = row;
	const record = await recordOf(row);
	if (request.body !== undefined) await checkBody(row);
	const action = request.method === 'PATCH' ? 'update' : 'delete';
	return { action, id: record && ownId(request) };
}

async function checkBody(row: Row): Promise<void> {
	const { context, connection, request, findings, isFitted } = row;
	if (isFitted) await checkFields(context, connection, request, findings);
}

/** The ID of the record that a request changes. */
function ownId({ ids }: ServiceRequest): string {
	return Object.values(ids)[0];
}

/** What can be read of the record that would be changed; undefined where it does not exist. */
async function recordOf(row: Row): Promise<JsonObject | undefined> {
	const { context, connection, request, findings, isAddressed } = row;
	if (!isAddressed) return undefined;
	const { readableAt } = resourceOf(context.getNodeParameter('resource'));
	const readable = { ...requestForList(request), path: readableAt ?? request.path };
	return await findings.check(
		async () => await readFirst(context, connection, readable, readPaging(context)),
	);
}
