import type { ServiceError } from '../errors';
import { hashOf, idOf } from '../http/records';
import type { Clock, Method } from '../ports';
import type { ServiceRequest } from '../request';
import type { Sought } from '../same/sameRecords';

/** A list may lag so long (ms): until then, what was created counts although the list does not show it. */
const LAG = 95_000;
/** How long a create is remembered after it has ended, and how often older ones are looked for (ms). */
const REMEMBERED_FOR = 3_600_000;
const FORGETS_EVERY = 60_000;

/** A row in a run of a node. */
export interface RowKey {
	/** The run over all its tries; of a tool, with what it sends. Absent: it is not tried again. */
	run?: string;
	row: number | string;
}

/** A list as it was before creates add to it. */
export interface Before {
	/** When its reading began, by the account's clock (ms). */
	readAt: number;
	/** The identities of its records; absent if it was not complete. */
	known?: ReadonlySet<string>;
}

/** Tells a record from others: by its ID, else by its content. */
export const identityOf = (record: unknown): string => idOf(record) ?? hashOf(record);

/** A write of a row, and what became of it; times by the account's clock (ms). */
export class Entry {
	/** Resolves when its row is done with it; absent: nobody is at work on it. */
	working?: Promise<unknown>;
	endedAt = -Infinity;
	isDone = false;
	/** True if it has changed a record that existed. */
	isUpdate = false;
	/** The ID of its record, if that has one. */
	id?: string;
	/** Since when its outcome is unknown, and why. */
	doubtSince?: number;
	error?: ServiceError;

	/**
	 * @param sought by what its record is recognized
	 * @param before absent: the list was not read, and nothing can be told from it
	 */
	constructor(
		readonly sought?: Sought,
		readonly before?: Before,
	) {}

	/** True if it ended before that time. */
	isOlderThan(time: number): boolean {
		return !this.working && this.endedAt < time;
	}

	/** Others wait while somebody is at work on it. */
	async during<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
		const working = work();
		const over = () => {
			this.working = undefined;
			this.endedAt = clock.now();
		};
		this.working = working.then(over, over);
		return await working;
	}

	/** True if the service itself has answered 500. */
	get isOwnError(): boolean {
		const { facts } = this.error ?? {};
		return facts?.kind === 'rejected' && facts.isOwnError === true;
	}

	done(id: string | undefined): void {
		this.isDone = true;
		this.id = id;
		this.doubtSince = this.error = undefined;
	}
}

/** What creates have made, or may have made, in one list. */
export class ListMemory {
	/** The IDs of the records that they have made. */
	readonly named = new Set<string>();
	/** By their match fields: the latest of each. */
	readonly entries = new Map<string, Entry>();
	/** Requests under way. */
	readonly sending = new Set<Promise<unknown>>();
	private last: Promise<unknown> = Promise.resolve();
	private next?: Promise<unknown>;

	constructor(readonly noun: string) {}

	/** A create with these match fields that is open, or that a list which was read then need not show. */
	lately(key: string, { readAt }: Before): Entry | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		return entry.working || entry.endedAt > readAt - LAG ? entry : undefined;
	}

	/** Notes a record that a create has made. */
	name(record: unknown): void {
		const id = idOf(record);
		if (id !== undefined) this.named.add(id);
	}

	/** Follows a request under way. */
	async during<T>(sending: Promise<T>): Promise<T> {
		this.sending.add(sending);
		return await sending.finally(() => this.sending.delete(sending));
	}

	/** Reads the list after the reading under way, once for all who ask before it begins; undefined if that fails. */
	async read<Reading>(readNow: () => Promise<Reading>): Promise<Reading | undefined> {
		const reading = (this.next ??= this.last.then(async () => {
			this.next = undefined;
			return await readNow().catch(() => undefined);
		})) as Promise<Reading | undefined>;
		// Without its records, which are many.
		this.last = reading.then(() => undefined);
		return await reading;
	}
}

/** One run of a node, over all its tries (Retry On Fail). */
export class RunMemory {
	/** The refusal of the key that has ended this try. */
	refusal?: ServiceError;
	private readonly rows = new Map<RowKey['row'], Entry>();
	private isAccepted = false;
	private begunAt = 0;

	/** Begins a try. */
	begin(now: number): this {
		this.begunAt = now;
		this.refusal = undefined;
		this.isAccepted = false;
		return this;
	}

	/** True if nothing was done in it since that time. */
	isOlderThan(time: number): boolean {
		const isOld = (entry: Entry) => entry.isOlderThan(time);
		return this.begunAt < time && [...this.rows.values()].every(isOld);
	}

	/** What an earlier try of a row has done, or may have done; undefined: nothing. */
	earlier(row: RowKey['row']): Entry | undefined {
		const entry = this.rows.get(row);
		return entry?.isDone || entry?.doubtSince !== undefined ? entry : undefined;
	}

	note(row: RowKey['row'], entry: Entry): void {
		this.rows.set(row, entry);
	}

	/** Notes the result of a request: a key that is refused before any write was accepted will be refused for all. */
	noteResult(method: Method, error?: ServiceError): void {
		if (!error) this.isAccepted ||= method !== 'GET';
		else if (error.status === 401 && !this.isAccepted) this.refusal = error;
	}
}

/** The memory of all that this process has done, or may have done, in one account. */
export class Memory {
	private readonly runs = new Map<string, RunMemory>();
	private readonly lists = new Map<string, ListMemory>();
	private forgotAt = -Infinity;

	constructor(private readonly clock: Clock) {}

	/** @param key absent: the run is not tried again */
	run(key?: string): RunMemory {
		this.forget();
		const run = (key !== undefined && this.runs.get(key)) || new RunMemory();
		if (key !== undefined) this.runs.set(key, run);
		return run.begin(this.clock.now());
	}

	/** The list that a create adds to. */
	listOf({ path, ids, noun }: ServiceRequest): ListMemory {
		const name = JSON.stringify([path, ids]);
		const list = this.lists.get(name) ?? new ListMemory(noun);
		this.lists.set(name, list);
		return list;
	}

	/** A record with the values of one that was deleted is a new one. */
	noteDeleted(noun: string): void {
		this.drop((entry, list) => list.noun === noun && entry.isDone);
	}

	private forget(): void {
		const now = this.clock.now();
		// A loop begins a run for each row.
		if (now < this.forgotAt + FORGETS_EVERY) return;
		this.forgotAt = now;
		const since = now - REMEMBERED_FOR;
		for (const [key, run] of this.runs) if (run.isOlderThan(since)) this.runs.delete(key);
		this.drop((entry) => entry.isOlderThan(since));
		for (const [name, { entries }] of this.lists) if (entries.size === 0) this.lists.delete(name);
	}

	private drop(isOld: (entry: Entry, list: ListMemory) => boolean): void {
		for (const list of this.lists.values()) {
			for (const [key, entry] of list.entries) {
				if (entry.working || !isOld(entry, list)) continue;
				list.entries.delete(key);
				list.named.delete(entry.id ?? '');
			}
		}
	}
}
