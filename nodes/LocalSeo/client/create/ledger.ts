import type { Account } from '../account';
import { BoundedMap, jsonBytes } from '../boundedMap';
import { hashOf, idOf } from '../http/records';
import type { Clock, JsonObject } from '../ports';
import type { ServiceRequest } from '../request';
import { compareNew } from '../same/compare';
import { comparable } from '../same/text';
import type { Entry } from './entry';
import { ListHistory } from './listHistory';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
/** Milliseconds for which sending the same again means a record that may have been created. */
const DOUBTFUL_FOR = 600_000;
/** Rows of one list that are remembered by what was sent, the latest ones. */
const MAX_ROWS = 10_000;

/** The creates of one list. */
export class ListLedger extends ListHistory {
	/** The latest of each content. */
	private readonly byContent = new Map<string, Entry>();
	/** What contents have become. */
	private readonly made: BoundedMap<JsonObject>;

	constructor(private readonly clock: Clock) {
		super();
		this.made = new BoundedMap({ maxBytes: 8 * MB, forgetAfterMs: HOUR, since: 'set' }, clock);
	}

	begin(content: string, fields: JsonObject, run?: string): Entry {
		const now = this.clock.now();
		const entry: Entry = {
			state: 'sent',
			run,
			sent: comparable(fields),
			firstSentAt: now,
			doubtSince: now,
			isOwnError: false,
			resent: { own: 0, silent: 0 },
			doneAt: Infinity,
			wasListed: false,
		};
		for (const other of this.pending) {
			const isOver = other.state === 'unclear' && now - other.doubtSince > DOUBTFUL_FOR;
			if (isOver) this.pending.delete(other);
		}
		this.byContent.delete(content);
		this.byContent.set(content, entry);
		const [oldest] = this.byContent.keys();
		if (this.byContent.size > MAX_ROWS) this.byContent.delete(oldest);
		return entry;
	}

	/** A create of the same content whose outcome is not known. */
	doubtOf(content: string): Entry | undefined {
		const entry = this.byContent.get(content);
		const isOpen = entry?.state === 'doubtful' || entry?.state === 'unclear';
		return isOpen && this.clock.now() - entry.doubtSince < DOUBTFUL_FOR ? entry : undefined;
	}

	/** The record that the same content has become within the hour. */
	madeOf(content: string): JsonObject | undefined {
		return this.made.get(content);
	}

	done(entry: Entry, content: string, record: JsonObject): void {
		// Whoever rewrites texts can't be compared with.
		if (idOf(record) !== undefined)
			this.rewrites ||= compareNew(record, entry.sent) === 'different';
		Object.assign(entry, { state: 'done', doneAt: this.clock.now(), sent: {} });
		this.made.set(content, record, jsonBytes(record));
		this.claim(entry, record);
	}
}

/** A row that was sent, and what it has become. */
interface Sent {
	entry: Entry;
	record?: JsonObject;
}

/** What this process has created, or may have created, with one key. */
class Ledger {
	/** By run and row: n8n's Retry On Fail runs a row again, maybe with other content. */
	readonly rows: BoundedMap<Sent>;
	private readonly lists: BoundedMap<ListLedger>;
	private readonly turns = new Map<string, Promise<unknown>>();

	constructor(private readonly account: Account) {
		const { clock } = account;
		this.rows = new BoundedMap({ maxBytes: 8 * MB, forgetAfterMs: HOUR }, clock);
		const bounds = { maxBytes: 32 * MB, forgetAfterMs: HOUR, keepsLatest: true };
		this.lists = new BoundedMap(bounds, clock);
	}

	/** The list that a create adds to. */
	listOf({ path, ids }: Pick<ServiceRequest, 'path' | 'ids'>): ListLedger {
		const key = JSON.stringify([path, ids]);
		const list = this.lists.get(key) ?? new ListLedger(this.account.clock);
		this.lists.set(key, list, list.bytes);
		return list;
	}

	keep(row: string | undefined, sent: Sent): void {
		if (row !== undefined) this.rows.set(row, sent, jsonBytes([sent.entry.sent, sent.record]));
	}

	/** Creates of the same content follow one another: each must know the outcome of the one before. */
	async inTurn<T>(content: string, work: () => Promise<T>): Promise<T> {
		const before = this.turns.get(content) ?? Promise.resolve();
		this.account.creates++;
		const creation = before.then(work);
		const settle = () => {
			this.account.creates--;
			if (this.turns.get(content) === done) this.turns.delete(content);
		};
		const done: Promise<void> = creation.then(settle, settle);
		this.turns.set(content, done);
		return await creation;
	}
}

/** Released with their accounts. */
const ledgers = new WeakMap<Account, Ledger>();

export function ledgerOf(account: Account): Ledger {
	const ledger = ledgers.get(account) ?? new Ledger(account);
	ledgers.set(account, ledger);
	return ledger;
}

export function contentOf({ path, ids, body }: ServiceRequest): string {
	return hashOf([path, ids, typeof body === 'string' ? (JSON.parse(body) as unknown) : body]);
}

/** The record that a create with the same content became in this process within the hour. */
export function madeBefore(account: Account, request: ServiceRequest): JsonObject | undefined {
	return ledgerOf(account).listOf(request).madeOf(contentOf(request));
}
