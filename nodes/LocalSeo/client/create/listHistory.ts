import type { Account, Connection } from '../account';
import { createdAtByClock, hashOf, idOf, isRecord, nameOf } from '../http/records';
import type { Paging } from '../list/page';
import { readOnce } from '../list/readList';
import type { JsonObject } from '../ports';
import { listOf, ServiceError, type ServiceRequest } from '../request';
import { compareNew } from '../same/compare';
import type { Entry } from './entry';
import { times } from './times';

/** Milliseconds: the header `Date` and the dates of records are cut to the second. */
const DATE_TOLERANCE = 3_000;
/** Milliseconds by which dates may be cut to the minute. */
const DATE_CUT = 60_000 + DATE_TOLERANCE;
/** Milliseconds by which dates in another zone, and cut to the day, may seem earlier: 26 hours and a day. */
const MOST_BY_DATE = 50 * 3_600_000;
/** Records of a list that are remembered to have been there, and those that belong to rows. */
const MAX_SEEN = 100_000;
const MAX_OWN = 10_000;
/** One for all: an error of its own would keep everything that its stack names. */
const ABANDONED = new Error('No row waits for this reading');

/**
 * What a reading of the list says about a create: its record, that there is none, that it can't tell,
 * or nothing, since it was not whole or may be out of date.
 */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear' | 'nothing';

/** One reading of a list, of which all its records are known to have been there at a time. */
export interface Look {
	records: JsonObject[];
	isComplete: boolean;
	startedAt: number;
	/** It shows everything that was there at this time. */
	asOf: number;
}

/** A reading that rows wait for; it ends once no row waits any more. */
interface SharedLook {
	result: Promise<Look | 'unreadable' | undefined>;
	stop: AbortController;
	waiting: number;
}

/** What readings of one list have shown, and which of its records belong to rows. */
export class ListHistory {
	/** Creates in flight or in doubt. */
	readonly pending = new Set<Entry>();
	/** Whether records come back with other texts than were sent. */
	protected rewrites = false;
	/** When each record was first seen; the earliest reading of the whole list. */
	private readonly seen = new Map<string, number>();
	private knownSince = Infinity;
	private readonly owners = new Map<string, Entry>();
	/** Up to here the list has shown everything; when the last reading ended. */
	private asOf = -Infinity;
	private readUntil = -Infinity;
	private areDatesRight = false;
	private last?: Look;
	private next?: SharedLook;
	private current: Promise<unknown> = Promise.resolve();

	/** Roughly what is kept. */
	get bytes(): number {
		return 100 * this.seen.size + 500 * this.owners.size;
	}

	/** These records were there at this time. */
	note(listed: unknown[], at: number, isWhole: boolean): void {
		for (const record of listed) {
			const version = versionOf(record);
			if (!this.seen.has(version) && this.seen.size < MAX_SEEN) this.seen.set(version, at);
		}
		if (isWhole) this.knownSince = Math.min(this.knownSince, at);
	}

	/** When the list was last read, by whomever. */
	noteRead(until: number): void {
		this.readUntil = until;
	}

	/** A create has ended; one that is not clear may still have made a record. */
	ended(entry: Entry): void {
		if (entry.state !== 'unclear') this.pending.delete(entry);
		const isOver = [...this.pending].every(({ state }) => state === 'unclear');
		if (isOver) this.last = undefined;
	}

	/** The record belongs to a row. One that was claimed before has been given again. */
	protected claim(entry: Entry, record: JsonObject): void {
		this.owners.set(nameOf(record), entry);
		const [oldest] = this.owners.keys();
		if (this.owners.size > MAX_OWN) this.owners.delete(oldest);
	}

	/**
	 * Reads the list; rows share a reading that has begun late enough for them. Undefined if it could not
	 * be read this time, `unreadable` if the service refuses to show it.
	 *
	 * @param since the earliest start of a reading that will do
	 */
	async read(connection: Connection, request: ServiceRequest, paging: Paging, since: number) {
		if (this.last && this.last.startedAt >= since) return this.last;
		const look = (this.next ??= this.plan(connection, listOf(request), paging));
		look.waiting++;
		const leave = () => {
			if (--look.waiting > 0) return;
			look.stop.abort(ABANDONED);
			if (this.next === look) this.next = undefined;
		};
		connection.signal?.addEventListener('abort', leave, { once: true });
		return await look.result;
	}

	/** A reading that follows the one that goes on. */
	private plan(connection: Connection, list: ServiceRequest, paging: Paging): SharedLook {
		const stop = new AbortController();
		const own = { ...connection, signal: stop.signal };
		const result = this.current.then(async () => {
			if (this.next === look) this.next = undefined;
			return await this.readNow(own, list, paging);
		});
		const look: SharedLook = { result, stop, waiting: 0 };
		this.current = result.then(() => undefined);
		return look;
	}

	private async readNow(connection: Connection, list: ServiceRequest, paging: Paging) {
		const { clock } = connection.account;
		try {
			const reading = await readOnce(connection, list, paging);
			const { startedAt } = reading;
			const isComplete = reading.completeness === 'complete';
			const records = reading.records.filter(isRecord);
			this.noteDates(records, connection.account);
			const asOf = this.freshness(records, startedAt);
			if (isComplete) this.asOf = Math.max(this.asOf, asOf);
			this.readUntil = clock.now();
			this.note(records, clock.now(), isComplete);
			this.last = { records, isComplete, startedAt, asOf };
			return this.last;
		} catch (error) {
			return isPassing(error as Error) ? undefined : ('unreadable' as const);
		}
	}

	/** Whether the list dates what was made here by the clock of the header `Date`, to the minute at least. */
	private noteDates(records: JsonObject[], { serviceClockOffset: offset = NaN }: Account): void {
		const fits = records.flatMap((record) => {
			const { firstSentAt, doneAt } = this.owners.get(nameOf(record)) ?? {};
			const created = createdAtByClock(record);
			if (firstSentAt === undefined || doneAt === undefined || created === undefined) return [];
			const isLate = created >= firstSentAt + offset - DATE_CUT;
			return [isLate && created <= doneAt + offset + DATE_TOLERANCE];
		});
		if (fits.length > 0) this.areDatesRight = fits.every(Boolean);
	}

	/**
	 * Up to when a reading shows everything: half a minute before it began, in any case; up to its
	 * beginning, if it shows what was created here since the reading before, which no cache had then.
	 */
	private freshness(records: JsonObject[], startedAt: number): number {
		const shown = new Set(records.map(nameOf));
		let asOf = Math.max(this.asOf, startedAt - times.stale);
		let missing = Infinity;
		for (const [name, own] of this.owners) {
			if (shown.has(name)) {
				own.wasListed = true;
				asOf = Math.max(asOf, own.firstSentAt >= this.readUntil ? startedAt : own.firstSentAt);
			} else if (!own.wasListed && own.doneAt <= startedAt) {
				missing = Math.min(missing, own.doneAt);
			}
		}
		return Math.min(asOf, missing);
	}

	/**
	 * What a reading says about a create. Its record is found if exactly one new record has what was sent
	 * and no other create may have made it; it is absent if nothing new is the same or similar.
	 */
	judge({ records, isComplete, asOf }: Look, entry: Entry, account: Account): Evidence {
		const similar = records
			.filter((record) => this.mayBeNew(record, entry, account))
			.filter((record) => this.rewrites || compareNew(record, entry.sent) !== 'different');
		if (similar.length === 0) {
			const since = entry.doubtSince + times.actsWithin[entry.isOwnError ? 'own' : 'silent'];
			return isComplete && asOf >= since ? 'absent' : 'nothing';
		}
		const same = similar.filter((record) => compareNew(record, entry.sent) === 'same');
		const [record, ...others] = same.filter((one) => this.isNew(one, entry, account));
		const isFound = record && others.length === 0 && !this.hasRival(record, entry);
		return isFound ? { record } : 'unclear';
	}

	/** Whether another create that is in flight or in doubt may have made this record. */
	private hasRival(record: JsonObject, entry: Entry): boolean {
		return [...this.pending].some(
			(other) => other !== entry && compareNew(record, other.sent) === 'same',
		);
	}

	private mayBeNew(record: JsonObject, entry: Entry, { serviceClockOffset }: Account): boolean {
		const owner = this.owners.get(nameOf(record));
		if (owner && owner !== entry) return false;
		if (this.wasThere(record, entry)) return false;
		const created = createdAtByClock(record);
		if (created === undefined || serviceClockOffset === undefined) return true;
		const most = this.areDatesRight ? DATE_CUT : MOST_BY_DATE;
		return created >= entry.firstSentAt + serviceClockOffset - most;
	}

	/** Whether a record is new for sure: the list was known before, or the service's clock says so. */
	private isNew(record: JsonObject, { firstSentAt }: Entry, account: Account): boolean {
		if (this.knownSince <= firstSentAt) return true;
		const { serviceClockOffset: offset, clock } = account;
		const created = createdAtByClock(record);
		if (created === undefined || offset === undefined) return false;
		const isLate = created >= firstSentAt + offset - DATE_TOLERANCE;
		return isLate && created <= clock.now() + offset + DATE_TOLERANCE;
	}

	private wasThere(record: JsonObject, { firstSentAt }: Entry): boolean {
		return (this.seen.get(versionOf(record)) ?? Infinity) <= firstSentAt;
	}
}

/** A record that was removed may leave its ID to another one. */
function versionOf(record: unknown): string {
	const id = idOf(record);
	return id === undefined ? hashOf(record) : `${id} ${createdAtByClock(record) ?? ''}`;
}

/** Whether a list that could not be read may be readable a moment later. */
function isPassing(error: Error): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	if (kind === 'rejected') return status >= 500 || status === 408 || status === 429;
	return ['timeout', 'connection-lost', 'unreachable', 'unknown-host', 'rate-limited'].includes(
		kind,
	);
}
