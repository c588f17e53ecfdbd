import pick from 'lodash/pick';

import type { Account } from '../account';
import { BoundedMap, getOrMake, jsonBytes } from '../boundedMap';
import type { ServiceError } from '../errors';
import { hashOf, idOf } from '../http/records';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { keyOf } from '../same/key';
import { Turns } from '../time';
import { type Entry, ListLedger } from './listLedger';
import type { Before } from './versions';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
/** Bytes. */
const LARGE = 4_000;
/** How long the same content means the record of an earlier create (ms): lists lag. */
export const SAME_FOR = 600_000;

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	run: string;
	row: number | string;
}

const rowName = ({ run, row }: RowKey) => `${run}\n${row}`;

/** A create, and what became of it. */
export interface Creation {
	entry: Entry;
	noun: string;
	record?: JsonObject;
	/** Why it failed; absent if it was refused: then it may be sent again as if it were new. */
	error?: ServiceError;
	isDeleted?: boolean;
}

/** The memory of all that this process has done, or may have done, with one key. */
class Memory {
	/** n8n's Retry On Fail runs a row again, maybe with other content (`$now`). */
	private readonly ofRows: BoundedMap<Creation>;
	private readonly ofContents: BoundedMap<Creation>;
	/** The outcome of each row, whatever its operation. */
	private readonly outcomes: BoundedMap<Promise<unknown>>;
	private readonly lists: BoundedMap<ListLedger>;
	private readonly counted = new WeakSet<Before>();
	/** Creates of the same content follow one another: each must know what became of the one before. */
	readonly turns = new Turns();

	constructor({ clock }: Account) {
		const bounds = { maxBytes: 64 * MB, forgetAfterMs: HOUR };
		this.ofRows = new BoundedMap(bounds, clock);
		this.ofContents = new BoundedMap({ ...bounds, forgetAfterMs: SAME_FOR, since: 'set' }, clock);
		this.outcomes = new BoundedMap(bounds, clock);
		this.lists = new BoundedMap({ ...bounds, maxBytes: 16 * MB, keepsLatest: true }, clock);
	}

	/** The list that a create adds to. */
	listOf({ path, ids }: ServiceRequest): ListLedger {
		const key = JSON.stringify([path, ids]);
		const list = this.lists.get(key) ?? new ListLedger();
		this.lists.set(key, list, list.bytes);
		return list;
	}

	keep(given: Creation, content: string, row?: RowKey): void {
		const creation = { ...given, record: given.record && remembered(given.record) };
		const bytes =
			jsonBytes([creation.entry.key, creation.record]) + this.newBytesOf(creation.entry);
		if (row) this.ofRows.set(rowName(row), creation, bytes);
		// An equal row of the same run settles nothing of one in doubt.
		const known = this.ofContents.get(content);
		const isInDoubt = known?.error !== undefined && known.entry !== creation.entry;
		if (!isInDoubt) this.ofContents.set(content, creation, bytes);
	}

	/** What the rows of a run share is counted with the first of them. */
	private newBytesOf({ before }: Entry): number {
		if (!before || this.counted.has(before)) return 0;
		this.counted.add(before);
		return 100 * before.counts.size;
	}

	/** An earlier try of the same row. */
	ofRow(row?: RowKey): Creation | undefined {
		return row && this.ofRows.get(rowName(row));
	}

	/** The latest create of the same content, within ten minutes. */
	ofContent(content: string): Creation | undefined {
		const creation = this.ofContents.get(content);
		return creation?.isDeleted ? undefined : creation;
	}

	/** Notes that a record has been deleted: its content makes a new one. */
	noteDeleted(noun: string, id: string): void {
		for (const creation of this.ofContents.values()) {
			if (creation.noun === noun && idOf(creation.record) === id) creation.isDeleted = true;
		}
	}

	/** Returns the outcome of a row, or does its work now; after a failure, it is done again. */
	async once<T>(row: RowKey, work: () => Promise<T>): Promise<T> {
		return (await getOrMake(this.outcomes, rowName(row), work, jsonBytes)) as T;
	}
}

/** A larger record is remembered by its ID alone, so that large texts push no row out of memory. */
function remembered(record: JsonObject): JsonObject {
	return jsonBytes(record) > LARGE ? pick(record, 'id') : record;
}

/** Released with their accounts. */
const memories = new WeakMap<Account, Memory>();

export function memoryOf(account: Account): Memory {
	const memory = memories.get(account) ?? new Memory(account);
	memories.set(account, memory);
	return memory;
}

/** Kept by request, because a row asks for it several times. */
const contents = new WeakMap<ServiceRequest, string>();

/** Identifies what a create sends, by the keys of its values, and to which list. */
export function contentOf(request: ServiceRequest): string {
	const known = contents.get(request);
	if (known !== undefined) return known;
	const fields = Object.entries(fieldsOf(request)).map(([name, value]) => [name, keyOf(value)]);
	const content = hashOf([request.path, request.ids, fields.sort()]);
	contents.set(request, content);
	return content;
}

/**
 * Does the work of a row once, however often the program runs the row.
 *
 * @param row absent: it can't be told from others
 */
export async function oncePerRow<T>(
	account: Account,
	row: RowKey | undefined,
	work: () => Promise<T>,
): Promise<T> {
	return row ? await memoryOf(account).once(row, work) : await work();
}

/** The record that a create with the same content became in this process within ten minutes. */
export function madeBefore(account: Account, request: ServiceRequest): JsonObject | undefined {
	return memoryOf(account).ofContent(contentOf(request))?.record;
}
