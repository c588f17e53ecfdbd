import {
	change,
	concurrently,
	create,
	type JsonObject,
	MAX_IN_FLIGHT,
	type RunMemory,
} from '../../client';
import type { Connected } from '../../host/connect';
import { isUpsert } from '../../resources';
import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';
import { labelOf } from '../labels';
import {
	type GoesLive,
	isUsual,
	mayBeThere,
	type Outcome,
	type Performed,
	type RowEnd,
} from '../outcome';
import { livesAt } from '../plan/body';
import type { Plan, PlanOf } from '../plan/plan';
import type { Row } from '../read/row';
import { shownFor } from '../read/when';
import { type Proved, proving } from './proving';

/** The connection of a row: its own context of n8n sends the requests. */
type Connect = (row: Row) => Connected;

/** True for a row that gets the record of another one. */
const isFollowing = (plan: Plan) => 'sameAs' in plan && plan.sameAs !== undefined;

/**
 * Carries out plans side by side; what becomes of each stands in `ended`, by the place of its row. Nobody gets
 * another row's error.
 */
export async function carryOut(
	plans: Plan[],
	ended: RowEnd[],
	run: RunMemory,
	connect: Connect,
): Promise<void> {
	const jobs = (some: Plan[]) =>
		some.map((plan) => async () => {
			const end = carriedOut(plan, ended, run, connect);
			ended[plan.row.index] = await end.catch((error: Error) => error);
		});
	await concurrently(jobs(plans.filter((plan) => !isFollowing(plan))), 2 * MAX_IN_FLIGHT);
	// The rows that they are the same as have come to something by now.
	await concurrently(jobs(plans.filter(isFollowing)), 1);
}

async function carriedOut(
	plan: Plan,
	ended: RowEnd[],
	run: RunMemory,
	connect: Connect,
): Promise<Performed> {
	const { row, request } = plan;
	// n8n tries the run again: what a row has done it has done, whatever is planned by now.
	const earlier = earlierOf(row, run, request.body);
	if (earlier && !(earlier instanceof Error)) return earlier;
	switch (plan.action) {
		case 'invalid':
			throw earlier ?? plan.error;
		case 'skip':
		case 'unchanged': {
			const record =
				plan.sameAs === undefined ? plan.record : recordOf(row, plan.sameAs, ended[plan.sameAs]);
			// A lost create of an earlier try, which the list shows by now.
			if (earlier && plan.action === 'skip') return done(row, record, 'created');
			return done(row, record, plan.action === 'skip' ? 'skipped' : 'unchanged');
		}
		case 'create':
			return await created(plan, connect(row));
		case 'delete':
			return done(row, await change(connect(row), request, row.key.row), 'deleted');
		case 'update': {
			const shown = await change(connect(row), request, row.key.row);
			return done(row, { ...plan.record, ...request.body, ...shown }, 'updated');
		}
	}
}

/** @throws InputError where the row that a row is the same as has come to nothing */
function recordOf(row: Row, sameAs: number, first: RowEnd): JsonObject {
	if (!(first instanceof Error)) return first.record!;
	const isCreate = row.operation.routing.request.method === 'POST';
	const became = isCreate ? (row.resource.created ?? 'created') : 'sent';
	throw sameAsFailed(
		row,
		sameAs,
		mayBeThere(first) ? 'could not be confirmed' : `was not ${became}`,
	);
}

/** The error of a row that is the same as one that came to nothing. */
export function sameAsFailed({ rows, resource }: Row, sameAs: number, became: string): InputError {
	return new InputError(
		`The same as ${labelOf(rows, [sameAs])}, which ${became}`,
		`What is wrong with that ${resource.noun} stands there.`,
	);
}

async function created(plan: PlanOf<'create'>, connection: Connected): Promise<Performed> {
	const { row, request, sought, before, live } = plan;
	const how = {
		paging: connection.paging,
		sought,
		before,
		row: row.key.row,
		isBrief: row.isTool,
		watched: row.mapping.added.map(({ field }) => field),
	};
	const send = async () => await create(connection, request, how);
	const isAhead = live?.at !== undefined && live.at > connection.account.clock.wall();
	// The record of an earlier try is looked for.
	const isProved = isAhead && !connection.run?.earlier(row.key.row);
	const sent: Proved = isProved ? await proving(plan, connection, send) : await send();
	if (sent.became === 'created') return made(plan, connection, sent);
	if (isUpsert(row.operation)) throw runAgain(row);
	return done(row, sent.record, 'skipped', { warning: JUST_CREATED });
}

/** Another run has made the record, and the list need not show it yet. */
export const JUST_CREATED =
	'It was created a minute ago. If you have deleted it since, run this again in two minutes.';

/** The error of a row that is to update such a record, whose other values are not known. */
export const runAgain = ({ resource }: Row): InputError =>
	new InputError(
		`Another run has just created this ${resource.noun}`,
		'Run this row again to update it.',
	);

/** The result of a create: when it goes live, and what the service keeps otherwise. */
function made(plan: PlanOf<'create'>, { account }: Connected, sent: Proved): Performed {
	const { row, live, before } = plan;
	const { record, changed, stop, isShown } = sent;
	const { publishTime: name = '', zone } = row;
	const now = account.clock.wall();
	const at = live?.at !== undefined && live.at > now ? live.at : undefined;
	const time = isShown && at ? shownFor(record, name, at, now) : 'none';
	// The moment of publishing is recognized.
	const others = changed.filter((field) => field !== name || at !== undefined);
	const otherwise = others.length > 0 && `The service changed the ${others.join(' and ')}`;
	const again = before ? ', so it may not be recognized if this row runs again' : '';
	const warning = stop
		? sentences(stop.message, stop.description)
		: otherwise
			? otherwise + again
			: plan.warning;
	const isCertain = stop === undefined && time !== 'other';
	const result = done(row, record, 'created', {
		...(live && { goes_live: isCertain ? livesAt(live, zone, now) : 'not certain' }),
		...(warning !== undefined && { warning }),
	});
	if (live && isCertain) result.live = { at, location: locationOf(plan) };
	return result;
}

/** The location of a post, for the hint. */
export function locationOf({ request: { ids, names } }: Plan): GoesLive['location'] {
	return { id: ids.locationId, name: names?.locationId };
}

/**
 * The result of a row that writes. An outcome that is not what the operation does stands as a field of its own, too:
 * workflows filter by it.
 */
function done(
	row: Row,
	record: JsonObject,
	outcome: Exclude<Outcome, 'read' | 'failed' | 'dry run'>,
	shown: { goes_live?: string; warning?: string } = {},
): Performed {
	const isFlagged = !isUsual(row.operation, outcome) && !Object.hasOwn(record, outcome);
	const flag = isFlagged ? { [outcome]: true } : {};
	const { warning } = shown;
	return { record, records: [{ ...record, outcome, ...flag, ...shown }], outcome, warning };
}

/**
 * The result of a row that an earlier try has done, or why that is not known; undefined: it has done nothing.
 *
 * @param fields that were sent, as far as they are known
 */
export function earlierOf(
	row: Row,
	run: RunMemory,
	fields: JsonObject = {},
): Performed | Error | undefined {
	const earlier = run.earlier(row.key.row);
	if (!earlier) return undefined;
	const { isDone, isUpdate, id, error } = earlier;
	if (!isDone) return error;
	const isDeletion = row.operation.routing.request.method === 'DELETE';
	const record = {
		...fields,
		...(id !== undefined && { id }),
		...(isDeletion && { deleted: true }),
	};
	return done(row, record, isDeletion ? 'deleted' : isUpdate ? 'updated' : 'created');
}
