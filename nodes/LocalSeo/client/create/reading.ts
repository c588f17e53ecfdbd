import { isRecord } from '../http/records';
import type { List } from '../list/readList';
import type { JsonObject } from '../ports';
import { isEmpty, isSurelyAhead } from '../same/key';
import { SameRecords, type Sought } from '../same/sameRecords';
import { type Before, identityOf } from './memory';

/** One reading of a list, for all rows that look for their records in it. */
export class Reading {
	readonly records: JsonObject[];
	readonly isComplete: boolean;
	private readonly same: SameRecords;
	private readonly ahead = new Map<string, boolean>();
	private readonly added = new WeakMap<Before, string[]>();

	/**
	 * @param startedAt by the account's clock (ms)
	 * @param sending the requests that were under way when it ended: they may explain what is new
	 */
	constructor(
		list: List,
		readonly startedAt: number,
		readonly sending: Array<Promise<unknown>>,
	) {
		this.records = list.records.filter(isRecord);
		this.same = new SameRecords(this.records);
		this.isComplete = !list.incomplete && this.records.length === list.records.length;
	}

	/** A record that a row seeks. */
	equalTo(sought: Sought, now: number): JsonObject | undefined {
		const { time = '' } = sought.matching;
		for (const record of this.same.equalTo(sought)) {
			// What is posted at once is no post to come.
			if (!isEmpty(sought.time) || !isSurelyAhead(record[time], now)) return record;
		}
		return undefined;
	}

	/** True if a record has a time to come in a field. */
	showsAhead(field: string, now: number): boolean {
		const known = this.ahead.get(field);
		const isShown = known ?? this.records.some((record) => isSurelyAhead(record[field], now));
		this.ahead.set(field, isShown);
		return isShown;
	}

	/** The identities of the records that were not there before. */
	addedSince(before: Before): string[] {
		const known = this.added.get(before);
		const added =
			known ?? this.records.map(identityOf).filter((identity) => !before.known?.has(identity));
		this.added.set(before, added);
		return added;
	}
}
