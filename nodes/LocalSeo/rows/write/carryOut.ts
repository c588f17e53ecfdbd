import {
	type Account,
	change,
	concurrently,
	create,
	type Created,
	doneBy,
	fieldsOf,
	isAheadOf,
	type JsonObject,
	MAX_IN_FLIGHT,
	noteWarning,
	readData,
	type Relation,
	requestForList,
	ServiceError,
	systemClock,
	withOwnSignal,
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
import { changesIn, patchOf } from '../plan/decide';
import type { Plan, PlanOf } from '../plan/plan';
import { justCreated } from '../plan/questions';
import { noteTimes, proofOf, type Sent } from './proof';
import { isSameTime } from './shown';

/** How rows are sent. */
interface How {
	/** The connection of a row: its own context of n8n sends the requests. */
	connect(row: Row): Connected;
	/** Waits until the batch of a row has its turn. */
	delay(row: Row): Promise<void>;
}

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
	how: How,
): Promise<void> {
	noteTimes(plans[0].row, lists, how.connect(plans[0].row));
	const isFollowing = ({ action }: Plan) => action === 'follow';
	const jobs = (some: Plan[]) =>
		some.map((plan) => async () => {
			const { row } = plan;
			ended[row.index] = await how
				.delay(row)
				.then(async () => await carriedOut(plan, ended, how))
				.catch((error: Error) => error);
		});
	await concurrently(jobs(plans.filter((plan) => !isFollowing(plan))), 2 * MAX_IN_FLIGHT);
	// The rows that they are the same as have come to something by now.
	await concurrently(jobs(plans.filter(isFollowing)), 1);
}

async function carriedOut(plan: Plan, ended: RowEnd[], { connect }: How): Promise<Performed> {
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
	const shown = await change(connection, request, row.key);
	if (action !== 'upsert') return done(row, shown, action === 'update' ? 'updated' : 'deleted');
	return done(row, { ...plan.record, ...fieldsOf(request), ...shown }, 'updated');
}

async function created(plan: PlanOf<'create'>, connection: Connected): Promise<Performed> {
	const { row, request, matching, keys, before, live } = plan;
	const how = {
		paging: connection.paging,
		matching,
		keys,
		before,
		row: row.key,
		isBrief: row.isTool,
		isExact: row.matchFields.length > 0,
		watched: row.mapping.added.map(({ field }) => field),
	};
	const send = async (error = plan.error) => await create(connection, request, { ...how, error });
	const isAhead = live?.at !== undefined && live.at > connection.account.clock.wall();
	// A row that an earlier try has done is not sent again.
	const isSent = isAhead && !doneBy(connection.account, row.key);
	const sent: Sent = isSent
		? await proofOf(row, connection).around(plan, connection, send)
		: await send();
	const { became, unproved } = sent;
	if (unproved) noteWarning(connection.account, row.key, unproved.message);
	if (became === 'updated') return done(row, sent.record, became);
	return became === 'created'
		? made(plan, connection, sent)
		: await madeByOther(plan, connection, { ...sent, became });
}

/** The result of a create: when it goes live, and what the service keeps otherwise. */
function made(plan: PlanOf<'create'>, { account }: Connected, sent: Sent): Performed {
	const { row, live } = plan;
	const { record, changed: otherwise, unproved, unlisted, isShown } = sent;
	const { publishTime = '', zone, rows, index } = row;
	const keepsOther = `The service changed the ${otherwise.join(' and ')}`;
	const mayRepeat = 'so running this row again may create a second one';
	const warning =
		unproved?.message ??
		sent.warning ??
		(otherwise.length > 0 ? `${keepsOther}, ${mayRepeat}` : undefined) ??
		plan.warning;
	const now = account.clock.wall();
	// A post without a time goes live at once, unless the service has set one.
	const isSet = live?.at === undefined && isShown && isAheadOf(record[publishTime], now);
	const isUnproved = unproved !== undefined || sent.warning !== undefined;
	const isSame = live?.at !== undefined && isShown && isSameTime(plan, record);
	const isTimeKept = !isUnproved && (isSame || !otherwise.includes(publishTime)) && !isSet;
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

/** The result of a row whose record, or one that is much like it, another run has just created. */
async function madeByOther(
	plan: PlanOf<'create'>,
	connection: Connected,
	{ record, became, changed: differing }: Created & { became: Relation },
): Promise<Performed> {
	const { row, request, matching } = plan;
	const asking = { row, matching, fields: fieldsOf(request) };
	if (became !== 'equal') throw justCreated(asking, { record, relation: became, differing });
	if (row.ifExists !== 'update') return done(row, record, 'skipped');
	// It may differ in what is not compared.
	const readable = requestForList(patchOf(plan, record, {}));
	const now = (await readData(connection, readable, connection.paging)).data as JsonObject;
	const changes = changesIn(fieldsOf(request), now);
	if (!changes) return done(row, now, 'unchanged');
	const shown = await change(connection, patchOf(plan, now, changes), row.key);
	return done(row, { ...now, ...changes, ...shown }, 'updated');
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

/** The result of a row that an earlier try has done, as far as it is remembered; undefined: it has done nothing. */
export function earlierOf(row: Row, account: Account): Performed | undefined {
	const before = doneBy(account, row.key);
	if (!before) return undefined;
	const became = before.isUpdate ? 'updated' : 'created';
	const isDeletion = row.operation.routing.request.method === 'DELETE';
	const { id, warning } = before;
	const shown = warning === undefined ? {} : { warning };
	return done(row, { ...(id && { id }) }, isDeletion ? 'deleted' : became, [], shown);
}

/** Waits until the batch of a row has its turn. */
export function delays(
	delayOf: (index: number) => number,
	signal?: AbortSignal,
): (row: Row) => Promise<void> {
	const startedAt = systemClock.now();
	return async ({ index }) => {
		const wait = startedAt + delayOf(index) - systemClock.now();
		if (wait > 0) await systemClock.sleep(wait, withOwnSignal({ signal }).signal);
	};
}
