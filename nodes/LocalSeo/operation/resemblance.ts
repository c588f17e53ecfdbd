import {
	instantOf,
	isDate,
	isEmpty,
	type JsonObject,
	type Likeness,
	lettersIn,
	likenessOf,
	linksIn,
	MAX_COMPARED,
	plainText,
	spaced,
	textsIn,
	timeOf,
} from '../client';

/** A text that is shorter was not cut by a service, unless it says so with an ellipsis. */
const SHORTEST_CUT = 20;
/** Characters by which a text may be shorter than where the service cuts: the end of a word. */
const CUT_SLACK = 30;
const ELLIPSIS = /\.\.\.\W{0,3}$/;
/** Milliseconds by which two times may differ if one of them has no time zone. */
const MAX_ZONE = 14 * 3_600_000;

/**
 * Whether a record is what a row would create, by the match fields: `same` if they differ by no more
 * than what services change (`likenessOf`), `unlike` if a field is another one, `unclear` if a record
 * is much like the row, so that a person has to decide.
 *
 * It is more exact than `likenessOf`, which compares with what was just sent: prices and numbers
 * count, a symbol or a link may be the only difference, and an older text that the row's begins with
 * is its own unless it looks cut.
 *
 * @param longest characters of the longest text of each match field in the list
 * @param areTerms whether texts are search terms, in which only case makes no difference
 */
export function resemblanceOf(
	record: JsonObject,
	fields: JsonObject,
	matchFields: string[],
	longest: number[],
	areTerms = false,
): Likeness {
	let isCertain = true;
	let isAnyKnown = false;
	for (const [index, field] of matchFields.entries()) {
		const [stored, sent] = [record[field], fields[field]];
		if (isEmpty(stored) && isEmpty(sent)) continue;
		const isKnown = !isEmpty(stored) && !isEmpty(sent);
		const likeness = isKnown ? likenessOfValue(stored, sent, longest[index], areTerms) : 'unclear';
		if (likeness === 'unlike') return 'unlike';
		isAnyKnown ||= isKnown;
		isCertain &&= likeness === 'same';
	}
	if (!isAnyKnown) return 'unlike';
	return isCertain ? 'same' : 'unclear';
}

/** Characters of a value, as far as they can be compared. */
export function lengthOf(value: unknown): number {
	return isText(value) ? spaced(plainText(String(value))).length : 0;
}

function likenessOfValue(
	stored: unknown,
	sent: unknown,
	longest: number,
	areTerms: boolean,
): Likeness {
	if (isDate(stored) && isDate(sent)) return likenessOfDate(stored, sent);
	if (typeof stored === 'object' && isText(sent)) {
		const likenesses = textsIn(stored).map((text) => likenessOfValue(text, sent, 0, areTerms));
		if (likenesses.length === 0) return 'unclear';
		return (['same', 'unclear'] as const).find((one) => likenesses.includes(one)) ?? 'unlike';
	}
	const likeness = likenessOf({ value: stored }, { value: sent });
	if (!isText(stored) || !isText(sent)) return likeness;
	const likenessOfTexts = areTerms ? likenessOfTerm : likenessOfText;
	return likenessOfTexts(String(stored), String(sent), likeness, longest);
}

/** "C# course" and "C course", "ice cream" and "icecream" may be two terms, or one that was changed. */
function likenessOfTerm(
	stored: string,
	sent: string,
	likeness: Likeness,
	longest: number,
): Likeness {
	const [a, b] = [termIn(stored), termIn(sent)];
	if (a === b) return 'same';
	if (lettersIn(a) === lettersIn(b)) return lettersIn(a) === '' ? 'unlike' : 'unclear';
	// Terms are short: one that begins with another is its own, unless the other looks cut.
	return ELLIPSIS.test(a) ? likenessOfText(stored, sent, likeness, longest) : 'unlike';
}

/** A search term without what makes no difference in it. */
export function termIn(text: string): string {
	return spaced(plainText(text)).toLowerCase();
}

/** Whether two values are dates, and not the same one in another form or time zone. */
export function areOtherDates(stored: unknown, sent: unknown): boolean {
	return isDate(stored) && isDate(sent) && likenessOfDate(stored, sent) === 'unlike';
}

function likenessOfDate(stored: unknown, sent: unknown): Likeness {
	const apart = Math.abs((timeOf(stored) ?? 0) - (timeOf(sent) ?? 0));
	if (apart === 0) return 'same';
	const haveZones = instantOf(stored) !== undefined && instantOf(sent) !== undefined;
	return haveZones || apart > MAX_ZONE ? 'unlike' : 'unclear';
}

function likenessOfText(
	stored: string,
	sent: string,
	likeness: Likeness,
	longest: number,
): Likeness {
	const [a, b] = [spaced(plainText(stored)), spaced(plainText(sent))];
	if (lettersIn(a) !== lettersIn(b)) {
		if (likeness === 'same') return likenessOfBeginning(a, b, longest);
		return isCutShort(a, b) ? 'unclear' : 'unlike';
	}
	if (lettersIn(a) === '') return a === b ? 'same' : 'unlike';
	if (!areEqual(numbersIn(a), numbersIn(b))) return 'unlike';
	const isSame =
		areEqual(symbolsIn(a), symbolsIn(b)) &&
		areSameLinks(linksOf(stored), linksOf(sent)) &&
		(sent.length <= MAX_COMPARED || spaced(stored) === spaced(sent));
	return isSame ? 'same' : 'unclear';
}

/** `a` has the letters that `b` begins with: it may be `b`, cut by the service. */
function likenessOfBeginning(a: string, b: string, longest: number): Likeness {
	// "Offer number 1" is not the beginning of "Offer number 12".
	const numbers = numbersIn(a);
	if (!areEqual(numbers, numbersIn(b).slice(0, numbers.length))) return 'unlike';
	const hasEllipsis = isCutShort(a, b);
	const symbols = symbolsIn(a);
	const hasSymbols = areEqual(symbols, symbolsIn(b).slice(0, symbols.length));
	if (hasEllipsis) return hasSymbols ? 'same' : 'unclear';
	return isNearLongest(a, longest) && b.length > longest ? 'unclear' : 'unlike';
}

/** Whether `a` ends with an ellipsis where `b` goes on. */
function isCutShort(a: string, b: string): boolean {
	const isBeginning = lettersIn(b).startsWith(lettersIn(a));
	return ELLIPSIS.test(a) && isBeginning && !withoutSpaces(b).startsWith(withoutSpaces(a));
}

/** Whether a value may be the beginning of what was sent. */
export function mayBeCut(stored: unknown, longest: number): boolean {
	if (!isText(stored)) return false;
	const text = spaced(plainText(String(stored)));
	return ELLIPSIS.test(text) || isNearLongest(text, longest);
}

function isNearLongest(text: string, longest: number): boolean {
	return text.length >= SHORTEST_CUT && text.length >= longest - CUT_SLACK;
}

/** Numbers with their decimals, as text: `1.50` in "only 1,50 €". */
function numbersIn(text: string): string[] {
	return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => number.replace(/[,:]/g, '.'));
}

function areEqual(a: string[], b: string[]): boolean {
	return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** Signs that tell two texts apart: emojis, flags, currencies, a minus. Not quotes, dashes and the like. */
function symbolsIn(text: string): string[] {
	const signed = text.replace(/(?<![\p{L}\p{N}])[-‐‑‒–—−](?=\d)/gu, '−');
	return signed.match(/[\p{Extended_Pictographic}\p{RI}\p{Sc}%+−]/gu) ?? [];
}

/** Each link once, without the punctuation behind it. */
function linksOf(text: string): string[] {
	const links = linksIn(text.slice(0, MAX_COMPARED));
	return [...new Set(links.map((link) => link.replace(/[^\p{L}\p{N}]{1,5}$/u, '')))];
}

/** Whether links are the same, or were shortened: to another host, and with fewer characters. */
function areSameLinks(stored: string[], sent: string[]): boolean {
	if (stored.length !== sent.length) return false;
	return stored.every((link, index) => {
		const other = sent[index];
		return link === other || (hostOf(link) !== hostOf(other) && link.length < other.length);
	});
}

function hostOf(link: string): string {
	return link
		.replace(/^https?:\/\/(www\.)?/i, '')
		.split(/[/?#:]/)[0]
		.toLowerCase();
}

function withoutSpaces(text: string): string {
	return text.replace(/\s+/g, '');
}

export function isText(value: unknown): value is string | number | boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}
