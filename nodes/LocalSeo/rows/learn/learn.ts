import { fillPath, type JsonObject, ServiceError, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { someRecords } from '../../lookup';
import { takes } from '../../resources';
import type { Row } from '../read/row';
import { columnsOf } from './columns';
import { type Facts, listKey } from './facts';
import { AccountFields } from './fields';
import { ComparedList } from './list';
import { readLists, readRecordsById } from './reads';

/**
 * Reads what the rows of a run depend on, all of it side by side.
 *
 * @throws ServiceError if the account can't be read
 */
export async function learn(rows: Row[], connection: Connected): Promise<Facts> {
	const [first] = rows;
	const requests = addressesOf(rows);
	const { method } = first.operation.routing.request;
	const isCompared = method === 'POST' && first.ifExists !== 'create';
	const dryUpdates = method === 'PATCH' ? rows.filter(({ isDryRun }) => isDryRun) : [];
	const locationIds = requests.flatMap(({ ids }) => ids.locationId ?? []);
	const [lists, records, shown] = await Promise.all([
		readLists(isCompared ? requests : [], connection, first),
		readRecordsById(addressesOf(dryUpdates), connection),
		isCompared ? [] : firstRecords(first, locationIds, connection),
	]);
	const facts: Facts = { now: connection.account.clock.wall(), lists, records };
	if (!takes('fields')(first.operation)) return facts;
	const known = [...lists.values()].filter((list) => list instanceof ComparedList);
	// Each row is refused with what is wrong with its own list.
	if (lists.size > 0 && known.length === 0) return facts;
	const listed = known.flatMap((list) => list.records);
	const isUnknown = isCompared && listed.length === 0;
	const others = isUnknown ? await firstRecords(first, locationIds, connection, NONE) : shown;
	const fields = new AccountFields(first.resource, [...listed, ...others], first);
	return { ...facts, fields, columns: columnsOf(first, fields) };
}

/** The lists that rows add to, or the records that they change, each once; a row without an ID is refused, and nothing can be read for it. */
function addressesOf(rows: Row[]): ServiceRequest[] {
	const all = new Map(rows.map(({ request }) => [listKey(request), request]));
	return [...all.values()].filter((request) => {
		try {
			return fillPath(request) !== undefined;
		} catch {
			return false;
		}
	});
}

/** The lists of the run were read, and are empty. */
const NONE = async () => await Promise.resolve([]);

/** Some records of the account, where no list shows its fields. */
async function firstRecords(
	{ resource, operation, mapping }: Row,
	locationIds: string[],
	connection: Connected,
	read?: () => Promise<JsonObject[]>,
): Promise<JsonObject[]> {
	if (!takes('fields')(operation)) return [];
	return await someRecords(connection, resource, locationIds, read).catch((error: unknown) => {
		// Fields that are mapped by hand need no list, whatever the service says of it.
		const isAnswered = error instanceof ServiceError && error.status > 0 && error.status !== 401;
		if (mapping.isAutomatic || !isAnswered) throw error;
		return [];
	});
}
