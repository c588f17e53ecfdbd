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

/** The likeness of a record to what was sent; `similar`: a person has to decide. */
export type Likeness = 'same' | 'similar' | 'different';

export interface Comparison {
	/** The longest text that the service keeps in the field (characters): it does not cut shorter ones. */
	longest?: number;
	/** True for search terms, whose case makes no difference. */
	isSearchTerm?: boolean;
	/** True if the record was made a moment ago: a beginning of the sent text is that text, cut by the service. */
	isNew?: boolean;
}

/** A shorter text was not cut by a service, unless it ends with an ellipsis (characters). */
const SHORTEST_CUT = 20;
/** A service that cuts at the end of a word keeps up to this much less than its limit (characters). */
const CUT_SLACK = 30;
/** A beginning with fewer letters does not identify a text. */
const FEWEST_LETTERS = 12;
const ELLIPSIS = /\.\.\.\W{0,3}$/;
/** The largest difference of two equal times of which one has no time zone (ms). */
const MAX_ZONE = 14 * 3_600_000;

/**
 * Compares a value of a record with one that is sent, as people would: entities, tags, Markdown,
 * quotes, white space and Unicode forms make no difference, a number may come as text and a date in
 * another form. Different letters or numbers make values different; a different symbol or link, or a
 * missing end, makes them similar.
 */
export function compareValues(stored: unknown, sent: unknown, how: Comparison = {}): Likeness {
	// Most values come back as they were sent.
	if (stored === sent) return 'same';
	if (isEmpty(stored) || isEmpty(sent)) {
		return isEmpty(stored) && isEmpty(sent) ? 'same' : 'similar';
	}
	if (isDate(stored) && isDate(sent)) return compareDates(stored, sent);
	if (typeof sent === 'object') {
		return JSON.stringify(stored) === JSON.stringify(sent) ? 'same' : 'similar';
	}
	if (typeof stored === 'object') {
		// The service may keep the text by language, or as HTML.
		const isIn = lettersIn(JSON.stringify(stored)).includes(lettersIn(plainText(textOf(sent))));
		return isIn || how.isNew ? 'similar' : 'different';
	}
	const [one, other] = [textOf(stored), textOf(sent)];
	return how.isSearchTerm ? compareTerms(one, other) : compareTexts(one, other, how);
}

/** Compares the given fields; `different` if the record or the row has a value in none of them. */
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

/** True if both values are dates, and not the same one in another form or time zone. */
export function areOtherDates(stored: unknown, sent: unknown): boolean {
	return isDate(stored) && isDate(sent) && compareDates(stored, sent) === 'different';
}

function compareDates(stored: unknown, sent: unknown): Likeness {
	const apart = Math.abs((timeOf(stored) ?? 0) - (timeOf(sent) ?? 0));
	if (apart === 0) return 'same';
	const haveZones = instantOf(stored) !== undefined && instantOf(sent) !== undefined;
	return haveZones || apart > MAX_ZONE ? 'different' : 'similar';
}

/**
 * "C# course" and "C course", or "ice cream" and "icecream", may be two terms or one, changed by the service.
 */
function compareTerms(stored: string, sent: string): Likeness {
	const [a, b] = [termIn(stored), termIn(sent)];
	if (a === b) return 'same';
	return lettersIn(a) === lettersIn(b) && lettersIn(a) !== '' ? 'similar' : 'different';
}

function compareTexts(stored: string, sent: string, how: Comparison): Likeness {
	const [a, b] = [spaced(plainText(stored)), spaced(plainText(sent))];
	const [letters, sentLetters] = [lettersIn(a), lettersIn(b)];
	if (letters !== sentLetters) {
		const mayBegin = letters !== '' && sentLetters.startsWith(letters);
		return mayBegin ? compareBeginning(a, b, how) : 'different';
	}
	if (letters === '') return a === b ? compareSigns(stored, sent, how) : 'different';
	if (!areEqual(numbersIn(a), numbersIn(b))) return 'different';
	const isSame =
		areEqual(symbolsIn(a), symbolsIn(b)) &&
		areEqual(linksIn(stored), linksIn(sent)) &&
		(sent.length <= MAX_COMPARED || spaced(stored) === spaced(sent));
	return isSame ? 'same' : 'similar';
}

/** Compares texts whose signs are the same, or that are links, tags and nothing else. */
function compareSigns(stored: string, sent: string, { isNew }: Comparison): Likeness {
	const [links, others] = [linksIn(stored), linksIn(sent)];
	if (spaced(stored) === spaced(sent)) return 'same';
	if (links.length > 0 && areEqual(links, others)) return 'same';
	const areWords = spaced(plainText(sent)) !== '';
	if (areWords) return areEqual(links, others) ? 'same' : 'similar';
	return isNew || (links.length === 0 && others.length === 0) ? 'similar' : 'different';
}

/** Decides whether `a`, with whose letters `b` begins, is its beginning, cut by the service. */
function compareBeginning(a: string, b: string, { longest = Infinity, isNew }: Comparison) {
	// "Offer number 1" is not the beginning of "Offer number 12".
	const [numbers, symbols] = [numbersIn(a), symbolsIn(a)];
	if (!areEqual(numbers, numbersIn(b).slice(0, numbers.length))) return 'different';
	const isLong = lettersIn(a).length >= FEWEST_LETTERS;
	if (isNew && isLong) return 'same';
	// The service has added the ellipsis; the sent text goes on without it.
	if (ELLIPSIS.test(a) && !withoutSpaces(b).startsWith(withoutSpaces(a))) {
		const hasSymbols = areEqual(symbols, symbolsIn(b).slice(0, symbols.length));
		return isLong && hasSymbols ? 'same' : 'similar';
	}
	return isNearLongest(a, longest) && b.length > longest ? 'similar' : 'different';
}

/** True if a plain text may be the beginning of what was sent. */
export function mayBeCut(text: string, longest: number): boolean {
	return ELLIPSIS.test(text) || isNearLongest(text, longest);
}

function isNearLongest(text: string, longest: number): boolean {
	return text.length >= SHORTEST_CUT && text.length >= longest - CUT_SLACK;
}

function areEqual(a: string[], b: string[]): boolean {
	return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** The most records that one row is compared with: this many candidates would be nearly alike. */
const MAX_COMPARED_RECORDS = 1_000;

interface Matching {
	/** Date fields that the row sends: a record with another date is only similar to the row. */
	dates?: string[];
	/** True for search terms, whose case makes no difference. */
	isSearchTerm?: boolean;
}

/** The records that are the same as a row or, if there are none, one that is similar. */
export interface Match {
	same: JsonObject[];
	similar?: JsonObject;
}

/**
 * Finds the records of a list by the values of their match fields, also if the service has changed
 * these (`compareValues`). A record stands for one row, or for rows with the same values.
 */
export class RecordIndex {
	private readonly byKey = new Map<string, JsonObject[]>();
	private madeTexts?: TextIndex[];
	/** The owner of the row for which each record was found. */
	private readonly rows = new Map<JsonObject, string>();

	constructor(
		private readonly records: JsonObject[],
		private readonly matchFields: string[],
		private readonly matching: Matching = {},
	) {
		for (const record of records) add(this.byKey, this.keyOf(record), record);
	}

	/** Made once a row is looked for that no record equals: it takes as long as reading all texts. */
	private get texts(): TextIndex[] {
		return (this.madeTexts ??= this.matchFields.map((field) => new TextIndex(this.records, field)));
	}

	/**
	 * Returns the records with exactly the row's values or, if there are none, those that services may have
	 * changed.
	 *
	 * @param key the row's values in the match fields and dates (`matchKeyOf`), if they are known already
	 * @param owner what rows about the same record have in common; by default these values
	 */
	find(fields: JsonObject, key = this.keyOf(fields), owner = key): Match {
		const equal = this.byKey.get(key) ?? [];
		const exact = this.among(equal, fields, owner);
		const found =
			exact.same.length > 0 ? exact : this.among(this.candidates(fields), fields, owner);
		if (found.same.length === 0) return { same: [], similar: exact.similar ?? found.similar };
		this.rows.set(found.same[0], owner);
		return { same: found.same };
	}

	private among(records: JsonObject[], fields: JsonObject, owner: string): Match {
		const match: Match = { same: [] };
		for (const record of records) {
			const likeness = this.likenessOf(record, fields);
			if (likeness === 'different') continue;
			// The record was found for another row with other values, so it may be either.
			const isOwn = (this.rows.get(record) ?? owner) === owner;
			if (likeness === 'same' && isOwn) match.same.push(record);
			else match.similar ??= record;
		}
		return match;
	}

	private likenessOf(record: JsonObject, fields: JsonObject): Likeness {
		const { dates = [], isSearchTerm } = this.matching;
		const longestIn = (field: string) => this.texts[this.matchFields.indexOf(field)].longest;
		const likeness = compareFields(record, fields, this.matchFields, (field) => ({
			isSearchTerm,
			// Asked for only where a text may have been cut.
			get longest() {
				return longestIn(field);
			},
		}));
		const isOther = dates.some((field) => areOtherDates(record[field], fields[field]));
		return likeness === 'same' && isOther ? 'similar' : likeness;
	}

	private keyOf(record: JsonObject): string {
		const { dates = [], isSearchTerm } = this.matching;
		return matchKeyOf(record, [...this.matchFields, ...dates], isSearchTerm) ?? '';
	}

	/** The records that may be like a row, by the text field that leaves the fewest; all if it has no text. */
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

/** Finds records by the text of a field: those that have a text, may have been cut from it, or have none. */
class TextIndex {
	/** The length of the longest text (characters). */
	readonly longest: number;
	private readonly byLetters = new Map<string, JsonObject[]>();
	/** Lengths, in letters, of the texts that the service may have cut. */
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

/** A value as a text; empty for other values, which are never excluded. */
function textIn(value: unknown): string {
	return isEmpty(value) || typeof value === 'object' ? '' : textOf(value);
}
