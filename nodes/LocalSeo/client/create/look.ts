import type { Connection } from '../connection';
import type { Paging } from '../list/page';
import { readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { requestForList, type ServiceRequest } from '../request';
import { isSurelyAhead } from '../same/key';
import { withinTime } from '../time';
import type { Entry } from './memory';
import { Reading } from './reading';

/**
 * When the list is looked at after a fault (ms), and until when after the service's own 500; tests that wait in
 * real time shorten them. docs/reliability.md states what they add up to.
 */
export const lookTimes = { after: [1_000, 5_000, 15_000, 30_000, 60_000, 95_000], own: 15_000 };
/** A reading of the list is given up after so long (ms). */
export const READING_TAKES = 60_000;

/** How a record is looked for. */
export interface Search {
	connection: Connection;
	/** The create. */
	request: ServiceRequest;
	paging: Paging;
	/** When the search is given up, by the account's clock (ms). */
	deadline: number;
}

/**
 * What a list shows of a create: its record; `absent`, which is proved; `unseen`: the whole list does not show it,
 * and that proves nothing yet; `unclear`.
 */
export type Evidence = { record: JsonObject } | 'absent' | 'unseen' | 'unclear';

/** Reads the list that a create adds to, together with all who look for a record there; undefined if that fails. */
export async function lookAt(search: Search): Promise<Reading | undefined> {
	const { connection, request, deadline } = search;
	const { clock, memory } = connection.account;
	const read = async () => await memory.listOf(request).read(async () => await readNow(search));
	return await withinTime(clock, deadline - clock.now(), read, connection.signal);
}

/** Without the signal of the one who asks: whoever is stopped does not spoil what others wait for. */
async function readNow({ connection, request, paging }: Search): Promise<Reading | undefined> {
	const { clock, memory } = connection.account;
	const startedAt = clock.now();
	const own = { ...connection, patienceMs: READING_TAKES, since: undefined };
	const how = { urgency: 'look' as const, noCache: true };
	const whole = { ...paging, limit: undefined };
	const list = await withinTime(clock, READING_TAKES, async (signal) => {
		return await readList({ ...own, ...how, signal }, requestForList(request), whole);
	});
	return list && new Reading(list, startedAt, [...memory.listOf(request).sending]);
}

/** Looks at the list until it shows what became of a create, or the time is over. */
export async function lookFor(entry: Entry, search: Search): Promise<Evidence> {
	const { connection } = search;
	const { clock } = connection.account;
	const { before, sought, doubtSince = clock.now() } = entry;
	if (!before?.known || !sought) return 'unclear';
	// Another row, or a later run, waits for a proof.
	const isShort = entry.isOwnError && entry.working !== undefined;
	const after = lookTimes.after.filter((time) => !isShort || time <= lookTimes.own);
	const due = after.map((time) => doubtSince + time).filter((at) => at > clock.now());
	if (due.length === 0) due.push(clock.now());
	// However slow the readings are: those that are missed meanwhile are left out.
	const deadline = Math.min(search.deadline, due.at(-1)! + READING_TAKES);
	let last: Evidence = 'unclear';
	for (const at of due) {
		if (Math.max(at, clock.now()) >= deadline) break;
		await clock.sleep(Math.max(0, at - clock.now()), connection.signal);
		const reading = await lookAt({ ...search, deadline });
		last = 'unclear';
		if (!reading) continue;
		const record = reading.equalTo(sought, clock.wall());
		if (record) return { record };
		const isLate = reading.startedAt >= doubtSince + lookTimes.after.at(-1)!;
		const isAbsent = isLate && (await isProvedAbsent(entry, reading, { ...search, deadline }));
		last = isAbsent ? 'absent' : reading.isComplete ? 'unseen' : 'unclear';
	}
	return last;
}

/** True if each record that was not there before is another row's: else one may be this row's, in other words. */
async function isProvedAbsent(
	{ before, sought }: Entry,
	reading: Reading,
	{ connection, request, deadline }: Search,
): Promise<boolean> {
	const { clock, memory } = connection.account;
	const { time = '' } = sought!.matching;
	const now = clock.wall();
	// A list that hides what goes live later says nothing of it.
	const isHidden = isSurelyAhead(sought!.time, now) && !reading.showsAhead(time, now);
	if (!reading.isComplete || isHidden) return false;
	// The creates that were on their way when it ended may have made what is new.
	const landed = async () => await Promise.allSettled(reading.sending);
	await withinTime(clock, deadline - clock.now(), landed, connection.signal);
	const { named } = memory.listOf(request);
	return reading.addedSince(before!).every((identity) => named.has(identity));
}
