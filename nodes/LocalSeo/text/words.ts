import { textOf } from '../client';

/** Characters of a name or a value that a message shows, of a label with more, and of all that is shown or logged. */
const MAX_NAME = 100;
const MAX_LABEL = 200;
const MAX_SHOWN = 2_000;

/** A text of at most so many characters and an ellipsis. */
export function shortened(text: string, most = MAX_NAME): string {
	return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The first of some names, each cut if it is long: "a, b and 3 more". */
export function listed(names: string[], most: number, separator = ', '): string {
	const more = names.length - most;
	const shown = names.slice(0, most).map((name) => shortened(name, MAX_LABEL));
	return shown.join(separator) + (more > 0 ? ` and ${more} more` : '');
}

/** A text as a sentence begins. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Texts one after the other, each a sentence: with a full stop, unless it, or a quote at its end, has one. */
export function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts
		.map((text) => (text || '').trim())
		.filter((text) => text !== '')
		.map((text) => (/[.?!…]["”’»)]*$/.test(text) ? text : `${text}.`))
		.join(' ');
}

const SEPARATORS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, such as those that move a terminal's cursor, and changes of the text's direction. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text on one line and not too long, as it can be logged, and shown where n8n takes it for text. */
export function asText(text: string): string {
	return shortened(text, MAX_SHOWN).replace(SEPARATORS, ' ').replace(INVISIBLE, '');
}

/**
 * The same for the labels of pickers and columns, which n8n keeps as values of parameters: what begins
 * with an equals sign would be run as an expression. Another sign that looks much the same begins it.
 */
export function asLabel(text: string): string {
	return asText(shortened(text, MAX_LABEL)).replace(/^\s*=/, '＝');
}

/**
 * The same for what n8n shows both as text and as HTML: the message of an error is text in the panel
 * and HTML in the notification. Tags are made of other characters, which look much the same.
 */
export function asTextOrHtml(text: string): string {
	return asText(text).replaceAll('<', '‹').replaceAll('>', '›');
}

/**
 * The same for what n8n shows as HTML: descriptions of errors, where it also takes backticks for
 * code, and hints. Its own cleaning leaves links in (docs/dev/n8n-facts.md, section 5).
 */
export function asHtml(text: string): string {
	return asText(text).replace(/[&<>`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A value as JSON, cut if it is long. */
export function asValue(value: unknown): string {
	const text = typeof value === 'string' ? JSON.stringify(value) : textOf(value);
	return asText(shortened(text));
}
