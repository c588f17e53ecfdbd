import { fillPath, idOf, type JsonObject, justCreated, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { isUpsert, takes } from '../../resources';
import { onOneLine } from '../../text/words';
import { labelOf } from '../labels';
import type { Forecast, Performed, RowEnd } from '../outcome';
import { livesAt } from '../plan/body';
import type { Plan } from '../plan/plan';
import { JUST_CREATED, locationOf, runAgain, sameAsFailed } from './carryOut';
import { whyStopped } from './proving';

/**
 * Says what plans would come to: what a run does with the same plans. What it says of each stands in `ended`, by
 * the place of its row.
 *
 * @param filled the fields that some row of the run fills
 */
export function forecasts(
	filled: ReadonlySet<string>,
	now: number,
	ended: RowEnd[],
	connection: Connected,
): (plan: Plan) => void {
	return (one) => {
		const isAhead = one.action === 'create' && (one.live?.at ?? now) > now;
		const error = (isAhead ? whyStopped(one, connection) : undefined) ?? firstFailure(one, ended);
		const plan = error
			? { ...one, action: 'invalid' as const, error }
			: besideOthers(one, connection);
		ended[one.row.index] = performed(plan, filled, now);
	};
}

/** A row whose record another run has just created is not sent, although the list does not show it. */
function besideOthers(plan: Plan, connection: Connected): Plan {
	const made = plan.action === 'create' && justCreated(connection, plan.request, plan);
	if (!made) return plan;
	if (isUpsert(plan.row.operation))
		return { ...plan, action: 'invalid', error: runAgain(plan.row) };
	const record = made.id === undefined ? {} : { id: made.id };
	return { ...plan, action: 'skip', record, warning: JUST_CREATED };
}

/** Why the row that a row is the same as would not be sent. */
function firstFailure(plan: Plan, ended: RowEnd[]): Error | undefined {
	if (!('sameAs' in plan) || plan.sameAs === undefined) return undefined;
	const first = ended[plan.sameAs];
	const isInvalid = first instanceof Error || first.forecast?.action === 'invalid';
	return isInvalid ? sameAsFailed(plan.row, plan.sameAs, 'would not be sent') : undefined;
}

function performed(plan: Plan, filled: ReadonlySet<string>, now: number): Performed {
	const { row, request, action } = plan;
	const { operation, resource } = row;
	const live = action === 'create' ? plan.live : undefined;
	const problem = action === 'invalid' ? row.explain(plan.error) : undefined;
	const { locationId = '' } = row.request.ids;
	const isBelow = operation.routing.request.method === 'POST' && 'locationId' in row.request.ids;
	const isSent = action === 'create' || action === 'update' || action === 'delete';
	const fields = request.body ?? {};
	// The same in each run, so that a sheet can keep them.
	const forecast: Forecast = {
		action,
		problem: onOneLine(problem?.message ?? ''),
		advice: onOneLine(problem?.description ?? ''),
		warning: warningOf(plan) ?? '',
		...(resource.publishTime && { goes_live: live ? livesAt(live, row.zone, now) : '' }),
		id: idIn(plan) ?? '',
		...(isBelow && { location_name: request.names?.locationId ?? '' }),
		...(takes('fields')(operation) && valuesOf(fields, filled)),
		...(isBelow && { location_id: locationId }),
		request: isSent ? requestLine(request) : '',
	};
	const at = live?.at !== undefined && live.at > now ? live.at : undefined;
	return {
		...{ records: [forecast], outcome: 'dry run', forecast },
		...(live && { live: { at, location: locationOf(plan) } }),
	};
}

/** The values that would be sent, in columns of their own; names of the dry run's columns begin with `input_`. */
function valuesOf(fields: JsonObject, filled: ReadonlySet<string>): JsonObject {
	const names = [...filled].map((name) => [OWN.has(name) ? `input_${name}` : name, fields[name]]);
	return Object.fromEntries(names.map(([name, value]) => [name, value ?? ''])) as JsonObject;
}
const OWN = new Set([
	...['action', 'problem', 'advice', 'warning', 'goes_live', 'id'],
	...['location_name', 'location_id', 'request'],
]);

function warningOf(plan: Plan): string | undefined {
	const { row, action, warning } = plan;
	if (warning !== undefined || (action !== 'skip' && action !== 'unchanged')) return warning;
	if (plan.sameAs !== undefined) return `It is the same as ${labelOf(row.rows, [plan.sameAs])}.`;
	if (action === 'unchanged') return 'It exists already with these values: nothing would change.';
	const id = idOf(plan.record);
	return `It already exists${id === undefined ? '' : ` (ID ${id})`}.`;
}

function idIn(plan: Plan): string | undefined {
	const { action, request } = plan;
	if ('record' in plan && plan.record) return idOf(plan.record);
	return action === 'update' || action === 'delete' ? Object.values(request.ids)[0] : undefined;
}

/** A request as it would be sent: "POST /locations/loc_1/posts" */
const requestLine = (request: ServiceRequest): string => `${request.method} ${fillPath(request)}`;
