import {
	type Connection,
	idOf,
	isIdentified,
	type JsonObject,
	type Paging,
	readCompleteList,
	readPage,
} from '../client';
import { listRequest, type Resource } from '../resources';
import type { Settings } from './settings';

/** Everything that reading needs. Functions that take it throw ServiceError as `readCompleteList` does. */
export interface Reader {
	connection: Connection;
	paging: Paging;
	settings: Settings;
}

const requestOf = (resource: Resource, location?: JsonObject) =>
	listRequest(resource, location ? { locationId: idOf(location)! } : {});

/** The records of a list that have an ID: others can't be recognized. */
export async function readRecords(
	{ connection, paging }: Reader,
	resource: Resource,
	location?: JsonObject,
): Promise<JsonObject[]> {
	const records = await readCompleteList(connection, requestOf(resource, location), paging);
	return records.filter(isIdentified);
}

/** The records of its first page that have an ID. */
export async function readFirst(
	{ connection, paging }: Reader,
	resource: Resource,
	location?: JsonObject,
): Promise<JsonObject[]> {
	const page = await readPage(connection, requestOf(resource, location), paging);
	return page!.records.filter(isIdentified);
}
