import { fillPath, type JsonObject, ServiceError, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import type { Directory } from '../../lookup';
import { takes } from '../../resources';
import type { Row } from '../read/row';
import { columnsOf } from './columns';
import { Existing } from './existing';
import { addressOf, type Facts } from './facts';
import { AccountFields } from './fields';
import { directoryFor, idsByName, readLocationFacts } from './locations';
import {
	ask,
	emptyMatchQuestions,
	misnamedQuestions,
	orderQuestions,
	publishTimeQuestions,
	settingQuestions,
} from './questions';
import { readFirstRecords, readLists, readByAddress } from './reads';

/** Rows whose facts are read together: those of so many locations, so that facts are fresh and a run begins soon. */
const LOCATIONS_AT_A_TIME = 100;

/** A run about which everything was asked. */
export interface Asked {
	/** Rows about one list are in one part. */
	parts: Row[][];
	/** The facts of the first part. */
	first: Facts;
	directory?: Directory;
}

/**
 * Reads what all rows depend on, and asks about the run.
 *
 * @throws Question with all that has to be settled before anything is sent; ServiceError if the account
 * can't be read
 */
export async function askAbout(rows: Row[], connection: Connected): Promise<Asked> {
	const isRepeat = rows.some(({ key }) => connection.run?.earlier(key.row));
	ask(settingQuestions(rows), isRepeat);
	const directory = await directoryFor(rows, connection);
	const named = await idsByName(rows, directory);
	const parts = partsOf(rows, named);
	// The fields are looked for meanwhile, if no list is compared with.
	const [first, shown] = await Promise.all([
		factsOf(parts[0], named, connection, directory),
		hasLists(rows[0]) ? undefined : firstRecords(rows, named, new Map(), connection),
	]);
	const fields = await accountFields(rows, first, connection, shown);
	if (!fields) return { parts, first, directory };
	const columns = columnsOf(rows[0], fields);
	const { matchFields = [] } = rows[0].resource;
	const questions = [
		...columns.questions,
		...emptyMatchQuestions(
			rows,
			columns.matchFields.length > 0 ? columns.matchFields : matchFields,
		),
		...misnamedQuestions(rows, fields),
		...(await publishTimeQuestions(rows, fields, columns, first.now)),
		...orderQuestions(rows, fields, columns),
	];
	ask(questions, isRepeat);
	return { parts, directory, first: { ...first, fields, columns } };
}

/** The facts of a part, all of them read side by side. */
export async function learn(part: Row[], run: Asked, connection: Connected): Promise<Facts> {
	const { first, directory, parts } = run;
	if (part === parts[0]) return first;
	const { fields, columns } = first;
	return { ...(await factsOf(part, first.named, connection, directory)), fields, columns };
}

/** The address of a row, with the ID of a location that is given by its name; undefined: it has none. */
function addressed(row: Row, named: Facts['named']): ServiceRequest | undefined {
	const { request, isByName } = row;
	const given = request.ids.locationId;
	const found = isByName && given ? named.get(given) : given;
	if (found instanceof Error) return undefined;
	const ids = found === undefined ? request.ids : { ...request.ids, locationId: found };
	// The error of each empty ID would take longer than all else.
	if (Object.values(ids).includes('')) return undefined;
	try {
		fillPath({ ...request, ids });
		return { ...request, ids };
	} catch {
		return undefined;
	}
}

function partsOf(rows: Row[], named: Facts['named']): Row[][] {
	const parts: Row[][] = [];
	const byAddress = new Map<string, number>();
	for (const row of rows) {
		const request = addressed(row, named) ?? row.request;
		const address = JSON.stringify(request.ids.locationId);
		const part = byAddress.get(address) ?? Math.floor(byAddress.size / LOCATIONS_AT_A_TIME);
		byAddress.set(address, part);
		(parts[part] ??= []).push(row);
	}
	return parts;
}

async function factsOf(
	rows: Row[],
	named: Facts['named'],
	connection: Connected,
	directory?: Directory,
): Promise<Facts> {
	const { account } = connection;
	const [{ operation, isDryRun }] = rows;
	const requests = rows.flatMap((row) => addressed(row, named) ?? []);
	const isCreate = operation.routing.request.method === 'POST';
	const isRead = isDryRun && operation.routing.request.method === 'PATCH';
	const locationIds = [...new Set(requests.flatMap(({ ids }) => ids.locationId ?? []))];
	const [lists, locations, records] = await Promise.all([
		readLists(hasLists(rows[0]) ? requests : [], connection, rows[0]),
		readLocationFacts(isCreate ? locationIds : [], connection, directory),
		readByAddress(isRead ? requests : [], connection),
	]);
	return {
		...{ named, lists, locations, records },
		now: account.clock.wall(),
		isRepeat: ({ key }) => connection.run?.earlier(key.row) !== undefined,
	};
}

/** True if rows are compared with the lists that they add to. */
const hasLists = ({ operation, ifExists }: Row): boolean =>
	operation.routing.request.method === 'POST' && ifExists !== 'create';

/**
 * The fields that the account shows: those of all lists that were read, else of the first one that has records.
 *
 * @param shown the records of that one, where no list is compared with
 */
async function accountFields(
	rows: Row[],
	{ lists, named }: Facts,
	connection: Connected,
	shown: JsonObject[] | undefined,
): Promise<AccountFields | undefined> {
	const [row] = rows;
	if (!takes('fields')(row.operation)) return undefined;
	const known = [...lists.values()].filter((list) => list instanceof Existing);
	// Each row is refused with what is wrong with its own list.
	if (lists.size > 0 && known.length === 0) return undefined;
	const records = shown ?? known.flatMap((list) => list.records);
	const isShown = shown !== undefined || records.length > 0;
	return new AccountFields(
		row.resource,
		isShown ? records : await firstRecords(rows, named, lists, connection),
		row,
	);
}

/**
 * The records of the first list that has some.
 *
 * @param lists those that were read already
 */
async function firstRecords(
	rows: Row[],
	named: Facts['named'],
	lists: Facts['lists'],
	connection: Connected,
): Promise<JsonObject[]> {
	const [{ resource, operation, mapping }] = rows;
	if (!takes('fields')(operation)) return [];
	const requests = rows.flatMap((row) => addressed(row, named) ?? []);
	const idsIn = (some: ServiceRequest[]) =>
		new Set(some.flatMap(({ ids }) => ids.locationId ?? []));
	const read = idsIn(requests.filter((request) => lists.has(addressOf(request))));
	const all = [...idsIn(requests)];
	return await readFirstRecords(resource, all, read, connection).catch((error: unknown) => {
		// Fields that are mapped by hand need no list, whatever the service says of it.
		const isAnswered = error instanceof ServiceError && error.status > 0 && error.status !== 401;
		if (mapping.isAutomatic || !isAnswered) throw error;
		return [];
	});
}
