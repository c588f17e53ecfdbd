import type { Connection } from '../account';
import { BoundedMap } from '../boundedMap';
import { createdAt, idOf, isRecord } from '../exchange/records';
import { listOf, type ServiceRequest } from '../exchange/request';
import type { Paging } from '../lists/page';
import { ServiceError } from '../errors';
import { readOnce } from '../lists/readRecords';
import type { Clock, JsonObject } from '../ports';
import { likenessOf } from './likeness';
import { ServiceClock } from './serviceClock';
import { watchTimes } from './watchTimes';

/** A create that was sent, and of which it is not known yet what became of it. */
export interface Pending {
	sent: JsonObject;
	/** By this machine's clock, in milliseconds since 1970. */
	firstSentAt: number;
	/** When it came into doubt for the last time; undefined while it is under way. */
	inDoubtSince?: number;
}

/** What a reading of the list says about a create. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** A reading, and the moment from which on its snapshot may not be older. */
export interface Snapshot {
	records: JsonObject[];
	/** The list shows everything that was there then. */
	freshAsOf: number;
	/** Whether it can be relied on for what it does not show. */
	isWhole: boolean;
}

/** Creates of one list that were left in doubt; older ones are no longer thought of. */
const MAX_UNRESOLVED = 500;

/** What is known of one list that creates add to; shared by all rows that do. */
export class ListWatch {
	/** When a record was first seen in a reading, by ID. */
	private readonly seen: BoundedMap<number>;
	/** Records that belong to rows, by ID: when their creates were sent. */
	private readonly claimed: BoundedMap<number>;
	private readonly serviceClock = new ServiceClock();
	private readonly pending = new Set<Pending>();
	private readonly unresolved = new Set<Pending>();
	/** A reading that has not begun yet: whoever asks meanwhile gets the same. */
	private next?: Promise<Snapshot | 'unreadable' | undefined>;
	private current: Promise<unknown> = Promise.resolve();
	private lastDigest?: string;

	constructor(clock: Clock) {
		const bounds = { maxBytes: 1024 * 1024, forgetAfterMs: 3_600_000 };
		this.seen = new BoundedMap(bounds, clock);
		this.claimed = new BoundedMap(bounds, clock);
	}

	begin(pending: Pending): void {
		this.unresolved.delete(pending);
		this.pending.add(pending);
	}

	/** It is over, or was left in doubt: then a record may be its own for as long as that is known. */
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

	/** A record belongs to a row: it is no other row's, and shows the service's clock. */
	claim(record: JsonObject, sentAt: number, receivedAt?: number): void {
		const id = idOf(record);
		if (id !== undefined) this.claimed.set(id, sentAt, 8);
		const created = createdAt(record);
		if (created !== undefined && receivedAt !== undefined) {
			this.serviceClock.learn(created, sentAt, receivedAt);
		}
	}

	/** Records were listed at a moment: what is created later is none of them. */
	note(records: unknown[], at: number): void {
		for (const record of records) {
			const id = idOf(record);
			if (id !== undefined && this.seen.get(id) === undefined) this.seen.set(id, at, 8);
		}
	}

	/** Reads the list anew; rows that ask before it has begun share it. Undefined where it can't be read now. */
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
		const own = records.map((record) => this.claimed.get(idOf(record) ?? '') ?? 0);
		const freshAsOf = own.reduce((a, b) => Math.max(a, b), startedAt - watchTimes.stale);
		this.note(records, clock.now());
		// What one reading leaves open, two equal ones settle.
		const digest = JSON.stringify(records.map((record) => idOf(record) ?? record));
		const isSettled = reading.isSteady && digest === this.lastDigest;
		const isWhole = reading.isComplete || reading.isCalm || isSettled;
		this.lastDigest = digest;
		return { records, freshAsOf, isWhole: isWhole && !reading.isCut };
	}

	/**
	 * What a reading says about a create. It is found where exactly one new record carries what was
	 * sent, and no other create may have made it; absent where every record is another one.
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
		const { firstSentAt, inDoubtSince = now, sent } = pending;
		const records = listed.filter((record) => !this.isClaimed(record));
		const likely = records.filter((record) => likenessOf(record, sent) !== 'unlike');
		const open = likely.filter((record) => !this.isOlder(record, firstSentAt, now));
		if (open.length === 0) {
			const isFresh = freshAsOf >= inDoubtSince + slowness;
			return isFresh && isWhole ? 'absent' : 'unclear';
		}
		const ages = open.map((record) =>
			this.serviceClock.ageOf(createdAt(record), firstSentAt, now, account.serviceClockOffset),
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

	/** Whether looking on can't change what is unclear: no other create is open, and nothing is late. */
	isSettled(
		{ freshAsOf, isWhole }: Snapshot,
		{ inDoubtSince = Infinity }: Pending,
		slowness: number,
	): boolean {
		return isWhole && this.pending.size <= 1 && freshAsOf >= inDoubtSince + slowness;
	}

	private isClaimed(record: JsonObject): boolean {
		return this.claimed.get(idOf(record) ?? '') !== undefined;
	}

	/** Whether a record was there before a moment. */
	private isOlder(record: JsonObject, moment: number, now: number): boolean {
		const seenAt = this.seen.get(idOf(record) ?? '');
		if (seenAt !== undefined && seenAt <= moment) return true;
		return this.serviceClock.ageOf(createdAt(record), moment, now) === 'older';
	}

	/** Whether another create that is under way or in doubt may have made this record. */
	private hasRival(record: JsonObject, pending: Pending): boolean {
		return [...this.pending, ...this.unresolved].some(
			(other) => other !== pending && likenessOf(record, other.sent) !== 'unlike',
		);
	}
}

/** Whether a list that could not be read may be read a moment later. */
function isPassing(error: Error): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	if (kind === 'rejected') return status >= 500 || status === 408 || status === 429;
	return ['timeout', 'connection-lost', 'unreachable', 'unknown-host', 'rate-limited'].includes(
		kind,
	);
}
