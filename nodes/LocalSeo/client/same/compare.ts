import { instantOf, isDate, timeOf } from '../dates/ofService';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';
import {
	isEmpty,
	lettersIn,
	lettersOrSigns,
	withoutSpaces,
	linksIn,
	matchKeyOf,
	MAX_COMPARED,
	numbersIn,
	plainText,
	spaced,
	symbolsIn,
	termIn,
} from './text';

/** How much a record is like what was sent; `similar`: a person has to decide. */
export type Likeness = 'same' | 'similar' | 'different';

export interface Comparison {
	/** Characters of the longest text that the service keeps there: it does not cut before that. */
	longest?: number;
	/** Whether texts are search terms, in which only case makes no difference. */
	isSearchTerm?: boolean;
	/** Whether it was made a moment ago: the beginning of what was sent is that, cut by the service. */
	isNew?: boolean;
}

/** A text that is shorter was not cut by a service, unless it says so with an ellipsis. */
const SHORTEST_CUT = 20;
/** Characters by which a text may be shorter than where the service cuts: the end of a word. */
const CUT_SLACK = 30;
/** Letters from which on a beginning tells which text it is of. */
const FEWEST_LETTERS = 12;
const ELLIPSIS = /\.\.\.\W{0,3}$/;
/** Milliseconds by which two times may differ if one of them has no time zone. */
const MAX_ZONE = 14 * 3_600_000;

/**
 * Compares a value of a record with one that is sent, as people would: entities, tags, Markdown,
 * quotes, white space and Unicode forms make no difference, a number may come as text and a date in
 * another form. Letters and numbers do; a symbol, a link or a missing end leave it open.
 */
export function compareValues(stored: unknown, sent: unknown, how: Comparison = {}): Likeness {
	if (isEmpty(stored) || isEmpty(sent)) {
		return isEmpty(stored) && isEmpty(sent) ? 'same' : 'similar';
	}
	if (isDate(stored) && isDate(sent)) return compareDates(stored, sent);
	if (typeof sent === 'object') {
		return JSON.stringify(stored) === JSON.stringify(sent) ? 'same' : 'similar';
	}
	if (typeof stored === 'object') {
		// By language, say, or as HTML.
		const isIn = lettersIn(JSON.stringify(stored)).includes(lettersIn(plainText(textOf(sent))));
		return isIn || how.isNew ? 'similar' : 'different';
	}
	const [one, other] = [textOf(stored), textOf(sent)];
	return how.isSearchTerm ? compareTerms(one, other) : compareTexts(one, other, how);
}

/** Compares by the fields given; different, where the record or the row has none of them. */
export function compareFields(
	record: JsonObject,
	fields: JsonObject,
	names: string[],
	how: (name: string) => Comparison,
): Likeness {
	const isKnown = (name: string) => !isEmpty(record[name]) && !isEmpty(fields[name]);
	if (!names.some(isKnown)) return 'different';
	let likeness: Likeness = 'same';
	for (const name of names) {
		const own = compareValues(record[name], fields[name], how(name));
		if (own === 'different') return own;
		if (own === 'similar') likeness = own;
	}
	return likeness;
}

/** Whether two values are dates, and not the same one in another form or time zone. */
export function areOtherDates(stored: unknown, sent: unknown): boolean {
	return isDate(stored) && isDate(sent) && compareDates(stored, sent) === 'different';
}

function compareDates(stored: unknown, sent: unknown): Likeness {
	const apart = Math.abs((timeOf(stored) ?? 0) - (timeOf(sent) ?? 0));
	if (apart === 0) return 'same';
	const haveZones = instantOf(stored) !== undefined && instantOf(sent) !== undefined;
	return haveZones || apart > MAX_ZONE ? 'different' : 'similar';
}

/** "C# course" and "C course", "ice cream" and "icecream" may be two terms, or one that was changed. */
function compareTerms(stored: string, sent: string): Likeness {
	const [a, b] = [termIn(stored), termIn(sent)];
	if (a === b) return 'same';
	return lettersIn(a) === lettersIn(b) && lettersIn(a) !== '' ? 'similar' : 'different';
}

function compareTexts(stored: string, sent: string, how: Comparison): Likeness {
	const [a, b] = [spaced(plainText(stored)), spaced(plainText(sent))];
	if (lettersIn(a) !== lettersIn(b)) return compareBeginning(a, b, how);
	if (lettersIn(a) === '') return a === b ? 'same' : 'different';
	if (!areEqual(numbersIn(a), numbersIn(b))) return 'different';
	const isSame =
		areEqual(symbolsIn(a), symbolsIn(b)) &&
		areEqual(linksIn(stored), linksIn(sent)) &&
		(sent.length <= MAX_COMPARED || spaced(stored) === spaced(sent));
	return isSame ? 'same' : 'similar';
}

/** `a` may be `b`, cut by the service. */
function compareBeginning(a: string, b: string, { longest = Infinity, isNew }: Comparison) {
	if (lettersIn(a) === '' || !lettersIn(b).startsWith(lettersIn(a))) return 'different';
	// "Offer number 1" is not the beginning of "Offer number 12".
	const [numbers, symbols] = [numbersIn(a), symbolsIn(a)];
	if (!areEqual(numbers, numbersIn(b).slice(0, numbers.length))) return 'different';
	const isLong = lettersIn(a).length >= FEWEST_LETTERS;
	if (isNew && isLong) return 'same';
	// Not one of its own, after which the text goes on.
	if (ELLIPSIS.test(a) && !withoutSpaces(b).startsWith(withoutSpaces(a))) {
		const hasSymbols = areEqual(symbols, symbolsIn(b).slice(0, symbols.length));
		return isLong && hasSymbols ? 'same' : 'similar';
	}
	return isNearLongest(a, longest) && b.length > longest ? 'similar' : 'different';
}

/** Whether a plain text may be the beginning of what was sent. */
export function mayBeCut(text: string, longest: number): boolean {
	return ELLIPSIS.test(text) || isNearLongest(text, longest);
}

function isNearLongest(text: string, longest: number): boolean {
	return text.length >= SHORTEST_CUT && text.length >= longest - CUT_SLACK;
}

function areEqual(a: string[], b: string[]): boolean {
	return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** The most records that one row is compared with; more of them would all be much the same. */
const MAX_COMPARED_RECORDS = 1_000;

interface Matching {
	/** Fields with a date that the row sends: with another one, a record is much like the row. */
	dates?: string[];
	/** Whether texts are search terms, in which only case makes no difference. */
	isSearchTerm?: boolean;
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
		const match: Match = { same: [] };
		for (const record of records) {
			const likeness = this.likenessOf(record, fields);
			if (likeness === 'different') continue;
			// One that another row was found to be, with other values, may be either.
			const isOwn = (this.rows.get(record) ?? key) === key;
			if (likeness === 'same' && isOwn) match.same.push(record);
			else match.similar ??= record;
		}
		return match;
	}

	private likenessOf(record: JsonObject, fields: JsonObject): Likeness {
		const { dates = [], isSearchTerm } = this.matching;
		const likeness = compareFields(record, fields, this.matchFields, (field) => {
			const { longest } = this.texts[this.matchFields.indexOf(field)];
			return { longest, isSearchTerm };
		});
		const isOther = dates.some((field) => areOtherDates(record[field], fields[field]));
		return likeness === 'same' && isOther ? 'similar' : likeness;
	}

	private keyOf(record: JsonObject): string {
		const { dates = [], isSearchTerm } = this.matching;
		return matchKeyOf(record, [...this.matchFields, ...dates], isSearchTerm) ?? '';
	}

	/** Records that may be like a row, by the text that leaves the fewest; without a text, all. */
	private candidates(fields: JsonObject): JsonObject[] {
		const isText = (value: unknown) =>
			!isEmpty(value) && typeof value !== 'object' && !isDate(value);
		const found = this.texts
			.filter(({ field }) => isText(fields[field]))
			.map((texts) => texts.find(textOf(fields[texts.field])));
		const [fewest = this.records] = found.sort((a, b) => a.length - b.length);
		return [...new Set(fewest)].slice(0, MAX_COMPARED_RECORDS);
	}
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
	/** How many letters those have that the service may have cut. */
	private readonly cutAt = new Set<number>();

	constructor(
		records: JsonObject[],
		readonly field: string,
	) {
		const texts = records.map((record) => spaced(plainText(textIn(record[field]))));
		this.longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
		for (const [at, text] of texts.entries()) {
			const letters = lettersOrSigns(text);
			add(this.byLetters, letters, records[at]);
			if (mayBeCut(text, this.longest)) this.cutAt.add(letters.length);
		}
	}

	find(text: string): JsonObject[] {
		const letters = lettersOrSigns(plainText(text));
		const lengths = [...this.cutAt].filter((length) => length < letters.length);
		const beginnings = lengths.map((length) => letters.slice(0, length));
		return [letters, '', ...beginnings].flatMap((one) => this.byLetters.get(one) ?? []);
	}
}

/** A value as a text; what is none may be like any. */
function textIn(value: unknown): string {
	return isEmpty(value) || typeof value === 'object' ? '' : textOf(value);
}
