import { characterNamed } from './entities';

/** A text with its encoded characters decoded once. */
export interface Decoded {
	text: string;
	/** Where the character at an index of `text` begins in the text that was decoded. */
	sourceOf: (index: number) => number;
}

const LONGEST_NAME = 16;
const LONGEST_NUMBER = 8;

/** What JSON and JavaScript escape with a backslash and one letter or sign. */
const ESCAPES: Record<string, string> = {
	'"': '"',
	"'": "'",
	'\\': '\\',
	'/': '/',
	'`': '`',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
};

/**
 * Decodes percent-encoding, escapes of JSON and JavaScript, and HTML entities, once and side by side.
 * Reads the text once.
 *
 * @returns undefined where nothing is encoded
 */
export function decode(text: string): Decoded | undefined {
	/** Of each decoded character its index, and by how much the source is ahead after it. */
	const indexes: number[] = [];
	const lead: number[] = [];
	let decoded = '';
	let copied = 0;
	for (let at = nextMark(text, 0); at >= 0; ) {
		const token = tokenAt(text, at);
		if (!token) {
			at = nextMark(text, at + 1);
			continue;
		}
		decoded += text.slice(copied, at);
		indexes.push(decoded.length);
		decoded += token.character;
		copied = at + token.length;
		lead.push(copied - decoded.length);
		at = nextMark(text, copied);
	}
	if (indexes.length === 0) return undefined;
	decoded += text.slice(copied);
	return {
		text: decoded,
		sourceOf: (index) => index + (lead[countBelow(indexes, index) - 1] ?? 0),
	};
}

interface Token {
	character: string;
	/** Characters that it takes in the source. */
	length: number;
}

const MARK = /[%\\&]/g;

function nextMark(text: string, from: number): number {
	MARK.lastIndex = from;
	return MARK.exec(text)?.index ?? -1;
}

function tokenAt(text: string, at: number): Token | undefined {
	if (text[at] === '%') return hexToken(text, at, 1, 2);
	if (text[at] === '&') return entityAt(text, at);
	const kind = text[at + 1];
	if (kind === 'x') return hexToken(text, at, 2, 2);
	if (kind === 'u') return hexToken(text, at, 2, 4);
	const character = ESCAPES[kind];
	return character === undefined ? undefined : { character, length: 2 };
}

function hexToken(text: string, at: number, prefix: number, digits: number): Token | undefined {
	const code = numberOf(text, at + prefix, at + prefix + digits, 16);
	if (code === undefined) return undefined;
	return { character: String.fromCharCode(code), length: prefix + digits };
}

/** `&amp;`, `&#38;`, `&#x26;`; HTML lets the semicolon of a number be left out. */
function entityAt(text: string, at: number): Token | undefined {
	if (text[at + 1] !== '#') {
		const end = text.slice(at, at + LONGEST_NAME + 2).indexOf(';');
		const character = end < 0 ? undefined : characterNamed(text.slice(at + 1, at + end));
		return character === undefined ? undefined : { character, length: end + 1 };
	}
	const isHex = text[at + 2] === 'x' || text[at + 2] === 'X';
	const from = at + (isHex ? 3 : 2);
	const radix = isHex ? 16 : 10;
	let end = from;
	while (end < from + LONGEST_NUMBER && digitOf(text, end, radix) !== undefined) end++;
	const code = end > from ? numberOf(text, from, end, radix) : undefined;
	if (code === undefined || code > 0xffff) return undefined;
	const length = end - at + (text[end] === ';' ? 1 : 0);
	return { character: String.fromCharCode(code), length };
}

function numberOf(text: string, from: number, to: number, radix: number): number | undefined {
	let number = 0;
	for (let index = from; index < to; index++) {
		const digit = digitOf(text, index, radix);
		if (digit === undefined) return undefined;
		number = number * radix + digit;
	}
	return number;
}

function digitOf(text: string, index: number, radix: number): number | undefined {
	const code = text.charCodeAt(index);
	const digit =
		code >= 48 && code <= 57 ? code - 48 : code >= 97 ? code - 87 : code >= 65 ? code - 55 : -1;
	return digit >= 0 && digit < radix ? digit : undefined;
}

/** How many of the sorted numbers are below a limit. */
function countBelow(numbers: number[], limit: number): number {
	let [low, high] = [0, numbers.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (numbers[middle] < limit) low = middle + 1;
		else high = middle;
	}
	return low;
}
