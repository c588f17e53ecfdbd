import type { Account, Connection } from '../account';
import { createdAtByClock, idOf, isRecord } from '../exchange/records';
import { fieldsOf, listOf, type ServiceRequest } from '../exchange/request';
import type { Paging } from '../lists/page';
import { readOnce } from '../lists/readRecords';
import type { JsonObject } from '../ports';

/** What the records say about a create whose outcome is not known. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/**
 * Milliseconds before each look. There are two at least, since a service that was still at it may
 * finish a moment later; more, while other rows make the list change as it is read.
 */
const LOOK_AFTER = [100, 700, 1_500, 3_000, 3_000];
const FEWEST_LOOKS = 2;
/** `Date` counts whole seconds, and so may `created_at`: together they are off by less than this. */
const TOLERANCE = 2_000;

export function isFound(evidence: Evidence): evidence is { record: JsonObject } {
	return typeof evidence === 'object';
}

/** Remembers records that were created for a row: no other row's lost record is one of them. */
export function claim(account: Account, request: ServiceRequest, records: JsonObject[]): void {
	for (const record of records) {
		if (idOf(record) !== undefined) account.claimed.set(nameOf(request, record), true, 1);
	}
}

function nameOf({ path, ids }: ServiceRequest, record: unknown): string {
	return JSON.stringify([path, ids, idOf(record)]);
}

/**
 * Looks whether the record of a create is there, among the records of the list that it adds to.
 *
 * It is there when exactly one record, created since the first attempt and not yet another row's,
 * has an ID and all fields as they were sent. It is absent when no such record resembles it. In
 * between, and where the list can't be read, it is unclear.
 *
 * @param since when the create was first sent, by this machine's clock
 */
export async function lookFor(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	since: number,
): Promise<Evidence> {
	const { account, signal } = connection;
	const sent = fieldsOf(request);
	let evidence: Evidence = 'unclear';
	for (const [index, wait] of LOOK_AFTER.entries()) {
		await account.clock.sleep(wait, signal);
		const reading = await readOnce(connection, listOf(request), paging).catch(() => undefined);
		if (!reading) return 'unclear';
		const records = reading.records
			.filter(isRecord)
			.filter((record) => !account.claimed.get(nameOf(request, record)));
		const { serviceClockOffset: offset } = account;
		const start = offset === undefined ? undefined : since + offset - TOLERANCE;
		evidence = judge(records, sent, start);
		if (isFound(evidence)) return evidence;
		const isCertain = reading.isComplete || reading.isCalm;
		if (!isCertain) evidence = 'unclear';
		else if (evidence === 'absent' && index + 1 >= FEWEST_LOOKS) return evidence;
	}
	return evidence;
}

/** @param start of the create by the service's clock; undefined where that is not known */
function judge(records: JsonObject[], sent: JsonObject, start?: number): Evidence {
	const candidates = records.filter((record) => {
		const created = createdAtByClock(record);
		const isOlder = start !== undefined && created !== undefined && created < start;
		return !isOlder;
	});
	const same = candidates.filter((record) => isSame(record, sent));
	const [record] = same;
	const isDated = start !== undefined && createdAtByClock(record) !== undefined;
	if (same.length === 1 && isDated && idOf(record) !== undefined) return { record };
	return same.length > 0 || candidates.some((other) => resembles(other, sent))
		? 'unclear'
		: 'absent';
}

/** Every field that was sent and that the record has is the same, the longest text among them. */
function isSame(record: JsonObject, sent: JsonObject): boolean {
	const names = Object.keys(sent).filter((name) => name in record);
	return (
		names.includes(longestText(sent)) &&
		names.every((name) => JSON.stringify(record[name]) === JSON.stringify(sent[name]))
	);
}

/** The longest text that was sent is in the record in some form, or can't be seen there. */
function resembles(record: JsonObject, sent: JsonObject): boolean {
	const name = longestText(sent);
	if (!(name in record)) return true;
	const [a, b] = [letters(record[name]), letters(sent[name])];
	return a === b || (a !== '' && b !== '' && (a.includes(b) || b.includes(a)));
}

/** The name of the field whose text sets a record apart best. */
function longestText(fields: JsonObject): string {
	const length = (name: string) => letters(fields[name]).length;
	return Object.keys(fields).reduce((best, name) => (length(name) > length(best) ? name : best));
}

function letters(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') : '';
}
