import pick from 'lodash/pick';

import { idOf } from '../http/records';
import type { JsonObject } from '../ports';
import { KeyIndex, shortKeyOf } from '../same/keyIndex';
import { isSurelyAhead, type Matching } from '../same/key';
import { LOOSE, type Relation } from '../same/relation';
import type { Compared, Entry } from './entry';
import { Readings, type Snapshot } from './readings';
import { type Before, createdAtOf, LAG, newOnes } from './versions';

/** A record that a row has created. */
export interface Made extends Compared {
	id?: string;
	createdAt: string;
	/** True if the service has shown the record, and not a receipt with an ID. */
	isSeen: boolean;
	/** When its answer came, by the account's clock (ms). */
	at: number;
}

/** A reading shows the record of a create, that there is none, or neither. */
export type Evidence = { record: JsonObject } | 'absent' | 'unclear';

/** Knowledge of one list that creates add to: which row owns which record, and what is in doubt. */
export class Ledger {
	/** Creates that are on their way or in doubt. */
	readonly open = new Set<Entry>();
	readonly readings = new Readings(this.open);
	/** Records that were created, the oldest first; by ID, and by the keys of the fields that are compared. */
	private readonly made = new Set<Made>();
	private readonly owned = new Map<string, Made>();
	private readonly index = new KeyIndex<Made>();
	/** When the runs that are going on have read the list. */
	private readonly readAt = new Map<string, number>();
	/** True if it has shown a record whose time was still to come. */
	private showsAhead = false;
	private forgotAt = -Infinity;

	/** @param noun names its records */
	constructor(readonly noun: string) {}

	/** A run compares its rows with the list as it was then: as long as it goes on, nothing since is forgotten. */
	noteReader(run: string, { readAt }: Before): void {
		if (!this.readAt.has(run)) this.readAt.set(run, readAt);
	}

	noteEnd(run: string): void {
		this.readAt.delete(run);
	}

	isEmpty(now: number): boolean {
		this.forget(now);
		return this.open.size + this.made.size + this.readAt.size === 0;
	}

	/** Notes what a create has made, as the response or the list shows it. */
	add({ keys, row, matching }: Entry, record: JsonObject, now: number): Made {
		this.forget(now);
		const isSeen = matching.fields.some((field) => Object.hasOwn(record, field));
		const [id, createdAt] = [idOf(record), createdAtOf(record)];
		const made: Made = { keys, row, id, createdAt, isSeen, at: now };
		this.made.add(made);
		this.index.add(made);
		if (made.id !== undefined) this.owned.set(made.id, made);
		return made;
	}

	/** Forgets a record that was deleted: its values make a new one. */
	remove(id: string): void {
		const made = this.owned.get(id);
		if (made) this.drop(made);
	}

	/** A create that is on its way or in doubt, and related to a create of another row. */
	relatedOpen(entry: Entry, asks: boolean, now: number): Entry | undefined {
		this.forget(now);
		return [...this.open].find((other) => other !== entry && entry.relationTo(other, asks));
	}

	/**
	 * The record that was created lately and is related to a create, whose list may not show it: first what is equal.
	 *
	 * @param asks false to compare nothing but what the user has named
	 */
	relatedMade(
		entry: Entry,
		before: Before,
		asks: boolean,
	): { made: Made; relation: Relation } | undefined {
		const isUnseen = ({ at }: Made) => at > before.readAt - LAG;
		const { [LOOSE]: loose } = entry.keys;
		const own = pick(entry.keys, entry.matching.fields);
		const isEqual = (made: Made) => isUnseen(made) && entry.relationTo(made, asks) === 'equal';
		const equal = this.index.equal(own).find(isEqual);
		if (equal) return { made: equal, relation: 'equal' };
		if (!asks) return undefined;
		for (const made of this.index.near(loose === undefined ? own : { [LOOSE]: loose })) {
			const relation = isUnseen(made) ? entry.relationTo(made, asks) : undefined;
			if (relation) return { made, relation };
		}
		return undefined;
	}

	/**
	 * Judges by a reading what became of a create. Its record is found if exactly one new record that no row
	 * owns has its values, and no other open create may have made it; it is absent if rows own all new
	 * records.
	 */
	judge({ records, isComplete, asOf, fresh }: Snapshot, entry: Entry, wall: number): Evidence {
		const { before, doubtSince = 0, matching, isAhead } = entry;
		if (!before?.versions || asOf < doubtSince) return 'unclear';
		const isAheadIn = (record: JsonObject) => isSurelyAhead(record[matching.time!], wall);
		this.showsAhead ||= matching.time !== undefined && records.some(isAheadIn);
		const added = fresh.get(before) ?? newOnes(records, before.versions);
		fresh.set(before, added);
		const unexplained = added.filter((record) => !this.isOwned(record, matching));
		const [record, ...others] = unexplained.filter((one) => entry.isOf(one));
		const isRival = (other: Entry) => other !== entry && other.isOf(record);
		if (record && others.length === 0 && ![...this.open].some(isRival)) return { record };
		const isShown = isComplete && (!isAhead || this.showsAhead);
		return isShown && unexplained.length === 0 ? 'absent' : 'unclear';
	}

	/**
	 * IDs may be given again: the time at which a record was created tells two of them apart. A receipt may
	 * have the number of a job: then the record has to share a match field with what was sent, and not its time
	 * alone.
	 */
	private isOwned(record: JsonObject, { fields, time, isTerm }: Matching): boolean {
		const owner = this.owned.get(idOf(record) ?? '');
		if (!owner) return false;
		const { keys, isSeen } = owner;
		const isShared = (field: string) =>
			field !== time && Boolean(keys[field]) && shortKeyOf(record[field], isTerm) === keys[field];
		if (!isSeen && !fields.some(isShared)) return false;
		const createdAt = createdAtOf(record);
		return owner.createdAt === '' || createdAt === '' || owner.createdAt === createdAt;
	}

	/** Forgets what all readings show by now, and doubts that were given up. */
	private forget(now: number): void {
		// Each create asks for it several times.
		if (now - this.forgotAt < 1_000) return;
		this.forgotAt = now;
		let needed = now;
		for (const at of this.readAt.values()) needed = Math.min(needed, at);
		for (const entry of this.open) {
			const isIdle = entry.ended === undefined;
			const last = Math.max(entry.lookedAt, entry.doubtSince ?? now);
			if (isIdle && needed - last > LAG) this.open.delete(entry);
		}
		for (const { before } of this.open) needed = Math.min(needed, before?.readAt ?? now);
		for (const made of this.made) {
			if (made.at >= needed - LAG) break;
			this.drop(made);
		}
	}

	private drop(made: Made): void {
		this.made.delete(made);
		this.index.delete(made);
		if (this.owned.get(made.id ?? '') === made) this.owned.delete(made.id!);
	}
}
