import {
	change,
	create,
	type Created,
	fieldsOf,
	idOf,
	type JsonObject,
	keyOf,
	madeBefore,
	type ServiceRequest,
	Turns,
} from '../../client';
import type { Connected } from '../../host/connect';
import type { Batch } from '../batch';
import { livesAt } from '../plan/body';
import { decide } from '../plan/decision';
import { type Match, matchingOfRow, uncompared } from '../plan/match';
import type { Plan } from '../plan/plan';
import type { Note } from '../../resources';
import { labelOf } from '../labels';
import type { Outcome, Performed } from '../outcome';
import { sendProved } from './proof';

/**
 * Carries out a plan.
 *
 * @throws what is wrong with the row, ServiceError as the client does, and Unproved
 */
export async function write(plan: Plan, batch: Batch, connection: Connected): Promise<Performed> {
	const { row, request, match, error } = plan;
	if (error) throw error;
	if (request.method !== 'POST') {
		const outcome = request.method === 'PATCH' ? 'updated' : 'deleted';
		// Rows about one record follow one another: the last one counts.
		const turns = await batch.once(['turns'], async () => new Turns());
		const record = JSON.stringify([request.path, request.ids]);
		const changed = await turns.take(record, async () => await change(connection, request));
		return done({ ...changed, outcome });
	}
	if (!match) return made(plan, connection, await createOne(plan, batch, connection, request));
	const performed = await match.existing.inTurn(match.key, async (before) => {
		const twin = before && before.row !== row.index ? before : undefined;
		// Equal rows of a run get what the first came to.
		if (twin?.error) throw twin.error;
		return await matched(plan, match, { batch, connection, twin });
	});
	const remark = uncompared(match);
	if (remark === undefined) return performed;
	return { ...performed, notes: [...performed.notes, { say: () => remark }] };
}

interface Context {
	batch: Batch;
	connection: Connected;
	twin?: { record?: JsonObject };
}

/** Does what has to be done beside what exists, and notes for the rows that follow what the record is now. */
async function matched(
	plan: Plan,
	match: Match,
	{ batch, connection, twin }: Context,
): Promise<Performed> {
	const { row } = plan;
	const { existing, key, ifExists, fields } = match;
	const known = madeBefore(connection.account, plan.request);
	const decision = decide(match, plan.request, twin && { row: -1, ...twin }, known);
	if (!('request' in decision)) return ended(decision.record, ENDS[decision.action]);
	const noted = (error: unknown): never => {
		existing.note(key, { row: row.index, error });
		throw error;
	};
	if (decision.action === 'update') {
		const shown = await change(connection, decision.request).catch(noted);
		const record = { ...decision.record, ...fieldsOf(decision.request), ...shown };
		existing.latest.set(idOf(decision.record) ?? '', record);
		return ended(record, 'updated');
	}
	const sending = createOne(plan, batch, connection, decision.request, known === undefined);
	const created = await sending.catch(noted);
	const { record, wasMade } = created;
	existing.note(key, { row: row.index, record });
	// The sent values count: the service may have changed them.
	existing.latest.set(idOf(record) ?? '', { ...fields, ...record });
	if (wasMade) return ended(record, ifExists === 'skip' ? 'skipped' : 'unchanged');
	const performed = made(plan, connection, created);
	return ifExists === 'skip'
		? performed
		: { ...performed, outcome: 'created', records: flagged(performed, 'created') };
}

const ENDS = { skip: 'skipped', unchanged: 'unchanged' } as const;

/** @param unlessMade false if the list shows what was created with other values: this row gets its own */
async function createOne(
	plan: Plan,
	batch: Batch,
	connection: Connected,
	request: ServiceRequest,
	unlessMade?: boolean,
): Promise<Created> {
	const { row, match } = plan;
	const fields = match?.fields ?? fieldsOf(request);
	const how = {
		...{ paging: connection.paging, matching: match?.matching ?? matchingOfRow(row, fields) },
		...{ before: match?.existing.before, row: row.key, isBrief: row.isTool },
		...{ unlessMade: match !== undefined && unlessMade },
	};
	return await sendProved(
		plan,
		batch,
		connection,
		async () => await create(connection, request, how),
	);
}

/** The result of a create: when it goes live, and whether the service has kept what was sent. */
function made(
	{ row, live, match, request }: Plan,
	{ account: { clock } }: Connected,
	{ record, isShown }: Created,
): Performed {
	const { zone } = row;
	const sent = fieldsOf(request);
	const { fields: compared = [], isTerm } = match?.matching ?? {};
	const isOther = (name: string) =>
		Object.hasOwn(record, name) && keyOf(record[name], isTerm) !== keyOf(sent[name], isTerm);
	const changed = isShown ? compared.filter(isOther) : [];
	const result = done({
		...record,
		...(live && { goes_live: livesAt(live, zone, clock.now()) }),
		outcome: 'created',
	});
	if (changed.length === 0) return { ...result, live };
	const names = changed.join(' and ');
	const note: Note = {
		of: labelOf(row.rows, [row.index]),
		say: (rows) =>
			`The service keeps another ${names} than was sent (${rows}): a repeat would not recognize it.`,
	};
	const warning = `The service keeps another ${names} than was sent: a repeat would not recognize it`;
	const records = result.records.map((one) => ({ ...(one as JsonObject), warning }));
	return { ...result, records, live, notes: [note] };
}

function done(record: JsonObject): Performed {
	return { records: [record], outcome: 'done', notes: [] };
}

/** An outcome that the item shows as a field of its own, too. */
function ended(record: JsonObject, outcome: Outcome): Performed {
	const performed = done({ ...record, outcome });
	return { ...performed, outcome, records: flagged(performed, outcome) };
}

function flagged({ records }: Performed, outcome: Outcome): unknown[] {
	return records.map((one) => {
		const record = one as JsonObject;
		return Object.hasOwn(record, outcome) ? record : { ...record, [outcome]: true };
	});
}
