import type { Account, Connection } from '../account';
import type { BoundedMap } from '../boundedMap';
import { ServiceError } from '../errors';
import { createdAt, idOf, isRecord, nameOf } from '../exchange/records';
import { listOf, type ServiceRequest } from '../exchange/request';
import { timeOf } from '../exchange/time';
import type { Paging } from '../lists/page';
import type { Reading as ListReading } from '../lists/listReading';
import { digestOf, readOnce, readOrPeek } from '../lists/readRecords';
import type { JsonObject } from '../ports';
import { hashOf } from '../exchange/hashOf';
import { legibleIn, likenessOf } from './likeness';
import { ServiceClock } from './serviceClock';
import { watchTimes } from './watchTimes';

/** A create that was sent and whose outcome is not known yet. */
export interface Doubt {
	/** What was sent, as far as it is compared. */
	sent: JsonObject;
	/** The list that its record would be in. */
	watch: ListWatch;
	/** By this machine's clock, in milliseconds since 1970. */
	firstSentAt: number;
	/** When its outcome became uncertain; undefined while the request is in flight. */
	inDoubtSince?: number;
	/** Whether the service itself did not respond: its backend may still be processing it. */
	isUnheard?: boolean;
	/** Whether a timeout or a gateway ended it: its backend may take longer than it is watched. */
	isSlow?: boolean;
	/** The run that it belongs to: in the same run, a row with the same content is another row. */
	run?: string;
	/** How often it was sent again after that. */
	resends: number;
	/** Whether a success said that it was done, or will be: then no list proves that it was not. */
	isAccepted?: boolean;
	/** Records that may have been its own when a list was read: their IDs, or hashes where they have none. */
	candidates?: Set<string>;
}

/** What a reading of the list says about a create. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** What a reading of the list shows. */
export interface Snapshot {
	records: JsonObject[];
	/** It shows everything that existed at this time. */
	freshAsOf: number;
	/** Whether a record that it does not show did not exist at that time. */
	isWhole: boolean;
	/** Whether it shows the ends of a long list only, where a record may be found, but not missed. */
	isPart: boolean;
	/** By this machine's clock, in milliseconds since 1970. */
	startedAt: number;
}

type Reading = Snapshot | 'unreadable' | undefined;

/** A reading that rows wait for, each as long as its signal says. */
interface SharedReading {
	result: Promise<Reading>;
	/** Aborted once no row waits any more: its requests may be needed for others. */
	stop: AbortController;
	waiting: number;
	/** Whether one of them needs the whole list. */
	isWhole: boolean;
}

/** So many records of rows have to be in a list that is whole. */
const MAX_OWN = 100;
/** Milliseconds for which a list proves less after it lacked a record that was there. */
const LATE_FOR = 600_000;
/** So many records that may be a create's own are remembered of a reading. */
const MAX_CANDIDATES = 100;
/** One for all: an error of its own would keep everything that its stack names. */
const ABANDONED = new Error('No row waits for this reading');

/** Milliseconds: dates may be cut to the minute, and machines differ. */
const CLOCK_TOLERANCE = 66_000;
/** Milliseconds by which dates in another zone, and cut to the day, may seem earlier: 26 hours and a day. */
const MOST_BY_DATE = 50 * 3_600_000;

/** What is known of one list that creates add to, shared by all rows that add to it. */
export class ListWatch {
	private readonly serviceClock = new ServiceClock();
	private readonly pending = new Set<Doubt>();
	/** A reading that has not begun yet: whoever asks meanwhile gets the same. */
	private next?: SharedReading;
	private current: Promise<unknown> = Promise.resolve();
	private lastDigest?: string;
	/** The latest records that belong to rows, by ID: when their creates were sent, and had succeeded. */
	private readonly own = new Map<string, { sentAt: number; knownAt: number }>();
	/** The fields whose texts are kept in objects, with nothing else, as what was made here shows. */
	private readonly legible = new Set<string>();
	/** When the list was last read without a record that was known to be there. */
	private lateAt = -Infinity;
	/** The last reading, while creates are in doubt. */
	private last?: Snapshot;
	/** Whether the list has shown records while creates are in doubt: then an empty one is a mistake. */
	private wasFilled = false;

	/**
	 * @param name of the list among those of the account
	 * @param seen when a record was first seen in a reading, by list and ID
	 * @param claimed records that belong to rows, by list and ID: when their creates were sent
	 * @param doubts creates, also of other lists, that ended in doubt
	 */
	constructor(
		private readonly name: string,
		private readonly seen: BoundedMap<number>,
		private readonly claimed: BoundedMap<number>,
		private readonly doubts: BoundedMap<Doubt>,
	) {}

	begin(pending: Doubt): void {
		this.pending.add(pending);
	}

	end(pending: Doubt): void {
		this.pending.delete(pending);
		if (!this.isIdle) return;
		this.last = undefined;
		this.wasFilled = false;
	}

	get isIdle(): boolean {
		return this.pending.size === 0;
	}

	/** A record belongs to a row: it cannot be another row's, and it shows the service's clock. */
	claim(record: JsonObject, { sent }: Doubt, sentAt: number, account: Account): void {
		const key = this.keyOf(record);
		if (key !== undefined) this.claimed.set(key, sentAt, 8);
		this.own.set(nameOf(record), { sentAt, knownAt: account.clock.now() });
		const [oldest] = this.own.keys();
		if (this.own.size > MAX_OWN) this.own.delete(oldest);
		for (const [name, isLegible] of legibleIn(record, sent)) {
			if (isLegible) this.legible.add(name);
			else this.legible.delete(name);
		}
		const created = createdByService(record, sent);
		if (created === undefined) return;
		this.serviceClock.learn(created, sentAt, account.clock.now(), account);
	}

	/** Whether a record already belongs to a row: a service may give the same one to several. */
	isTaken(record: JsonObject): boolean {
		return this.claimedAt(record) !== undefined;
	}

	/** Whether a record existed before a create was sent, as far as is known. */
	isOld(record: JsonObject, { firstSentAt, sent }: Doubt, account: Account): boolean {
		if (this.wasSeenBefore(record, firstSentAt)) return true;
		const created = createdByService(record, sent);
		const age = this.serviceClock.ageOf(created, firstSentAt, account.clock.now(), account);
		return age === 'older' || age === 'earlier-by-date';
	}

	/** Records were listed at a time: a record that is created later is none of them. */
	note(records: unknown[], at: number): void {
		for (const record of records) {
			const created = createdAt(record);
			if (created !== undefined) this.serviceClock.see(created);
			const key = this.versionOf(record);
			if (key !== undefined && this.seen.get(key) === undefined) this.seen.set(key, at, 8);
		}
	}

	/**
	 * Until when a list may lack a record that was created here; undefined if it lacks none, or if it
	 * shows nothing that was created here, however long ago (drafts, say).
	 *
	 * @param startedAt when its reading began; milliseconds since 1970
	 */
	staleUntil(records: unknown[], startedAt: number): number | undefined {
		const shown = new Set(records.map(idOf));
		const own = [...this.own].filter(([name]) => this.claimed.get(`${this.name} ${name}`));
		const old = own.filter(([, { sentAt }]) => sentAt + watchTimes.stale <= startedAt);
		if (old.length > 0 && !old.some(([name]) => shown.has(name))) return undefined;
		const missing = own
			.filter(([name, { sentAt }]) => !shown.has(name) && sentAt + watchTimes.stale > startedAt)
			.map(([, { sentAt }]) => sentAt);
		return missing.length > 0 ? Math.max(...missing) + watchTimes.stale : undefined;
	}

	/**
	 * Reads the list, the whole of it or its ends if it is long; rows share a reading that has begun
	 * late enough for them, and it ends when the signals of all have aborted. Undefined if it could not
	 * be read this time, `unreadable` if the service refuses to show it.
	 *
	 * @param since the earliest start of a reading that will do; milliseconds since 1970
	 */
	async read(
		connection: Connection,
		request: ServiceRequest,
		paging: Paging,
		{ since, isWhole }: { since: number; isWhole: boolean },
	): Promise<Reading> {
		const { last } = this;
		if (last && last.startedAt >= since && !(isWhole && last.isPart)) return last;
		const reading = (this.next ??= this.plan(connection, listOf(request), paging));
		reading.isWhole ||= isWhole;
		reading.waiting++;
		const leave = () => {
			if (--reading.waiting === 0) this.abandon(reading);
		};
		connection.signal?.addEventListener('abort', leave, { once: true });
		return await reading.result;
	}

	/** A reading that follows the one that goes on. */
	private plan(connection: Connection, list: ServiceRequest, paging: Paging): SharedReading {
		const stop = new AbortController();
		const own = { ...connection, signal: stop.signal };
		const result = this.current.then(async () => {
			if (this.next === reading) this.next = undefined;
			return await this.readNow(own, list, paging, reading.isWhole);
		});
		const reading: SharedReading = { result, stop, waiting: 0, isWhole: false };
		// Not the reading itself, which would be kept.
		this.current = result.then(() => undefined);
		return reading;
	}

	private abandon(reading: SharedReading): void {
		reading.stop.abort(ABANDONED);
		if (this.next === reading) this.next = undefined;
	}

	private async readNow(
		connection: Connection,
		list: ServiceRequest,
		paging: Paging,
		isWhole: boolean,
	): Promise<Reading> {
		const calledAt = connection.account.clock.now();
		try {
			const reading = await (isWhole ? readOnce : readOrPeek)(connection, list, paging);
			// It may have waited for its turn.
			const { sentAt: startedAt = calledAt } = reading;
			const snapshot =
				'ends' in reading
					? { ...this.show(reading.ends, startedAt), isWhole: true, isPart: true }
					: this.assess(reading, startedAt);
			if (snapshot) this.note(snapshot.records, connection.account.clock.now());
			this.last = this.isIdle ? undefined : snapshot;
			this.wasFilled ||= !this.isIdle && (snapshot?.records.length ?? 0) > 0;
			return snapshot ?? 'unreadable';
		} catch (error) {
			return isPassing(error as Error) ? undefined : 'unreadable';
		}
	}

	private show(listed: unknown[], startedAt: number) {
		const records = listed.filter(isRecord);
		const own = records.map((record) => this.claimedAt(record) ?? 0);
		const freshAsOf = own.reduce((a, b) => Math.max(a, b), startedAt - watchTimes.stale);
		return { records, startedAt, freshAsOf };
	}

	/**
	 * Until when a list shows everything: up to the first record that was made here and is not in it. A list
	 * that is late may show each record after a time of its own: later ones prove nothing of earlier ones.
	 */
	private freshUntil({ freshAsOf, startedAt }: Snapshot, shown: Set<string>): number {
		const surely = startedAt - watchTimes.stale;
		const missing = [...this.own]
			.filter(([name, { sentAt }]) => sentAt > surely && !shown.has(name))
			.map(([, own]) => own);
		const isLate = missing.some(({ knownAt }) => knownAt <= startedAt);
		if (isLate) this.lateAt = startedAt;
		if (startedAt - this.lateAt < LATE_FOR) return surely;
		return Math.max(surely, Math.min(freshAsOf, ...missing.map(({ sentAt }) => sentAt)));
	}

	/** Whether a reading of the whole list can prove that a record is absent. */
	private assess(reading: ListReading, startedAt: number): Snapshot | undefined {
		if (!reading.isList) return undefined;
		const snapshot = this.show(reading.records, startedAt);
		// Two equal readings settle what one leaves open.
		const digest = digestOf(reading);
		const isSettled = reading.isSteady && digest === this.lastDigest;
		this.lastDigest = digest;
		const isConsistent = (reading.isBacked && (reading.isComplete || reading.isCalm)) || isSettled;
		// One reading proves nothing: it may be empty by mistake. Nor does one that lacks what was there.
		const shown = new Set(snapshot.records.map(nameOf));
		const isEmptied = (this.wasFilled || this.own.size > 0) && shown.size === 0;
		const hasAll =
			!isEmptied && (this.last?.records.every((record) => shown.has(nameOf(record))) ?? false);
		// A list that lacks what was made here may hide new records: drafts, or those to be approved.
		const showsOwn = [...this.own].every(
			([name, { sentAt }]) => sentAt >= startedAt - watchTimes.stale || shown.has(name),
		);
		// Where pages can't be asked for, the record may be on one that does not come.
		const isWhole = isConsistent && hasAll && showsOwn && !reading.isCut && reading.isNumbered;
		const whole = { ...snapshot, isWhole, isPart: false };
		return { ...whole, freshAsOf: this.freshUntil(whole, shown) };
	}

	/**
	 * What a reading says about a create. Its record is found if exactly one new record carries what
	 * was sent and no other create may have made it; it is absent if every record is another one.
	 */
	judge(
		{ records: listed, freshAsOf, isWhole }: Snapshot,
		pending: Doubt,
		{ account }: Connection,
	): Evidence {
		const now = account.clock.now();
		const { firstSentAt, sent } = pending;
		const dates = this.datesOf(listed, now, account);
		const dateOf = (record: JsonObject) =>
			dates === 'wrong' ? undefined : createdByService(record, sent);
		const ageOf = (record: JsonObject, before = firstSentAt) =>
			this.serviceClock.ageOf(dateOf(record), before, now, account);
		const oldBefore = dates === 'right' ? firstSentAt : firstSentAt - MOST_BY_DATE;
		// The comparison of texts comes last: it costs most.
		const oldest = this.oldestPossible(listed, pending, now, account);
		const open = listed
			.filter((record) => this.claimedAt(record) === undefined)
			.filter((record) => !this.wasSeenBefore(record, firstSentAt))
			.filter((record) => ageOf(record, oldBefore) !== 'older')
			.filter((record) => (dateOf(record) ?? Infinity) >= oldest)
			.filter((record) => likenessOf(record, sent, this.legible) !== 'unlike');
		if (open.length === 0) {
			const isAbsent = isWhole && freshAsOf >= lateUntil(pending);
			return isAbsent && !this.hasLostCandidate(listed, pending) ? 'absent' : 'unclear';
		}
		this.noteCandidates(open, pending);
		const ages = open.map((record) => ageOf(record));
		const recent = open.filter(
			(_, index) => ages[index] === 'newer' || ages[index] === 'about-then',
		);
		const [record] = recent;
		const isFound =
			recent.length === 1 &&
			!ages.includes('unknown') &&
			likenessOf(record, sent) === 'same' &&
			idOf(record) !== undefined &&
			!this.hasRival(record, pending);
		return isFound ? { record } : 'unclear';
	}

	private noteCandidates(open: JsonObject[], pending: Doubt): void {
		pending.candidates ??= new Set();
		for (const record of open.slice(0, MAX_CANDIDATES)) pending.candidates.add(nameOf(record));
	}

	/** Whether a record that may have been its own has gone, and belongs to no other row. */
	private hasLostCandidate(listed: JsonObject[], { candidates = new Set() }: Doubt): boolean {
		const shown = new Set(listed.map(nameOf));
		return [...candidates].some(
			(name) => !shown.has(name) && this.claimed.get(`${this.name} ${name}`) === undefined,
		);
	}

	/** Whether further readings can't change the result: no create is in flight, nothing is late. */
	isSettled({ freshAsOf, isWhole }: Snapshot): boolean {
		return isWhole && [...this.pending].every((pending) => freshAsOf >= lateUntil(pending));
	}

	private keyOf(record: unknown): string | undefined {
		const id = idOf(record);
		return id === undefined ? undefined : `${this.name} ${id}`;
	}

	/** A record that was removed may leave its ID to another one, created in the same minute. */
	private versionOf(record: unknown): string | undefined {
		const key = this.keyOf(record);
		return key === undefined ? undefined : `${key} ${hashOf(record)}`;
	}

	/** When the create was sent that a record is known to belong to. */
	private claimedAt(record: JsonObject): number | undefined {
		return this.claimed.get(this.keyOf(record) ?? '');
	}

	private wasSeenBefore(record: JsonObject, moment: number): boolean {
		const seenAt = this.seen.get(this.versionOf(record) ?? '');
		return seenAt !== undefined && seenAt <= moment;
	}

	/**
	 * Whether the dates of a list can be compared with the clock that responses to creates have shown. They
	 * may be cut, or in another zone: then what was made here seems older than its own create. Unknown
	 * where the list shows nothing that was made here.
	 */
	private datesOf(
		listed: JsonObject[],
		now: number,
		account: Account,
	): 'right' | 'wrong' | 'unknown' {
		const own = listed.flatMap((record) => {
			const sentAt = this.claimedAt(record);
			const created = createdAt(record);
			if (sentAt === undefined || created === undefined) return [];
			return [this.serviceClock.ageOf(created, sentAt, now, account)];
		});
		if (own.includes('older')) return 'wrong';
		return own.length > 0 ? 'right' : 'unknown';
	}

	/**
	 * The date that a record must have at least to be newer than a create, also where the service's
	 * clock is not known: all records exist by now, so the latest date is not later than now by that
	 * clock. Dates beyond the header `Date` are not relied on.
	 */
	private oldestPossible(
		records: JsonObject[],
		{ firstSentAt, sent }: Doubt,
		now: number,
		{ serviceClockOffset, serviceClockSetAt }: Account,
	): number {
		// Where a clock has been set back, later records have earlier dates.
		const wasSet = serviceClockSetAt > -Infinity;
		if (serviceClockOffset === undefined || wasSet) return -Infinity;
		const dates = records.map((record) => createdByService(record, sent) ?? -Infinity);
		const latest = dates.reduce((a, b) => Math.max(a, b), -Infinity);
		const isPast = latest <= now + serviceClockOffset + CLOCK_TOLERANCE;
		return isPast ? latest - (now - firstSentAt) - CLOCK_TOLERANCE : -Infinity;
	}

	/** Whether another create that is in flight or in doubt may have made this record. */
	private hasRival(record: JsonObject, pending: Doubt): boolean {
		const unresolved = this.doubts.values().filter(({ watch }) => watch === this);
		return [...this.pending, ...unresolved].some(
			(other) => other !== pending && likenessOf(record, other.sent, this.legible) !== 'unlike',
		);
	}
}

/** Until when the service may still act on a create; never, as far as is known, while it is in flight. */
function lateUntil({ inDoubtSince = Infinity, isUnheard }: Doubt): number {
	return inDoubtSince + (isUnheard ? watchTimes.unheard : watchTimes.answered);
}

/** Units to which a service may cut a date, in milliseconds. */
const UNITS = [1, 1_000, 60_000, 3_600_000, 86_400_000];

/** When a record was created; undefined where that may be a date that the row itself has set. */
function createdByService(record: JsonObject, sent: JsonObject): number | undefined {
	const created = createdAt(record);
	const isSent = Object.values(sent).some((value) => {
		const time = timeOf(value);
		return time !== undefined && UNITS.some((unit) => time - (time % unit) === created);
	});
	return isSent ? undefined : created;
}

/** Whether a list that could not be read may be readable a moment later. */
function isPassing(error: Error): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	if (kind === 'rejected') return status >= 500 || status === 408 || status === 429;
	// `not-sent` is none of these: the service has been down for Max Wait, and each row would wait for it
	// anew.
	return ['timeout', 'connection-lost', 'unreachable', 'unknown-host', 'rate-limited'].includes(
		kind,
	);
}
