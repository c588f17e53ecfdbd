import type { Account } from '../account';
import { BoundedMap, jsonBytes } from '../boundedMap';
import { hashOf } from '../http/records';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { comparable } from '../same/text';
import { Turns } from '../time';
import type { Entry } from './entry';
import { ListLedger } from './listLedger';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
/** Milliseconds for which sending the same again means a record that may have been created. */
const DOUBTFUL_FOR = 600_000;

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	run: string;
	row: number | string;
}

const rowName = ({ run, row }: RowKey) => `${run}\n${row}`;

/** A create, and what it has become. Apart from the entry: lists keep many entries, and no records. */
export interface Creation {
	entry: Entry;
	record?: JsonObject;
}

/** The outcome of one row. */
interface RowMemory {
	/** Identifies the request that was performed for it. */
	content?: string;
	outcome?: Promise<unknown>;
	creation?: Creation;
	bytes: number;
}

/** The memory of all that this process has done, or may have done, with one key. */
export class Ledger {
	/** The latest create of each content. */
	private readonly creations: BoundedMap<Creation>;
	/** Each row that n8n may run again, maybe with other content: Retry On Fail does. */
	private readonly rows: BoundedMap<RowMemory>;
	private readonly lists: BoundedMap<ListLedger>;
	/** Creates of the same content follow one another: each must know the outcome of the one before. */
	readonly turns = new Turns();

	constructor(private readonly account: Account) {
		const bounds = { maxBytes: 16 * MB, forgetAfterMs: HOUR };
		this.creations = new BoundedMap(bounds, account.clock);
		this.rows = new BoundedMap({ ...bounds, maxBytes: 64 * MB }, account.clock);
		this.lists = new BoundedMap({ ...bounds, keepsLatest: true }, account.clock);
	}

	/** The list that a create adds to. */
	listOf({ path, ids }: ServiceRequest): ListLedger {
		const key = JSON.stringify([path, ids]);
		const list = this.lists.get(key) ?? new ListLedger(this.account);
		this.lists.set(key, list, list.bytes);
		return list;
	}

	begin(list: ListLedger, fields: JsonObject, run?: string): Entry {
		const now = this.account.clock.now();
		for (const other of list.pending) {
			const isOver = other.state === 'unclear' && now - other.doubtSince > DOUBTFUL_FOR;
			if (isOver) list.pending.delete(other);
		}
		return {
			state: 'sent',
			run,
			sent: comparable(fields),
			firstSentAt: now,
			doubtSince: now,
			fault: 'silent',
			resent: 0,
			doneAt: Infinity,
			wasListed: false,
		};
	}

	/** @param content absent: what came of it says nothing of the next create of the same content */
	keep(creation: Creation, row?: RowKey, content?: string): void {
		const bytes = jsonBytes([creation.entry.sent, creation.record]);
		if (content !== undefined) this.creations.set(content, creation, bytes);
		if (row) this.note(row, { creation }, bytes);
	}

	/** An earlier try of the same row, unless it was refused. */
	ofRow(row?: RowKey): Creation | undefined {
		const { creation } = (row && this.rows.get(rowName(row))) ?? {};
		return creation?.entry.state === 'refused' ? undefined : creation;
	}

	/** Returns what a row has come to, or does it now; after a failure, it is done again. */
	async once<T>(row: RowKey, request: ServiceRequest, work: () => Promise<T>): Promise<T> {
		const content = hashOf(request);
		const known = this.rows.get(rowName(row));
		if (known?.outcome && known.content === content) return await (known.outcome as Promise<T>);
		const outcome = work();
		const isLatest = () => this.rows.get(rowName(row))?.outcome === outcome;
		this.note(row, { content, outcome });
		outcome.then(
			(value) => isLatest() && this.note(row, {}, jsonBytes(value)),
			() => isLatest() && this.note(row, { outcome: undefined }),
		);
		return await outcome;
	}

	private note(row: RowKey, what: Partial<RowMemory>, more = 0): void {
		const key = rowName(row);
		const memory = this.rows.get(key) ?? { bytes: 0 };
		const bytes = memory.bytes + more;
		this.rows.set(key, Object.assign(memory, what, { bytes }), bytes);
	}

	/** A create of the same content whose outcome is not known. */
	doubtOf(content: string): Entry | undefined {
		const { entry } = this.creations.get(content) ?? {};
		const isRecent = this.account.clock.now() - (entry?.doubtSince ?? 0) < DOUBTFUL_FOR;
		return entry?.state === 'unclear' && isRecent ? entry : undefined;
	}

	/** The record that the same content has become within the hour. */
	madeOf(content: string): JsonObject | undefined {
		const { entry, record } = this.creations.get(content) ?? {};
		return entry && this.account.clock.now() - entry.doneAt <= HOUR ? record : undefined;
	}
}

/** Released with their accounts. */
const ledgers = new WeakMap<Account, Ledger>();

export function ledgerOf(account: Account): Ledger {
	const ledger = ledgers.get(account) ?? new Ledger(account);
	ledgers.set(account, ledger);
	return ledger;
}

export function contentOf(request: ServiceRequest): string {
	return hashOf([request.path, request.ids, fieldsOf(request)]);
}

/**
 * Does what a row asks for once, however often the program runs the row: the same row with the same
 * request gets what came of it before.
 *
 * @param row absent: it can't be told from others
 */
export async function oncePerRow<T>(
	account: Account,
	row: RowKey | undefined,
	request: ServiceRequest,
	work: () => Promise<T>,
): Promise<T> {
	return row ? await ledgerOf(account).once(row, request, work) : await work();
}

/** The record that a create with the same content became in this process within the hour. */
export function madeBefore(account: Account, request: ServiceRequest): JsonObject | undefined {
	return ledgerOf(account).madeOf(contentOf(request));
}
