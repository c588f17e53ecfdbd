import { instantOf, isDate } from '../http/records';
import type { JsonObject } from '../ports';
import { areOtherDates, compareFields, type Likeness, mayBeCut } from './compare';
import { isEmpty, lettersOrSigns, plainText, spaced, termIn } from './text';

/** The most records that one row is compared with; more of them would all be much the same. */
const MAX_COMPARED_RECORDS = 1_000;

export interface Matching {
	/** Fields with a date that the row sends: with another one, a record is much like the row. */
	dates?: string[];
	/** Whether texts are search terms, in which only case makes no difference. */
	areTerms?: boolean;
	/** Records of another location, say, that the list shows: they are never more than much like a row. */
	elsewhere?: ReadonlySet<JsonObject>;
}

/** The records that a row already is; where there is none, one that may be it. */
export interface Match {
	same: JsonObject[];
	similar?: JsonObject;
}

/**
 * The records of a list, to be found by the values of their match fields, also where the service has
 * changed these (`compareValues`). A record stands for one row, or for rows with the same values.
 */
export class RecordIndex {
	private readonly byKey = new Map<string, JsonObject[]>();
	private readonly texts: TextIndex[];
	/** The rows that records were found for, by their match keys. */
	private readonly rows = new Map<JsonObject, string>();

	constructor(
		private readonly records: JsonObject[],
		private readonly matchFields: string[],
		private readonly matching: Matching = {},
	) {
		for (const record of records) add(this.byKey, this.keyOf(record), record);
		this.texts = matchFields.map((field) => new TextIndex(records, field));
	}

	/** Those with the row's values to the letter, if there are any; else those that differ by what services change. */
	find(fields: JsonObject): Match {
		const key = this.keyOf(fields);
		const equal = this.byKey.get(key) ?? [];
		const exact = this.among(equal, fields, key);
		const found = exact.same.length > 0 ? exact : this.among(this.candidates(fields), fields, key);
		if (found.same.length === 0) return { same: [], similar: exact.similar ?? found.similar };
		this.rows.set(found.same[0], key);
		return { same: found.same };
	}

	private among(records: JsonObject[], fields: JsonObject, key: string): Match {
		const alike = records.filter((record) => this.likenessOf(record, fields) !== 'different');
		// One that another row was found to be, with other values, may be either.
		const isOwn = (record: JsonObject) => (this.rows.get(record) ?? key) === key;
		const isSame = (record: JsonObject) =>
			isOwn(record) && this.likenessOf(record, fields) === 'same';
		return { same: alike.filter(isSame), similar: alike.find((record) => !isSame(record)) };
	}

	private likenessOf(record: JsonObject, fields: JsonObject): Likeness {
		const { dates = [], areTerms, elsewhere } = this.matching;
		const likeness = compareFields(record, fields, this.matchFields, (field) => {
			const { longest } = this.texts[this.matchFields.indexOf(field)];
			return { longest, areTerms };
		});
		const isOther = dates.some((field) => areOtherDates(record[field], fields[field]));
		return likeness === 'same' && (isOther || elsewhere?.has(record)) ? 'similar' : likeness;
	}

	private keyOf(record: JsonObject): string {
		const { dates = [], areTerms } = this.matching;
		return matchKeyOf(record, [...this.matchFields, ...dates], areTerms) ?? '';
	}

	/** Records that may be like a row, by the text that leaves the fewest; without a text, all. */
	private candidates(fields: JsonObject): JsonObject[] {
		const isText = (value: unknown) =>
			!isEmpty(value) && typeof value !== 'object' && !isDate(value);
		const found = this.texts
			.filter(({ field }) => isText(fields[field]))
			.map((texts) => texts.find(String(fields[texts.field])));
		const [fewest = this.records] = found.sort((a, b) => a.length - b.length);
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

/** Records by the text of a field: finds those that have a text, may have been cut from it, or have none. */
class TextIndex {
	/** Characters of the longest one. */
	readonly longest: number;
	private readonly byLetters = new Map<string, JsonObject[]>();
	/** Those that the service may have cut, by what is left, and how many letters that has. */
	private readonly cut = new Map<string, JsonObject[]>();
	private readonly cutAt = new Set<number>();

	constructor(
		records: JsonObject[],
		readonly field: string,
	) {
		const texts = records.map((record) => [record, textIn(record[field])] as const);
		this.longest = texts.reduce(
			(most, [, text]) => Math.max(most, spaced(plainText(text)).length),
			0,
		);
		for (const [record, text] of texts) {
			const letters = lettersOrSigns(text);
			add(this.byLetters, letters, record);
			if (text === '' || !mayBeCut(text, this.longest)) continue;
			add(this.cut, letters, record);
			this.cutAt.add(letters.length);
		}
	}

	find(text: string): JsonObject[] {
		const { byLetters, cut, cutAt } = this;
		const letters = lettersOrSigns(text);
		const cuts = [...cutAt]
			.filter((length) => length < letters.length)
			.map((length) => cut.get(letters.slice(0, length)));
		return [byLetters.get(letters), byLetters.get(''), ...cuts].flatMap((records) => records ?? []);
	}
}

/** A value as a text; what is none may be like any. */
function textIn(value: unknown): string {
	return isEmpty(value) || typeof value === 'object' ? '' : String(value);
}
