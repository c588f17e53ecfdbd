import { isRecord } from '../http/records';
import { timeOf } from '../http/time';
import type { JsonObject } from '../ports';
import {
	asciiIn,
	isEmpty,
	lettersIn,
	MAX_COMPARED,
	plainText,
	textsIn,
	withoutAccents,
} from '../texts';

/** Whether a record carries what was sent: for sure, surely not, or it can't be told. */
export type Likeness = 'same' | 'unlike' | 'unclear';

const NONE: ReadonlySet<string> = new Set();
/** A text that is the beginning of another one counts as the same from so many letters on. */
const FEWEST_LETTERS = 12;

/**
 * Compares as people would: entities, tags, Markdown, quotes, white space, Unicode forms and
 * shortened links make no difference, a text may be cut, a number may come as text and a date in
 * another form. The longest text that the record shows decides, unless another one of several words is
 * the same; where no field that was sent is shown, or only empty ones, nothing can be told.
 *
 * @param legible fields whose texts are known to be kept in objects, with nothing else (`legibleIn`)
 */
export function likenessOf(
	record: JsonObject,
	sent: JsonObject,
	legible: ReadonlySet<string> = NONE,
): Likeness {
	const shown = Object.keys(sent).filter((name) => name in record && tells(sent[name]));
	if (shown.length === 0) return 'unclear';
	const longest = shown.reduce((best, name) =>
		lettersOf(sent, name).length > lettersOf(sent, best).length ? name : best,
	);
	const decisive = likenessOfField(record, sent, longest, legible);
	if (decisive === 'unclear') return 'unclear';
	const likenesses = shown.map((name) => likenessOfField(record, sent, name, legible));
	if (decisive === 'same') return likenesses.every((one) => one === 'same') ? 'same' : 'unclear';
	// A service may change a word that it does not like, and leave the title alone.
	const hasTitle = shown.some((name, at) => likenesses[at] === 'same' && isTitle(sent[name]));
	return hasTitle ? 'unclear' : 'unlike';
}

/** Whether a text can tell a record from others: not a status or a type, which many have. */
function isTitle(value: unknown): boolean {
	return (
		typeof value === 'string' && /\S\s+\S/.test(value) && lettersIn(plainText(value)).length >= 8
	);
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

function likenessOfField(
	record: JsonObject,
	fields: JsonObject,
	name: string,
	legible: ReadonlySet<string>,
): Likeness {
	const [stored, sent] = [record[name], fields[name]];
	if (isRecord(stored) && typeof sent === 'string') {
		return likenessOfObject(stored, sent, legible.has(name));
	}
	if (isDate(stored) && isDate(sent)) return timeOf(stored) === timeOf(sent) ? 'same' : 'unclear';
	if (isRecord(stored) || isRecord(sent) || Array.isArray(stored) || Array.isArray(sent)) {
		return JSON.stringify(stored) === JSON.stringify(sent) ? 'same' : 'unclear';
	}
	const [a, b] = [lettersOf(record, name), lettersOf(fields, name)];
	if (a === b) return a === '' && String(stored) !== String(sent) ? 'unclear' : 'same';
	if (a.length >= FEWEST_LETTERS && b.startsWith(a)) return 'same';
	// An empty text is part of any.
	const isPart = b !== '' && (a.includes(b) || b.includes(a));
	if (isPart || folded(a) === folded(b)) return 'unclear';
	// Of a text in another script, numbers and a few words say nothing.
	const hasLost = a.length < b.length && a.length >= b.length / 2;
	return hasLost && asciiIn(String(stored)) === asciiIn(String(sent)) ? 'unclear' : 'unlike';
}

/** Of a text that the service keeps in an object: another one may be the name of its format, or a part. */
function likenessOfObject(stored: JsonObject, sent: string, isLegible: boolean): Likeness {
	const likenesses = likenessesIn(stored, sent);
	if (likenesses.includes('same')) return 'same';
	const isOther = likenesses.length > 0 && likenesses.every((one) => one === 'unlike');
	return isLegible && isOther ? 'unlike' : 'unclear';
}

function likenessesIn(stored: JsonObject, sent: string): Likeness[] {
	return textsIn(stored).map((text) => likenessOf({ text }, { text: sent }));
}

/**
 * Of the fields that a record shows as objects, those that hold what was sent and nothing else, and
 * those that do not: other records will show theirs in the same way.
 */
export function legibleIn(record: JsonObject, sent: JsonObject): Map<string, boolean> {
	const legible = new Map<string, boolean>();
	for (const [name, text] of Object.entries(sent)) {
		const stored = record[name];
		if (!isRecord(stored) || typeof text !== 'string') continue;
		const likenesses = likenessesIn(stored, text);
		legible.set(name, likenesses.length > 0 && likenesses.every((one) => one === 'same'));
	}
	return legible;
}

/** Letters without accents and other marks: some services cannot store them. */
function folded(letters: string): string {
	return withoutAccents(letters).replace(/\p{M}/gu, '');
}

/** A date in ISO 8601, or as in HTTP headers; `Date.parse` would also read "plumber 2024". */
export function isDate(value: unknown): boolean {
	return (
		typeof value === 'string' &&
		/^(\d{4}-\d{2}-\d{2}([T ]|$)|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} )/.test(value) &&
		timeOf(value) !== undefined
	);
}

/** The letters of a record's fields: the same record is compared with many others. */
const known = new WeakMap<JsonObject, Map<string, string>>();

function lettersOf(record: JsonObject, name: string): string {
	const fields = known.get(record) ?? new Map<string, string>();
	known.set(record, fields);
	const value = record[name];
	const found = fields.get(name) ?? (isEmpty(value) ? '' : lettersIn(plainText(String(value))));
	fields.set(name, found);
	return found;
}

/**
 * A text by which the records that `likenessOf` takes for the same can be found without comparing each:
 * the same one, or its beginning where a text was cut.
 */
export function keyTextOf(value: unknown): string {
	if (isEmpty(value)) return '';
	if (isDate(value)) return String(timeOf(value));
	if (typeof value === 'object') return JSON.stringify(value);
	const plain = plainText(String(value));
	return lettersIn(plain) || plain.replace(/\s+/g, '');
}

/** Whether a value can tell two records apart: many have no text, or an empty list of tags. */
function tells(value: unknown): boolean {
	return !isEmpty(value) && JSON.stringify(value) !== '[]' && JSON.stringify(value) !== '{}';
}
