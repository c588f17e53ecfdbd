import { instantOf, isDate, timeOf } from '../dates/ofService';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';

/** Characters of a text that are looked at: enough to tell two apart, few enough for any length. */
export const MAX_COMPARED = 20_000;
const LINK = /https?:\/\/[^\s<>"]+/gi;

/** What stands for no value: as an empty cell of a sheet does. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** A text with one space wherever it has white space. */
export function spaced(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** A text without its links, tags and entities, in one Unicode form; what is beyond the bound is cut. */
export function plainText(text: string): string {
	// Twice: what is escaped is sometimes escaped again.
	return decoded(decoded(comparedPart(text)))
		.replace(LINK, '')
		.replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
		.normalize('NFKC');
}

/** What is left of a plain text when all that services change is taken away: letters and digits. */
export function lettersIn(plain: string): string {
	return plain.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** A search term without what makes no difference in it. */
export function termIn(text: string): string {
	return spaced(plainText(text)).toLowerCase();
}

/** Numbers with their decimals, as text: `1.50` in "only 1,50 €". */
export function numbersIn(text: string): string[] {
	return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => number.replace(/[,:]/g, '.'));
}

/** Signs that tell two texts apart: emojis, flags, currencies, a minus. Not quotes, dashes and the like. */
export function symbolsIn(text: string): string[] {
	const signed = text.replace(/(?<![\p{L}\p{N}])[-‐‑‒–—−](?=\d)/gu, '−');
	return signed.match(/[\p{Extended_Pictographic}\p{RI}\p{Sc}%+−]/gu) ?? [];
}

/** The links of a text, each once, without the punctuation behind them. */
export function linksIn(text: string): string[] {
	const links = text.slice(0, MAX_COMPARED).replace(/&amp;/g, '&').match(LINK) ?? [];
	return [...new Set(links.map((link) => link.replace(/[^\p{L}\p{N}]{1,5}$/u, '')))];
}

/** Pairs of words. */
function mapOf(pairs: string): Map<string, string> {
	return new Map(pairs.match(/\S+ \S+/g)!.map((pair) => pair.split(' ') as [string, string]));
}

/** Letters that Unicode does not take apart into a letter and its accent. */
const PLAIN_LETTERS = mapOf('ß ss æ ae œ oe ø o đ d ð d ł l þ th ı i');

/**
 * A text as people type it whose keyboard lacks its accents: those of Latin, Greek and Cyrillic letters.
 * In other scripts, a mark makes another letter.
 *
 * @param text in lower case
 */
export function withoutAccents(text: string): string {
	return text
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.replace(/[ßæœøđðłþı]/g, (letter) => PLAIN_LETTERS.get(letter)!);
}

/** What is compared of a text; not a piece of a link, a tag or an entity at its end. */
function comparedPart(text: string): string {
	if (text.length < MAX_COMPARED) return text;
	return text
		.slice(0, MAX_COMPARED)
		.replace(/\s\S{0,200}$/, '')
		.replace(/<[^<>]{0,200}$/, '');
}

/** Names of HTML that editors and frameworks write, and their characters. */
const ENTITIES = mapOf(`
	amp & lt < gt > quot " apos ' lsquo ‘ rsquo ’ ldquo “ rdquo ” ndash – mdash — hellip …
	euro € pound £ szlig ß aelig æ AElig Æ oelig œ OElig Œ oslash ø Oslash Ø
`);
/** `uuml` is u with its mark: the code points of the marks. */
const MARKS = mapOf('grave 300 acute 301 circ 302 tilde 303 uml 308 ring 30a cedil 327 caron 30c');

/** The character with a name of HTML. One that is not known is most likely a space or a sign. */
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

/** A text by which values can be found that are the same for people: its letters, or its time. */
export function keyTextOf(value: unknown): string {
	if (isEmpty(value)) return '';
	if (isDate(value)) return String(timeOf(value));
	if (typeof value === 'object') return textOf(value);
	return lettersOrSigns(plainText(textOf(value)));
}

/** The letters and digits of a plain text; of one without any its signs. */
export function lettersOrSigns(text: string): string {
	return lettersIn(text) || withoutSpaces(text);
}

export function withoutSpaces(text: string): string {
	return text.replace(/\s+/g, '');
}

/** A record with no more of its texts than is compared: what is kept of it stays small. */
export function comparable(record: JsonObject): JsonObject {
	const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
		const isLong = typeof value === 'string' && value.length > MAX_COMPARED;
		// Through bytes: a piece of a string keeps the whole of it in memory.
		return [name, isLong ? Buffer.from(value.slice(0, MAX_COMPARED)).toString() : value];
	});
	return Object.fromEntries(entries);
}

/**
 * The values of the match fields, without what makes no difference: white space, the Unicode form of a
 * letter, the time zone of a time, the case of a search term. Undefined if they are all empty.
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
