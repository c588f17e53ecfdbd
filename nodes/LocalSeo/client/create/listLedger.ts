import type { Connection, Flight } from '../account';
import { idOf, isRecord } from '../http/records';
import type { Paging } from '../list/page';
import { readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { requestForList, type ServiceRequest } from '../request';
import { isAheadOf, type Matching, matchKeyOf } from '../same/key';
import { withinTime } from '../time';
import { type Before, createdAtOf, newOnes } from './versions';

/** Milliseconds. */
const DAY = 86_400_000;
/** The most records that are remembered as those of rows. */
const MAX_OWN = 10_000;

/** One create of this process; times by the account's clock (ms). */
export interface Entry {
	run?: string;
	/** The fields that are compared of its record, and its key. */
	matching: Matching;
	key: string;
	/** True if its record goes live later, or may. */
	isAhead: boolean;
	/** Absent if the list was not read before: then nothing can be told from it. */
	before?: Before;
	/** Since when its outcome is unknown; absent if it is known. */
	doubtSince?: number;
	/** True if the service itself has answered 500. */
	isOwnError: boolean;
	/** True if it was sent a second time. */
	wasResent: boolean;
}

/** A reading shows the record of a create, that there is none, or neither. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** How a list is read to look for a record. */
export interface Search {
	connection: Connection;
	request: ServiceRequest;
	paging: Paging;
	/** When the reading is given up, by the account's clock (ms). */
	deadline: number;
}

/** One reading of a list. */
interface Snapshot {
	records: JsonObject[];
	isComplete: boolean;
	startedAt: number;
	/** It shows everything up to this time. */
	asOf: number;
	/** Its records that were not there before; rows of a run ask for the same ones. */
	fresh: WeakMap<Before, JsonObject[]>;
	/** Resolves when the creates that were in flight when it ended have their answers. */
	landed: Promise<unknown>;
}

/** The record that a row has made, and what tells it from another one with the same ID. */
interface Claim {
	createdAt: string;
	matching: Matching;
	key: string;
}

/** The accounting of one list that creates add to. */
export class ListLedger {
	/** Creates in flight or in doubt. */
	readonly open = new Set<Entry>();
	/** Requests in flight; each resolves when its outcome is noted here. */
	private readonly flights = new Set<Promise<void>>();
	/** The records that rows have made, by ID; without an ID, several may have one key. */
	private readonly claims = new Map<string, Claim[]>();
	/** True if it has shown a record whose time was still to come. */
	private showsAhead = false;
	/** The reading under way, and the queued one: whoever asks now shares that, because it starts after they asked. */
	private current: Promise<unknown> = Promise.resolve();
	private next?: Promise<Snapshot | undefined>;

	/** The approximate size in memory (bytes). */
	get bytes(): number {
		return 500 * this.claims.size;
	}

	/** Follows the requests of one create: an absence is judged when those in flight have ended. */
	flight(): Flight {
		let land = () => {};
		return {
			begins: () => {
				const flight = new Promise<void>((resolve) => {
					land = () => {
						this.flights.delete(flight);
						resolve();
					};
				});
				this.flights.add(flight);
			},
			ends: () => land(),
		};
	}

	/** Notes the record of a create, as the response or the list shows it. */
	done({ matching, key }: Entry, record: JsonObject): void {
		const id = idOf(record);
		const claim = { createdAt: createdAtOf(record), matching, key };
		const name = id === undefined ? nameOf(matching, key) : `id ${id}`;
		const others = id === undefined ? (this.claims.get(name) ?? []) : [];
		this.claims.delete(name);
		this.claims.set(name, [...others, claim]);
		const [oldest] = this.claims.keys();
		if (this.claims.size > MAX_OWN) this.claims.delete(oldest);
	}

	/**
	 * Reads the list after the reading under way, once for all who wait; undefined if that fails or takes too
	 * long.
	 */
	async read(search: Search): Promise<Snapshot | undefined> {
		const next = (this.next ??= this.current.then(async () => {
			this.next = undefined;
			// A failure ends this reading alone: the next one begins anew.
			return await this.readNow(search).catch(() => undefined);
		}));
		// Without its records, which are many.
		this.current = next.then(() => undefined);
		return await inTime(search, async () => await next);
	}

	private async readNow(search: Search): Promise<Snapshot | undefined> {
		const { connection, request, paging, deadline } = search;
		const { clock } = connection.account;
		const startedAt = clock.now();
		const own: Connection = {
			...connection,
			...{ patienceMs: deadline - startedAt, since: undefined, urgency: 'look' },
			...{ noCache: true, flight: undefined },
		};
		const whole = { ...paging, limit: undefined };
		const list = await inTime(
			search,
			async (signal) => await readList({ ...own, signal }, requestForList(request), whole),
		);
		if (!list) return undefined;
		const { incomplete, asOf } = list;
		const records = list.records.filter(isRecord);
		const isComplete = !incomplete && records.length === list.records.length;
		const landed = Promise.all(this.flights);
		return { records, isComplete, startedAt, asOf, fresh: new WeakMap(), landed };
	}

	/**
	 * Judges by a reading what became of a create. Its record is found if exactly one new record that no row
	 * has made has its values, and no other open create may have made it; it is absent if rows have made all
	 * new records, and none of these has its values.
	 */
	judge({ records, isComplete, asOf, fresh }: Snapshot, entry: Entry, now: number): Evidence {
		const { before, doubtSince = 0, matching, key, isAhead } = entry;
		if (before === undefined || asOf < doubtSince) return 'unclear';
		const { time } = matching;
		// A time without a zone may be off by hours.
		this.showsAhead ||=
			time !== undefined && records.some((record) => isAheadOf(record[time], now + DAY));
		const added = fresh.get(before) ?? newOnes(records, before);
		fresh.set(before, added);
		const unexplained = this.notOwned(added);
		const isOwn = (record: JsonObject) => matchKeyOf(record, matching) === key;
		const [record, ...others] = unexplained.filter(isOwn);
		const isRival = (other: Entry) =>
			other !== entry && matchKeyOf(record, other.matching) === other.key;
		if (record && others.length === 0 && ![...this.open].some(isRival)) return { record };
		const isShown = isComplete && (!isAhead || this.showsAhead);
		return isShown && unexplained.length === 0 && !added.some(isOwn) ? 'absent' : 'unclear';
	}

	/** The records that no row has made: by ID or, if the answers gave none, by their values. */
	private notOwned(records: JsonObject[]): JsonObject[] {
		const sets = new Map(
			[...this.claims.values()].map(([{ matching }]) => [JSON.stringify(matching), matching]),
		);
		const taken = new Map<string, number>();
		return records.filter((record) => {
			// IDs may be given again.
			const [own] = this.claims.get(`id ${idOf(record)}`) ?? [];
			if (own && isOf(record, own)) return false;
			for (const matching of sets.values()) {
				const name = nameOf(matching, matchKeyOf(record, matching));
				const count = taken.get(name) ?? 0;
				if (count >= (this.claims.get(name)?.length ?? 0)) continue;
				taken.set(name, count + 1);
				return false;
			}
			return true;
		});
	}
}

const nameOf = (matching: Matching, key: string) => JSON.stringify([matching, key]);

function isOf(record: JsonObject, { createdAt, matching, key }: Claim): boolean {
	const isSameTime = createdAt !== '' && createdAt === createdAtOf(record);
	return isSameTime || matchKeyOf(record, matching) === key;
}

export async function inTime<T>(
	{ connection: { account, signal }, deadline }: Search,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
	return await withinTime(account.clock, deadline - account.clock.now(), work, signal);
}
