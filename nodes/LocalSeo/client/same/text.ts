import { instantOf, isDate, timeOf } from '../dates/ofService';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';

/** The part of a text that is compared (characters): enough to tell two apart, and a bound for any length. */
export const MAX_COMPARED = 20_000;
/** Tags of HTML; "<SUMMER>" or an address of mail between brackets is text. */
const TAG =
	/<\/?(?:a|abbr|article|b|big|blockquote|body|br|center|cite|code|d[dlt]|del|div|em|figcaption|figure|font|footer|h[1-6]|header|hr|html|i|iframe|img|ins|li|main|mark|ol|p|pre|s|section|script|small|span|strike|strong|style|sub|sup|t(?:able|body|d|foot|h|head|r)|u|ul|video)(?:[\s/][^<>]{0,200})?>/gi;
const LINK = /https?:\/\/[^\s<>"]+/gi;

/** True for the values that count as none, like an empty cell of a sheet. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Collapses white space to single spaces. */
export function spaced(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** A text without its links, tags and entities, in one Unicode form, cut at the bound. */
export function plainText(text: string): string {
	// Decoded twice, because some services escape a text again.
	return decoded(decoded(comparedPart(text)))
		.replace(LINK, '')
		.replace(TAG, '')
		.normalize('NFKC');
}

/** The letters and digits of a plain text: services do not change these. */
export function lettersIn(plain: string): string {
	return plain.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** A search term in the form in which two of them are compared. */
export function termIn(text: string): string {
	return spaced(plainText(text)).toLowerCase();
}

/** Numbers with their decimals, as text: `1.50` in "only 1,50 €". */
export function numbersIn(text: string): string[] {
	return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => number.replace(/[,:]/g, '.'));
}

/** Symbols that tell two texts apart: emojis, marks, flags, currencies, signs as in "< 20"; not quotes or dashes. */
export function symbolsIn(text: string): string[] {
	const signed = text.replace(/(?<![\p{L}\p{N}])[-‐‑‒–—−](?=\d)/gu, '−');
	return signed.match(/[\p{Extended_Pictographic}\u2600-\u27bf\p{RI}\p{Sc}\p{Sm}%]/gu) ?? [];
}

/** The links of a text, without repeats and without the punctuation behind them. */
export function linksIn(text: string): string[] {
	const links = text.slice(0, MAX_COMPARED).replace(/&amp;/g, '&').match(LINK) ?? [];
	return [...new Set(links.map((link) => link.replace(/[^\p{L}\p{N}]{1,5}$/u, '')))];
}

/** Reads pairs of words into a map. */
function mapOf(pairs: string): Map<string, string> {
	return new Map(pairs.match(/\S+ \S+/g)!.map((pair) => pair.split(' ') as [string, string]));
}

/** Letters that Unicode does not decompose into a letter and an accent. */
const PLAIN_LETTERS = mapOf('ß ss æ ae œ oe ø o đ d ð d ł l þ th ı i');

/**
 * A text as typed on a keyboard without accents: Latin, Greek and Cyrillic letters lose theirs. In
 * other scripts, a mark makes a different letter.
 *
 * @param text in lower case
 */
export function withoutAccents(text: string): string {
	return text
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.replace(/[ßæœøđðłþı]/g, (letter) => PLAIN_LETTERS.get(letter)!);
}

/** Cuts a text at the bound, before a link, a tag or an entity that the cut would break. */
function comparedPart(text: string): string {
	if (text.length < MAX_COMPARED) return text;
	return text
		.slice(0, MAX_COMPARED)
		.replace(/\s\S{0,200}$/, '')
		.replace(/<[^<>]{0,200}$/, '');
}

/** The HTML entities that editors and frameworks write. */
const ENTITIES = mapOf(`
	amp & lt < gt > quot " apos ' lsquo ‘ rsquo ’ ldquo “ rdquo ” ndash – mdash — hellip …
	euro € pound £ szlig ß aelig æ AElig Æ oelig œ OElig Œ oslash ø Oslash Ø
`);
/** Code points of accents: `uuml` is u with the one named `uml`. */
const MARKS = mapOf('grave 300 acute 301 circ 302 tilde 303 uml 308 ring 30a cedil 327 caron 30c');

/** The character of an HTML entity. An unknown one is most likely a space or a sign. */
function characterNamed(name: string): string {
	const mark = MARKS.get(name.slice(1));
	const marked = mark && (name[0] + String.fromCodePoint(parseInt(mark, 16))).normalize();
	return ENTITIES.get(name) ?? marked ?? ' ';
}

function decoded(text: string): string {
	return text.replace(
		/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]\w{1,31}));/gi,
		(_, decimal: string, hex: string, name: string) => {
			if (name) return characterNamed(name);
			return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
		},
	);
}

/**
 * Finds values that are the same for people, as `compareValues` does: a date by its time, a text by its
 * letters, numbers, symbols and links.
 */
export function keyTextOf(value: unknown): string {
	if (isEmpty(value)) return '';
	if (isDate(value)) return String(timeOf(value));
	const text = textOf(value);
	if (typeof value === 'object') return text;
	const plain = spaced(plainText(text));
	if (plain === '') return spaced(text);
	return [lettersOrSigns(plain), numbersIn(plain), symbolsIn(plain), linksIn(text)].join('\n');
}

/** The letters and digits of a plain text, or its signs if it has neither. */
export function lettersOrSigns(text: string): string {
	return lettersIn(text) || withoutSpaces(text);
}

export function withoutSpaces(text: string): string {
	return text.replace(/\s+/g, '');
}

/** A record whose texts are cut to the part that is compared, so that it takes little memory. */
export function comparable(record: JsonObject): JsonObject {
	const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
		const isLong = typeof value === 'string' && value.length > MAX_COMPARED;
		// Copied through bytes: a slice of a string keeps the whole string in memory.
		return [name, isLong ? Buffer.from(value.slice(0, MAX_COMPARED)).toString() : value];
	});
	return Object.fromEntries(entries);
}

/**
 * The values of the match fields, without differences that do not count: white space, the Unicode form
 * of a letter, the time zone of a time, the case of a search term. Undefined if they are all empty.
 */
export function matchKeyOf(
	record: JsonObject,
	matchFields: string[],
	isSearchTerm = false,
): string | undefined {
	const values = matchFields.map((field) => {
		const value = record[field] ?? '';
		const instant = instantOf(value);
		if (instant !== undefined) return new Date(instant).toISOString();
		const text = textOf(value);
		return isSearchTerm ? termIn(text) : spaced(text.normalize());
	});
	return values.every((value) => value === '') ? undefined : JSON.stringify(values);
}
