import type { Account, Connection } from '../account';
import type { BoundedMap } from '../boundedMap';
import { ServiceError } from '../errors';
import { createdAt, idOf, isRecord } from '../exchange/records';
import { listOf, type ServiceRequest } from '../exchange/request';
import { timeOf } from '../exchange/time';
import type { Paging } from '../lists/page';
import { digestOf, readOnce } from '../lists/readRecords';
import type { JsonObject } from '../ports';
import { hashOf } from '../exchange/hashOf';
import { likenessOf } from './likeness';
import { ServiceClock } from './serviceClock';
import { watchTimes } from './watchTimes';

/** A create that was sent and whose outcome is not known yet. */
export interface Pending {
	sent: JsonObject;
	/** By this machine's clock, in milliseconds since 1970. */
	firstSentAt: number;
	/** When its outcome became uncertain; undefined while the request is in flight. */
	inDoubtSince?: number;
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
}

/** Creates of one list that ended in doubt; the oldest are dropped. */
const MAX_UNRESOLVED = 500;
/** Milliseconds; as long as a doubt is remembered. */
const UNRESOLVED_FOR = 600_000;

/** What is known of one list that creates add to, shared by all rows that add to it. */
export class ListWatch {
	private readonly serviceClock = new ServiceClock();
	private readonly pending = new Set<Pending>();
	private readonly unresolved = new Set<Pending>();
	/** A reading that has not begun yet: whoever asks meanwhile gets the same. */
	private next?: Promise<Snapshot | 'unreadable' | undefined>;
	private current: Promise<unknown> = Promise.resolve();
	private lastDigest?: string;

	/**
	 * @param name of the list among those of the account
	 * @param seen when a record was first seen in a reading, by list and ID
	 * @param claimed records that belong to rows, by list and ID: when their creates were sent
	 */
	constructor(
		private readonly name: string,
		private readonly seen: BoundedMap<number>,
		private readonly claimed: BoundedMap<number>,
	) {}

	begin(pending: Pending): void {
		this.unresolved.delete(pending);
		this.pending.add(pending);
	}

	/** It is finished, or ends in doubt: then a new record may still turn out to be its own. */
	end(pending: Pending): void {
		this.pending.delete(pending);
		if (pending.inDoubtSince === undefined) return;
		this.unresolved.add(pending);
		const [oldest] = this.unresolved;
		if (this.unresolved.size > MAX_UNRESOLVED) this.unresolved.delete(oldest);
	}

	get isIdle(): boolean {
		return this.pending.size === 0;
	}

	/** A record belongs to a row: it cannot be another row's, and it shows the service's clock. */
	claim(record: JsonObject, sent: JsonObject, sentAt: number, receivedAt: number): void {
		const key = this.keyOf(record);
		if (key !== undefined) this.claimed.set(key, sentAt, 8);
		const created = createdByService(record, sent);
		if (created !== undefined) this.serviceClock.learn(created, sentAt, receivedAt);
	}

	/** Records were listed at a time: a record that is created later is none of them. */
	note(records: unknown[], at: number): void {
		for (const record of records) {
			const key = this.versionOf(record);
			if (key !== undefined && this.seen.get(key) === undefined) this.seen.set(key, at, 8);
		}
	}

	/**
	 * Reads the list; rows that ask before a reading has begun share it. Undefined if it could not be
	 * read this time, `unreadable` if the service refuses to show it.
	 */
	async read(
		connection: Connection,
		request: ServiceRequest,
		paging: Paging,
	): Promise<Snapshot | 'unreadable' | undefined> {
		this.next ??= this.current.then(async () => {
			this.next = undefined;
			return await this.readNow(connection, request, paging);
		});
		this.current = this.next;
		return await this.next;
	}

	private async readNow(
		connection: Connection,
		request: ServiceRequest,
		paging: Paging,
	): Promise<Snapshot | 'unreadable' | undefined> {
		const { clock } = connection.account;
		const startedAt = clock.now();
		const reading = await readOnce(connection, listOf(request), paging).catch(
			(error: unknown) => error as Error,
		);
		if (reading instanceof Error) return isPassing(reading) ? undefined : 'unreadable';
		if (!reading.isList) return 'unreadable';
		const records = reading.records.filter(isRecord);
		const own = records.map((record) => this.claimedAt(record) ?? 0);
		const freshAsOf = own.reduce((a, b) => Math.max(a, b), startedAt - watchTimes.stale);
		this.note(records, clock.now());
		// Two equal readings settle what one leaves open.
		const digest = digestOf(reading);
		const isSettled = reading.isSteady && digest === this.lastDigest;
		const isWhole = (reading.isBacked && (reading.isComplete || reading.isCalm)) || isSettled;
		this.lastDigest = digest;
		return { records, freshAsOf, isWhole: isWhole && !reading.isCut };
	}

	/**
	 * What a reading says about a create. Its record is found if exactly one new record carries what
	 * was sent and no other create may have made it; it is absent if every record is another one.
	 *
	 * @param slowness milliseconds that the service may take to act after its connection is gone
	 */
	judge(
		{ records: listed, freshAsOf, isWhole }: Snapshot,
		pending: Pending,
		slowness: number,
		{ account }: Connection,
	): Evidence {
		const now = account.clock.now();
		this.forgetUnresolved(now);
		const { firstSentAt, inDoubtSince = now, sent } = pending;
		// The comparison of texts comes last: it costs most.
		const open = listed
			.filter((record) => this.claimedAt(record) === undefined)
			.filter((record) => !this.isOlder(record, pending, now, account))
			.filter((record) => likenessOf(record, sent) !== 'unlike');
		if (open.length === 0) {
			const isFresh = freshAsOf >= inDoubtSince + slowness;
			return isFresh && isWhole ? 'absent' : 'unclear';
		}
		const ages = open.map((record) =>
			this.serviceClock.ageOf(createdByService(record, sent), firstSentAt, now, account),
		);
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

	/** Whether further readings can't change the result: no other create is open, nothing is late. */
	isSettled(
		{ freshAsOf, isWhole }: Snapshot,
		{ inDoubtSince = Infinity }: Pending,
		slowness: number,
	): boolean {
		return isWhole && this.pending.size <= 1 && freshAsOf >= inDoubtSince + slowness;
	}

	private keyOf(record: unknown): string | undefined {
		const id = idOf(record);
		return id === undefined ? undefined : `${this.name} ${id}`;
	}

	/** A record that was removed may leave its ID to another one. */
	private versionOf(record: unknown): string | undefined {
		const key = this.keyOf(record);
		if (key === undefined || !isRecord(record)) return undefined;
		return `${key} ${createdAt(record) ?? hashOf(record)}`;
	}

	/** When the create was sent that a record is known to belong to. */
	private claimedAt(record: JsonObject): number | undefined {
		return this.claimed.get(this.keyOf(record) ?? '');
	}

	/** Whether a record existed before a create was first sent. */
	private isOlder(
		record: JsonObject,
		{ firstSentAt, sent }: Pending,
		now: number,
		account: Account,
	): boolean {
		const seenAt = this.seen.get(this.versionOf(record) ?? '');
		if (seenAt !== undefined && seenAt <= firstSentAt) return true;
		const created = createdByService(record, sent);
		return this.serviceClock.ageOf(created, firstSentAt, now, account) === 'older';
	}

	/** Drops what was left in doubt so long ago that no one asks for it any more. */
	private forgetUnresolved(now: number): void {
		for (const pending of this.unresolved) {
			if (now - (pending.inDoubtSince ?? 0) <= UNRESOLVED_FOR) return;
			this.unresolved.delete(pending);
		}
	}

	/** Whether another create that is in flight or in doubt may have made this record. */
	private hasRival(record: JsonObject, pending: Pending): boolean {
		return [...this.pending, ...this.unresolved].some(
			(other) => other !== pending && likenessOf(record, other.sent) !== 'unlike',
		);
	}
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
	// Another row may have begun the reading and been stopped.
	return [
		'timeout',
		'connection-lost',
		'unreachable',
		'unknown-host',
		'rate-limited',
		'cancelled',
	].includes(kind);
}
