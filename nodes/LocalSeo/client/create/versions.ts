import type { Connection } from '../account';
import { hashOf, idOf, isRecord } from '../http/records';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { requestForList, type ServiceRequest } from '../request';
import { type Matching, matchKeyOf } from '../same/key';
import { textOf } from '../textOf';

/** The versions of records that were listed before a create was first sent, each with its number. */
export interface Before {
	matching: Matching;
	counts: ReadonlyMap<string, number>;
}

/** The versions of some records. A record that was removed may leave its ID to another one. */
export function versionsOf(records: unknown[], matching: Matching): Before {
	const counts = new Map<string, number>();
	for (const record of records.filter(isRecord)) {
		const version = versionOf(record, matching);
		counts.set(version, (counts.get(version) ?? 0) + 1);
	}
	return { matching, counts };
}

function versionOf(record: JsonObject, matching: Matching): string {
	return hashOf([idOf(record), matchKeyOf(record, matching), createdAtOf(record)]);
}

/** The records that were not there before. */
export function newOnes(records: JsonObject[], { matching, counts }: Before): JsonObject[] {
	const seen = new Map<string, number>();
	return records.filter((record) => {
		const version = versionOf(record, matching);
		const nth = (seen.get(version) ?? 0) + 1;
		seen.set(version, nth);
		return nth > (counts.get(version) ?? 0);
	});
}

export function createdAtOf({ created_at }: JsonObject): string {
	return textOf(created_at ?? '');
}

/**
 * Lists what exists before creates add to it.
 *
 * @param request one of the creates
 * @param matching what is compared of the records
 * @returns the list and, if it is certainly complete, what a lost create is looked for with
 * @throws ServiceError as `readList` does
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	matching: Matching,
): Promise<List & { before?: Before }> {
	const list = await readList(connection, requestForList(request), paging);
	return list.incomplete ? list : { ...list, before: versionsOf(list.records, matching) };
}
