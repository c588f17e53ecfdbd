import type { JsonObject } from '../ports';
import { instantsOf, isTimeShown, keyOf, type Matching, matchKeyOf } from './key';

const HOUR = 3_600_000;

/** By what the record of a row is recognized, in a few bytes. */
export interface Sought {
	matching: Matching;
	/** The key of its texts. */
	texts: string;
	/** The time that was sent, if any. */
	time: unknown;
}

export function soughtBy(fields: JsonObject, matching: Matching): Sought {
	return { matching, texts: matchKeyOf(fields, matching), time: fields[matching.time ?? ''] };
}

const isTimed = ({ time = '', fields }: Matching) => fields.includes(time);

/** A name for all rows that seek the same record. */
export function nameOf({ matching, texts, time }: Sought): string {
	return isTimed(matching) ? `${texts} ${keyOf(time)}` : texts;
}

/** Finds the records that a row seeks: by their texts, and by the hour of their time. */
export class SameRecords {
	private readonly byKey = new Map<string, JsonObject[]>();

	constructor(
		records: JsonObject[],
		private readonly matching: Matching,
	) {
		for (const record of records) {
			for (const key of this.keysOf(soughtBy(record, matching))) {
				const same = this.byKey.get(key);
				if (same) same.push(record);
				else this.byKey.set(key, [record]);
			}
		}
	}

	equalTo(sought: Sought): JsonObject[] {
		const { time = '', zone } = this.matching;
		const found = this.keysOf(sought).flatMap((key) => this.byKey.get(key) ?? []);
		if (!isTimed(this.matching)) return found;
		return found.filter((one) => isTimeShown(one[time], sought.time, zone));
	}

	private keysOf({ texts, time }: Sought): string[] {
		if (!isTimed(this.matching)) return [texts];
		const instants = instantsOf(time, this.matching.zone);
		if (instants.length === 0) return [`${texts} ${keyOf(time)}`];
		const hours = new Set(instants.map((instant) => Math.floor(instant / HOUR)));
		return [...hours].map((hour) => `${texts} ${hour}`);
	}
}
