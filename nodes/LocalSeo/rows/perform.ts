import {
	change,
	type Connection,
	create,
	fieldsOf,
	idOf,
	type JsonObject,
	madeBefore,
	oncePerRow,
	Turns,
} from '../client';
import { get } from './get';
import { refuseWhatIsLate } from './plan/checks';
import { fitted } from './plan/fit';
import { forecast } from './plan/forecast';
import { addressed } from './plan/location';
import { type MatchedRow, matchingOfRow, matchOf, uncompared } from './plan/match';
import { type Plan, planOf } from './plan/plan';
import { sentences } from '../text/words';
import { oncePerRun } from './perRun';
import type { Row } from './read/row';
import type { Outcome, Performed } from './tell/results';

/**
 * Does what a row says: it is read, or written once, even if n8n runs the node again. In a dry run,
 * it is only said what would be done.
 *
 * @throws whatever makes the row fail: `toNodeError` says it in words
 */
export async function perform(row: Row, connection: Connection): Promise<Performed> {
	if (row.isDryRun) {
		const foreseen = await forecast(row, connection);
		return { records: [foreseen], outcome: 'dry run', forecast: foreseen, notes: [] };
	}
	if (row.request.method === 'GET') return await get(row, connection);
	// Retry On Fail repeats every row, including those that succeeded (docs/dev/n8n-facts.md, section 1).
	const { text, ...done } = await oncePerRow(connection.account, row.key, async () => {
		const ready = await fitted(await addressed(row, connection), connection);
		const { records, ...rest } = await write(ready, connection);
		// As text, so that whoever changes an item does not change what is remembered.
		return { ...rest, text: JSON.stringify(records) };
	});
	return { ...done, records: JSON.parse(text) as unknown[] };
}

async function write(row: Row, connection: Connection): Promise<Performed> {
	const { request, ifExists, paging, key } = row;
	if (request.method !== 'POST') {
		const outcome = request.method === 'PATCH' ? 'updated' : 'deleted';
		// Rows about one record follow one another: the last one counts.
		const turns = await oncePerRun(row, connection.account, ['turns'], async () => new Turns());
		const record = JSON.stringify([request.path, request.ids]);
		const changed = await turns.take(record, async () => await change(connection, request));
		return done({ ...changed, outcome });
	}
	if (ifExists === 'create') {
		refuseWhatIsLate(row, connection);
		const how = { paging, matching: matchingOfRow(row), row: key, isBrief: row.isTool };
		const { record } = await create(connection, request, how);
		return done({ ...record, outcome: 'created' });
	}
	const match = await matchOf(row, connection, ifExists);
	const { existing } = match;
	const performed = await existing.inTurn(match.key, async (made) => {
		const other = made && made.row !== row.index ? made : undefined;
		// Equal rows of a run get what the first came to.
		if (other?.error) throw other.error;
		const known = madeBefore(connection.account, match.request);
		return await carriedOut(row, connection, match, planOf(match, other, known), known);
	});
	const { message, description } = uncompared(match) ?? {};
	if (message === undefined) return performed;
	return { ...performed, notes: [{ say: () => sentences(message, description) }] };
}

/** Carries out a plan, and notes for the rows that follow what the record is now. */
async function carriedOut(
	row: Row,
	connection: Connection,
	{ existing, key, ifExists, fields, matching }: MatchedRow,
	plan: Plan,
	known?: JsonObject,
): Promise<Performed> {
	if (!('request' in plan)) return ended(plan.record, ENDS[plan.action]);
	const noted = (error: unknown): never => {
		existing.note(key, { row: row.index, error });
		throw error;
	};
	if (plan.action === 'update') {
		const shown = await change(connection, plan.request).catch(noted);
		const record = { ...plan.record, ...fieldsOf(plan.request), ...shown };
		existing.latest.set(idOf(plan.record) ?? '', record);
		return ended(record, 'updated');
	}
	refuseWhatIsLate(row, connection);
	// The list shows the known record with other values: somebody changed it, so this row gets its own.
	const made = await create(connection, plan.request, {
		...{ paging: row.paging, matching, before: existing.before, row: row.key },
		...{ unlessMade: known === undefined, isBrief: row.isTool },
	}).catch(noted);
	const { record, wasMade } = made;
	existing.note(key, { row: row.index, record });
	// The sent values count: the service may have changed them.
	existing.latest.set(idOf(record) ?? '', { ...fields, ...record });
	if (wasMade) return ended(record, ifExists === 'skip' ? 'skipped' : 'unchanged');
	return ifExists === 'skip' ? done({ ...record, outcome: 'created' }) : ended(record, 'created');
}

const ENDS = { skip: 'skipped', unchanged: 'unchanged' } as const;

function done(record: JsonObject): Performed {
	return { records: [record], outcome: 'done', notes: [] };
}

/** An outcome that the item shows as a field of its own, too. */
function ended(record: JsonObject, outcome: Outcome): Performed {
	const flag = Object.hasOwn(record, outcome) ? {} : { [outcome]: true };
	return { ...done({ ...record, outcome, ...flag }), outcome };
}
