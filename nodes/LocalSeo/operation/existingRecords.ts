import {
	instantOf,
	isDate,
	type JsonObject,
	keyTextOf,
	type Likeness,
	spaced,
	textsIn,
	timeOf,
} from '../client';
import { areOtherDates, isText, lengthOf, mayBeCut, resemblanceOf, termIn } from './resemblance';

/** The most records that one row is compared with; more of them would all be much the same. */
const MAX_COMPARED_RECORDS = 1_000;

/** A record that a row may already be, and whether that is certain. */
export interface Match {
	likeness: 'same' | 'unclear';
	record: JsonObject;
}

interface Matching {
	/** Fields with a date that the row sends: with another one, a record is much like the row. */
	dates?: string[];
	/** Whether texts are search terms, in which only case makes no difference. */
	areTerms?: boolean;
	/** Records of another location, say, that the list shows: they are never more than much like a row. */
	elsewhere?: ReadonlySet<JsonObject>;
}

/**
 * The records of a list, to be found by the values of their match fields, also where the service has
 * changed these (`resemblanceOf`). A record stands for one row, or for rows with the same values.
 */
export class ExistingRecords {
	private readonly byKey = new Map<string, JsonObject[]>();
	private readonly texts: TextIndex[];
	private readonly times: TimeIndex[];
	/** Characters of the longest text in each match field: the service does not cut before that. */
	private readonly longest: number[];
	/** The rows that records were found for, by their match keys. */
	private readonly rows = new Map<JsonObject, string>();

	constructor(
		records: JsonObject[],
		private readonly matchFields: string[],
		private readonly matching: Matching = {},
	) {
		for (const record of records) add(this.byKey, this.keyOf(record), record);
		this.longest = matchFields.map((field) =>
			records.reduce((most, record) => Math.max(most, lengthOf(record[field])), 0),
		);
		this.texts = matchFields.map(
			(field, index) => new TextIndex(records, field, this.longest[index]),
		);
		this.times = matchFields.map((field) => new TimeIndex(records, field));
	}

	/** The record that a row already is, or much like; undefined if the row is a new one. */
	find(fields: JsonObject): Match | undefined {
		const key = this.keyOf(fields);
		const equal = this.among(this.byKey.get(key) ?? [], fields, key);
		return equal?.likeness === 'same'
			? equal
			: (this.among(this.candidates(fields), fields, key) ?? equal);
	}

	/**
	 * All records that a row already is; of those, the ones that have its values to the letter, if there
	 * are any. `similar` is one that may be it, where none is. Rows do not take records from each other.
	 */
	findAll(fields: JsonObject): { same: JsonObject[]; similar?: JsonObject } {
		const equal = this.byKey.get(this.keyOf(fields)) ?? [];
		const isSame = (record: JsonObject) => this.likenessOf(record, fields) === 'same';
		const exact = equal.filter(isSame);
		if (exact.length > 0) return { same: exact };
		const records = this.candidates(fields);
		const isSimilar = (record: JsonObject) => this.likenessOf(record, fields) === 'unclear';
		return { same: records.filter(isSame), similar: [...equal, ...records].find(isSimilar) };
	}

	/** Adds a record with the values that were sent for it: none of them is cut. */
	add(record: JsonObject): void {
		add(this.byKey, this.keyOf(record), record);
		for (const text of this.texts) text.add(record);
		for (const time of this.times) time.add(record);
	}

	private among(records: JsonObject[], fields: JsonObject, key: string): Match | undefined {
		let similar: JsonObject | undefined;
		for (const record of records) {
			const likeness = this.likenessOf(record, fields);
			if (likeness === 'unlike') continue;
			const row = this.rows.get(record) ?? key;
			if (likeness === 'same' && row === key) {
				this.rows.set(record, key);
				return { likeness, record };
			}
			// One that another row was found to be, with other values, may be either.
			similar ??= record;
		}
		return similar && { likeness: 'unclear', record: similar };
	}

	private likenessOf(record: JsonObject, fields: JsonObject): Likeness {
		const { dates = [], areTerms, elsewhere } = this.matching;
		const likeness = resemblanceOf(record, fields, this.matchFields, this.longest, areTerms);
		const isOther = dates.some((field) => areOtherDates(record[field], fields[field]));
		const isUncertain = isOther || elsewhere?.has(record);
		return likeness === 'same' && isUncertain ? 'unclear' : likeness;
	}

	private keyOf(record: JsonObject): string {
		const { dates = [], areTerms } = this.matching;
		return matchKeyOf(record, [...this.matchFields, ...dates], areTerms) ?? '';
	}

	/**
	 * Records that may be like a row, by the match field that leaves the fewest: a text where there is
	 * one, because only there all that may be like it can be found by its beginning.
	 */
	private candidates(fields: JsonObject): JsonObject[] {
		const filled = this.matchFields
			.map((field, index) => ({ value: fields[field], index }))
			.filter(({ value }) => keyTextOf(value) !== '');
		const texts = filled.filter(({ value }) => isText(value) && !isDate(value));
		const found = (texts.length > 0 ? texts : filled).map(({ value, index }) =>
			isDate(value) ? this.times[index].find(value) : this.texts[index].find(value),
		);
		const [fewest = []] = found.sort((a, b) => a.length - b.length);
		return [...new Set(fewest)].slice(0, MAX_COMPARED_RECORDS);
	}
}

/**
 * The values of the match fields, without what makes no difference: white space, the Unicode form of a
 * letter, the time zone of a time, the case of a search term. Undefined if they are all empty.
 */
export function matchKeyOf(
	record: JsonObject,
	matchFields: string[],
	areTerms = false,
): string | undefined {
	const values = matchFields.map((field) => {
		const value = record[field] ?? '';
		const instant = instantOf(value);
		if (instant !== undefined) return new Date(instant).toISOString();
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return areTerms ? termIn(text) : spaced(text.normalize());
	});
	return values.every((value) => value === '') ? undefined : JSON.stringify(values);
}

function add<K>(groups: Map<K, JsonObject[]>, key: K, record: JsonObject): void {
	const group = groups.get(key);
	if (group) group.push(record);
	else groups.set(key, [record]);
}

/** Records by a date: finds those that have it, or may have it in another time zone. */
class TimeIndex {
	private readonly byDay = new Map<number, JsonObject[]>();

	constructor(
		records: JsonObject[],
		private readonly field: string,
	) {
		for (const record of records) this.add(record);
	}

	add(record: JsonObject): void {
		const date = record[this.field];
		if (isDate(date)) add(this.byDay, dayOf(date), record);
	}

	find(date: unknown): JsonObject[] {
		const day = dayOf(date);
		return [day, day - 1, day + 1].flatMap((near) => this.byDay.get(near) ?? []);
	}
}

function dayOf(date: unknown): number {
	return Math.floor((timeOf(date) ?? 0) / 86_400_000);
}

/** Records by the text of a field: finds those that have a text, may have been cut from it, or have none. */
class TextIndex {
	private readonly records = new Map<string, JsonObject[]>();
	/** Those that the service may have cut, by what is left. */
	private readonly cut = new Map<string, JsonObject[]>();
	private readonly sorted: string[];
	/** For each text that may be cut, the longest other one that it begins with. */
	private readonly shorter = new Map<string, string | undefined>();

	constructor(
		records: JsonObject[],
		private readonly field: string,
		longest: number,
	) {
		for (const record of records) {
			this.add(record);
			// A text in an object may be a part of the whole, such as a paragraph, whatever its length.
			const most = typeof record[field] === 'object' ? 0 : longest;
			for (const text of textsIn(record[field])) {
				if (mayBeCut(text, most)) add(this.cut, keyTextOf(text), record);
			}
		}
		this.sorted = [...this.cut.keys()].sort();
		const beginnings: string[] = [];
		for (const text of this.sorted) {
			while (beginnings.length > 0 && !text.startsWith(beginnings[beginnings.length - 1])) {
				beginnings.pop();
			}
			this.shorter.set(text, beginnings[beginnings.length - 1]);
			beginnings.push(text);
		}
	}

	add(record: JsonObject): void {
		const value = record[this.field];
		const texts = textsIn(value);
		const keys = [value, ...(texts.length > 0 ? texts : [''])].map(keyTextOf);
		for (const key of new Set(keys)) add(this.records, key, record);
	}

	find(value: unknown): JsonObject[] {
		const text = keyTextOf(value);
		const found = [this.records.get(text), this.records.get('')];
		let cut = this.lastUpTo(text);
		// Every beginning of `text` is one of the last text that sorts before it, too.
		for (; cut !== undefined; cut = this.shorter.get(cut)) {
			if (cut !== text && text.startsWith(cut)) found.push(this.cut.get(cut));
		}
		return found.flatMap((records) => records ?? []);
	}

	/** The last text that sorts before `text` or is it. */
	private lastUpTo(text: string): string | undefined {
		let [low, high] = [0, this.sorted.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.sorted[middle] <= text) low = middle + 1;
			else high = middle;
		}
		return this.sorted[low - 1];
	}
}
