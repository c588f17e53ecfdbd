import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { hashOf, idOf, isRecord } from '../http/records';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { requestForList, type ServiceRequest } from '../request';
import { textOf } from '../textOf';

/** How long a list may lag (ms): until then, what was created or deleted counts although it does not show it. */
export const LAG = 95_000;

/** A list as it was before a create was first sent. */
export interface Before {
	/** When its reading began, by the account's clock (ms). */
	readAt: number;
	/** The versions of its records, each with its number; absent if it was not complete. */
	versions?: ReadonlyMap<string, number>;
}

export function versionsOf(records: unknown[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const record of records.filter(isRecord)) {
		const version = versionOf(record);
		counts.set(version, (counts.get(version) ?? 0) + 1);
	}
	return counts;
}

/** A record that was removed may leave its ID to another one. Without an ID, its content counts. */
function versionOf(record: JsonObject): string {
	const id = idOf(record);
	return id === undefined ? hashOf(record) : JSON.stringify([id, createdAtOf(record)]);
}

/** The records that were not there before. */
export function newOnes(
	records: JsonObject[],
	versions: ReadonlyMap<string, number>,
): JsonObject[] {
	const seen = new Map<string, number>();
	return records.filter((record) => {
		const version = versionOf(record);
		const nth = (seen.get(version) ?? 0) + 1;
		seen.set(version, nth);
		return nth > (versions.get(version) ?? 0);
	});
}

export function createdAtOf({ created_at }: JsonObject): string {
	return textOf(created_at ?? '');
}

/**
 * Lists what exists before creates add to it, past caches.
 *
 * @param request one of the creates
 * @returns the list, and what a lost create is looked for with
 * @throws ServiceError as `readList` does
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List & { before: Before }> {
	const readAt = connection.account.clock.now();
	const list = await readList({ ...connection, noCache: true }, requestForList(request), paging);
	const ageMs = readAt - list.asOf;
	const incomplete = list.incomplete ?? (ageMs > LAG ? tooOld(request, list, ageMs) : undefined);
	const versions = incomplete ? undefined : versionsOf(list.records);
	return { ...list, incomplete, before: { readAt: Math.min(readAt, list.asOf), versions } };
}

/** A cache that does not ask the service hides what was created since. */
function tooOld(request: ServiceRequest, { records, total }: List, ageMs: number): ServiceError {
	const received = records.length;
	return new ServiceError({ kind: 'incomplete-list', request, received, total, ageMs });
}
