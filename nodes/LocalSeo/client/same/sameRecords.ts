import { hashOf } from '../http/records';
import type { JsonObject } from '../ports';
import { instantsOf, isTimeShown, keyOf, type Matching } from './key';

const HOUR = 3_600_000;
/** A longer key is kept as the beginning of its hash (characters). */
const LONGEST = 32;
const HASH = 12;

/** The keys of fields, each in a few bytes. */
export type Keys = Readonly<Record<string, string>>;

/** By what the record of a row is recognized, in a few bytes. */
export interface Sought {
	matching: Matching;
	/** The keys of its texts. */
	texts: string;
	/** The time that was sent, if any. */
	time: unknown;
}

/** The keys of a record's match fields, but for its time: a service shows times in several ways (`isTimeShown`). */
export function keysOf(record: JsonObject, { fields, time, compareAs }: Matching): Keys {
	const keys: Record<string, string> = {};
	for (const field of fields) {
		if (field === time) continue;
		const key = keyOf(record[field], compareAs);
		keys[field] = key.length > LONGEST ? hashOf(key).slice(0, HASH) : key;
	}
	return keys;
}

/** @param keys with those of the match fields among them */
export function soughtBy(record: JsonObject, matching: Matching, keys: Keys): Sought {
	const texts = matching.fields.filter((field) => field !== matching.time);
	return {
		matching,
		texts: JSON.stringify(texts.map((field) => [field, keys[field]])),
		time: record[matching.time ?? ''],
	};
}

const isTimed = ({ time = '', fields }: Matching) => fields.includes(time);

/** A name for all rows that seek the same record. */
export function nameOf({ matching, texts, time }: Sought): string {
	return isTimed(matching) ? `${texts} ${keyOf(time)}` : texts;
}

/** Finds the records that a row seeks: by their texts, and by the hour of their time. */
export class SameRecords {
	/** By the place of the record: its keys of the fields that were compared so far. */
	private readonly keys: Keys[];
	private readonly indexes = new Map<string, Map<string, JsonObject[]>>();

	/** @param records of one list, all of which are compared in one way */
	constructor(private readonly records: JsonObject[]) {
		this.keys = records.map(() => ({}));
	}

	/**
	 * One after the other: of thousands, most callers want the first.
	 *
	 * @param later a record may show its time so much later (ms): the moment of its publishing, say
	 */
	*equalTo(sought: Sought, later = 0): Generator<JsonObject> {
		const { matching, time } = sought;
		const key = JSON.stringify(matching);
		const index = this.indexes.get(key) ?? this.indexBy(matching);
		this.indexes.set(key, index);
		const { time: name = '', zone } = matching;
		const [at = NaN] = instantsOf(time, zone);
		const isLater = (instant: number) => instant >= at && instant - at <= later;
		const isSame = (one: JsonObject) =>
			!isTimed(matching) ||
			isTimeShown(one[name], time, zone) ||
			(later > 0 && instantsOf(one[name], zone).some(isLater));
		for (const place of placesOf(sought, later))
			for (const one of index.get(place) ?? []) if (isSame(one)) yield one;
	}

	private indexBy(matching: Matching): Map<string, JsonObject[]> {
		const index = new Map<string, JsonObject[]>();
		for (const [at, record] of this.records.entries()) {
			const known = this.keys[at];
			const fields = matching.fields.filter((field) => !Object.hasOwn(known, field));
			const keys = Object.assign(known, keysOf(record, { ...matching, fields }));
			for (const place of placesOf(soughtBy(record, matching, keys))) {
				const same = index.get(place);
				if (same) same.push(record);
				else index.set(place, [record]);
			}
		}
		return index;
	}
}

/** Where a record is found: by its texts, and by the hours that its time may mean. */
function placesOf({ matching, texts, time }: Sought, later = 0): string[] {
	if (!isTimed(matching)) return [texts];
	const instants = instantsOf(time, matching.zone);
	if (instants.length === 0) return [`${texts} ${keyOf(time)}`];
	const all = instants.flatMap((instant) => [instant, instant + later]);
	const hours = new Set(all.map((instant) => Math.floor(instant / HOUR)));
	return [...hours].map((hour) => `${texts} ${hour}`);
}
