import type { Account, Connection } from '../account';
import { instantOf } from '../dates/ofService';
import { hashOf, idOf, isRecord, recordKey } from '../http/records';
import type { Paging } from '../list/page';
import { type Reading, readOnce } from '../list/readOnce';
import type { JsonObject } from '../ports';
import { requestForList, ServiceError, type ServiceRequest } from '../request';
import { compareNew } from '../same/compareNew';
import { textOf } from '../textOf';
import { withinTime } from '../time';

/**
 * Milliseconds that things take after a fault; docs/dev/guarantees.md states the sums. The tests that wait
 * in real time shorten them.
 */
export const times = {
	/** When the list is looked at: often enough to find a record early, and when its absence shows. */
	looks: {
		silent: [1_000, 5_000, 15_000, 30_000, 60_000, 90_000],
		own: [2_000, 8_000, 32_000],
		/** For the second time, nobody waits for a list that may be out of date. */
		ownAgain: [2_000, 8_000],
	},
	/** Until a reading that leaves something open is followed by another one. */
	atOnce: 500,
	/** For how long a backend may go on after silence, or after the service's own answer. */
	actsWithin: { silent: 60_000, own: 2_000, busy: 2_000 },
	/** By how much a list may be out of date: it may come from a cache. */
	stale: 30_000,
};

/** Records of a list that are remembered to have been there, and those that belong to rows. */
const MAX_SEEN = 100_000;
const MAX_OWN = 10_000;
/** A reading that has begun gets this many milliseconds at least. */
const MIN_READING = 10_000;
/** Milliseconds: the header `Date` and the dates of records are cut to the second. */
const DATE_TOLERANCE = 3_000;
/** Milliseconds by which dates in another zone, and cut to the day, may seem earlier: 26 hours and a day. */
const MOST_BY_DATE = 50 * 3_600_000;

/**
 * How the response to a create was lost: without a word, or with an error of the service's own, which
 * has acted by then, or has not (`busy`: 503).
 */
export type Fault = 'silent' | 'own' | 'busy';

/** The knowledge of this process about one create; times are the account's clock's. */
export interface Entry {
	state: 'sent' | 'doubtful' | 'done' | 'refused' | 'unclear';
	run?: string;
	/** The sent fields, as far as they are compared; empty once it is done. */
	sent: JsonObject;
	firstSentAt: number;
	/** When its outcome became uncertain, and how. */
	doubtSince: number;
	fault: Fault;
	/** How often it was sent again. */
	resent: number;
	/** Since when it is known what it became. */
	doneAt: number;
	/** Whether the list has shown its record. */
	wasListed: boolean;
}

/** The list shows the record of a create, shows that there is none, or can't tell. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** The create that is looked for, and how. */
export interface Search {
	connection: Connection;
	request: ServiceRequest;
	paging: Paging;
	/** When it is given up; by the account's clock. */
	deadline: number;
}

/** One reading of a list. */
interface Snapshot {
	records: JsonObject[];
	/** It is complete, or has all that the one before had, and others have added to it. */
	isWhole: boolean;
	/** It shows everything that was there at this time. */
	asOf: number;
}

/** The knowledge about one list that creates add to. */
export class ListLedger {
	/** Creates in flight or in doubt. */
	readonly pending = new Set<Entry>();
	/** The creates whose records are in the list, by the names of these. */
	private readonly owners = new Map<string, Entry>();
	/** Whether records come back with other texts than were sent. */
	private rewrites = false;
	/** When the last reading ended, by whomever; the earliest reading of the whole list. */
	private readUntil = -Infinity;
	private knownSince = Infinity;
	/** The records that our own last reading has shown, by their keys. */
	private names?: string[];
	/** When each record was first seen. */
	private readonly seen = new Map<string, number>();
	/** Up to here the list has shown everything. */
	private asOf = -Infinity;
	/** The reading that goes on, and one that has not begun: it is late enough for all who ask. */
	private current: Promise<unknown> = Promise.resolve();
	private next?: Promise<Snapshot | 'refused' | undefined>;

	constructor(private readonly account: Account) {}

	/** Roughly what is kept. */
	get bytes(): number {
		return 100 * (this.seen.size + (this.names?.length ?? 0)) + 500 * this.owners.size;
	}

	/** A reading that has just ended has shown these records. */
	noteRead(records: unknown[], isWhole: boolean): void {
		const now = this.account.clock.now();
		this.readUntil = now;
		for (const record of records) {
			const version = versionOf(record);
			if (!this.seen.has(version) && this.seen.size < MAX_SEEN) this.seen.set(version, now);
		}
		if (isWhole) this.knownSince = Math.min(this.knownSince, now);
	}

	/** The record belongs to a row. One that was claimed before has been given again. */
	done(entry: Entry, record: JsonObject): void {
		// A service that rewrites texts can't be compared by them.
		const id = idOf(record);
		this.rewrites ||= id !== undefined && compareNew(record, entry.sent) === 'different';
		Object.assign(entry, { state: 'done', doneAt: this.account.clock.now(), sent: {} });
		this.owners.set(id ?? hashOf(record), entry);
		const [oldest] = this.owners.keys();
		if (this.owners.size > MAX_OWN) this.owners.delete(oldest);
	}

	/**
	 * Reads the list after the reading that goes on, once for all who wait; undefined if that fails, and
	 * `refused` if it would again.
	 */
	async read(search: Search): Promise<Snapshot | 'refused' | undefined> {
		const next = (this.next ??= this.current.then(async () => {
			this.next = undefined;
			// A failure ends this reading alone: the next one begins anew.
			return await this.readNow(search).catch((error: unknown) =>
				isRefusal(error) ? ('refused' as const) : undefined,
			);
		}));
		// Without its records, which are many.
		this.current = next.then(() => undefined);
		return await this.inTime(search, async () => await next, search.connection.signal);
	}

	private async inTime<T>(
		{ deadline }: Search,
		work: (signal: AbortSignal) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T | undefined> {
		const { clock } = this.account;
		return await withinTime(clock, Math.max(MIN_READING, deadline - clock.now()), work, signal);
	}

	private async readNow(search: Search): Promise<Snapshot | undefined> {
		const { connection, request, paging, deadline } = search;
		const patienceMs = Math.max(0, deadline - this.account.clock.now());
		const own: Connection = { ...connection, patienceMs, since: undefined, urgency: 'look' };
		const reading = await this.inTime(
			search,
			async (signal) => await readOnce({ ...own, signal }, requestForList(request), paging),
		);
		if (!reading) return undefined;
		const records = reading.records.filter(isRecord);
		const names = new Set(records.map(recordKey));
		// As readList settles it.
		const { kind, reason } = reading.completeness;
		const isChanged = reason === 'unequal' || reason === 'repeated';
		const hasAll = this.names?.every((name) => names.has(name)) ?? false;
		const isGrown = isChanged && hasAll && names.size >= (reading.firstTotal ?? 0);
		const isWhole = kind === 'complete' || isGrown;
		const asOf = this.freshness(names, reading);
		if (isWhole) this.asOf = Math.max(this.asOf, asOf);
		this.names = names.size > MAX_SEEN ? undefined : [...names];
		this.noteRead(records, isWhole);
		return { records, isWhole, asOf };
	}

	/**
	 * Up to when a reading shows everything: half a minute before it began, in any case; up to its
	 * beginning, if the service lets nobody keep it, or if it shows what was created here since the
	 * reading before, which no cache had then.
	 */
	private freshness(shown: Set<string>, { startedAt, isFresh }: Reading): number {
		let asOf = Math.max(this.asOf, startedAt - (isFresh ? 0 : times.stale));
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
	 * Judges by a reading what became of a create. Its record is found if exactly one new record has what was sent
	 * and no other create may have made it; it is absent if nothing new is the same or similar. Nothing,
	 * if the reading was not whole, or may be out of date.
	 */
	judge({ records, isWhole, asOf }: Snapshot, entry: Entry): Evidence | 'nothing' {
		const similar = records
			.filter((record) => this.mayBeNew(record, entry))
			.filter((record) => this.rewrites || compareNew(record, entry.sent) !== 'different');
		if (similar.length === 0) {
			const since = entry.doubtSince + times.actsWithin[entry.fault];
			return isWhole && asOf >= since ? 'absent' : 'nothing';
		}
		const same = similar.filter((record) => compareNew(record, entry.sent) === 'same');
		const [record, ...others] = same.filter((one) => this.isNew(one, entry));
		// Another create that is in flight or in doubt may have made it, too.
		const hasRival = [...this.pending].some(
			(other) => other !== entry && record && compareNew(record, other.sent) === 'same',
		);
		return record && others.length === 0 && !hasRival ? { record } : 'unclear';
	}

	private mayBeNew(record: JsonObject, entry: Entry): boolean {
		const owner = this.owners.get(recordKey(record));
		if (owner && owner !== entry) return false;
		const wasThere = (this.seen.get(versionOf(record)) ?? Infinity) <= entry.firstSentAt;
		return !wasThere && this.sinceSent(record, entry, MOST_BY_DATE) !== false;
	}

	/** Whether a record is new for sure: by the service's clock or, where that can't tell, since the list was known before. */
	private isNew(record: JsonObject, entry: Entry): boolean {
		const isSince = this.sinceSent(record, entry, DATE_TOLERANCE);
		return isSince ?? this.knownSince <= entry.firstSentAt;
	}

	/** Whether a record was created since a row was first sent, as far as the service's clock tells. */
	private sinceSent(record: JsonObject, { firstSentAt }: Entry, tolerance: number) {
		const { serviceClockOffset: offset, clock } = this.account;
		const created = instantOf(record.created_at);
		if (created === undefined || offset === undefined) return undefined;
		if (created < firstSentAt + offset - tolerance) return false;
		return created <= clock.now() + offset + DATE_TOLERANCE ? true : undefined;
	}
}

/** Whether the key may not see a list, or there is none. */
function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && [401, 403, 404, 405].includes(error.facts.status ?? 0);
}

/** A record that was removed may leave its ID to another one. */
function versionOf(record: unknown): string {
	const id = idOf(record);
	return id === undefined ? hashOf(record) : `${id} ${textOf((record as JsonObject).created_at)}`;
}
