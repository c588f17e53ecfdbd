import type { IDataObject } from 'n8n-workflow';

import { idOf, isRecord } from './envelope';
import { Memory } from './memory';
import { nap } from './nap';
import { accountOf, pacerOf } from './pacers';
import { DEFAULT_PAGING, readRecords } from './pages';
import { type ApiRequest, cancelSignalOf, type Host } from './request';

/** What the records say about a create whose answer is not known. */
export type Sight = { record: IDataObject } | 'absent' | 'unclear';

/** A service that was still at it may finish a moment later, so it is looked twice. */
const LOOK_AFTER = [100, 700];
/** `Date` counts whole seconds, and so may `created_at`: together they are off by less than this. */
const TOLERANCE = 2_000;

/** Ids of records that this process has created: they belong to the rows that got them. */
const ours = new Memory<true>({ most: 20_000, forgetAfter: 3_600_000 });

/** Remembers records that were created for a row: no other row's lost record is one of them. */
export async function claim(host: Host, records: unknown[]): Promise<void> {
	const account = await accountOf(host);
	for (const record of records) ours.set(`${account} ${idOf(record)}`, true);
}

/**
 * Looks whether the record of a create is there, among the records of the list that it adds to.
 *
 * It is there when exactly one record, created since the first try and not yet another row's, has
 * all fields as they were sent. It is absent when no such record resembles it. In between, and
 * where the list can't be read, it is unclear.
 *
 * @param since when the create was first sent, by this machine's clock
 */
export async function look(
	host: Host,
	request: ApiRequest,
	body: IDataObject,
	since: number,
): Promise<Sight> {
	let sight: Sight = 'unclear';
	for (const wait of LOOK_AFTER) {
		await nap(wait, cancelSignalOf(host));
		try {
			const list: ApiRequest = { ...request, method: 'GET', body: undefined };
			const account = await accountOf(host);
			const records = (await readRecords(host, list, DEFAULT_PAGING))
				.filter(isRecord)
				.filter((record) => !ours.get(`${account} ${idOf(record)}`));
			const { clockOffset } = await pacerOf(host);
			const start = clockOffset === undefined ? undefined : since + clockOffset - TOLERANCE;
			sight = judge(records, body, start);
		} catch {
			return 'unclear';
		}
		if (typeof sight === 'object') return sight;
	}
	return sight;
}

/** `start` by the service's clock; undefined where that is not known. Records that are claimed are left out. */
function judge(records: IDataObject[], body: IDataObject, start?: number): Sight {
	const candidates = records.filter((record) => {
		const created = createdAt(record);
		const isOlder = start !== undefined && created !== undefined && created < start;
		return !isOlder;
	});
	const same = candidates.filter((record) => isSame(record, body));
	const [record] = same;
	if (same.length === 1 && start !== undefined && createdAt(record) !== undefined)
		return { record };
	return same.length > 0 || candidates.some((other) => resembles(other, body))
		? 'unclear'
		: 'absent';
}

/** The interface names `created_at` for locations; for other records it is assumed. */
function createdAt(record: IDataObject): number | undefined {
	return Date.parse(String(record.created_at)) || undefined;
}

/** Every field that was sent and that the record has is the same, the telling one among them. */
function isSame(record: IDataObject, body: IDataObject): boolean {
	const names = Object.keys(body).filter((name) => name in record);
	return (
		names.includes(tellingField(body)) &&
		names.every((name) => JSON.stringify(record[name]) === JSON.stringify(body[name]))
	);
}

/** The longest text that was sent is in the record in some form, or can't be seen there. */
function resembles(record: IDataObject, body: IDataObject): boolean {
	const name = tellingField(body);
	if (!(name in record)) return true;
	const [a, b] = [letters(record[name]), letters(body[name])];
	return a === b || (a !== '' && b !== '' && (a.includes(b) || b.includes(a)));
}

function tellingField(body: IDataObject): string {
	const length = (name: string) => letters(body[name]).length;
	return Object.keys(body).reduce((best, name) => (length(name) > length(best) ? name : best));
}

function letters(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') : '';
}
