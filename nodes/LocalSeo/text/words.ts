import { textOf } from '../client';

/** The longest name or value in a message, the longest label, and the longest text of all (characters). */
const MAX_NAME = 100;
const MAX_LABEL = 200;
const MAX_SHOWN = 2_000;

/** Cuts a text at `most` characters, and ends it with an ellipsis. */
export function shortened(text: string, most = MAX_NAME): string {
	return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Lists the first of some names, and cuts the long ones: "a, b and 3 more". */
export function listed(names: string[], most: number, separator = ', '): string {
	const more = names.length - most;
	const shown = names.slice(0, most).map((name) => shortened(name, MAX_LABEL));
	return shown.join(separator) + (more > 0 ? ` and ${more} more` : '');
}

/** Begins a text with a capital letter. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Joins texts as sentences. Each gets a period, unless it, or a quote at its end, has one. */
export function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts
		.map((text) => (text || '').trim())
		.filter((text) => text !== '')
		.map((text) => (/[.?!…]["”’»)]*$/.test(text) ? text : `${text}.`))
		.join(' ');
}

const SEPARATORS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, such as those that move a terminal's cursor or change the direction of a text. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text on one line and of limited length, for logs and wherever n8n shows text. */
export function onOneLine(text: string): string {
	return shortened(text, MAX_SHOWN).replace(SEPARATORS, ' ').replace(INVISIBLE, '');
}

/**
 * A text on one line, for the labels of pickers and columns. n8n keeps these as values of parameters,
 * and would run one that begins with an equals sign as an expression, so that sign is replaced by one
 * that looks much the same.
 */
export function asLabel(text: string): string {
	return onOneLine(shortened(text, MAX_LABEL)).replace(/^\s*=/, '\uff1d');
}

/**
 * A text on one line, for places that n8n shows both as text and as HTML: the message of an error is
 * text in the panel and HTML in the notification. Angle brackets are replaced by characters that look
 * much the same.
 */
export function asTextOrHtml(text: string): string {
	return onOneLine(text).replaceAll('<', '‹').replaceAll('>', '›');
}

/**
 * A text on one line, for places that n8n shows as HTML: hints, and descriptions of errors, in which
 * n8n also reads backticks as code. n8n's own sanitizing keeps links (docs/dev/n8n-facts.md, section
 * 5).
 */
export function asHtml(text: string): string {
	return onOneLine(text).replace(/[&<>`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A value as JSON, cut if it is long. */
export function asValue(value: unknown): string {
	const text = typeof value === 'string' ? JSON.stringify(value) : textOf(value);
	return onOneLine(shortened(text));
}

/** The units of a long time, the largest first (s). */
const UNITS = [
	[86_400, 'days'],
	[3_600, 'hours'],
	[60, 'minutes'],
] as const;

/** A time as "2.5 s" or "60 s", and more than two minutes in whole minutes, hours or days: "24 hours" */
export function duration(milliseconds = 0): string {
	const tenths = Math.round(milliseconds / 100) / 10;
	const [unit, name] = UNITS.find(([one]) => tenths > 2 * one - 1) ?? [1, 's'];
	return `${tenths < 10 ? tenths : Math.round(tenths / unit)} ${name}`;
}
