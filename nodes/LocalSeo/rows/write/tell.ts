import {
	fieldsOf,
	fillPath,
	idOf,
	type JsonObject,
	justCreated,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { InputError } from '../../text/inputError';
import { onOneLine } from '../../text/words';
import { labelOf } from '../labels';
import type { Facts } from '../learn/facts';
import type { Action, RowEnd, Forecast, Performed } from '../outcome';
import { livesAt } from '../plan/body';
import type { Plan, PlanOf } from '../plan/plan';
import { inSlices } from '../slices';
import { locationOf, runAgain, sameAsFailed } from './carryOut';
import { noteTimes, proofOf } from './proof';

/** The word of a dry run for what is planned. */
const ACTIONS: Record<Plan['action'], Action> = {
	create: 'create',
	update: 'update',
	upsert: 'update',
	delete: 'delete',
	skip: 'skip',
	unchanged: 'skip',
	follow: 'skip',
	invalid: 'invalid',
};

/** Says what the plans of a part of a run would come to: what a run does with the same plans. */
export async function tell(
	plans: Plan[],
	{ now, lists }: Facts,
	ended: RowEnd[],
	connection: Connected,
): Promise<void> {
	noteTimes(plans[0].row, lists, connection);
	await inSlices(plans, (one) => {
		const plan = besideOthers(one, connection);
		const isAhead = plan.action === 'create' && (plan.live?.at ?? now) > now;
		const stop = isAhead ? proofOf(plan.row, connection).stopFor(plan) : undefined;
		const error = stop ?? (plan.action === 'follow' ? failureOf(plan, ended) : undefined);
		ended[plan.row.index] = told(error ? { ...plan, action: 'invalid', error } : plan, now);
	});
}

/** A row whose record another run has just created is not sent, although the list does not show it. */
function besideOthers(plan: Plan, connection: Connected): Plan {
	const made = plan.action === 'create' && justCreated(connection, plan.request, plan);
	if (!made) return plan;
	if (plan.row.ifExists === 'update')
		return { ...plan, action: 'invalid', error: runAgain(plan.row) };
	return { ...plan, action: 'skip', record: made.id === undefined ? {} : { id: made.id } };
}

/** Why the row that a row is the same as would not be sent. */
function failureOf({ row, twin }: PlanOf<'follow'>, ended: RowEnd[]): Error | undefined {
	const first = ended[twin];
	const isInvalid = first instanceof Error || first.forecast?.action === 'invalid';
	return isInvalid ? sameAsFailed(row, twin, 'would not be sent') : undefined;
}

function told(plan: Plan, now: number): Performed {
	const { row, request, action } = plan;
	const { ids, names, method } = request;
	const { message = undefined, description = undefined } =
		action === 'invalid' ? row.explain(plan.error) : {};
	const about = action === 'invalid' && plan.error instanceof InputError ? plan.error.about : {};
	const live = action === 'create' ? plan.live : undefined;
	const isBelow =
		row.request.method === 'POST' && Boolean(ids.locationId ?? row.request.ids.locationId);
	const isSent = ['create', 'update', 'upsert', 'delete'].includes(action);
	const words: Forecast = {
		action: ACTIONS[action],
		problem: message && onOneLine(message),
		problem_fields: about.fields?.join(', ') || undefined,
		advice: description && onOneLine(description),
		warning: warningOf(plan),
		goes_live: live && livesAt(live, row.zone, now),
		similar_to: about.similarTo,
		id: idIn(plan),
		location_name: isBelow ? names?.locationId : undefined,
		location_id: isBelow && method === 'POST' ? ids.locationId : undefined,
		request: isSent ? requestLine(request) : undefined,
	};
	const said = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
	const forecast = { ...withoutNames(fieldsOf(request), said), ...said } as Forecast;
	const at = live?.at !== undefined && live.at > now ? live.at : undefined;
	return {
		...{ records: [forecast], outcome: 'dry run', forecast, notes: [] },
		...(live && { live: { at, location: locationOf(plan) } }),
	};
}

/** Fields of a post whose names are those of the dry run's own columns. */
function withoutNames(fields: JsonObject, said: object): JsonObject {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			Object.hasOwn(said, name) ? `input_${name}` : name,
			value,
		]),
	);
}

function warningOf(plan: Plan): string | undefined {
	const { row } = plan;
	switch (plan.action) {
		case 'skip': {
			const id = idOf(plan.record);
			return `It already exists${id === undefined ? '' : ` (ID ${id})`}.`;
		}
		case 'unchanged':
			return 'It exists already with these values: nothing would change.';
		case 'follow':
			return `It is the same as ${labelOf(row.rows, [plan.twin])}.`;
		case 'invalid':
			return undefined;
		default:
			return plan.warning;
	}
}

function idIn(plan: Plan): string | undefined {
	const { action, request } = plan;
	if (action === 'skip' || action === 'unchanged' || action === 'upsert') return idOf(plan.record);
	if (action !== 'update' && action !== 'delete') return undefined;
	return Object.values(request.ids)[0];
}

/** A request as it would be sent: "POST /locations/loc_1/posts" */
function requestLine(request: ServiceRequest): string {
	const pairs = Object.entries(request.query).flatMap(([name, values]) =>
		[values].flat().map((value): [string, string] => [name, String(value)]),
	);
	const search = new URLSearchParams(pairs).toString();
	return `${request.method} ${fillPath(request)}${search && `?${search}`}`;
}
