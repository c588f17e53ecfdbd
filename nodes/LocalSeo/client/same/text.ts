import { characterNamed } from '../http/entities';
import { isDate, timeOf } from '../http/time';
import type { JsonObject } from '../ports';

/** Characters of a text that are looked at: enough to tell two apart, few enough for any length. */
export const MAX_COMPARED = 20_000;
/** Objects in objects that are looked into for a text. */
const MAX_LEVELS = 5;
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
	return undressed(text).normalize('NFKC');
}

/** What is left of a plain text when all that services change is taken away: letters and digits. */
export function lettersIn(plain: string): string {
	return plain.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/**
 * The texts of a value: some services keep one as an object, by language (`{ en: "…" }`), as HTML
 * (`{ rendered: "…" }`), or in paragraphs.
 */
export function textsIn(value: unknown, levels = MAX_LEVELS): unknown[] {
	if (typeof value !== 'object' || value === null) return [value];
	if (levels === 0) return [];
	return Object.values(value)
		.flatMap((one) => textsIn(one, levels - 1))
		.filter((text) => typeof text === 'string' && text !== '');
}

/** What is left of a text where an encoding lacks its other letters. */
export function asciiIn(text: string): string {
	return undressed(text)
		.toLowerCase()
		.replace(/[^a-z\d]/g, '');
}

/** The links of a text, as they stand in it: with a full stop behind one, say. */
export function linksIn(text: string): string[] {
	return text.replace(/&amp;/g, '&').match(LINK) ?? [];
}

/** Letters that Unicode does not take apart into a letter and its accent. */
const PLAIN_LETTERS: Record<string, string> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	ł: 'l',
	þ: 'th',
	ı: 'i',
};

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
		.replace(/[ßæœøđðłþı]/g, (letter) => PLAIN_LETTERS[letter]);
}

function undressed(text: string): string {
	// Twice: what is escaped is sometimes escaped again.
	return decoded(decoded(beginningOf(text)))
		.replace(LINK, '')
		.replace(/<\/?[a-z][^<>]{0,200}>/gi, '');
}

/** What is compared of a text; not a piece of a link, a tag or an entity at its end. */
function beginningOf(text: string): string {
	if (text.length < MAX_COMPARED) return text;
	return text
		.slice(0, MAX_COMPARED)
		.replace(/\s\S{0,200}$/, '')
		.replace(/<[^<>]{0,200}$/, '');
}

function decoded(text: string): string {
	return text.replace(
		/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]\w{1,31}));/gi,
		(_, decimal, hex, name: string) => {
			if (decimal ?? hex) return String.fromCodePoint(parseInt(decimal ?? hex, decimal ? 10 : 16));
			// One that is not known is most likely a sign; if it is a letter, the text has lost one.
			return characterNamed(name) ?? '';
		},
	);
}

/** A text by which values can be found that are the same for people: its letters, or its time. */
export function keyTextOf(value: unknown): string {
	if (isEmpty(value)) return '';
	if (isDate(value)) return String(timeOf(value));
	if (typeof value === 'object') return JSON.stringify(value);
	const plain = plainText(String(value));
	return lettersIn(plain) || plain.replace(/\s+/g, '');
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
