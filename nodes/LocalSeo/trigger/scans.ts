import type { IDataObject } from 'n8n-workflow';

import { Collection } from '../client/collection';
import { isRecord } from '../client/envelope';
import { readRecords } from '../client/list';
import { readPage, type Paging } from '../client/page';
import type { ApiRequest, Host } from '../client/request';
import { timeOf } from '../client/time';

/** A rank scan with its time in milliseconds. */
export interface Scan {
	record: IDataObject;
	at: number;
}

const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/**
 * The scans of a keyword, the latest first: all that are dated after a moment, and the one before
 * them where there is one. A list that begins with the latest is read no further than that.
 *
 * @throws NodeApiError, NodeOperationError as `send` does
 */
export async function scansSince(
	host: Host,
	request: ApiRequest,
	paging: Paging,
	after: number,
): Promise<Scan[]> {
	const collection = new Collection([]);
	for (let number = 1; ; number++) {
		const { records, meta } = await readPage(host, request, paging, number);
		const added = collection.add(records);
		const scans = dated(collection.records);
		const isWhole = meta.total !== undefined && collection.size >= meta.total;
		if (added === 0 || isWhole) return latestFirst(scans);
		const isLatestFirst = scans.every(({ at }, index) => index === 0 || at <= scans[index - 1].at);
		if (!isLatestFirst) return latestFirst(dated(await readRecords(host, request, paging)));
		if (scans.some(({ at }) => at <= after)) return scans;
	}
}

function latestFirst(scans: Scan[]): Scan[] {
	return scans.sort((a, b) => b.at - a.at);
}

/** A scan's time is not shown by the interface: the latest time in it is taken. */
function dated(records: unknown[]): Scan[] {
	return records
		.filter(isRecord)
		.map((record) => ({ record, at: latestTimeOf(record) }))
		.filter(({ at }) => !Number.isNaN(at));
}

function latestTimeOf(record: IDataObject): number {
	const times = Object.values(record)
		.filter((value) => typeof value === 'string' && TIME.test(value))
		.map(timeOf)
		.filter((time) => time !== undefined);
	return times.length > 0 ? Math.max(...times) : NaN;
}
