import type { Account, Connection } from '../account';
import { BoundedMap, getOrMake, jsonBytes } from '../boundedMap';
import { hashOf, idOf } from '../http/records';
import type { Paging } from '../list/page';
import { type List, readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { fieldsOf, requestForList, ServiceError, type ServiceRequest } from '../request';
import { comparable } from '../same/text';
import { Turns } from '../time';
import { type Entry, ListLedger } from './listLedger';

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
	/** Whether the record has been deleted since. */
	isGone?: boolean;
}

/** The memory of all that this process has done, or may have done, with one key. */
export class Ledger {
	/**
	 * The latest create of each content; and of each row, since n8n's Retry On Fail runs a row again, maybe
	 * with other content.
	 */
	private readonly creations: BoundedMap<Creation>;
	/** The outcome of each request, by its row. */
	private readonly performed: BoundedMap<Promise<unknown>>;
	private readonly lists: BoundedMap<ListLedger>;
	/** Creates of the same content follow one another: each must know the outcome of the one before. */
	readonly turns = new Turns();

	constructor(private readonly account: Account) {
		const bounds = { maxBytes: 16 * MB, forgetAfterMs: HOUR };
		this.creations = new BoundedMap(bounds, account.clock);
		this.performed = new BoundedMap({ ...bounds, maxBytes: 64 * MB }, account.clock);
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
		for (const key of [row && rowName(row), content]) {
			if (key !== undefined) this.creations.set(key, creation, bytes);
		}
	}

	/** An earlier try of the same row, unless it was refused. */
	ofRow(row?: RowKey): Creation | undefined {
		const creation = row && this.creations.get(rowName(row));
		return creation?.entry.state === 'refused' ? undefined : creation;
	}

	/** Returns what a row has come to, or does it now; after a failure, it is done again. */
	async once<T>(row: RowKey, request: ServiceRequest, work: () => Promise<T>): Promise<T> {
		// The same row with other content is done, and its creation knows of the earlier try.
		const key = `${rowName(row)}\n${hashOf(request)}`;
		return (await getOrMake(this.performed, key, work, jsonBytes)) as T;
	}

	/** A create of the same content whose outcome is not known. */
	doubtOf(content: string): Entry | undefined {
		const { entry } = this.creations.get(content) ?? {};
		const isRecent = this.account.clock.now() - (entry?.doubtSince ?? 0) < DOUBTFUL_FOR;
		return entry?.state === 'unclear' && isRecent ? entry : undefined;
	}

	/** The record that the same content has become within the hour. */
	madeOf(content: string): JsonObject | undefined {
		const { entry, record, isGone } = this.creations.get(content) ?? {};
		const isRecent = entry && this.account.clock.now() - entry.doneAt <= HOUR;
		return isRecent && !isGone ? record : undefined;
	}

	/** Notes that the record with this ID has been deleted: the same content makes a new one. */
	noteGone(id: string): void {
		for (const creation of this.creations.values())
			if (creation.record && idOf(creation.record) === id) creation.isGone = true;
	}
}

/** Released with their accounts. */
const ledgers = new WeakMap<Account, Ledger>();

export function ledgerOf(account: Account): Ledger {
	const ledger = ledgers.get(account) ?? new Ledger(account);
	ledgers.set(account, ledger);
	return ledger;
}

/** Kept by request, because a row asks for it several times. */
const contents = new WeakMap<ServiceRequest, string>();

/** Identifies what a create sends, and to which list. */
export function contentOf(request: ServiceRequest): string {
	const content = contents.get(request) ?? hashOf([request.path, request.ids, fieldsOf(request)]);
	contents.set(request, content);
	return content;
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

/**
 * Lists what exists before a create adds to it. What is listed is remembered: a record that is created
 * later is none of it.
 *
 * @param request the create
 * @throws ServiceError as `readList` does, and `unexpected-response` for what is no list
 */
export async function readExisting(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<List> {
	const list = await readList(connection, requestForList(request), paging);
	// Compared with nothing, each row would be created again in every run. A mock shows one record.
	const [record] = list.records;
	if (!list.isList && idOf(record) === undefined) {
		throw new ServiceError({ kind: 'unexpected-response', request });
	}
	const isWhole = list.incomplete === undefined;
	ledgerOf(connection.account).listOf(request).noteRead(list.records, isWhole);
	return list;
}
