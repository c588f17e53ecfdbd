import {
	change,
	concurrently,
	create,
	fieldsOf,
	isAheadOf,
	type JsonObject,
	MAX_IN_FLIGHT,
	type RunMemory,
	ServiceError,
} from '../../client';
import type { Connected } from '../../host/connect';
import { isUpsert, type Note } from '../../resources';
import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';
import type { Facts } from '../learn/facts';
import { labelOf } from '../labels';
import type { RowEnd, GoesLive, Performed } from '../outcome';
import type { Row } from '../read/row';
import { livesAt } from '../plan/body';
import type { Plan, PlanOf } from '../plan/plan';
import { noteTimes, proofOf, type Sent } from './proof';
import { isSameTime } from './shown';

/** The connection of a row: its own context of n8n sends the requests. */
type Connect = (row: Row) => Connected;

/** The result of a row that writes. */
type Became = 'created' | 'updated' | 'deleted' | 'unchanged' | 'skipped';

/**
 * Carries out the plans of a part of a run, side by side; what becomes of each stands in `ended`, by the
 * place of its row. Nobody gets another row's error.
 */
export async function carryOut(
	plans: Plan[],
	{ lists }: Facts,
	ended: RowEnd[],
	connect: Connect,
): Promise<void> {
	noteTimes(plans[0].row, lists, connect(plans[0].row));
	const isFollowing = ({ action }: Plan) => action === 'follow';
	const jobs = (some: Plan[]) =>
		some.map((plan) => async () => {
			const end = carriedOut(plan, ended, connect);
			ended[plan.row.index] = await end.catch((error: Error) => error);
		});
	await concurrently(jobs(plans.filter((plan) => !isFollowing(plan))), 2 * MAX_IN_FLIGHT);
	// The rows that they are the same as have come to something by now.
	await concurrently(jobs(plans.filter(isFollowing)), 1);
}

async function carriedOut(plan: Plan, ended: RowEnd[], connect: Connect): Promise<Performed> {
	switch (plan.action) {
		case 'invalid':
			throw plan.error;
		case 'skip':
			return done(plan.row, plan.record, 'skipped');
		case 'unchanged':
			return done(plan.row, plan.record, 'unchanged');
		case 'follow':
			return followed(plan, ended[plan.twin]);
		case 'create':
			return await created(plan, connect(plan.row));
		default:
			return await changed(plan, connect(plan.row));
	}
}

/** A row that says the same as an earlier one gets its record. */
function followed(plan: PlanOf<'follow'>, first: RowEnd): Performed {
	const { row, twin, as } = plan;
	const { created: word = 'created' } = row.resource;
	if (first instanceof Error) {
		const isCreate = row.operation.routing.request.method === 'POST';
		const isOpen = first instanceof ServiceError && first.kind === 'unconfirmed';
		const became = isOpen ? 'could not be confirmed' : `was not ${isCreate ? word : 'sent'}`;
		throw sameAsFailed(row, twin, became);
	}
	return done(row, first.record!, as);
}

/** The error of a row that is the same as one that came to nothing. */
export function sameAsFailed({ rows, resource }: Row, twin: number, became: string): InputError {
	return new InputError(
		`The same as ${labelOf(rows, [twin])}, which ${became}`,
		`What is wrong with that ${resource.noun} stands there.`,
	);
}

async function changed(
	plan: PlanOf<'update' | 'delete' | 'upsert'>,
	connection: Connected,
): Promise<Performed> {
	const { row, request, action } = plan;
	const shown = await change(connection, request, row.key.row);
	if (action !== 'upsert') return done(row, shown, action === 'update' ? 'updated' : 'deleted');
	return done(row, { ...plan.record, ...fieldsOf(request), ...shown }, 'updated');
}

async function created(plan: PlanOf<'create'>, connection: Connected): Promise<Performed> {
	const { row, request, matching, before, live } = plan;
	const how = {
		paging: connection.paging,
		matching,
		before,
		row: row.key.row,
		isBrief: row.isTool,
		watched: row.mapping.added.map(({ field }) => field),
	};
	const send = async (error = plan.error) => await create(connection, request, { ...how, error });
	const isAhead = live?.at !== undefined && live.at > connection.account.clock.wall();
	// A row that an earlier try has done is not sent again, and nothing more is known of it.
	const isDone = connection.run?.earlier(row.key.row)?.isDone;
	const sent: Sent =
		isAhead && !isDone
			? await proofOf(row, connection).around(plan, connection, send)
			: await send();
	const { became, record } = sent;
	if (became === 'created' && !isDone) return made(plan, connection, sent);
	if (became !== 'equal') return done(row, record, became);
	if (row.ifExists !== 'update') return done(row, record, 'skipped');
	throw runAgain(row);
}

/** The error of a row that is to update what another run has just created, whose other values are not known. */
export const runAgain = ({ resource }: Row): InputError =>
	new InputError(
		`Another run has just created this ${resource.noun}`,
		'Run this row again to update it.',
	);

/** The result of a create: when it goes live, and what the service keeps otherwise. */
function made(plan: PlanOf<'create'>, { account }: Connected, sent: Sent): Performed {
	const { row, live } = plan;
	const { record, changed: otherwise, unproved, unlisted, isShown } = sent;
	const { publishTime = '', zone, rows, index } = row;
	const keepsOther = `The service changed the ${otherwise.join(' and ')}`;
	const mayRepeat = 'so running this row again may create a second one';
	const warning =
		unproved?.message ??
		(otherwise.length > 0 ? `${keepsOther}, ${mayRepeat}` : undefined) ??
		plan.warning;
	const now = account.clock.wall();
	// A post without a time goes live at once, unless the service has set one.
	const isSet = live?.at === undefined && isShown && isAheadOf(record[publishTime], now);
	const isSame = live?.at !== undefined && isShown && isSameTime(plan, record);
	const isTimeKept = !unproved && (isSame || !otherwise.includes(publishTime)) && !isSet;
	const at = live?.at !== undefined && live.at > now ? live.at : undefined;
	const shown = {
		...(live && { goes_live: isTimeKept ? livesAt(live, zone, now) : 'not certain' }),
		...(warning !== undefined && { warning }),
		...(unlisted !== undefined && { note: unlisted }),
	};
	const say = (of: string) => `${keepsOther} (${of}), ${mayRepeat}.`;
	const remarks: Note[] = plan.warning === undefined ? [] : [{ say: () => plan.warning! }];
	const notes: Note[] = unproved
		? [{ say: () => sentences(unproved.message, unproved.description) }]
		: otherwise.length > 0
			? [{ of: labelOf(rows, [index]), say }]
			: [];
	const result = done(row, record, 'created', [...notes, ...remarks], shown);
	if (warning !== undefined) result.mayRepeat = true;
	if (live && isTimeKept) result.live = { at, location: locationOf(plan) };
	return result;
}

/** The location of a post, for the hint. */
export function locationOf({ request: { ids, names } }: Plan): GoesLive['location'] {
	return { id: ids.locationId, name: names?.locationId };
}

/** An outcome that is not what the operation does stands as a field of its own, too: workflows filter by it. */
function done(
	row: Row,
	record: JsonObject,
	outcome: Became,
	notes: Note[] = [],
	shown: JsonObject = {},
): Performed {
	const isMain = !isUpsert(row.operation) && outcome !== 'skipped' && outcome !== 'unchanged';
	const flag = isMain || Object.hasOwn(record, outcome) ? {} : { [outcome]: true };
	return {
		record,
		records: [{ ...record, outcome, ...flag, ...shown }],
		outcome: isMain ? 'done' : (outcome as Exclude<Became, 'deleted'>),
		notes,
	};
}

/** The result of a row that an earlier try has done, or why that is not known; undefined: it has done nothing. */
export function earlierOf(row: Row, run: RunMemory): RowEnd | undefined {
	const earlier = run.earlier(row.key.row);
	if (!earlier) return undefined;
	const { isDone, isUpdate, id, error } = earlier;
	if (!isDone) return error;
	const isDeletion = row.operation.routing.request.method === 'DELETE';
	const became = isDeletion ? 'deleted' : isUpdate ? 'updated' : 'created';
	return done(row, { ...(id && { id }) }, became);
}
