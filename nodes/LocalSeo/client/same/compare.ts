import { instantOf, isDate, timeOf } from '../http/records';
import type { JsonObject } from '../ports';
import {
	consonantsIn,
	isEmpty,
	lettersIn,
	linksIn,
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
	areTerms?: boolean;
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
 * quotes, white space, Unicode forms and shortened links make no difference, a number may come as text
 * and a date in another form. Letters and numbers do; a symbol, a link or a missing end leave it open.
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
		const isIn = lettersIn(JSON.stringify(stored)).includes(lettersIn(plainText(String(sent))));
		return isIn || how.isNew ? 'similar' : 'different';
	}
	const [one, other] = [String(stored), String(sent)];
	return how.areTerms ? compareTerms(one, other) : compareTexts(one, other, how);
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
	if (lettersIn(a) === lettersIn(b)) return lettersIn(a) === '' ? 'different' : 'similar';
	// Terms are short: one that begins with another is its own, unless the other looks cut.
	return ELLIPSIS.test(a) ? compareBeginning(a, b, {}) : 'different';
}

function compareTexts(stored: string, sent: string, how: Comparison): Likeness {
	const [a, b] = [spaced(plainText(stored)), spaced(plainText(sent))];
	if (lettersIn(a) !== lettersIn(b)) return compareBeginning(a, b, how);
	if (lettersIn(a) === '') return a === b ? 'same' : 'different';
	if (!areEqual(numbersIn(a), numbersIn(b))) return 'different';
	const isSame =
		areEqual(symbolsIn(a), symbolsIn(b)) &&
		areSameLinks(linksIn(stored), linksIn(sent)) &&
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

/** Whether a value may be the beginning of what was sent. */
export function mayBeCut(stored: string, longest: number): boolean {
	const text = spaced(plainText(stored));
	return ELLIPSIS.test(text) || isNearLongest(text, longest);
}

function isNearLongest(text: string, longest: number): boolean {
	return text.length >= SHORTEST_CUT && text.length >= longest - CUT_SLACK;
}

function areEqual(a: string[], b: string[]): boolean {
	return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** Whether links are the same, or were shortened: to another host, and with fewer characters. */
function areSameLinks(stored: string[], sent: string[]): boolean {
	if (stored.length !== sent.length) return false;
	const hostOf = (link: string) => link.split('/')[2].toLowerCase();
	return stored.every((link, index) => {
		const other = sent[index];
		return link === other || (hostOf(link) !== hostOf(other) && link.length < other.length);
	});
}

function withoutSpaces(text: string): string {
	return text.replace(/\s+/g, '');
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
