import type { HttpResponse, JsonObject } from '../ports';
import { isTooDeep } from './records';

/** Replaces the key. */
const REMOVED = '…';
/**
 * Shorter keys are left in, because they are words and numbers that occur in any text: removing them
 * would damage records, and whatever is written back from them. Such a key can be guessed without a
 * response.
 */
const SHORTEST = 6;
/** Replaces a body that is nested too deeply to be written as JSON; reads as JSON that was cut off. */
const CUT_OFF = '[';
/** Signs that nobody sees between two letters, such as control characters, joiners and variation selectors. */
const GAP = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]*';
/** Begins an entity of HTML, also in JSON or as `&amp;amp;`. */
const AMPERSAND = '(?:&|\\\\{1,3}u0026)(?:amp;)*';

/**
 * Removes the API key from a response, names and numbers included: error messages, logs and items must
 * not contain it.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const body = isTooDeep(response.body) ? CUT_OFF : response.body;
	if (key.length < SHORTEST) return { ...response, body };
	const pattern = patternOf(key);
	const headers = cleaned(response.headers, pattern) as JsonObject;
	return { ...response, headers, body: cleaned(body, pattern) };
}

/** Removes the key from a text; keys that are too short stay. */
export function textWithoutKey(text: string, key: string): string {
	return key.length < SHORTEST ? text : text.replace(patternOf(key), REMOVED);
}

/** The pattern of the key that was removed last: most responses come for one key. It holds the key. */
let last = { key: '', pattern: /(?!)/g };

/**
 * Matches the key as programs write it. Letters and digits look the same everywhere. The other
 * characters of a key (RFC 6750, 2.1) are percent-encoded in addresses, also twice; JSON may escape them
 * with a backslash or as `\u002B`, and may be nested in JSON; HTML has `&#43;` or a name, `&plus;`.
 * Repetitions are not nested, so that a search takes time in proportion to the text.
 */
function patternOf(key: string): RegExp {
	if (last.key === key) return last.pattern;
	const parts = [...key].map((sign) => {
		if (/[A-Za-z\d]/.test(sign)) return sign;
		const hex = Buffer.from(sign).toString('hex');
		const code = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
		const plain = sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		const entity = `#0*${sign.charCodeAt(0)}|#[xX]0*${code}|[A-Za-z]{2,20}`;
		return `(?:\\\\{0,3}${plain}|\\\\{1,3}u00${code}|%(?:25)*${code}|${AMPERSAND}(?:${entity});)`;
	});
	last = { key, pattern: new RegExp(parts.join(GAP), 'gu') };
	return last.pattern;
}

/** Copies only values that hold the key: hardly any does. */
function cleaned(value: unknown, pattern: RegExp): unknown {
	if (typeof value !== 'object' || value === null) {
		const text = String(value);
		const left = text.replace(pattern, REMOVED);
		return left === text ? value : left;
	}
	const before = Object.entries(value);
	const after = before.map(([name, one]): [string, unknown] => [
		name.replace(pattern, REMOVED),
		cleaned(one, pattern),
	]);
	if (after.every(([name, one], at) => name === before[at][0] && one === before[at][1]))
		return value;
	return Array.isArray(value) ? after.map(([, one]) => one) : Object.fromEntries(after);
}
