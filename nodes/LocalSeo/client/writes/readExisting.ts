import type { Connection } from '../account';
import { ServiceError } from '../errors';
import { listOf, type ServiceRequest } from '../exchange/request';
import type { Paging } from '../lists/page';
import { readRecords } from '../lists/readRecords';
import { writeMemoryOf } from './writeMemory';

/** Milliseconds before each further reading; the last one repeats. */
const READ_AGAIN_AFTER = [1_000, 3_000, 8_000];

/**
 * Lists what exists before a create adds to it. A service may show a list from before: if it lacks a
 * record that was created here a moment ago, it is read again until it shows that record, or shows
 * everything that was there then. What is listed is remembered: a record that is created later is none
 * of it.
 *
 * @param request the create
 * @throws ServiceError as `readRecords` does, and `stale-list` if the patience ends before that
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<unknown[]> {
	const { account, patienceMs, waits, signal } = connection;
	const { clock } = account;
	const deadline = clock.now() + patienceMs;
	const watch = writeMemoryOf(account).watchOf(request);
	for (let readings = 0; ; readings++) {
		const startedAt = clock.now();
		const records = await readRecords(connection, listOf(request), paging);
		watch.note(records, clock.now());
		const staleUntil = watch.staleUntil(records, startedAt);
		if (staleUntil === undefined) return records;
		const planned = READ_AGAIN_AFTER[Math.min(readings, READ_AGAIN_AFTER.length - 1)];
		const pause = Math.min(planned, Math.max(0, staleUntil - clock.now()));
		if (clock.now() + pause > deadline) throw new ServiceError({ kind: 'stale-list', request });
		const sleep = clock.sleep(pause, signal);
		await (waits?.freshList.during(sleep) ?? sleep);
	}
}
