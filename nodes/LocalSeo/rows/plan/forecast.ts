import {
	type Connection,
	fieldsOf,
	fillPath,
	idNames,
	idOf,
	type JsonObject,
	madeBefore,
	readOnly,
	requestForList,
	type ServiceRequest,
} from '../../client';
import { isTime } from '../../resources';
import { sentences } from '../../text/words';
import { readFirst } from '../perRun';
import type { Row } from '../read/row';
import { asPeopleRead } from '../read/times';
import { labelOf } from '../tell/items';
import { checkFields } from './checks';
import { Findings } from './findings';
import { fitted } from './fit';
import { addressed, nameOfLocation } from './location';
import { matchOf, uncompared } from './match';
import { type Plan, planOf } from './plan';

/** The fate of a row; `invalid`: it would be refused. */
export type Action = 'create' | 'update' | 'skip' | 'delete' | 'invalid';

/**
 * The words of a dry run about a row: first the columns that a person looks at, then the fields of the
 * record, and how it would be sent. What is not known, or does not apply, is left out.
 */
export interface Forecast extends JsonObject {
	action: Action;
	/** Why the row is invalid, in a few words. */
	problem?: string;
	/** Remarks that are worth a look. */
	warning?: string;
	/** The record that exists already, or would be changed. */
	id?: string;
	/** The advice about the problem and the warning. */
	advice?: string;
	/** The location below which a record would be created, also where it was given by its name. */
	location_name?: string;
	location_id?: string;
	/** The request, where one would be sent: "POST /locations/loc_1/posts" */
	request?: string;
}

/** A row that is looked at, and what is found out about it. */
interface Look {
	row: Row;
	/** Sends nothing but reads. */
	connection: Connection;
	findings: Findings;
	/** Whether it is known which record, or whose, is meant. */
	isAddressed: boolean;
	/** Whether its fields are as the account's records have them; else it is said already why not. */
	isFitted: boolean;
}

/** The fate of a row in which no problem was found, and the ID of the record that is there. */
interface Verdict {
	action: Action;
	id?: string;
	/** The name of the location below which a record would be created. */
	locationName?: string;
	/** Absent: the row's own request. */
	sends?: ServiceRequest;
}

/**
 * Says what would happen to a row: its plan is checked and not performed. All is found out with reads
 * alone: the connection refuses everything else.
 *
 * @throws ServiceError where nothing can be said about the row: the key is refused, the service is down
 */
export async function forecast(given: Row, connected: Connection): Promise<Forecast> {
	const connection = readOnly(connected);
	const findings = new Findings(given);
	const isGiven = Object.values(given.request.ids).every((id) => id !== '');
	const real = isGiven
		? await findings.check(async () => await addressed(given, connection))
		: undefined;
	const path = real && (await findings.check(async () => fillPath(real.request)));
	const isAddressed = path !== undefined;
	const known = real && isAddressed ? real : { ...given, request: { ...given.request, ids: {} } };
	const fits = await findings.check(async () => await fitted(known, connection));
	const row = fits ?? known;
	const look = { row, connection, findings, isAddressed, isFitted: fits !== undefined };
	const { request } = row;
	const isNew = request.method === 'POST';
	const verdict = await (isNew ? verdictOnCreate(look) : verdictOnChange(look));
	return inColumns(look, verdict);
}

function inColumns({ row, findings }: Look, verdict: Verdict): Forecast {
	const { request, zone } = row;
	const { problems, warnings } = findings;
	const { sends = request } = verdict;
	const action = problems.isEmpty ? verdict.action : 'invalid';
	const isSent = action !== 'invalid' && action !== 'skip';
	const leading = {
		action,
		problem: problems.short,
		warning: warnings.short,
		id: verdict.id,
		location_name: verdict.locationName,
	};
	const technical = {
		advice: sentences(problems.long, warnings.long) || undefined,
		location_id: request.method === 'POST' ? request.ids.locationId : undefined,
		request: isSent ? requestLine(sends) : undefined,
	};
	const fields = withLocalTimes(zone, fieldsOf(sends));
	const columns = { ...leading, ...fields, ...leading, ...technical };
	const known = Object.entries(columns).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as Forecast;
}

/** The fields with each time beside it as a person reads it, so that a day that was misread is seen. */
function withLocalTimes(zone: string, fields: JsonObject): JsonObject {
	const columns = Object.entries(fields).flatMap(([name, value]): Array<[string, unknown]> => {
		const shown = isTime(name) ? asPeopleRead(zone, value) : undefined;
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
const TECHNICAL = ['advice', 'location_id', 'request'];

/**
 * The same columns in all rows: n8n's table shows `undefined` where a row lacks one, and orders them as
 * the first row does.
 */
export function withSameColumns(forecasts: Forecast[]): Forecast[] {
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
	const { method, path, ids, query } = request;
	if (idNames(path).some((name) => ids[name] === undefined)) return method;
	const pairs = Object.entries(query).flatMap(([name, values]) =>
		[values].flat().map((value): [string, string] => [name, String(value)]),
	);
	const search = new URLSearchParams(pairs).toString();
	return `${method} ${fillPath(request)}${search && `?${search}`}`;
}

async function verdictOnCreate(look: Look): Promise<Verdict> {
	const { row, connection, findings } = look;
	const { locationId } = row.request.ids;
	const locationName =
		locationId === undefined
			? undefined
			: await findings.check(async () => await nameOfLocation(row, connection, locationId));
	return { ...(await verdictOnNew(look)), locationName };
}

async function verdictOnNew(look: Look): Promise<Verdict> {
	const { row, connection, findings } = look;
	const { ifExists, request } = row;
	if (request.body === undefined) return { action: 'create' };
	if (ifExists === 'create' || !findings.problems.isEmpty) {
		await checkBody(look);
		return { action: 'create' };
	}
	const verdict = await findings.check(async () => {
		const match = await matchOf(row, connection, ifExists);
		const { existing, key } = match;
		return await existing.inTurn(key, async (made) => {
			const twin = made?.record && made.row !== row.index ? made : undefined;
			const plan = planOf(match, twin, madeBefore(connection.account, match.request));
			if (!('request' in plan)) return verdictWithoutRequest(look, plan, twin?.row);
			await checkFields(row, connection, findings, plan.request);
			// A row that is refused stands for no other one.
			if (!findings.problems.isEmpty) return verdictWithRequest(plan);
			const sent = fieldsOf(plan.request);
			if (plan.action === 'create') {
				const { message, description } = uncompared(match) ?? {};
				if (message !== undefined) findings.warnings.add(message, description);
				existing.note(key, { row: row.index, record: sent, isPlanned: true });
				return verdictWithRequest(plan);
			}
			const record = { ...plan.record, ...sent };
			if (twin) existing.note(key, { ...twin, record });
			else existing.latest.set(idOf(plan.record)!, record);
			return verdictWithRequest(plan);
		});
	});
	return verdict ?? { action: 'create' };
}

/** The ID of a record that only another row would bring about is not known. */
function verdictWithRequest(plan: Extract<Plan, { request: unknown }>): Verdict {
	if (plan.action === 'create') return { action: 'create' };
	return { action: 'update', sends: plan.request, id: ownId(plan.request) };
}

function verdictWithoutRequest(
	{ row, findings }: Look,
	{ action, record }: Exclude<Plan, { request: unknown }>,
	twin?: number,
): Verdict {
	const id = idOf(record);
	const other = twin === undefined ? undefined : labelOf(row.rows, [twin]);
	const isThere = `It already exists${id === undefined ? '' : ` (ID ${id})`}.`;
	const words = {
		skip: [isThere, `It is the same as ${other}.`],
		unchanged: [
			'It exists already with these values: nothing would change.',
			`It is the same as the ${row.request.noun} of ${other}.`,
		],
	};
	findings.warnings.add(words[action][other === undefined ? 0 : 1]);
	return { action: 'skip', id: twin === undefined ? id : undefined };
}

async function verdictOnChange(look: Look): Promise<Verdict> {
	const { request } = look.row;
	const record = await recordOf(look);
	if (request.body !== undefined) await checkBody(look);
	const action = request.method === 'PATCH' ? 'update' : 'delete';
	return { action, id: record && ownId(request) };
}

async function checkBody({ row, connection, findings, isFitted }: Look): Promise<void> {
	if (isFitted) await checkFields(row, connection, findings);
}

/** The ID of the record that a request changes; undefined where it would only be created. */
function ownId({ ids }: ServiceRequest): string | undefined {
	return Object.values(ids)[0];
}

/** Reads the record that would be changed; undefined where it does not exist. */
async function recordOf({ row, connection, findings, isAddressed }: Look) {
	if (!isAddressed) return undefined;
	const { resource, request } = row;
	const readable = { ...requestForList(request), path: resource.readableAt ?? request.path };
	return await findings.check(async () => await readFirst(row, connection, readable));
}
