import type { Account, Connection } from '../account';
import { createdAtByClock, isRecord, nameOf } from '../http/records';
import type { Paging } from '../list/page';
import { readOnce } from '../list/readList';
import type { JsonObject } from '../ports';
import { listOf, ServiceError, type ServiceRequest } from '../request';
import { withinTime } from '../time';
import { compareNew, type Entry, type ListLedger } from './ledger';

/**
 * Milliseconds that things take after a fault; docs/guarantees.md states the sums. The tests that wait
 * in real time shorten them.
 */
export const times = {
	/** When the list is looked at: often enough to find a record early, and twice when its absence shows. */
	looks: {
		silent: [1_000, 5_000, 15_000, 30_000, 60_000, 60_500, 90_000, 90_500],
		own: [2_000, 2_600, 8_000, 32_000, 32_500],
		/** For the second time, nobody waits for a list that may be out of date. */
		ownAgain: [2_000, 2_600, 8_000],
	},
	/** For how long a backend may go on after silence, or after the service's own answer. */
	actsWithin: { silent: 60_000, own: 2_000, busy: 2_000 },
	/** By how much a list may be out of date: it may come from a cache. */
	stale: 30_000,
};

/** So many readings have to show that there is none, and may be refused. */
const ABSENT_TWICE = 2;
const MAX_UNREADABLE = 2;
/** A list that others add to while it is read is looked at so much more often, every so many milliseconds. */
const MORE_LOOKS = 10;
const MORE_AFTER = 3_000;
/** A reading that has begun gets this many milliseconds at least. */
const MIN_READING = 10_000;
/** Milliseconds: the header `Date` and the dates of records are cut to the second. */
const DATE_TOLERANCE = 3_000;
/** Milliseconds by which dates in another zone, and cut to the day, may seem earlier: 26 hours and a day. */
const MOST_BY_DATE = 50 * 3_600_000;
/** One for all: an error of its own would keep everything that its stack names. */
const ABANDONED = new Error('No row waits for this reading');

/** What the list says about a create: its record, that there is none, or that it can't tell. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** The create that is looked for, and how. */
export interface Search {
	connection: Connection;
	request: ServiceRequest;
	paging: Paging;
	list: ListLedger;
	entry: Entry;
	/** When it is given up; by the account's clock. */
	deadline: number;
}

/** Looks at the list until it shows what became of the create, or the time is over. */
export async function look(search: Search): Promise<Evidence> {
	const { connection, list, entry, deadline } = search;
	const { clock } = connection.account;
	const history = histories.get(list) ?? new ListHistory(list);
	histories.set(list, history);
	// Who fails again has an error for this row.
	const isAgain = entry.fault === 'own' && entry.resent.own > 0;
	const schedule = times.looks[entry.fault === 'silent' ? 'silent' : isAgain ? 'ownAgain' : 'own'];
	const end = schedule[schedule.length - 1];
	const more = Array.from({ length: MORE_LOOKS }, (_, index) => end + (index + 1) * MORE_AFTER);
	let absent = 0;
	let unreadable = 0;
	// Whether the last reading showed all that one can: more of them would say the same.
	let showedAll = false;
	for (const after of [...schedule, ...more]) {
		const at = Math.max(entry.doubtSince + after, clock.now());
		if (at > deadline || (after > end && showedAll)) return 'unclear';
		await clock.sleep(at - clock.now(), connection.signal);
		const reading = await history.read(search);
		if (reading === 'unreadable' && ++unreadable >= MAX_UNREADABLE) return 'unclear';
		if (reading === undefined || reading === 'unreadable') continue;
		const evidence = history.judge(reading, entry, connection.account);
		if (typeof evidence === 'object') return evidence;
		if (evidence === 'unclear') absent = 0;
		if (evidence === 'absent' && ++absent >= ABSENT_TWICE) return 'absent';
		showedAll = evidence === 'unclear' || (evidence === 'nothing' && reading.isComplete);
	}
	return 'unclear';
}

/** One reading of a list. */
interface Snapshot {
	records: JsonObject[];
	isComplete: boolean;
	startedAt: number;
	/** It shows everything that was there at this time. */
	asOf: number;
}

/** A reading that rows wait for; it ends once no row waits any more. */
interface SharedReading {
	result: Promise<Snapshot | 'unreadable' | undefined>;
	stop: AbortController;
	waiting: number;
}

/** What readings of one list have shown, for all creates that are looked for in it. */
class ListHistory {
	/** Up to here the list has shown everything. */
	private asOf = -Infinity;
	private next?: SharedReading;
	private current: Promise<unknown> = Promise.resolve();

	constructor(private readonly list: ListLedger) {}

	/**
	 * Reads the list; rows share a reading that begins late enough for them. Undefined if it could not be
	 * read this time, `unreadable` if the service refuses to show it.
	 */
	async read(search: Search) {
		const { connection, deadline } = search;
		const { clock } = connection.account;
		const reading = (this.next ??= this.plan(search));
		reading.waiting++;
		const time = Math.max(MIN_READING, deadline - clock.now());
		return await withinTime(
			clock,
			time,
			async () => await reading.result,
			connection.signal,
		).finally(() => {
			if (--reading.waiting > 0) return;
			reading.stop.abort(ABANDONED);
			if (this.next === reading) this.next = undefined;
		});
	}

	/** A reading that follows the one that goes on. */
	private plan(search: Search): SharedReading {
		const stop = new AbortController();
		const result = this.current.then(async () => {
			if (this.next === reading) this.next = undefined;
			return await this.readNow(search, stop.signal);
		});
		const reading: SharedReading = { result, stop, waiting: 0 };
		this.current = result.then(() => undefined);
		return reading;
	}

	private async readNow({ connection, request, paging, deadline }: Search, signal: AbortSignal) {
		const { clock } = connection.account;
		const patienceMs = Math.max(0, deadline - clock.now());
		const own: Connection = {
			...connection,
			patienceMs,
			since: undefined,
			urgency: 'look',
			signal,
		};
		try {
			const { records, completeness, startedAt } = await readOnce(own, listOf(request), paging);
			const isComplete = completeness === 'complete';
			const shown = records.filter(isRecord);
			const asOf = this.freshness(shown, startedAt);
			if (isComplete) this.asOf = Math.max(this.asOf, asOf);
			this.list.noteRead(shown, clock.now(), isComplete);
			return { records: shown, isComplete, startedAt, asOf };
		} catch (error) {
			return isPassing(error as Error) ? undefined : ('unreadable' as const);
		}
	}

	/**
	 * Up to when a reading shows everything: half a minute before it began, in any case; up to its
	 * beginning, if it shows what was created here since the reading before, which no cache had then.
	 */
	private freshness(records: JsonObject[], startedAt: number): number {
		const shown = new Set(records.map(nameOf));
		let asOf = Math.max(this.asOf, startedAt - times.stale);
		let missing = Infinity;
		for (const [name, own] of this.list.owners) {
			if (shown.has(name)) {
				own.wasListed = true;
				const isNew = own.firstSentAt >= this.list.readUntil;
				asOf = Math.max(asOf, isNew ? startedAt : own.firstSentAt);
			} else if (!own.wasListed && own.doneAt <= startedAt) {
				missing = Math.min(missing, own.doneAt);
			}
		}
		return Math.min(asOf, missing);
	}

	/**
	 * What a reading says about a create. Its record is found if exactly one new record has what was sent
	 * and no other create may have made it; it is absent if nothing new is the same or similar. Nothing,
	 * if the reading was not whole, or may be out of date.
	 */
	judge(
		{ records, isComplete, asOf }: Snapshot,
		entry: Entry,
		account: Account,
	): Evidence | 'nothing' {
		const { list } = this;
		const similar = records
			.filter((record) => this.mayBeNew(record, entry, account))
			.filter((record) => list.rewrites || compareNew(record, entry.sent) !== 'different');
		if (similar.length === 0) {
			const since = entry.doubtSince + times.actsWithin[entry.fault];
			return isComplete && asOf >= since ? 'absent' : 'nothing';
		}
		const same = similar.filter((record) => compareNew(record, entry.sent) === 'same');
		const [record, ...others] = same.filter((one) => this.isNew(one, entry, account));
		// Another create that is in flight or in doubt may have made it, too.
		const hasRival = [...list.pending].some(
			(other) => other !== entry && record && compareNew(record, other.sent) === 'same',
		);
		return record && others.length === 0 && !hasRival ? { record } : 'unclear';
	}

	private mayBeNew(record: JsonObject, entry: Entry, { serviceClockOffset }: Account): boolean {
		const owner = this.list.owners.get(nameOf(record));
		if (owner && owner !== entry) return false;
		if (this.list.wasThere(record, entry.firstSentAt)) return false;
		const created = createdAtByClock(record);
		if (created === undefined || serviceClockOffset === undefined) return true;
		return created >= entry.firstSentAt + serviceClockOffset - MOST_BY_DATE;
	}

	/** Whether a record is new for sure: the list was known before, or the service's clock says so. */
	private isNew(record: JsonObject, { firstSentAt }: Entry, account: Account): boolean {
		if (this.list.knownSince <= firstSentAt) return true;
		const { serviceClockOffset: offset, clock } = account;
		const created = createdAtByClock(record);
		if (created === undefined || offset === undefined) return false;
		const isLate = created >= firstSentAt + offset - DATE_TOLERANCE;
		return isLate && created <= clock.now() + offset + DATE_TOLERANCE;
	}
}

/** Released with their lists. */
const histories = new WeakMap<ListLedger, ListHistory>();

/** Whether a list that could not be read may be readable a moment later. */
function isPassing(error: Error): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	if (kind === 'rejected') return status >= 500 || status === 408 || status === 429;
	return ['timeout', 'connection-lost', 'unreachable', 'unknown-host', 'rate-limited'].includes(
		kind,
	);
}
