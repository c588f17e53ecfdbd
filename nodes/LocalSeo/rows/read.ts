import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	concurrently,
	type Connection,
	type List,
	MAX_IN_FLIGHT,
	readList,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { reportOf } from '../host/errors';
import { isSwitchedOn } from '../host/requestSettings';
import { resourceOf } from '../service';
import { listed, shortened } from '../text/words';
import { simplified } from './items';
import { directoryOf, readLocationName, withRealIds } from './location';
import { isOfAllLocations, readPaging } from './readRequest';
import { asJson, type Performed } from './results';
import { readOptions } from './row';

/** Reads what a row asks for: a list or a record, of one location or of all. */
export async function read(
	context: IExecutePaginationFunctions,
	connection: Connection,
	given: ServiceRequest,
): Promise<Performed> {
	if (isOfAllLocations(context)) {
		return await readOfAll(context, connection, given);
	}
	return await readOne(context, connection, await withRealIds(context, connection, given));
}

async function readOne(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	name?: string,
): Promise<Performed> {
	const paging = readPaging(context);
	const list = await readList(connection, request, paging);
	if (list.incomplete) throw list.incomplete;
	const records = await inForm(context, connection, request, list.records, name);
	// A service may also count a record twice.
	const { length } = list.records;
	const isCut = length === paging.limit && (list.total ?? 0) > length;
	return {
		records,
		outcome: 'done',
		notes: notesOn(list, request),
		total: isCut ? list.total : undefined,
	};
}

/** What someone should know who takes the records for all of them. */
function notesOn({ records, total, ...list }: List, { noun }: ServiceRequest): string[] {
	if (list.isFirstPageOnly) {
		return [
			`The service refused the second page, so these are the ${noun}s of the first. If there are more, set the option 'Page Parameter Name'.`,
		];
	}
	if (!list.isTotalWrong) return [];
	return [
		`The service states a total of ${total} ${noun}s, but returned the same ${records.length} twice. If some are missing, run this again later.`,
	];
}

/** How many locations that refuse a hint lists. */
const MAX_LEFT_OUT = 5;
/** Statuses with which a service says that it has nothing of a location, or does not give it. */
const NOT_OF_THIS_ONE = [400, 403, 404, 410, 422];

/**
 * The records of all locations, as far as the limit goes, each with its location. One that refuses (it
 * is not active, say) does not hold up the others.
 */
async function readOfAll(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Performed> {
	const { locations } = await directoryOf(context, connection);
	const { limit = Infinity } = readPaging(context);
	const refusals: Array<{ why: string; error: ServiceError }> = [];
	let count = 0;
	const jobs = locations.map(({ id, name }) => async (): Promise<Performed | undefined> => {
		// Those that were started come first in the order of the locations.
		if (count >= limit) return undefined;
		const own = { ...request, ids: { locationId: id } };
		const result = await readOne(context, connection, own, name).catch((error: unknown) => {
			if (!isRefusal(error)) throw error;
			refusals.push({
				why: `${shortened(name || id)} (${reportOf(context, error).message})`,
				error,
			});
			return undefined;
		});
		count += result?.records.length ?? 0;
		const of = { location_id: id, location_name: name };
		return (
			result && {
				...result,
				records: result.records.map((record) => ({ ...of, ...asJson(record) })),
			}
		);
	});
	const results = (await concurrently(jobs, MAX_IN_FLIGHT)).filter((one) => one !== undefined);
	if (refusals.length > 0 && results.length === 0) throw refusals[0].error;
	return {
		records: results.flatMap(({ records }) => records).slice(0, limit),
		outcome: 'done',
		notes: [...results.flatMap(({ notes }) => notes), ...leftOut(refusals.map(({ why }) => why))],
	};
}

function leftOut(refusals: string[]): string[] {
	if (refusals.length === 0) return [];
	const count = refusals.length === 1 ? '1 location was' : `${refusals.length} locations were`;
	return [`${count} left out: ${listed(refusals, MAX_LEFT_OUT, '; ')}.`];
}

function isRefusal(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.kind !== 'rejected') return false;
	return NOT_OF_THIS_ONE.includes(error.facts.status ?? 0) && error.facts.isBusy !== true;
}

/**
 * Records in the form that the parameters Output and Simplify ask for. A table is of the location that
 * was requested, whatever the row calls it; its name is read only if the table needs it.
 */
async function inForm(
	context: IExecutePaginationFunctions,
	connection: Connection,
	{ ids: { locationId: id } }: ServiceRequest,
	received: unknown[],
	given?: string,
): Promise<unknown[]> {
	const { leadingFields, tables, locationName } = resourceOf(context.getNodeParameter('resource'));
	if (!tables) {
		const isSimplified = isSwitchedOn('Simplify', readOptions(context).simplify);
		return isSimplified && leadingFields ? simplified(received, leadingFields) : received;
	}
	const records = received.map(asJson);
	const table = tables[context.getNodeParameter('output') as string];
	if (!table || records.length === 0) return records;
	const name =
		given || locationName?.(records) || (await readLocationName(context, connection, id));
	return table(records, { id, name: name ?? null });
}
