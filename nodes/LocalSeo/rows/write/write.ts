import { change, create, fieldsOf, type JsonObject, keyOf, madeBefore, Turns } from '../../client';
import type { Connected } from '../../host/connect';
import type { Batch } from '../batch';
import { livesAt } from '../plan/body';
import { decided } from '../plan/decision';
import { uncompared } from '../plan/match';
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
	const performed = await decided(plan, connection, async (decision) => {
		if (decision.action === 'skip') return ended(decision.record, 'skipped');
		if (decision.action === 'unchanged') return ended(decision.record, 'unchanged');
		const noted = (error: unknown): never => {
			match?.existing.note(match.key, { row: row.index, error });
			throw error;
		};
		if (decision.action === 'update') {
			const shown = await change(connection, decision.request).catch(noted);
			const record = { ...decision.record, ...fieldsOf(decision.request), ...shown };
			match?.existing.noteLatest(record);
			return ended(record, 'updated');
		}
		return made(plan, connection, await createOne(plan, batch, connection).catch(noted));
	});
	const remark = match && uncompared(match);
	if (remark === undefined) return performed;
	return { ...performed, notes: [...performed.notes, { say: () => remark }] };
}

async function createOne(plan: Plan, batch: Batch, connection: Connected): Promise<Sent> {
	const { row, match, request } = plan;
	const matching = plan.matching!;
	// A record that the list shows with other values was changed since: this row gets its own.
	const unlessMade = match && madeBefore(connection.account, request) === undefined;
	const how = {
		...{ paging: connection.paging, matching, unlessMade },
		...{ before: match?.existing.before, row: row.key, isBrief: row.isTool },
	};
	const send = async () => await create(connection, request, how);
	return await sendProved(plan, batch, connection, send);
}

/** The result of a create, noted for the rows that follow: when it goes live, and what the service has not kept of it. */
function made(
	{ row, live, match, matching, request }: Plan,
	{ account: { clock } }: Connected,
	{ record, isShown, wasMade, unproved }: Sent,
): Performed {
	const { zone, rows, index } = row;
	match?.existing.note(match.key, { row: index, record });
	// The sent values count: the service may have changed them.
	match?.existing.noteLatest({ ...match.fields, ...record });
	if (match && wasMade) return ended(record, match.ifExists === 'skip' ? 'skipped' : 'unchanged');
	const sent = fieldsOf(request);
	const { fields: matched, isTerm } = matching!;
	// The time counts, whatever the user compares.
	const compared = new Set([...matched, ...(live?.at === undefined ? [] : [row.publishTime!])]);
	const isOther = (name: string) =>
		Object.hasOwn(record, name) &&
		Object.hasOwn(sent, name) &&
		keyOf(record[name], isTerm) !== keyOf(sent[name], isTerm);
	const changed = isShown && !unproved ? [...compared].filter(isOther) : [];
	const keepsOther = `The service keeps another ${changed.join(' and ')} than was sent`;
	const warning =
		unproved?.message ??
		(changed.length > 0 ? `${keepsOther}: a repeat would not recognize it` : undefined);
	const isTimeKept = !unproved && !changed.includes(row.publishTime ?? '');
	const goesLive = live && isTimeKept ? livesAt(live, zone, clock.now()) : undefined;
	const shown = {
		...record,
		...(live && { goes_live: goesLive ?? 'not certain' }),
		...(warning !== undefined && { warning }),
	};
	const isUpsert = match?.ifExists === 'update';
	const result = isUpsert ? ended(shown, 'created') : done({ ...shown, outcome: 'created' });
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
	const flag = Object.hasOwn(record, outcome) ? {} : { [outcome]: true };
	return { records: [{ ...record, outcome, ...flag }], outcome, notes: [] };
}
