import {
	change,
	create,
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
import { livesAt, refuseOver } from '../plan/body';
import { decide } from '../plan/decision';
import type { Made } from '../plan/existing';
import { type Match, uncompared } from '../plan/match';
import type { Plan } from '../plan/plan';
import type { Note } from '../../resources';
import { sentences } from '../../text/words';
import { labelOf } from '../labels';
import type { Outcome, Performed } from '../outcome';
import { sendProved, type Sent } from './proof';

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
	/** The result of an equal row of this run. */
	twin?: Made;
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
	const decision = row.problems.noting(() => decide(match, plan.request, twin, known));
	if (!decision) throw row.problems.error!;
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
): Promise<Sent> {
	const { row, match, live, matching = { fields: [] } } = plan;
	row.problems.noting(() => refuseOver(row, live, connection.account.clock.now()));
	if (row.problems.error) throw row.problems.error;
	const how = {
		...{ paging: connection.paging, matching },
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

/** The result of a create: when it goes live, and what the service has not kept of it. */
function made(
	{ row, live, matching, request }: Plan,
	{ account: { clock } }: Connected,
	{ record, isShown, unproved }: Sent,
): Performed {
	const { zone, rows, index } = row;
	const sent = fieldsOf(request);
	const { fields: matched = [], isTerm } = matching ?? {};
	// The time counts, whatever the user compares.
	const compared = new Set([
		...matched,
		...(live?.at === undefined ? [] : [row.publishTime ?? '']),
	]);
	const isOther = (name: string) =>
		Object.hasOwn(record, name) && keyOf(record[name], isTerm) !== keyOf(sent[name], isTerm);
	const changed = isShown && !unproved ? [...compared].filter(isOther) : [];
	const keepsOther = `The service keeps another ${changed.join(' and ')} than was sent`;
	const warning =
		unproved?.message ??
		(changed.length > 0 ? `${keepsOther}: a repeat would not recognize it` : undefined);
	const isTimeKept = !unproved && !changed.includes(row.publishTime ?? '');
	const goesLive = live && isTimeKept ? livesAt(live, zone, clock.now()) : undefined;
	const result = done({
		...record,
		...(live && { goes_live: goesLive ?? 'not certain' }),
		...(warning !== undefined && { warning }),
		outcome: 'created',
	});
	const note: Note = unproved
		? { say: () => sentences(unproved.message, unproved.description) }
		: {
				of: labelOf(rows, [index]),
				say: (of) => `${keepsOther} (${of}): a repeat would not recognize it.`,
			};
	const notes = warning === undefined ? [] : [note];
	return { ...result, notes, ...(goesLive !== undefined && { live }) };
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
