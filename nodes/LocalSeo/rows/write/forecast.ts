import {
	fieldsOf,
	fillPath,
	idNames,
	idOf,
	readCompleteList,
	readData,
	requestForList,
	ServiceError,
	endsWithId,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { InputError } from '../../text/inputError';
import { onOneLine } from '../../text/words';
import type { Batch } from '../batch';
import { livesAt } from '../plan/body';
import { decided, type Decision } from '../plan/decision';
import { nameOfLocation } from '../plan/location';
import { uncompared } from '../plan/match';
import { isOfRow, type Plan } from '../plan/plan';
import { labelOf } from '../labels';
import type { Forecast, Performed } from '../outcome';

/** The fate of a row in which nothing is wrong. */
interface Verdict {
	action: Forecast['action'];
	/** The ID of the record that is there. */
	id?: string;
	warning?: string;
	/** The request that would be sent; absent for a row that would be skipped. */
	sends?: ServiceRequest;
}

/**
 * Says what a plan would come to.
 *
 * @param connection refuses everything but reads
 * @throws ServiceError where nothing can be said about the row: the key is refused, the service is down
 */
export async function forecast(
	plan: Plan,
	batch: Batch,
	connection: Connected,
): Promise<Performed> {
	const { row, request, live } = plan;
	let { error } = plan;
	const check = async <T>(work: () => Promise<T>): Promise<T | undefined> =>
		await work().catch((thrown: unknown) => {
			if (!(thrown instanceof InputError) && !isOfRow(thrown)) throw thrown;
			error ??= thrown;
			return undefined;
		});
	const verdict = error
		? undefined
		: await check(async () => await verdictOn(plan, batch, connection));
	const { locationId } = request.ids;
	const isNamed = request.method === 'POST' && locationId && (!error || request.names);
	// A name that can't be read is no reason to refuse a row.
	const name = isNamed ? await check(async () => await nameOf(plan, batch, connection)) : undefined;
	const { message, description } = error ? row.explain(error) : ({} as Partial<InputError>);
	const goesLive = live && !error && verdict?.action === 'create';
	const fields = fieldsOf(verdict?.sends ?? request);
	const words: Forecast = {
		action: error ? 'invalid' : verdict!.action,
		problem: message && onOneLine(message),
		warning: error ? undefined : verdict?.warning,
		goes_live: goesLive ? livesAt(live, row.zone, connection.account.clock.wall()) : undefined,
		id: verdict?.id,
		location_name: name,
		advice: description && onOneLine(description),
		location_id: request.method === 'POST' && locationId ? locationId : undefined,
		request: error || !verdict?.sends ? undefined : requestLine(verdict.sends),
	};
	const filled = Object.entries(words).filter(([, value]) => value !== undefined);
	const said = { ...fields, ...Object.fromEntries(filled) } as Forecast;
	const isCreate = said.action === 'create';
	return {
		records: [said],
		outcome: 'dry run',
		forecast: said,
		notes: [],
		...(isCreate && { live }),
	};
}

/** The name of the location; undefined if it can't be read. */
async function nameOf(
	{ row, request }: Plan,
	batch: Batch,
	connection: Connected,
): Promise<string | undefined> {
	const name = nameOfLocation(row, batch, connection, request.ids.locationId);
	return await name.catch((error: unknown) => {
		if (error instanceof ServiceError && !isOfRow(error)) return undefined;
		throw error;
	});
}

async function verdictOn(plan: Plan, batch: Batch, connection: Connected): Promise<Verdict> {
	const { request, match, row } = plan;
	if (request.method !== 'POST') {
		const id = Object.values(request.ids)[0];
		await readRecord(plan, batch, connection);
		return { action: request.method === 'PATCH' ? 'update' : 'delete', id, sends: request };
	}
	return await decided(plan, connection, async (decision, twin) => {
		if (!('request' in decision)) return verdictWithoutRequest(plan, decision, twin?.row);
		const { action, request: sends } = decision;
		const sent = fieldsOf(sends);
		if (decision.action === 'create') {
			match?.existing.note(match.key, { row: row.index, record: sent, isPlanned: true });
			return { action, sends, warning: match && uncompared(match) };
		}
		const record = { ...decision.record, ...sent };
		const id = Object.values(sends.ids)[0];
		// A change by an earlier row counts for the rows that follow.
		if (twin) match?.existing.note(match.key, { ...twin, record, isPlanned: id === undefined });
		else match?.existing.noteLatest(record);
		return { action, id, sends };
	});
}

function verdictWithoutRequest(
	{ row }: Plan,
	{ action, record }: Exclude<Decision, { request: unknown }>,
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
	const warning = words[action][other === undefined ? 0 : 1];
	return { action: 'skip', id: twin === undefined ? id : undefined, warning };
}

/** Reads the record that would be changed, or what it holds: one that does not exist can't be. */
async function readRecord(plan: Plan, batch: Batch, connection: Connected): Promise<void> {
	const { row, request } = plan;
	const readable = requestForList({ ...request, path: row.resource.readableAt ?? request.path });
	await batch.once(['record', readable.path, readable.ids], async () => {
		if (endsWithId(readable.path)) await readData(connection, readable, connection.paging);
		else await readCompleteList(connection, readable, { ...connection.paging, limit: 1 });
	});
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
