import type { Account } from '../account';
import { BoundedMap, jsonBytes } from '../boundedMap';
import { createdAtByClock, hashOf, idOf, isDate, nameOf } from '../http/records';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { compareValues, type Likeness } from '../same/compare';
import { comparable, consonantsIn, isEmpty, lettersIn, plainText } from '../same/text';
import { Turns } from '../time';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
/** Milliseconds for which sending the same again means a record that may have been created. */
const DOUBTFUL_FOR = 600_000;
/** Records of a list that are remembered to have been there, and those that belong to rows. */
const MAX_SEEN = 100_000;
const MAX_OWN = 10_000;

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	run: string;
	row: number | string;
}

/**
 * How the response to a create was lost: without a word, or with an error of the service's own, which
 * has acted by then, or has not (`busy`: 503).
 */
export type Fault = 'silent' | 'own' | 'busy';

/** What this process knows of a create; times are the account's clock's. */
export interface Entry {
	state: 'sent' | 'doubtful' | 'done' | 'refused' | 'unclear';
	run?: string;
	/** What was sent, as far as it is compared; nothing once it is done. */
	sent: JsonObject;
	firstSentAt: number;
	/** When its outcome became uncertain, and how. */
	doubtSince: number;
	fault: Fault;
	/** How often it was sent again after the service's own error, and after silence. */
	resent: { own: number; silent: number };
	/** Since when it is known what it became. */
	doneAt: number;
	/** Whether the list has shown its record. */
	wasListed: boolean;
}

/** A create, and what it has become. Apart from the entry: lists keep many entries, and no records. */
export interface Creation {
	entry: Entry;
	record?: JsonObject;
}

/** What is known of one list that creates add to. */
export class ListLedger {
	/** Creates in flight or in doubt. */
	readonly pending = new Set<Entry>();
	/** The creates whose records are in the list, by the names of these. */
	readonly owners = new Map<string, Entry>();
	/** Whether records come back with other texts than were sent. */
	rewrites = false;
	/** When the last reading ended, by whomever; the earliest reading of the whole list. */
	readUntil = -Infinity;
	knownSince = Infinity;
	/** When each record was first seen. */
	private readonly seen = new Map<string, number>();

	/** Roughly what is kept. */
	get bytes(): number {
		return 100 * this.seen.size + 500 * this.owners.size;
	}

	/** A reading that ended at this time has shown these records. */
	noteRead(records: unknown[], at: number, isWhole: boolean): void {
		this.readUntil = at;
		for (const record of records) {
			const version = versionOf(record);
			if (!this.seen.has(version) && this.seen.size < MAX_SEEN) this.seen.set(version, at);
		}
		if (isWhole) this.knownSince = Math.min(this.knownSince, at);
	}

	wasThere(record: JsonObject, at: number): boolean {
		return (this.seen.get(versionOf(record)) ?? Infinity) <= at;
	}

	/** The record belongs to a row. One that was claimed before has been given again. */
	done(entry: Entry, record: JsonObject, now: number): void {
		// Whoever rewrites texts can't be compared with.
		const isOther = idOf(record) !== undefined && compareNew(record, entry.sent) === 'different';
		this.rewrites ||= isOther;
		Object.assign(entry, { state: 'done', doneAt: now, sent: {} });
		this.owners.set(nameOf(record), entry);
		const [oldest] = this.owners.keys();
		if (this.owners.size > MAX_OWN) this.owners.delete(oldest);
	}
}

/** A record that was removed may leave its ID to another one. */
function versionOf(record: unknown): string {
	const id = idOf(record);
	return id === undefined ? hashOf(record) : `${id} ${createdAtByClock(record) ?? ''}`;
}

/** What this process has created, or may have created, with one key. */
export class Ledger {
	/**
	 * The latest create of each content; and of each row, since n8n's Retry On Fail runs a row again, maybe
	 * with other content.
	 */
	private readonly creations: BoundedMap<Creation>;
	private readonly lists: BoundedMap<ListLedger>;
	private readonly turns = new Turns();

	constructor(private readonly account: Account) {
		const bounds = { maxBytes: 16 * MB, forgetAfterMs: HOUR };
		this.creations = new BoundedMap(bounds, account.clock);
		this.lists = new BoundedMap({ ...bounds, keepsLatest: true }, account.clock);
	}

	/** The list that a create adds to. */
	listOf({ path, ids }: ServiceRequest): ListLedger {
		const key = JSON.stringify([path, ids]);
		const list = this.lists.get(key) ?? new ListLedger();
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
			resent: { own: 0, silent: 0 },
			doneAt: Infinity,
			wasListed: false,
		};
	}

	keep(creation: Creation, ...keys: Array<string | undefined>): void {
		const bytes = jsonBytes([creation.entry.sent, creation.record]);
		for (const key of keys) {
			if (key !== undefined) this.creations.set(key, creation, bytes);
		}
	}

	/** An earlier try of the same row, unless it was refused. */
	ofRow(key: string | undefined): Creation | undefined {
		const creation = key === undefined ? undefined : this.creations.get(key);
		return creation?.entry.state === 'refused' ? undefined : creation;
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

	/** Creates of the same content follow one another: each must know the outcome of the one before. */
	async inTurn<T>(content: string, work: () => Promise<T>): Promise<T> {
		this.account.creates++;
		try {
			return await this.turns.take(content, work);
		} finally {
			this.account.creates--;
		}
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

/** The record that a create with the same content became in this process within the hour. */
export function madeBefore(account: Account, request: ServiceRequest): JsonObject | undefined {
	return ledgerOf(account).madeOf(contentOf(request));
}

/**
 * Whether a record that is new may be what was just sent. The service may have put something before or
 * behind a text, cut it or masked a word: one text of several words that is left, or a part of it,
 * leaves it open. So does a record that shows nothing that was sent.
 */
export function compareNew(record: JsonObject, sent: JsonObject): Likeness {
	const shown = Object.keys(sent).filter((name) => name in record && tells(sent[name]));
	if (shown.length === 0) return 'similar';
	const lengthOf = (name: string) => lettersIn(plainText(String(sent[name]))).length;
	const longest = shown.reduce((best, name) => (lengthOf(name) > lengthOf(best) ? name : best));
	const likenesses = shown.map((name) => compareNewValue(record[name], sent[name]));
	if (likenesses.every((one) => one === 'same')) return 'same';
	const isLeft = shown.some(
		(name, at) => likenesses[at] !== 'different' && (name === longest || isOfWords(sent[name])),
	);
	return isLeft ? 'similar' : 'different';
}

function compareNewValue(stored: unknown, sent: unknown): Likeness {
	const likeness = compareValues(stored, sent, { isNew: true });
	if (likeness !== 'different') return likeness;
	if (isDate(stored) && isDate(sent)) return 'similar';
	const [a, b] = [stored, sent].map((value) => lettersIn(plainText(String(value))));
	const isPart = b !== '' && (a.includes(b) || b.includes(a));
	// An encoding may lack some of the letters, or their accents.
	const consonants = consonantsIn(b);
	const isLikely = consonants.length >= b.length / 4 && consonantsIn(a) === consonants;
	return isPart || isLikely ? 'similar' : 'different';
}

/** Whether a value can tell two records apart: many have no text, or an empty list of tags. */
function tells(value: unknown): boolean {
	return !isEmpty(value) && JSON.stringify(value) !== '[]' && JSON.stringify(value) !== '{}';
}

/** Whether a text can tell a record from others: not a status or a type, which many have. */
function isOfWords(value: unknown): boolean {
	return (
		typeof value === 'string' && /\S\s+\S/.test(value) && lettersIn(plainText(value)).length >= 8
	);
}
