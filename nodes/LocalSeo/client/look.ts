import type { IDataObject } from 'n8n-workflow';

import { createdAtByClock, idOf, isRecord } from './envelope';
import { Memory } from './memory';
import { nap } from './nap';
import { readOnce } from './list';
import { accountOf, pacerOf } from './pacers';
import type { Paging } from './page';
import { type ApiRequest, cancelSignalOf, type Host } from './request';

/** What the records say about a create whose answer is not known. */
export type Sight = { record: IDataObject } | 'absent' | 'unclear';

/**
 * Milliseconds before each look. There are two at least, since a service that was still at it may
 * finish a moment later; more, while other rows make the list change as it is read.
 */
const LOOK_AFTER = [100, 700, 1_500, 3_000, 3_000];
const FEWEST_LOOKS = 2;
/** `Date` counts whole seconds, and so may `created_at`: together they are off by less than this. */
const TOLERANCE = 2_000;

/** Records that this process has created, by list and id: they belong to the rows that got them. */
const ours = new Memory<true>({ most: 20_000, forgetAfter: 3_600_000 });

/** Remembers records that were created for a row: no other row's lost record is one of them. */
export async function claim(host: Host, request: ApiRequest, records: unknown[]): Promise<void> {
	const account = await accountOf(host);
	for (const record of records) {
		if (idOf(record) !== undefined) ours.set(nameOf(account, request, record), true);
	}
}

function nameOf(account: string, { template, ids }: ApiRequest, record: unknown): string {
	return JSON.stringify([account, template, ids, idOf(record)]);
}

/**
 * Looks whether the record of a create is there, among the records of the list that it adds to.
 *
 * It is there when exactly one record, created since the first try and not yet another row's, has an
 * id and all fields as they were sent. It is absent when no such record resembles it. In between, and
 * where the list can't be read, it is unclear.
 *
 * @param paging how the list's pages are asked for
 * @param since when the create was first sent, by this machine's clock
 */
export async function look(
	host: Host,
	request: ApiRequest,
	paging: Paging,
	body: IDataObject,
	since: number,
): Promise<Sight> {
	const list = listOf(request);
	let sight: Sight = 'unclear';
	for (const [index, wait] of LOOK_AFTER.entries()) {
		await nap(wait, cancelSignalOf(host));
		const reading = await readOnce(host, list, paging).catch(() => undefined);
		if (!reading) return 'unclear';
		const account = await accountOf(host);
		const records = reading.records
			.filter(isRecord)
			.filter((record) => !ours.get(nameOf(account, request, record)));
		const { clockOffset } = await pacerOf(host);
		const start = clockOffset === undefined ? undefined : since + clockOffset - TOLERANCE;
		sight = judge(records, body, start);
		if (typeof sight === 'object') return sight;
		const isCertain = reading.isComplete || reading.isCalm;
		if (!isCertain) sight = 'unclear';
		else if (sight === 'absent' && index + 1 >= FEWEST_LOOKS) return sight;
	}
	return sight;
}

/** The list that a create adds to, all of it: the query of the create might leave out what is there. */
export function listOf(create: ApiRequest): ApiRequest {
	return { ...create, method: 'GET', query: {}, body: undefined };
}

/** `start` by the service's clock; undefined where that is not known. Records that are claimed are left out. */
function judge(records: IDataObject[], body: IDataObject, start?: number): Sight {
	const candidates = records.filter((record) => {
		const created = createdAtByClock(record);
		const isOlder = start !== undefined && created !== undefined && created < start;
		return !isOlder;
	});
	const same = candidates.filter((record) => isSame(record, body));
	const [record] = same;
	const isDated = start !== undefined && createdAtByClock(record) !== undefined;
	if (same.length === 1 && isDated && idOf(record) !== undefined) return { record };
	return same.length > 0 || candidates.some((other) => resembles(other, body))
		? 'unclear'
		: 'absent';
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
