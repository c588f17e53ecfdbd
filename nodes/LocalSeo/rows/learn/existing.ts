import omit from 'lodash/omit';

import {
	type Before,
	comparedKeys,
	hasKeys,
	isRecord,
	isSurelyAhead,
	type JsonObject,
	KeyIndex,
	type Keys,
	type List,
	LOOSE,
	type Matching,
	type Relation,
	relationOf,
	type ServiceError,
} from '../../client';

/** A record of the list, with what is compared of it. */
interface Listed {
	record: JsonObject;
	keys: Keys;
}

/** A list of the records that exist, as it was read; rows are compared with it. */
export class Existing {
	/** Why they are not all, if they are not. */
	readonly incomplete?: ServiceError;
	/** With which a lost create is looked for. */
	readonly before: Before;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** How many there are, also of those that are no records but bare texts. */
	readonly count: number;
	readonly records: JsonObject[];
	/** Whether it shows a time to come, by field and time. */
	private readonly ahead = new Map<string, boolean>();
	/** By the fields that are compared. */
	private readonly indexes = new Map<string, KeyIndex<Listed>>();

	constructor({ records, incomplete, before }: List & { before: Before }) {
		this.records = records.filter(isRecord);
		this.count = records.length;
		this.incomplete = incomplete;
		this.before = before;
		this.seen = fieldsIn(this.records);
	}

	/** The records with the match fields of a row. */
	equal(keys: Keys, matching: Matching): JsonObject[] {
		return this.indexOf(matching)
			.equal(omit(keys, LOOSE))
			.map(({ record }) => record);
	}

	/** A record that a row with these keys may be about, although it is not equal. */
	related(keys: Keys, matching: Matching): { record: JsonObject; relation: Relation } | undefined {
		const { [LOOSE]: loose } = keys;
		const near = loose === undefined ? keys : { [LOOSE]: loose };
		for (const { record, keys: other } of this.indexOf(matching).near(near)) {
			if (hasKeys(other, keys)) continue;
			const relation = relationOf(keys, other, matching);
			if (relation) return { record, relation };
		}
		return undefined;
	}

	/**
	 * A record with the match fields of a row but its time, which may be the row's.
	 *
	 * @param isTime true for a time as a service may show that of the row
	 */
	perhapsEqual(
		keys: Keys,
		matching: Matching,
		isTime: (shown: unknown) => boolean,
	): JsonObject | undefined {
		const { time = '' } = matching;
		const others = omit(keys, time);
		if (matching.fields.every((name) => name === time)) return undefined;
		return this.equal(others, matching).find((record) => isTime(record[time]));
	}

	/** True if a record has a time to come in a field. */
	showsAhead(field: string | undefined, now: number): boolean {
		if (field === undefined) return false;
		// Asked for each row.
		const name = `${now} ${field}`;
		const known = this.ahead.get(name);
		const isShown = known ?? this.records.some((record) => isSurelyAhead(record[field], now));
		this.ahead.set(name, isShown);
		return isShown;
	}

	private indexOf(matching: Matching): KeyIndex<Listed> {
		const name = JSON.stringify(matching);
		const known = this.indexes.get(name);
		if (known) return known;
		const index = new KeyIndex<Listed>();
		for (const record of this.records) index.add({ record, keys: comparedKeys(record, matching) });
		this.indexes.set(name, index);
		return index;
	}
}

/** Names of the fields that some records have. */
export function fieldsIn(records: JsonObject[]): Set<string> {
	const seen = new Set<string>();
	for (const record of records) for (const name of Object.keys(record)) seen.add(name);
	return seen;
}
