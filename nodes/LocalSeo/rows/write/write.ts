import { change, create, fieldsOf, type JsonObject, readData, Turns } from '../../client';
import type { Connected } from '../../host/connect';
import type { Batch } from '../batch';
import { livesAt } from '../plan/body';
import { decided, recordRequest, updateOf } from '../plan/decision';
import { similarTo, uncompared } from '../plan/match';
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
		const changed = await turns.take(
			record,
			async () => await change(connection, request, row.key),
		);
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
			const shown = await change(connection, decision.request, row.key).catch(noted);
			const record = { ...decision.record, ...fieldsOf(decision.request), ...shown };
			match?.existing.noteLatest(record);
			return ended(record, 'updated');
		}
		const sent = await createOne(plan, batch, connection).catch(noted);
		if (sent.became === 'created') return made(plan, connection, sent);
		return await madeByOther(plan, connection, sent).catch(noted);
	});
	const remark = match && uncompared(match);
	if (remark === undefined) return performed;
	return { ...performed, notes: [...performed.notes, { say: () => remark }] };
}

async function createOne(plan: Plan, batch: Batch, connection: Connected): Promise<Sent> {
	const { row, match, request } = plan;
	const matching = plan.matching!;
	const how = {
		...{ paging: connection.paging, matching, before: match?.existing.before },
		...{ row: row.key, isBrief: row.isTool, isExact: row.matchFields.length > 0 },
	};
	const send = async () => await create(connection, request, how);
	return await sendProved(plan, batch, connection, send);
}

/** The result of a create, noted for the rows that follow: when it goes live, and what the service has not kept of it. */
function made(
	{ row, live, match }: Plan,
	{ account: { clock } }: Connected,
	{ record, changed: others, unproved }: Sent,
): Performed {
	const { zone, rows, index } = row;
	match?.existing.note(match.key, { row: index, record });
	// The sent values count: the service may have changed them.
	match?.existing.noteLatest({ ...match.fields, ...record });
	const changed = unproved ? [] : others;
	const keepsOther = `The service keeps another ${changed.join(' and ')} than was sent`;
	const warning =
		unproved?.message ??
		(changed.length > 0 ? `${keepsOther}: a repeat would not recognize it` : undefined);
	const isTimeKept = !unproved && !changed.includes(row.publishTime ?? '');
	const goesLive = live && isTimeKept ? livesAt(live, zone, clock.wall()) : undefined;
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

/** The result of a row whose record, or one that is much like it, another run has just created. */
async function madeByOther(plan: Plan, connection: Connected, sent: Sent): Promise<Performed> {
	const { match, request, row } = plan;
	const { record, became, changed } = sent;
	if (became !== 'equal') throw similarTo(match!, record, changed);
	match!.existing.note(match!.key, { row: row.index, record });
	if (match!.ifExists === 'skip') return ended(record, 'skipped');
	// It may differ in what is not compared.
	const now = await readData(connection, recordRequest(match!, request, record), connection.paging);
	const update = updateOf(match!, request, now.data as JsonObject, false);
	if (update.action !== 'update') return ended(now.data as JsonObject, 'unchanged');
	const shown = await change(connection, update.request, row.key);
	return ended({ ...update.record, ...fieldsOf(update.request), ...shown }, 'updated');
}

function done(record: JsonObject): Performed {
	return { records: [record], outcome: 'done', notes: [] };
}

/** An outcome that the item shows as a field of its own, too. */
function ended(record: JsonObject, outcome: Outcome): Performed {
	const flag = Object.hasOwn(record, outcome) ? {} : { [outcome]: true };
	return { records: [{ ...record, outcome, ...flag }], outcome, notes: [] };
}
